#!/usr/bin/env python3
"""Plays Nim by the nim-sum, and any other game at random: the SDK in use."""

from functools import reduce
from operator import xor

from grundy_bot import run


def choose(turn):
    if turn.rules != "nim" or turn.misere or "+" in turn.position:
        return turn.any_move()
    total = reduce(xor, turn.heaps, 0)
    for index, heap in enumerate(turn.heaps):
        if heap ^ total < heap and index < 26:
            return f"{chr(ord('A') + index)}-{heap - (heap ^ total)}"
    return turn.any_move()


if __name__ == "__main__":
    run(choose, name="nim-sum-py", author="grundy")
