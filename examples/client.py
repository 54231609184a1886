#!/usr/bin/env python3
"""A whole Grundy client on one page: it plays Nim by the nim-sum and knows only docs/PROTOCOL.md.

    python3 -m venv .venv && .venv/bin/pip install -r examples/requirements.txt
    .venv/bin/python examples/client.py                   # nim:3,5,7 against the server's bot
    .venv/bin/python examples/client.py --join KWQHRMTB   # the seat that somebody kept for you

To make it your bot, change `choose`.
"""

import argparse
import asyncio
import functools
import json
import operator
import uuid

from websockets.asyncio.client import connect


def choose(heaps):
    """The move to make: which heap, and how many to take from it."""
    nim_sum = functools.reduce(operator.xor, heaps)
    for index, heap in enumerate(heaps):
        if heap ^ nim_sum < heap:
            return index, heap - (heap ^ nim_sum)
    largest = max(range(len(heaps)), key=heaps.__getitem__)
    return largest, 1  # every move loses: stay in the game as long as possible


class Client:
    def __init__(self, socket):
        self.socket = socket
        self.last_id = 0
        self.events = []  # those that came while a reply was awaited

    async def ask(self, **body):
        """Sends a request and returns its reply."""
        self.last_id += 1
        await self.socket.send(json.dumps({"id": self.last_id, "body": body}))
        while True:
            frame = json.loads(await self.socket.recv())
            if frame.get("re") == self.last_id:
                break
            if "match" in frame:
                self.events.append(frame["body"])
        if frame["body"]["type"] == "error":
            raise SystemExit(f"refused: {frame['body']['message']} ({frame['body']['code']})")
        return frame["body"]

    async def next_event(self):
        while not self.events:
            frame = json.loads(await self.socket.recv())
            if "match" in frame:
                self.events.append(frame["body"])
        return self.events.pop(0)


async def play(args):
    async with connect(args.server + "/ws") as socket:
        client = Client(socket)
        welcome = await client.ask(type="hello", protocol=1, name=args.name, bot=True)
        print(f"playing as {welcome['player']['name']}")
        if args.join:
            seat = await client.ask(type="join", code=args.join)
        else:
            bot = {"type": "bot", "name": args.bot}
            seat = await client.ask(type="create", position=args.position, opponent=bot)
        heaps, ply, to_move = [], 0, False
        while True:
            event = await client.next_event()
            if event["type"] == "created":
                heaps = [int(heap) for heap in event["position"].removeprefix("nim:").split(",")]
            elif event["type"] == "joined":  # both are there: the first player is to move
                to_move = seat["seat"] == "first"
            elif event["type"] == "moved":
                letter, taken = event["move"].split("-")
                heaps[ord(letter) - ord("A")] -= int(taken)
                ply = event["ply"]
                to_move = event["seat"] != seat["seat"] and any(heaps)
                print(f"{ply:3}. {event['seat']:6} {event['move']}")
            elif event["type"] == "ended":
                verdict = "won" if event["outcome"] == seat["seat"] else "lost"
                print(f"{verdict} by {event['reason']}; see it again: grundy review {seat['match']}")
                return
            if to_move:
                to_move = False
                index, taken = choose(heaps)
                move = f"{chr(ord('A') + index)}-{taken}"
                # With an id of our own the same request may be sent again after a lost connection.
                name = uuid.uuid4().hex
                await client.ask(type="move", match=seat["match"], ply=ply + 1, move=move, client_move_id=name)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--server", default="ws://127.0.0.1:7310")
    parser.add_argument("--name", help="a name that no other player has")
    parser.add_argument("--bot", default="skill:0.7", help="perfect, random or skill:Q")
    parser.add_argument("--join", metavar="CODE", help="the code of an invitation")
    parser.add_argument("position", nargs="?", default="nim:3,5,7", help="heaps of Nim, at most 26")
    asyncio.run(play(parser.parse_args()))
