"""What goes wrong in a browser, and what the page says then."""

import json
import re
import signal
import subprocess

from playwright.sync_api import TimeoutError, expect

from agreeing import close, move, moves, pair
from playing import DESK, PHONE, begin, watched
from timing import asks


def check(views, browser, server, grundy, home):
    """Takes away what a page needs, one thing at a time."""
    against_a_terminal(views, browser, server, grundy, home)
    without_web_socket(views, browser, server)
    behind_a_proxy(views, browser, server)
    without_cookies(views, browser, server)
    with_a_wrong_clock(views, browser, server)
    after_an_upgrade(views, browser, server)
    hostile_texts(views, browser, server)
    sent_twice(views, browser, server)
    asked_again(views, browser, server)
    pressed_twice(views, browser, server)
    resigned_by_mistake(views, browser, server)
    pressed_early(views, browser, server)
    before_its_script(views, browser, server)
    refused_far_below(views, browser, server)
    with_an_own_seat(views, browser, server)
    while_the_board_is_late(views, browser, server)
    with_a_server_that_hangs(views, browser, server)


def against_a_terminal(views, browser, server, grundy, home):
    """One plays in a browser, the other in a terminal."""
    context = browser.new_context(viewport=DESK, bypass_csp=True)
    page = watched(context, views)
    page.goto(server.url)
    page.fill("#own", "nim:1,2")
    page.select_option("#side", "first")
    expect(page.locator("#player")).not_to_be_empty()
    page.click("#make-link")
    expect(page.locator("#link")).to_be_visible()
    code = page.locator("#link").get_attribute("href").rsplit("/", 1)[1]
    command = [grundy, "--server", server.url.replace("http", "ws"), "--profile", "terminal", "join", code, "--json"]
    terminal = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
    )

    def heard(kind):
        """The next line of this type."""
        for line in terminal.stdout:
            if kind in line:
                return json.loads(line)
        raise RuntimeError(f"the terminal ended without {kind!r}")

    try:
        page.wait_for_url("**/g/*")
        expect(page.locator("#typed")).to_be_visible()
        page.fill("#move", "B-1")
        page.press("#move", "Enter")
        heard('"B-1"')
        terminal.stdin.write("A-1\n")
        terminal.stdin.flush()
        expect(page.locator("#history li")).to_have_count(2)
        page.fill("#move", "B-1")
        page.press("#move", "Enter")
        expect(page.locator("#over")).to_be_visible()
        heard('"ended"')
    finally:
        terminal.stdin.close()
        terminal.kill()
        terminal.wait()
    context.close()


def without_web_socket(views, browser, server):
    """A browser that has no WebSocket is told so, and can still read."""
    context = browser.new_context(viewport=PHONE, bypass_csp=True)
    context.add_init_script("delete window.WebSocket;")
    page = watched(context, views)
    page.goto(server.url)
    expect(page.locator("#status")).to_contain_text("WebSocket")
    context.close()


def behind_a_proxy(views, browser, server):
    """Where something in between refuses the connection of a page that it lets through, the reader is told so, and not that it was lost."""
    context = browser.new_context(viewport=PHONE, bypass_csp=True)
    # The server refuses a WebSocket at any other address, as such a proxy does.
    context.add_init_script("window.WebSocket = class extends WebSocket { constructor(url) { super(`${url}-no`); } };")
    page = watched(context, views)
    page.goto(server.url)
    expect(page.locator("#status")).to_contain_text("proxy")
    context.close()
    # And where the browser itself forbids it.
    context = browser.new_context(viewport=PHONE, bypass_csp=True)
    context.add_init_script("window.WebSocket = class extends WebSocket { constructor() { throw new DOMException('no', 'SecurityError'); } };")
    page = watched(context, views)
    page.goto(server.url)
    expect(page.locator("#status")).to_contain_text("proxy")
    page.goto(server.url + "/account")
    expect(page.locator("#trouble")).to_contain_text("proxy")
    context.close()


