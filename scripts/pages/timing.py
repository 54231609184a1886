"""What the clocks of a page show, against what the server says."""

import json
import re
import signal
import subprocess

from playwright.sync_api import expect

from agreeing import SHORT, close, move, moves, pair, seconds
from playing import DESK, watched

# Asks as anybody for the state of a match.
SNAPSHOT = """match => new Promise((resolve, reject) => {
  const socket = new WebSocket(location.origin.replace('http', 'ws') + '/ws');
  const ask = (id, body) => socket.send(JSON.stringify({ id, body }));
  socket.onerror = reject;
  socket.onopen = () => ask(1, { type: 'hello', protocol: 1, client: 'check/1' });
  socket.onmessage = ({ data }) => {
    const { re, body } = JSON.parse(data);
    if (re === 1) ask(2, { type: 'watch', match });
    if (re === 2) { resolve(body.snapshot); socket.close(); }
  };
})"""
# Keeps what is said to those who do not see it.
HEARD = """window.said = [];
document.addEventListener('DOMContentLoaded', () => {
  const warned = document.getElementById('warned');
  if (warned) new MutationObserver(() => window.said.push(warned.textContent)).observe(warned, { childList: true });
});"""
# A busy machine is late.
WARNINGS = (r"You have (20|19|18) seconds left\.", r"You have (10|9|8) seconds left\.")
# How far a page may be from the server.
NEAR = 2


def check(views, browser, server, grundy, home):
    """Looks at clocks where they could go wrong."""
    after_a_reload(views, browser, server)
    of_one_who_waits(views, browser, server)
    while_the_server_is_down(views, browser, server)
    while_the_server_hangs(views, browser, server)
    by_periods(views, browser, server, grundy, home)
    by_days(views, browser, server, grundy, home)
    with_warnings(views, browser, server, grundy, home)


def right(views, page, server, when):
    """Compares the clocks of a page with those of the server."""
    asker = page.context.browser.new_page()
    asker.goto(server.url + "/rules")
    clocks = asker.evaluate(SNAPSHOT, page.url.rsplit("/", 1)[1])["clocks"]
    shown = {seat: seconds(page, seat) for seat in ("first", "second")}
    asker.close()
    for seat in shown:
        if abs(shown[seat] - clocks[f"{seat}_ms"] / 1000) > NEAR:
            views.slip(f"{when}, the clock of the {seat} player shows {shown[seat]} s, and the server has {clocks[f'{seat}_ms']} ms")


def after_a_reload(views, browser, server):
    """A page that is loaded in the middle of a turn has the clock of the server; that of a watcher, too."""
    ada, bob = pair(views, browser, server, "nim:3,4,5", SHORT)
    move(ada, "A-1")
    moves((ada, bob), 1)
    move(bob, "B-1")
    moves((ada, bob), 2)
    expect(ada.locator("#first .clock")).to_have_text(re.compile("2:([0-4].|5[0-4])"))
    for page in (ada, bob):
        right(views, page, server, "in the middle of a turn")
        page.reload()
        expect(page.locator("#actions")).to_be_visible()
        right(views, page, server, "after a reload")
    watcher = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    watcher.goto(ada.url)
    expect(watcher.locator("#status")).to_contain_text("watching")
    right(views, watcher, server, "for a watcher")
    # A move that is taken back gives the time of the turn that was interrupted back.
    bob.click("#takeback")
    ada.click("#accept")
    moves((ada, bob, watcher), 1)
    for page in (ada, bob, watcher):
        right(views, page, server, "after a move was taken back")
    close(ada, bob, watcher)


def of_one_who_waits(views, browser, server):
    """Who waits at the page of the match sees clocks as soon as it begins."""
    ada = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    ada.goto(server.url)
    ada.select_option("#side", "first")
    ada.select_option("#clock", index=SHORT)
    expect(ada.locator("#player")).not_to_be_empty()
    ada.click("#make-link")
    expect(ada.locator("#link")).to_be_visible()
    link = ada.locator("#link").get_attribute("href")
    ada.reload()
    ada.locator("#your-matches button").click()
    expect(ada.locator("#invitation")).to_be_visible()
    bob = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    bob.goto(server.url + link)
    bob.click("button.main")
    expect(ada.locator("#typed")).to_be_visible()
    for page in (ada, bob):
        expect(page.locator("#second .clock")).to_have_text("3:00")
        expect(page.locator("#first .clock")).to_have_text(re.compile("2:([0-4].|5[0-8])"))
        right(views, page, server, "when the match has begun")
    close(ada, bob)


