"""Checks certificates of Grundy, by the rules and theorems of docs/CERTIFICATES.md.

    python3 examples/verifier proof.json       one certificate; exit code 0 if it is accepted, else 1
    python3 examples/verifier --lines < FILE   one certificate a line; a line of reply for each

It needs nothing but Python 3.9 or later.
"""

import sys

from games import Costly
from games.base import MOST_STEPS, Work
from proofs import Refused, load, verify


def reply(line):
    """Whether a certificate is accepted, and a line that says so. Whatever the line holds, it gets one line of reply."""
    Work.left = MOST_STEPS
    try:
        position, outcome = verify(load(line.rstrip(b"\r\n")))
    except Refused as refusal:
        return False, one_line(f"refused {refusal}")
    except (Costly, MemoryError, RecursionError):
        return False, "refused the file: checking it takes too many steps"
    except Exception as error:  # A certificate with a fault that no check names is refused as well.
        return False, one_line(f"refused the file: it is malformed ({type(error).__name__})")
    return True, one_line(f"accepted {position} {outcome}")


def one_line(text):
    """Only printable ASCII: what a certificate says stays in its line."""
    return "".join(letter if " " <= letter <= "~" else f"\\u{ord(letter):04x}" for letter in text)


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
