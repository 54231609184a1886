"""People play on the pages of a server."""

from playwright.sync_api import expect

from views import EVERY, SOME

# A busy machine is slow.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
# One position for each kind of board, with a move that is typed.
BOARDS = (
    ("heaps", "nim:3,5,7"),
    ("pins", "kayles:7,4"),
    ("count", "race.10.100:80"),
    ("queen", "wythoff:5,8"),
    ("stairs", "stairs:2,3,1,0,4"),
    ("coins", "turtles:HTHHTTH"),
    ("squares", "silver:2,3,7"),
    ("cells", "treblecross:..x....."),
    ("grid", "cram:..x./..../...."),
    ("stones", "northcott:x..o./.o.x."),
    ("bar", "chomp:5,4,2"),
    ("boards", "notakto:x...x..../.........@misere"),
    ("arcs", "dag.3-1.3-2.2-0:3,2"),
    ("forks", "fork.3-1/2.3-0:3,2"),
    ("walk", "geo.0-1.1-2.1-3.3-4:_"),
    ("vertices", "nodekayles:0-1,1-2,3"),
    ("edges", "arckayles:0-1,1-2,2-3,1-4"),
    ("order", "poset:0-1-3,0-2-3,4"),
    ("cuts", "nimstring:0-1-2-3-0,0-4-0"),
    ("tints", "col:0-1,1b-2,3r"),
    ("trees", "hack:0b1r2-3,0-4"),
    ("options", "value:2::1:0"),
    ("strings", "prefix.3:01"),
    ("several", "nim:3,4+kayles:6+wythoff:2,5"),
    ("large", "nim:1000000000000000000,40"),
)
# Boards whose moves are only typed or chosen from the list.
WRITTEN = {"options", "strings"}


class Played:
    """What was played."""

    def __init__(self):
        self.matches = self.moves = 0


def check(views, browser, server):
    """Plays, and looks at the pages on the way."""
    played = Played()
    for language in ("en", "zh-CN"):
        # The boards have no words: in the second language a few are enough.
        boards = BOARDS if language == "en" else BOARDS[:3] + BOARDS[-3:]
        context = browser.new_context(locale=language, viewport=DESK, bypass_csp=True)
        page = watched(context, views)
        page.goto(server.url)
        expect(page.locator("#player")).not_to_be_empty()
        views.look(page, f"lobby-{language}")
        for kind, position in boards:
            against_a_bot(views, page, server, kind, position, language, played)
        context.close()
    by_link(views, browser, server, played)
    by_keyboard(browser, server, played)
    without_scripts(views, browser, server)
    strangers(views, server)
    return played


def watched(context, views):
    """A page whose errors are counted."""
    page = context.new_page()
    # Of what is not an expectation: to go to a page, to press something.
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: views.slip(f"a script failed: {error}"))
    # A page that is left at once needs neither its icon any more nor whether its scripts are the newest.
    needed = lambda request: request.method == "GET" and "/assets/" in request.url and not request.url.endswith("icon.svg")
    page.on("requestfailed", lambda request: views.slip(f"{request.url} failed") if needed(request) else None)
    return page


def begin(page, server, position, bot="random", side="first"):
    """Begins a match against a bot, as a visitor does."""
    page.goto(server.url)
    page.fill("#own", position)
    page.select_option("#side", side)
    page.evaluate("bot => { const o = new Option(bot, bot); document.getElementById('bot').append(o); o.selected = true; }", bot)
    expect(page.locator("#player")).not_to_be_empty()
    page.click("#play-bot")
    page.wait_for_url("**/g/*")


def point(page):
    """Points at the first part that belongs to a move until a move is offered, and makes it."""
    page.locator("#board .live").first.click(force=True)
    page.locator("#choices button").first.click()


def against_a_bot(views, page, server, kind, position, language, played):
    """One match on a kind of board: a move by pointing, one by typing, one from the list, as long as it lasts."""
    begin(page, server, position)
    expect(page.locator("#typed")).to_be_visible()
    views.look(page, f"match-{kind}-{language}", EVERY if kind == "heaps" else SOME)
    made = 0
    while made < 3:
        before = page.locator("#history li").count()
        if made == 0 and kind not in WRITTEN:
            point(page)
        elif made == 1:
            move = page.locator("#moves button").first.text_content()
            page.fill("#move", move)
            page.press("#move", "Enter")
        else:
            if not page.evaluate("document.querySelector('details').open"):
                page.locator("summary").click()
            page.locator("#moves button").first.click()
        expect(page.locator("#history li").nth(before)).to_be_visible()
        made += 1
        # Either it is our move again, or the match is over.
        page.wait_for_function("() => !document.getElementById('typed').hidden || !document.getElementById('over').hidden")
        if page.locator("#over").is_visible():
            break
    played.moves += page.locator("#history li").count()
    played.matches += 1
    if page.locator("#over").is_visible() and kind == "heaps":
        views.look(page, f"over-{language}")
    if not page.locator("#over").is_visible():
        page.click("#resign")
        page.click("#resign")
        expect(page.locator("#over")).to_be_visible()