def while_the_server_is_down(views, browser, server):
    """A clock that nobody confirms is not shown as if it ran."""
    ada, bob = pair(views, browser, server, "nim:3,4,5", SHORT)
    move(ada, "A-1")
    moves((ada, bob), 1)
    server.kill()
    for page in (ada, bob):
        expect(page.locator("#second .clock")).to_contain_text("?")
    then = ada.locator("#second .clock").text_content()
    ada.wait_for_timeout(2_500)
    if ada.locator("#second .clock").text_content() != then:
        views.slip("a clock runs while the server is down")
    server.start()
    for page in (ada, bob):
        expect(page.locator("#second .clock")).not_to_contain_text("?")
        expect(page.locator("#trouble")).to_be_empty()
        right(views, page, server, "after a restart of the server")
    expect(bob.locator("#second .clock")).to_have_text(re.compile("2:[3-5]"))
    move(bob, "B-1")
    moves((ada, bob), 2)
    close(ada, bob)


def while_the_server_hangs(views, browser, server):
    """Nor is one that may be out of date because the server is silent."""
    ada, bob = pair(views, browser, server, "nim:3,4,5", SHORT)
    server.process.send_signal(signal.SIGSTOP)
    try:
        asks(ada, lambda patience: expect(ada.locator("#first .clock")).to_contain_text("?", timeout=patience))
    finally:
        server.process.send_signal(signal.SIGCONT)
    expect(ada.locator("#first .clock")).not_to_contain_text("?")
    right(views, ada, server, "after the server was silent")
    close(ada, bob)


def asks(page, sees):
    """Has the page ask whether the server is there until it sees that it is not. What was on its way when the server stopped is heard after the first question."""
    for _ in range(10):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        try:
            sees(5_000)
            return
        except AssertionError:
            continue
    sees(1)


class Terminal:
    """The second player of a match, in a terminal; the first is a page."""

    def __init__(self, views, browser, server, grundy, home, clock, language="en"):
        command = [grundy, "--server", server.url, "--profile", "inviter", "play", "nim:30,40,50", "--invite", "--side", "second", "--clock", clock, "--json"]
        environment = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        link = json.loads(self.process.stdout.readline())["link"]
        context = browser.new_context(viewport=DESK, locale=language, bypass_csp=True)
        context.add_init_script(HEARD)
        self.page = watched(context, views)
        self.page.goto(link)
        self.page.click("button.main")
        self.page.wait_for_url("**/g/*")
        move(self.page, "A-1")
        moves([self.page], 1)

    def answer(self):
        """Moves, so that the page is to move."""
        self.process.stdin.write("B-1\n")
        self.process.stdin.flush()
        moves([self.page], 2)

    def end(self):
        """Leaves the match."""
        close(self.page)
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def by_periods(views, browser, server, grundy, home):
    """With byo-yomi, the time of the period runs when the main time is used up, and the periods that are left are counted."""
    terminal = Terminal(views, browser, server, grundy, home, "10s+3x30s")
    page = terminal.page
    expect(page.locator("#first .clock")).to_have_text(re.compile(r"0:\d\d \+ 3×30 s"))
    terminal.answer()
    expect(page.locator("#first .clock")).to_have_text(re.compile(r"0:2\d \+ 2×30 s"))
    page.reload()
    expect(page.locator("#first .clock")).to_have_text(re.compile(r"0:[12]\d \+ 2×30 s"))
    # A move within a period begins it anew.
    move(page, "A-1")
    moves([page], 3)
    expect(page.locator("#first .clock")).to_have_text("0:30 + 2×30 s")
    terminal.end()


def by_days(views, browser, server, grundy, home):
    """A slow match counts in days."""
    for language, shown in (("en", "2 days 23 h"), ("zh-CN", "2 天 23 小时")):
        terminal = Terminal(views, browser, server, grundy, home, "3d/move", language)
        expect(terminal.page.locator("#second .clock")).to_have_text(shown)
        terminal.end()


def with_warnings(views, browser, server, grundy, home):
    """A clock that runs out is said, once for each mark."""
    terminal = Terminal(views, browser, server, grundy, home, "22s+0s")
    page = terminal.page
    terminal.answer()
    expect(page.locator("#first .clock")).to_have_text(re.compile("0:0[1-8]"))
    said = page.evaluate("window.said")
    if len(said) != 2 or not all(re.fullmatch(words, one) for words, one in zip(WARNINGS, said)):
        views.slip(f"the clock runs out, and the page says {said}")
    terminal.end()
