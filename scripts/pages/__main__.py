"""Opens every page in a headless Chromium, and plays in it. See scripts/check-pages."""

import concurrent.futures
import os
import pathlib
import sys
import tempfile

from playwright.sync_api import sync_playwright

import adverse
import agreeing
import playing
import reading
import refusing
import returning
import studying
import timing
import watching
import written
from server import Server
from views import Views


def looked_at(views, browser, server, programs, home):
    """All pages, in all sizes and both languages."""
    written.check(views, programs / "grundy", home)
    played = playing.check(views, browser, server)
    studying.check(views, browser, server)
    reading.check(views, browser, server, programs / "grundy", home)
    return played


def tried_out(views, browser, server, programs, home):
    """What people do to each other, and what goes wrong: mostly waiting."""
    agreeing.check(views, browser, server)
    timing.check(views, browser, server, programs / "grundy", home)
    watching.check(views, browser, programs / "grundy-server", home)
    adverse.check(views, browser, server, programs / "grundy", home)
    refusing.check(views, browser, server, programs, home)
    returning.check(views, browser, server)
    return playing.Played()


PARTS = (looked_at, tried_out)


def run(number, programs, shots):
    """One part, with a browser and a server of its own: what it has counted."""
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        home = pathlib.Path(directory)
        # Without these, the browser looks for hosts that are not the server's.
        quiet = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=quiet)
        views = Views(browser, shots)
        server = Server(programs / "grundy-server", home / "server")
        try:
            played = PARTS[number](views, browser, server, programs, home)
        finally:
            server.kill()
        browser.close()
    counted = {"pages": views.pages, "views": views.views, "violations": views.violations, "sideways": views.sideways}
    return counted | {"matches": played.matches, "moves": played.moves}, views.slips


def main():
    programs = pathlib.Path(sys.argv[1])
    shots = pathlib.Path(sys.argv[2]) if sys.argv[2] else None
    with concurrent.futures.ProcessPoolExecutor() as pool:
        parts = [pool.submit(run, number, programs, shots) for number in range(len(PARTS))]
        counted = [part.result() for part in parts]
    total = {name: sum(part[name] for part, _ in counted) for name in counted[0][0]}
    print(*(f"{name} {count}" for name, count in total.items()))
    slips = sum(slips for _, slips in counted)
    sys.exit(1 if total["violations"] or total["sideways"] or slips else 0)


if __name__ == "__main__":
    main()
