"""Measures the pages of a server. See scripts/measure-pages."""

import http.client
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from playwright.sync_api import expect, sync_playwright

from playing import PHONE, begin, point
from server import Server

QUIET = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
# How long a kind of request is repeated, and a load runs, in seconds.
REPEATED = 5
LOADED = 10
# Rounds of the loads, which take turns.
ROUNDS = 3
# Moves per second of the load, a quarter of what one core serves, so that what is measured is not the queue.
RATE = 500
WATCHERS = 1_000
# Pages that are asked for beside the load, per second.
BESIDE = 100


def main():
    programs, tries = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        home = pathlib.Path(directory)
        server = Server(programs / "grundy-server", home / "server")
        try:
            launch = lambda: playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=QUIET)
            invitations(server, programs / "grundy", home, launch, tries)
            sizes(server, launch)
            speeds(server)
            beside(server, programs / "grundy", home)
        finally:
            server.kill()


def table(*heads):
    """Begins a table."""
    print()
    row(*heads)
    row(*("---" for _ in heads))


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def invitations(server, grundy, home, launch, tries):
    """From the press on a link to the first move that the server has stored, in a browser that was never started before."""
    steps = {"the page of the link is loaded": [], "the board can be played": [], "the first move is stored and shown": []}
    for number in range(tries):
        environment = {"HOME": str(home / f"inviter-{number}"), "PATH": os.environ["PATH"]}
        command = [grundy, "--server", server.url, "play", "nim:3,5,7", "--invite", "--side", "second", "--json"]
        inviter = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        link = json.loads(inviter.stdout.readline())["link"]
        browser = launch()
        page = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
        start = time.monotonic()
        page.goto(link)
        passed = [time.monotonic() - start]
        page.click("button.main")
        page.wait_for_url("**/g/*")
        page.locator("#board .live").first.wait_for()
        passed.append(time.monotonic() - start)
        point(page)
        expect(page.locator("#history li")).to_have_count(1)
        passed.append(time.monotonic() - start)
        for times, one in zip(steps.values(), passed):
            times.append(one)
        browser.close()
        inviter.kill()
        inviter.wait()
    table("from the press on the link until", "median s", "p95 s")
    for step, times in steps.items():
        times.sort()
        row(step, f"{statistics.median(times):.2f}", f"{times[min(len(times) - 1, int(len(times) * 0.95))]:.2f}")


def sizes(server, launch):
    """What a browser without a cache receives for each page, with all that the page names."""
    browser = launch()
    context = browser.new_context()
    page = context.new_page()
    begin(page, server, "nim:3,5,7")
    expect(page.locator("#player")).not_to_be_empty()
    match, player = page.url, "/u/" + page.locator("#player").text_content()
    page.click("#resign")
    page.click("#resign")
    expect(page.locator("#over")).to_be_visible()
    page.goto(server.url)
    page.click("#make-link")
    expect(page.locator("#link")).to_be_visible()
    invitation = page.locator("#link").get_attribute("href")
    paths = ["/", invitation, match, f"{match}/review", f"{match}/learn", "/puzzles", "/lab?position=nim:3,5,7", "/rules", "/rules/nim", "/t", "/tv", player, "/bots"]
    # The inviter would be led to the match, so somebody else reads the invitation.
    context = browser.new_context()
    table("page", "kB received", "kB unpacked")
    for path in paths:
        url = path if path.startswith("http") else server.url + path
        page = context.new_page()
        session = context.new_cdp_session(page)
        received, unpacked = [], []
        session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
        session.on("Network.dataReceived", lambda event: unpacked.append(event["dataLength"]))
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        page.goto(url, wait_until="networkidle")
        name = url.removeprefix(server.url).replace(match.rsplit("/", 1)[1], "MATCH").replace(player, "/u/NAME").replace(invitation, "/j/CODE")
        row(f"`{name}`", f"{sum(received) / 1000:.1f}", f"{sum(unpacked) / 1000:.1f}")
        page.close()
    browser.close()


def spent(server):
    """Seconds of processor time that the server has used."""
    fields = pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def asked(connection, path):
    """One request over a connection that stays."""
    connection.request("GET", path, headers={"Accept": "text/html", "Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path}: {answer.status}")


def speeds(server):
    """Requests one after the other, as fast as one client asks, and what they cost the server."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", "/", headers={"Accept": "text/html"})
    first = connection.getresponse().read().decode()
    style = next(part for part in first.split('"') if part.endswith("page.css"))
    table("request", "per second, one client", "processor time of the server, us", "per second and core")
    for name, path in (("`page.css`", style), ("`/`", "/"), ("`/rules`", "/rules"), ("`/bots`", "/bots")):
        start, before, count = time.monotonic(), spent(server), 0
        while time.monotonic() - start < REPEATED:
            asked(connection, path)
            count += 1
        cost = (spent(server) - before) / count
        row(name, round(count / (time.monotonic() - start)), round(cost * 1e6), round(1 / cost))


def beside(server, grundy, home):
    """Moves of `grundy load`: alone, beside requests for pages, and before many watchers. They take turns."""
    kinds = {"alone": (), f"beside {BESIDE} pages a second": (), f"before {WATCHERS} watchers of one match": ("--watchers", str(WATCHERS))}
    found = {kind: [] for kind in kinds}
    for _ in range(ROUNDS):
        for kind, more in kinds.items():
            done = threading.Event()
            reader = threading.Thread(target=read, args=(server, done))
            if "pages" in kind:
                reader.start()
            command = [grundy, "load", "--server", server.url, "--matches", "50", "--rate", str(RATE), "--seconds", str(LOADED), "--json", *more]
            environment = {"HOME": str(home / "load"), "PATH": os.environ["PATH"]}
            said = subprocess.run(command, capture_output=True, text=True, env=environment)
            done.set()
            if reader.ident:
                reader.join()
            if said.returncode:
                raise RuntimeError(f"grundy load: {said.stderr}")
            found[kind].append(json.loads(said.stdout))
    alone = statistics.median(one["ack_ms_p99"] for one in found["alone"])
    table(f"moves, {RATE} a second", "p50 ms", "p99 ms", "p99 against alone", "events to watchers")
    for kind, all_ in found.items():
        middle = lambda name: statistics.median(one[name] for one in all_)
        row(kind, f"{middle('ack_ms_p50'):.2f}", f"{middle('ack_ms_p99'):.2f}", f"{middle('ack_ms_p99') / alone:.2f}", round(middle("watched_events")))


def read(server, done):
    """Asks for pages at a steady pace."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    due = time.monotonic()
    while not done.is_set():
        asked(connection, "/")
        due += 1 / BESIDE
        done.wait(max(0.0, due - time.monotonic()))


main()
