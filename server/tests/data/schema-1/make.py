#!/usr/bin/env python3
"""Makes the database of this directory with an older server: see README.md."""

import asyncio
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

from websockets.asyncio.client import connect

SERVER, WORK, OUT = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
CONFIG = """
[times]
join_code_ms = {join_code_ms}
abandoned_ms = {abandoned_ms}
away_ms = {away_ms}
[limits]
burst = 10000
requests_per_second = 10000
guests_per_minute_per_address = 10000
connections_per_second_per_address = 1000
"""
EXPECTED = {"last_move", "resignation", "time", "aborted", "expired", "outgrown", "repetition"}


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Server:
    def __init__(self, **times):
        defaults = {"join_code_ms": 86_400_000, "abandoned_ms": 1_209_600_000, "away_ms": 5_000}
        config = WORK / "config.toml"
        config.write_text(CONFIG.format(**{**defaults, **times}))
        command = [SERVER, "--config", config, "--listen", "127.0.0.1:0", "--data", WORK / "data"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().split()[-1].replace("http", "ws") + "/ws"

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


class Client:
    @classmethod
    async def open(cls, server, name=None, token=None, bot=False):
        self = cls()
        self.socket = await connect(server.url, max_size=None, compression=None)
        self.last, self.frames = 0, []
        hello = {"token": token} if token else {"name": name, "bot": bot}
        self.welcome = await self.ask(type="hello", protocol=1, **hello)
        self.token = token or self.welcome["token"]
        return self

    async def ask(self, **body):
        self.last += 1
        await self.socket.send(json.dumps({"id": self.last, "body": body}))
        while True:
            frame = json.loads(await self.socket.recv())
            if frame.get("re") == self.last:
                assert frame["body"]["type"] != "error", (body, frame)
                return frame["body"]
            self.frames.append(frame)

    async def event(self, match, seq):
        while True:
            for frame in self.frames:
                if frame.get("match") == match and frame["seq"] == seq:
                    return frame["body"]
            self.frames.append(json.loads(await self.socket.recv()))

    async def until(self, match, kind):
        seq = 1
        while (body := await self.event(match, seq))["type"] != kind:
            seq += 1
        return body


async def pair(a, b, position, **terms):
    made = await a.ask(type="create", position=position, side="first", opponent={"type": "invite"}, **terms)
    await b.ask(type="join", code=made["code"])
    return made["match"]


async def moves(match, players, texts):
    for ply, text in enumerate(texts, 1):
        await players[(ply - 1) % 2].ask(
            type="move", match=match, ply=ply, move=text, client_move_id=f"{match[:4]}-{ply}"
        )


FISCHER = {"type": "fischer", "base_ms": 180_000, "increment_ms": 2_000}


async def first_life():
    server = Server()
    ada = await Client.open(server, name="李雷")
    bea = await Client.open(server, name="韩梅梅")
    bot = await Client.open(server, name="小机器人", bot=True)
    won = await pair(ada, bea, "nim:1,2", clock=FISCHER)
    await moves(won, [ada, bea], ["B-1", "A-1", "B-1"])
    await ada.ask(type="rematch", match=won)
    again = (await bea.ask(type="rematch", match=won))["rematch"]
    await moves(again, [bea, ada], ["A-1"])
    await ada.ask(type="resign", match=again)
    offered = await pair(bea, ada, "kayles:5+nim:3")
    await ada.ask(type="resign", match=offered)
    await ada.ask(type="rematch", match=offered)
    quick = await pair(ada, bot, "nim:3,5,7", clock={"type": "fischer", "base_ms": 1_000, "increment_ms": 0})
    await moves(quick, [ada, bot], ["C-1", "B-1"])
    aborted = await pair(bot, bea, "nim:9,9")
    await bea.ask(type="abort", match=aborted)
    circle = "loopy.0-1.1-0:0"
    drawn = await pair(ada, bot, circle)
    await moves(drawn, [ada, bot], ["0-1", "1-0", "0-1", "1-0"])
    split = lambda taken, half: ",".join(f"{n}.A-{taken}/{half},{half}" for n in range(1, 701))
    grown = await pair(bea, bot, "+".join(["kayles:99999"] * 700) + "@every")
    seat, ply = [bea, bot], 0
    for taken, half in [(1, 49_999), (1, 24_999), (1, 12_499), (1, 6_249), (1, 3_124), (2, 1_561), (1, 780)]:
        answer = await seat[ply % 2].ask(type="move", match=grown, ply=ply + 1, move=split(taken, half))
        ply += 1
        reply = await seat[ply % 2].ask(type="resume", match=grown)
        if reply["snapshot"]["status"] == "over":
            break
    await ada.until(quick, "ended")
    perfect = await ada.ask(type="create", position="nim:2,2", side="first", opponent={"type": "bot", "name": "perfect"})
    for ply, text in [(1, "A-1"), (3, "A-1")]:
        await ada.ask(type="move", match=perfect["match"], ply=ply, move=text)
        await ada.event(perfect["match"], 3 + ply)
    await ada.until(perfect["match"], "ended")
    server.stop()
    return ada.token, bea.token, bot.token


async def second_life(tokens):
    """Nobody takes the seat of an invitation; both players leave a match without clocks."""
    server = Server(join_code_ms=1_000, abandoned_ms=1_000, away_ms=0)
    ada, bea, _ = [await Client.open(server, token=token) for token in tokens]
    invitation = await ada.ask(type="create", position="nim:4,4", opponent={"type": "invite"})
    left = await pair(ada, bea, "nim:6,6,6")
    await moves(left, [ada, bea], ["A-1"])
    for client in (ada, bea):
        await client.ask(type="leave", match=left)
    ada = await Client.open(server, token=tokens[0])
    await ada.ask(type="resume", match=invitation["match"], since_seq=0)
    await ada.until(invitation["match"], "ended")
    await asyncio.sleep(1.5)
    server.stop()


async def third_life(tokens):
    server = Server()
    ada, bea, bot = [await Client.open(server, token=token) for token in tokens]
    clocked = await pair(bea, ada, "nim:30,50,70", clock=FISCHER)
    await moves(clocked, [bea, ada], ["C-1", "C-2", "C-3"])
    plain = await pair(ada, bot, "wythoff:40,60")
    await moves(plain, [ada, bot], ["A-1", "B-1"])
    against = await bea.ask(type="create", position="nim:9,9", side="first", clock=FISCHER, opponent={"type": "bot", "name": "perfect"})
    await bea.ask(type="move", match=against["match"], ply=1, move="A-4")
    await bea.event(against["match"], 4)
    done = await pair(ada, bea, "nim:5")
    await moves(done, [ada, bea], ["A-1", "A-4"])
    await ada.ask(type="rematch", match=done)
    await bea.ask(type="rematch", match=done)
    await asyncio.sleep(0.2)
    server.stop()


async def fourth_life(tokens):
    """The one whose write-ahead log is kept: every kind of commit once more, then killed."""
    server = Server()
    ada, bea, bot = clients = [await Client.open(server, token=token) for token in tokens]
    dan = await Client.open(server, name="Đan ⛄")
    waiting = await bea.ask(type="create", position="kayles:7", clock=FISCHER, opponent={"type": "invite"})
    listed = (await ada.ask(type="list", status="live", limit=200))["matches"]
    for row in listed:
        seats = [row.get("first"), row.get("second")]
        for client in clients:
            if client.welcome["player"]["id"] in [seat["id"] for seat in seats if seat]:
                await client.ask(type="resume", match=row["match"])
        if row["position"] == "nim:30,50,70":
            await ada.ask(type="move", match=row["match"], ply=4, move="A-4", client_move_id="xue-4")
        if row["position"] == "nim:9,9":
            await bea.ask(type="move", match=row["match"], ply=3, move="A-1")
    late = await pair(dan, ada, "nim:1,1,1")
    await moves(late, [dan, ada], ["A-1", "B-1"])
    ended = await pair(dan, bot, "nim:2")
    await dan.ask(type="resign", match=ended)
    await asyncio.sleep(1)
    await keep(server, clients + [dan], waiting)


async def keep(server, clients, waiting):
    """What the server shows, then its files as they are while it runs, then it is killed."""
    ada = clients[0]
    rows, before = [], {}
    while True:
        page = await ada.ask(type="list", limit=200, **before)
        rows += page["matches"]
        if not page.get("next"):
            break
        before = {"before": page["next"]}
    if OUT.exists():
        for old in OUT.glob("*.db*"):
            old.unlink()
        shutil.rmtree(OUT / "records", ignore_errors=True)
    (OUT / "records").mkdir(parents=True)
    seen = {"list": rows, "waiting": {"match": waiting["match"], "code": waiting["code"]}, "players": [], "matches": {}}
    watcher = await Client.open(server, name="看客")
    for client in clients:
        again = await Client.open(server, token=client.token)
        seen["players"].append({"token": client.token, "player": again.welcome["player"], "obligations": again.welcome["obligations"]})
    ids = [row["match"] for row in rows]
    ids += [waiting["match"]] * (waiting["match"] not in ids)
    for match in ids:
        # Only the creator sees an invitation that nobody has taken.
        owner = clients[1] if match == waiting["match"] else watcher
        for client in clients:
            row = next((row for row in rows if row["match"] == match), None)
            seats = [seat["id"] for seat in (row.get("first"), row.get("second")) if seat] if row else []
            if client.welcome["player"]["id"] in seats:
                owner = client
        events, done = [], False
        while not done:
            page = await owner.ask(type="record", match=match, since_seq=events[-1]["seq"] if events else 0, limit=200)
            events += page["events"]
            done = page["complete"]
        head = hashlib.sha256(b"grundy/log/1/" + match.encode()).digest()
        for event in events:
            head = hashlib.sha256(head + compact(event["body"]).encode()).digest()
        header = {"schema": "grundy/record/1", "match": match, "events": len(events), "head": head.hex()}
        lines = [compact(line) + "\n" for line in [header, *events]]
        (OUT / "records" / f"{match}.ndjson").write_text("".join(lines))
        kind = "watch" if owner is watcher else "resume"
        attached = await owner.ask(type=kind, match=match, since_seq=0)
        seen["matches"][match] = {"by": owner.welcome["player"]["id"], "attached": attached}
    reasons = {row.get("reason") for row in rows} - {None}
    assert reasons == EXPECTED, EXPECTED ^ reasons
    for name in ("grundy.db", "grundy.db-wal", "grundy.db.lock"):
        source = WORK / "data" / name
        if source.exists():
            shutil.copyfile(source, OUT / name)
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    copy = WORK / "check"
    copy.mkdir(exist_ok=True)
    for name in ("grundy.db", "grundy.db-wal"):
        shutil.copyfile(OUT / name, copy / name)
    base = sqlite3.connect(copy / "grundy.db")
    seen["heartbeat"] = base.execute("SELECT at FROM heartbeat").fetchone()[0]
    counts = dict(base.execute("SELECT status, count(*) FROM match GROUP BY status"))
    seen["counts"] = {**counts, "events": base.execute("SELECT count(*) FROM event").fetchone()[0]}
    heads = {head for (head,) in base.execute("SELECT log_head FROM match WHERE status = 'over'")}
    written = {bytes.fromhex(json.loads(file.read_text().split("\n")[0])["head"]) for file in (OUT / "records").iterdir()}
    assert heads <= written, "the heads beside finished matches are those of the records"
    (OUT / "seen.json").write_text(json.dumps(seen, ensure_ascii=False, indent=1) + "\n")
    print(seen["counts"], {name: (OUT / name).stat().st_size for name in os.listdir(OUT)})


async def main():
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "data").mkdir(parents=True)
    OUT.mkdir(parents=True, exist_ok=True)
    tokens = await first_life()
    await second_life(tokens)
    await third_life(tokens)
    await fourth_life(tokens)


asyncio.run(main())