def without_cookies(views, browser, server):
    """A browser that keeps no cookies is told so."""
    context = browser.new_context(viewport=PHONE, bypass_csp=True)
    context.add_init_script("Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false });")
    page = watched(context, views)
    page.goto(server.url)
    expect(page.locator("#status")).to_contain_text("cookies")
    context.close()
    # Where the cookie could not be set, the player stays the same until the page is left, also when the connection is lost.
    context = browser.new_context(viewport=PHONE, bypass_csp=True)
    page = watched(context, views)
    page.route("**/session", lambda route: route.fulfill(status=503))
    page.goto(server.url)
    expect(page.locator("#status")).to_contain_text("cookies")
    name = page.locator("#player").text_content()
    server.kill()
    expect(page.locator("#status")).to_contain_text("connection is lost")
    server.start()
    expect(page.locator("#status")).to_contain_text("cookies")
    if page.locator("#player").text_content() != name:
        views.slip("a player without a cookie became another one when the connection was lost")
    context.close()


def with_a_wrong_clock(views, browser, server):
    """A visitor whose clock is a day ahead sees the clocks of the match as they are."""
    context = browser.new_context(viewport=DESK, bypass_csp=True)
    page = watched(context, views)
    page.clock.install(time="2031-05-06T07:08:09Z")
    page.goto(server.url)
    page.fill("#own", "nim:3,5,7")
    page.select_option("#side", "first")
    page.select_option("#clock", index=1)
    expect(page.locator("#player")).not_to_be_empty()
    page.click("#play-bot")
    page.wait_for_url("**/g/*")
    expect(page.locator("#typed")).to_be_visible()
    page.fill("#move", "A-1")
    page.press("#move", "Enter")
    expect(page.locator("#history li").nth(1)).to_be_visible()
    shown = page.locator(".clock").first.text_content()
    minutes = re.match(r"(\d+):", shown)
    if not minutes or not 0 < int(minutes[1]) < 60:
        views.slip(f"with a wrong clock of the browser the page shows {shown!r}")
    context.close()


def after_an_upgrade(views, browser, server):
    """A page of the version before says that it is old, and goes on."""
    context = browser.new_context(viewport=DESK, bypass_csp=True)
    page = watched(context, views)
    begin(page, server, "nim:3,5,7")
    expect(page.locator("#typed")).to_be_visible()
    # The new version no longer has the scripts of the old one.
    page.route("**/assets/*/connection.js", lambda route: route.fulfill(status=404) if route.request.method == "HEAD" else route.continue_())
    server.kill()
    server.start()
    expect(page.locator("#trouble")).to_contain_text("upgraded")
    page.fill("#move", "A-1")
    page.press("#move", "Enter")
    expect(page.locator("#history li").first).to_have_text("A-1")
    context.close()


def hostile_texts(views, browser, server):
    """What somebody types is text, whatever it looks like."""
    context = browser.new_context(viewport=PHONE, bypass_csp=True)
    page = watched(context, views)
    page.on("dialog", lambda dialog: (views.slip("a text was run"), dialog.dismiss()))
    evil = "<img src=x onerror=alert(1)>"
    for path in (f"/lab?position={evil}", f"/g/{evil}", f"/u/{evil}", f"/t/{evil}", f"/j/{evil}", f"/rules/{evil}", f"/?position={evil}"):
        page.goto(server.url + path)
        if page.locator("img").count():
            views.slip(f"{path} puts a text into the page as it is")
    page.goto(f"{server.url}/lab?position=" + "nim:1,x" * 300)
    views.look(page, "lab-too-long", {"light": (320,)})
    context.close()


def sent_twice(views, browser, server):
    """A move that is sent twice at once is made once."""
    context = browser.new_context(viewport=DESK, bypass_csp=True)
    page = watched(context, views)
    begin(page, server, "nim:9,9,9")
    expect(page.locator("#typed")).to_be_visible()
    page.fill("#move", "A-1")
    page.evaluate("() => { const form = document.getElementById('typed'); form.requestSubmit(); form.requestSubmit(); }")
    expect(page.locator("#history li").nth(1)).to_be_visible()
    expect(page.locator("#typed")).to_be_visible()
    if page.locator("#history li").count() != 2:
        views.slip("a move that was sent twice was made twice")
    context.close()


