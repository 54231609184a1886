"""A bot that takes 50 ms for each move, and plays the first legal one. Run by the tests."""

import sys
import time

for line in sys.stdin:
    verb, *words = line.split()
    if verb == "grundy":
        print("bot name slow\nok", flush=True)
    elif verb == "go":
        print("moves", words[1], flush=True)
    elif verb == "moves":
        time.sleep(0.05)
        print("move", words[0], words[2], flush=True)
    elif verb == "quit":
        break
