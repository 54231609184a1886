"""A bot that behaves until its second move, and then as its argument says. Run by the tests; it knows no game but Nim."""

import os
import signal
import sys
import time

MODE = sys.argv[1]


def say(*words):
    print(*words, flush=True)


def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def leave_behind(prepare=lambda: None, orphan=False, environment=os.environ):
    """Starts a process that would outlive the bot, and says on stderr how it can be recognised."""
    mark = "left-%d" % os.getpid()
    print(mark, file=sys.stderr, flush=True)
    if os.fork() == 0:
        prepare()
        if orphan and os.fork() != 0:
            os._exit(0)
        sleeper = [sys.executable, "-c", "import time; time.sleep(3600)", mark]
        os.execve(sys.executable, sleeper, environment)


def misbehave(go):
    number = go["id"]
    if MODE == "sleep":
        print("asleep", file=sys.stderr, flush=True)
        time.sleep(3600)
    elif MODE == "spin":
        while True:
            pass
    elif MODE == "late":
        time.sleep(1.2)
        say("move", number, first_move(go))
    elif MODE.startswith("late-question"):
        time.sleep(1.2)
        say("moves", number)
        answer = sys.stdin.readline().split()
        if MODE == "late-question-only":
            time.sleep(3600)
        say("move", number, answer[3])
    elif MODE == "crash":
        print("about to fail", file=sys.stderr, flush=True)
        os.abort()
    elif MODE == "exit":
        os._exit(3)
    elif MODE == "illegal":
        say("move", number, "A-1000")
    elif MODE == "rubbish":
        raw(b"move " + number.encode() + b" \xff\xfe\x00\n")
    elif MODE == "long-line":
        try:
            for _ in range(1024):
                raw(b"x" * 65536)
        except BrokenPipeError:
            pass
        time.sleep(3600)
    elif MODE == "many-lines":
        try:
            raw(b"info thinking about it and thinking about it again\n" * 200_000)
        except BrokenPipeError:
            pass
        time.sleep(3600)
    elif MODE == "old-id":
        say("move", int(number) - 1, first_move(go))
        time.sleep(3600)
    elif MODE == "closed":
        os.close(1)
        time.sleep(3600)
    elif MODE == "stderr-flood":
        try:
            while True:
                os.write(2, b"e" * 65536)
        except BrokenPipeError:
            pass
    elif MODE == "children":
        leave_behind()
        time.sleep(3600)
    elif MODE == "session":
        leave_behind(os.setsid)
        time.sleep(3600)
    elif MODE == "daemon":
        # Out of the session, out of the family, and without the environment.
        leave_behind(os.setsid, orphan=True, environment={})
        time.sleep(3600)
    else:
        say("move", number, first_move(go))


def first_move(go):
    heaps = go["position"].split(":")[1].split(",")
    index = next(index for index, heap in enumerate(heaps) if heap != "0")
    return chr(ord("A") + index) + "-1"


def main():
    if MODE == "deaf-to-quit":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    moves = 0
    games = 0
    for line in sys.stdin:
        verb, *words = line.split()
        if verb == "grundy":
            if MODE == "never-greets":
                time.sleep(3600)
            say("bot name", MODE, "features", "ready" if MODE == "never-ready" else "-")
            say("ok")
        elif verb == "new":
            games += 1
            moves = 0
            if MODE == "never-ready" and games == 1:
                say("ready")
        elif verb == "go":
            go = dict(zip(words[::2], words[1::2]))
            moves += 1
            if moves == 2:
                misbehave(go)
            else:
                say("move", go["id"], first_move(go))
        elif verb == "quit" and MODE != "deaf-to-quit":
            return
    if MODE == "deaf-to-quit":
        time.sleep(3600)


main()
