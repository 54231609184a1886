#!/usr/bin/env python3
"""A bot for Grundy. It knows no rules: it asks for the legal moves and plays one of them."""

import random
import sys

NAME = "@NAME@"


def choose(position, moves):
    """The move to make: one of `moves`, which are the legal ones (the first thousand). Make this better."""
    return random.choice(moves)


def main():
    go = {}
    for line in sys.stdin:
        verb, *words = line.split() or [""]
        if verb == "grundy":  # the greeting: say who you are, then ok
            print("bot name", NAME, "author me version 0.1")
            print("ok", flush=True)
        elif verb == "go":  # a move is wanted: ask which ones are legal
            go = dict(zip(words[::2], words[1::2]))
            print("moves", go["id"], flush=True)
        elif verb == "moves":  # moves ID TOTAL MOVE MOVE ...
            print("move", go["id"], choose(go["position"], words[2:]), flush=True)
        elif verb == "quit":
            break


if __name__ == "__main__":
    main()