def by_link(views, browser, server, played):
    """Two people play by link, one of them on a phone. The server is killed in the middle."""
    ada = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    bob = watched(browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, bypass_csp=True), views)
    ada.goto(server.url)
    ada.fill("#own", "nim:2,3")
    ada.select_option("#side", "first")
    expect(ada.locator("#player")).not_to_be_empty()
    ada.click("#make-link")
    expect(ada.locator("#link")).to_be_visible()
    link = ada.locator("#link").get_attribute("href")
    bob.goto(server.url + link)
    views.look(bob, "join", EVERY)
    # A name that somebody has is refused, and another one is tried.
    bob.fill("#name", ada.locator("#player").text_content())
    bob.click("button.main")
    expect(bob.locator("#status")).to_contain_text("another player has the name")
    bob.fill("#name", "Bob")
    bob.click("button.main")
    bob.wait_for_url("**/g/*")
    ada.wait_for_url("**/g/*")
    expect(ada.locator("#second .name")).to_have_text("Bob")
    played.matches += 1
    # There is no review before the end.
    expect(bob.locator("#review")).to_be_hidden()
    # What is said is text, whatever it looks like, and comes to the other player only.
    bob.fill("#say", "<b>hi</b> \u4f60\u597d")
    bob.press("#say", "Enter")
    expect(ada.locator("#lines li")).to_have_text("Bob <b>hi</b> \u4f60\u597d")
    ada.click("[data-preset=good_luck]")
    expect(bob.locator("#lines li")).to_have_count(2)
    expect(bob.locator("#lines li").nth(1)).to_contain_text("Good luck")
    views.look(bob, "match-chat", EVERY)
    for number, (mover, move) in enumerate(((ada, "B-1"), (bob, "A-1"), (ada, "B-1"), (bob, "B-1"), (ada, "A-1")), 1):
        expect(mover.locator("#typed")).to_be_visible()
        if number == 3:
            server.kill()
            # Typed while nobody hears it: it is sent once the server is back, and made once.
            mover.fill("#move", move)
            mover.press("#move", "Enter")
            server.start()
        else:
            mover.fill("#move", move)
            mover.press("#move", "Enter")
        for page in (ada, bob):
            expect(page.locator("#history li")).to_have_count(number, timeout=30_000)
            expect(page.locator("#lines li")).to_have_count(2)
        played.moves += 1
    for page in (ada, bob):
        expect(page.locator("#over")).to_be_visible()
        if page.locator("#history li").all_text_contents() != ["B-1", "A-1", "B-1", "B-1", "A-1"]:
            views.slip("the moves are not those that were made")
    expect(ada.locator("#status")).to_contain_text("You won")
    # A rematch that is withdrawn, one that is declined, and one that is accepted, sides swapped: the page of both goes on to it.
    ada.click("#rematch")
    expect(bob.locator("#accept")).to_be_visible()
    ada.click("#withdraw")
    expect(bob.locator("#accept")).to_be_hidden()
    ada.click("#rematch")
    bob.click("#decline")
    expect(ada.locator("#sent")).to_contain_text("declined")
    ada.click("#rematch")
    expect(bob.locator("#accept")).to_be_visible()
    over = ada.url
    bob.click("#accept")
    ada.wait_for_url(lambda url: url != over)
    expect(bob.locator("#typed")).to_be_visible()
    # The back button leads to the match that is over, and nothing is made twice.
    ada.go_back()
    expect(ada.locator("#over")).to_be_visible()
    expect(ada.locator("#history li")).to_have_count(5)
    ada.context.close()
    bob.context.close()


def by_keyboard(browser, server, played):
    """A match without a mouse."""
    context = browser.new_context(viewport=DESK)
    page = context.new_page()
    page.goto(server.url)
    expect(page.locator("#player")).not_to_be_empty()
    page.focus("#own")
    page.keyboard.type("nim:1,1")
    page.focus("#side")
    page.keyboard.type("f")
    page.focus("#own")
    page.keyboard.press("Enter")
    page.wait_for_url("**/g/*")
    expect(page.locator("#typed")).to_be_visible()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "move":
            break
    page.keyboard.type("a-1")
    page.keyboard.press("Enter")
    expect(page.locator("#over")).to_be_visible()
    played.matches += 1
    played.moves += 2
    context.close()


def without_scripts(views, browser, server):
    """A page can be read without scripts, and says what to do."""
    context = browser.new_context(viewport=DESK)
    page = context.new_page()
    begin(page, server, "nim:3,5,7")
    address = page.url
    context.close()
    context = browser.new_context(java_script_enabled=False, viewport=DESK)
    page = context.new_page()
    page.goto(address)
    expect(page.locator("svg.board")).to_be_visible()
    # Without scripts, the element is a part of the page like any other.
    if "grundy watch" not in page.content():
        views.slip("a page without scripts does not say what to do")
    # The first page says it, too, and offers nothing that does nothing.
    page.goto(server.url)
    expect(page.locator("noscript p")).to_be_visible()
    if "needs scripts to play" not in page.locator("noscript p").text_content():
        views.slip("the first page does not say that it needs scripts")
    expect(page.locator(".loading")).to_be_hidden()
    for name in ("play-bot", "make-link", "open-seat"):
        expect(page.locator(f"#{name}")).to_be_disabled()
    context.close()


def strangers(views, server):
    """What other sites and guesses get."""
    html = {"Accept": "text/html"}
    nowhere = server.status_of("/g/aaaaaaaaaa", headers=html)
    nonsense = server.status_of("/g/%3Cscript%3E", headers=html)
    if nowhere[0] != 404 or nonsense[0] != 404:
        views.slip("a match that does not exist is there")
    if nowhere[1].replace("/g/aaaaaaaaaa", "X") != nonsense[1].replace("/g/%3Cscript%3E", "X"):
        views.slip("two addresses without a match have different pages")
    json = {"Content-Type": "application/json"}
    for headers in (json, json | {"Origin": "https://evil.example"}, json | {"Origin": "null"}):
        status, _ = server.status_of("/session", "POST", headers, b'{"token":"x"}')
        if status != 403:
            views.slip(f"a page of another site sets a cookie: {status}")
    status, _ = server.status_of("/session", "POST", json | {"Origin": server.url}, b'{"token":"x"}')
    if status != 403:
        views.slip(f"a secret that is no player's is kept: {status}")