def asked_again(views, browser, server):
    """A match whose answer was lost is asked for again: there is one match, not two."""
    names = []

    def between(page_side):
        server_side = page_side.connect_to_server()

        def ask(message):
            body = json.loads(message)["body"]
            if body["type"] == "create":
                names.append(body["client_create_id"])
            server_side.send(message)

        def answer(message):
            if len(names) == 1 and json.loads(message)["body"]["type"] == "created":
                page_side.close()
            else:
                page_side.send(message)

        page_side.on_message(ask)
        server_side.on_message(answer)

    context = browser.new_context(viewport=DESK, bypass_csp=True)
    page = watched(context, views)
    page.route_web_socket("**/ws", between)
    page.goto(server.url)
    expect(page.locator("#player")).not_to_be_empty()
    play = page.locator("#new-match button[type=submit]")
    play.click()
    # The match is there: it is among those to go back to.
    expect(page.locator("#your-matches li")).to_have_count(1)
    # A busy server may refuse it; then it is pressed once more.
    said = []
    for _ in range(3):
        play.click()
        try:
            page.wait_for_url("**/g/*", timeout=20_000)
            break
        except TimeoutError:
            said.append(page.locator("#status").text_content())
    else:
        views.slip(f"a match that was asked for again was not begun: {said}")
    if len(names) < 2 or len(set(names)) != 1:
        views.slip(f"a match that was asked for twice has the names {names}")
    context.close()


def pressed_twice(views, browser, server):
    """Who presses again and again, also while the page of the match is being loaded, makes one match."""
    created = []

    def between(page_side):
        server_side = page_side.connect_to_server()

        def ask(message):
            if json.loads(message)["body"]["type"] == "create":
                created.append(message)
            server_side.send(message)

        page_side.on_message(ask)
        server_side.on_message(page_side.send)

    context = browser.new_context(viewport=DESK, bypass_csp=True)
    page = watched(context, views)
    page.route_web_socket("**/ws", between)
    page.goto(server.url)
    expect(page.locator("#player")).not_to_be_empty()
    page.evaluate("setInterval(() => document.querySelector('#new-match button[type=submit]').click(), 1)")
    page.wait_for_url("**/g/*")
    if len(created) != 1:
        views.slip(f"many presses made {len(created)} matches")
    context.close()


def resigned_by_mistake(views, browser, server):
    """Two presses of which the second comes too soon do not resign, and the question goes away with the match."""
    ada, bob = pair(views, browser, server, "nim:3,4,5")
    trouble = ada.locator("#trouble")
    ada.dblclick("#resign")
    # The match goes on, and with the move there is no question any more.
    move(ada, "A-1")
    moves((ada, bob), 1)
    expect(trouble).to_be_empty()
    # A key that is held down.
    ada.focus("#resign")
    for _ in range(3):
        ada.keyboard.down("Enter")
    ada.keyboard.up("Enter")
    move(bob, "A-1")
    moves((ada, bob), 2)
    expect(trouble).to_be_empty()
    # A key or a finger twice: no mouse counts these.
    said = ada.evaluate("""() => {
      const button = document.getElementById('resign');
      button.click();
      button.click();
      return document.getElementById('trouble').textContent;
    }""")
    if "Press again" not in said:
        views.slip(f"after two presses at once the page says {said!r}")
    bob.click("#resign")
    bob.click("#resign")
    expect(ada.locator("#status")).to_contain_text("You won")
    if trouble.text_content():
        views.slip("after the end of a match the page still asks whether to resign")
    close(ada, bob)


def pressed_early(views, browser, server):
    """What is pressed before there is a connection is done once there is one."""
    held = []
    late = True

    def between(page_side):
        server_side = page_side.connect_to_server()
        page_side.on_message(server_side.send)
        server_side.on_message(lambda message: held.append(lambda: page_side.send(message)) if late else page_side.send(message))

    context = browser.new_context(viewport=DESK, bypass_csp=True)
    page = watched(context, views)
    page.route_web_socket("**/ws", between)
    page.goto(server.url)
    page.click("#new-match button[type=submit]")
    page.wait_for_function("() => document.getElementById('status').textContent !== ''")
    late = False
    for send in held:
        send()
    page.wait_for_url("**/g/*")
    context.close()


def before_its_script(views, browser, server):
    """Nothing that a page cannot do yet can be pressed: it says so, and keeps what was typed until its script is there."""
    friend = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    friend.goto(server.url)
    friend.click("#make-link")
    expect(friend.locator("#link")).to_be_visible()
    invitation = friend.locator("#link").get_attribute("href")
    friend.context.close()
    for path, script, field in (("/", "lobby", "#own"), (invitation, "join", "#name"), ("/account", "account", "#new-name"), ("/bots", "bots", "#token-name")):
        held = []
        page = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
        page.route(f"**/assets/*/{script}.js", lambda route: held.append(route))
        page.goto(server.url + path, wait_until="commit")
        button = page.locator("main form button").first
        expect(button).to_be_disabled()
        expect(page.locator(".loading")).to_contain_text("as soon as the page has loaded")
        page.fill(field, "nim:1,1")
        page.press(field, "Enter")
        expect(button).to_be_disabled()
        while not held:
            page.wait_for_timeout(20)
        for route in held:
            route.continue_()
        expect(button).to_be_enabled()
        expect(page.locator(".loading")).to_have_count(0)
        expect(page.locator(field)).to_have_value("nim:1,1")
        if page.url != server.url + path:
            views.slip(f"{path} became {page.url}")
        if path == "/":
            page.click("#play-bot")
            page.wait_for_url("**/g/*")
            expect(page.locator("#position")).to_contain_text("nim:")
        page.context.close()


