"""Checks certificates of Grundy, by the rules and theorems of docs/CERTIFICATES.md.

    python3 examples/verifier proof.json       one certificate; exit code 0 if it is accepted, else 1
    python3 examples/verifier --lines < FILE   one certificate a line; a line of reply for each

It needs nothing but Python 3.9 or later.
"""

import sys

from proofs import Refused, load, verify


def reply(line):
    """Whether a certificate is accepted, and a line that says so."""
    try:
        position, outcome = verify(load(line))
    except Refused as refusal:
        return False, f"refused {refusal}"
    return True, f"accepted {position} {outcome}"


def main(arguments):
    sys.setrecursionlimit(20_000)
    if arguments == ["--lines"]:
        for line in sys.stdin.buffer:
            print(reply(line)[1], flush=True)
        return 0
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    with open(arguments[0], "rb") as file:
        accepted, message = reply(file.read())
    print(message)
    return 0 if accepted else 1


sys.exit(main(sys.argv[1:]))
