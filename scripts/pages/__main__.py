"""Opens every page in a headless Chromium, and plays in it. See scripts/check-pages."""

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
import studying
import timing
import watching
import written
from server import Server
from views import Views


def main():
    programs = pathlib.Path(sys.argv[1])
    shots = pathlib.Path(sys.argv[2]) if sys.argv[2] else None
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        home = pathlib.Path(directory)
        # Without these, the browser looks for hosts that are not the server's.
        quiet = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=quiet)
        views = Views(browser, shots)
        written.check(views, programs / "grundy", home)
        server = Server(programs / "grundy-server", home / "server")
        try:
            played = playing.check(views, browser, server)
            agreeing.check(views, browser, server)
            timing.check(views, browser, server, programs / "grundy", home)
            watching.check(views, browser, programs / "grundy-server", home)
            studying.check(views, browser, server)
            adverse.check(views, browser, server, programs / "grundy", home)
            reading.check(views, browser, server, programs / "grundy", home)
            refusing.check(views, browser, server, programs, home)
        finally:
            server.kill()
        browser.close()
    print(f"pages {views.pages} views {views.views} violations {views.violations} sideways {views.sideways} matches {played.matches} moves {played.moves}")
    sys.exit(1 if views.violations or views.sideways or views.slips else 0)


main()