def refused_far_below(views, browser, server):
    """On a small screen, too, who is refused something sees why, wherever the button is."""
    context = browser.new_context(viewport={"width": 320, "height": 480}, bypass_csp=True)
    page = watched(context, views)
    page.goto(server.url)
    expect(page.locator("#player")).not_to_be_empty()
    page.fill("#own", "nonsense")
    page.click("#play-bot")
    expect(page.locator("#status")).to_contain_text("refuse")
    expect(page.locator("#status")).to_be_in_viewport()
    page.goto(f"{server.url}/account")
    expect(page.locator("#who")).not_to_be_empty()
    page.fill("#login-name", "Nobody")
    page.fill("#login-password", "not the password")
    page.click("#login button")
    expect(page.locator("#trouble")).to_contain_text("refuse")
    expect(page.locator("#trouble")).to_be_in_viewport()
    page.goto(f"{server.url}/puzzles/today")
    expect(page.locator("#exercise")).to_be_visible()
    page.fill("#move", "Z-9")
    page.press("#move", "Enter")
    expect(page.locator("#trouble")).to_contain_text("refuse")
    expect(page.locator("#trouble")).to_be_in_viewport()
    page.click("#solution")
    expect(page.locator("#next")).to_be_focused()
    expect(page.locator("#status")).to_be_in_viewport()
    context.close()


def with_an_own_seat(views, browser, server):
    """A seat of our own is not offered to us."""
    one, other = [watched(browser.new_context(viewport=DESK, bypass_csp=True), views) for _ in range(2)]
    for page in (one, other):
        page.goto(server.url)
        expect(page.locator("#player")).not_to_be_empty()
    one.click("#open-seat")
    name = one.locator("#player").text_content()
    expect(other.locator("#seats li").filter(has_text=name)).to_have_count(1)
    one.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    one.wait_for_timeout(500)
    expect(one.locator("#seats li").filter(has_text=name)).to_have_count(0)
    one.click("#open-seat")
    for page in (one, other):
        page.context.close()


def while_the_board_is_late(views, browser, server):
    """Nothing can be chosen that belongs to the position before."""
    held = []
    late = False

    def between(page_side):
        server_side = page_side.connect_to_server()
        page_side.on_message(server_side.send)

        def answer(message):
            if late and json.loads(message)["body"]["type"] == "moves":
                held.append(lambda: page_side.send(message))
            else:
                page_side.send(message)

        server_side.on_message(answer)

    context = browser.new_context(viewport=DESK, bypass_csp=True)
    page = watched(context, views)
    page.route_web_socket("**/ws", between)
    begin(page, server, "nim:3,4,5")
    page.locator("summary").click()
    choices = page.locator("#moves button, #board .live")
    expect(choices).not_to_have_count(0)
    late = True
    move(page, "A-1")
    moves((page,), 2)
    expect(page.locator("#typed")).to_be_visible()
    expect(choices).to_have_count(0)
    late = False
    for send in held:
        send()
    expect(choices).not_to_have_count(0)
    context.close()


def with_a_server_that_hangs(views, browser, server):
    """A connection that is dead without being closed is left, and another one begun."""
    context = browser.new_context(viewport=PHONE, bypass_csp=True)
    page = watched(context, views)
    page.goto(server.url)
    expect(page.locator("#player")).not_to_be_empty()
    server.process.send_signal(signal.SIGSTOP)
    lost = re.compile("connection is lost|Connecting")
    try:
        asks(page, lambda patience: expect(page.locator("#status")).to_have_text(lost, timeout=3 * patience))
    finally:
        server.process.send_signal(signal.SIGCONT)
    expect(page.locator("#status")).to_be_empty(timeout=30_000)
    context.close()
