"""What the server refuses, and what is not there: each reader is told so in the language of the page. And seats, links and names that wait."""

import json

from playwright.sync_api import expect

from between import busy
from playing import DESK, begin, watched
from server import Server
from views import SOME

# Where there is no page.
NOWHERE = ("/nothing-here", "/j/BAD", "/j/KWQHRMTB", "/g/aaaaaaaaaa", "/g/%FF", "/u/nobody-of-this-name", "/t/aaaaaaaaaa", "/rules/nonsense", "/lab?position=a&position=b", "/lab?position=nonsense")
# How the server closes a seat, and what the page says of it. The last way is newer than the page.
ENDS = {
    "en": {"too_many_matches": "as many unfinished matches as you may have", "gave_up": "Nobody took your seat", "no_such_end": "The server has closed your seat"},
    "zh-CN": {"too_many_matches": "未结束的对局已达上限", "gave_up": "没有人及时加入", "no_such_end": "服务器已停止"},
}
# People at one address: as many pages as there are sessions.
AT_ONE_ADDRESS = 15


def check(views, browser, server, programs, home):
    """Has the server refuse things, in both languages."""
    for language in ("en", "zh-CN"):
        context = browser.new_context(locale=language, viewport=DESK, bypass_csp=True)
        page = watched(context, views)
        nowhere(views, page, server, language)
        refused(views, page, server, language)
        context.close()
        seat_ended(views, browser, server, language)
        while_busy(views, browser, server, language)
    typed_name(views, browser, server)
    strict = Server(programs / "grundy-server", home / "strict", profile=None)
    try:
        waiting(views, browser, strict)
        one_address(views, browser, strict)
    finally:
        strict.kill()


def nowhere(views, page, server, language):
    """A page that says that there is none."""
    for path in NOWHERE:
        page.goto(server.url + path)
        if page.evaluate("document.documentElement.lang") != language:
            views.slip(f"{path} is not in {language}")
        views.look(page, f"nowhere-{NOWHERE.index(path)}-{language}", SOME if path == "/nothing-here" else {"light": (320,)})


def refused(views, page, server, language):
    """Each kind of page shows a refusal."""
    here = {"light": (320,)}

    def said(place, name):
        expect(page.locator(place)).to_contain_text("服务器拒绝" if language == "zh-CN" else "refuse")
        views.look(page, f"refused-{name}-{language}", here)

    page.goto(server.url)
    expect(page.locator("#player")).not_to_be_empty()
    page.fill("#own", "nonsense")
    page.click("#play-bot")
    said("#status", "lobby")
    # The friend calls the invitation off while somebody reads it.
    friend = watched(page.context.browser.new_context(viewport=DESK, bypass_csp=True), views)
    friend.goto(server.url)
    friend.click("#make-link")
    expect(friend.locator("#link")).to_be_visible()
    page.goto(server.url + friend.locator("#link").get_attribute("href"))
    friend.goto(server.url)
    friend.locator("#your-matches button").click()
    friend.click("#abort")
    expect(friend.locator("#abort")).to_be_hidden()
    friend.context.close()
    page.click("button.main")
    said("#status", "join")
    begin(page, server, "nim:3,5,7")
    expect(page.locator("#typed")).to_be_visible()
    page.fill("#move", "A-9")
    page.press("#move", "Enter")
    said("#trouble", "match")
    page.goto(f"{server.url}/account")
    expect(page.locator("#who")).not_to_be_empty()
    page.fill("#new-name", "perfect")
    page.press("#new-name", "Enter")
    said("#trouble", "account")
    # Somebody signs in who is nobody: before anybody is greeted.
    page.locator("#login-name").evaluate("element => { for (let e = element; e; e = e.parentElement) if (e instanceof HTMLDetailsElement) e.open = true }")
    page.fill("#login-name", "Nobody")
    page.fill("#login-password", "not the password")
    page.press("#login-password", "Enter")
    said("#trouble", "sign-in")
    page.goto(f"{server.url}/puzzles/today")
    expect(page.locator("#typed")).to_be_visible()
    page.fill("#move", "Z-9")
    page.press("#move", "Enter")
    said("#trouble", "today")


def seat_ended(views, browser, server, language):
    """A seat that the server closes is closed on the page, which says why."""
    seats = []

    def between(page_side):
        server_side = page_side.connect_to_server()

        def answer(message):
            page_side.send(message)
            body = json.loads(message)["body"]
            if body["type"] == "seeking":
                seats.append((page_side, body["seek"]["seek"]))
                # The page hears nothing of it.
                server_side.send(json.dumps({"id": 1_000_000 + len(seats), "body": {"type": "withdraw_seek", "seek": seats[-1][1]}}))

        page_side.on_message(server_side.send)
        server_side.on_message(answer)

    page = watched(browser.new_context(locale=language, viewport=DESK, bypass_csp=True), views)
    page.route_web_socket("**/ws", between)
    page.goto(server.url)
    expect(page.locator("#player")).not_to_be_empty()
    button = page.locator("#open-seat")
    opens = button.text_content()
    for number, (end, words) in enumerate(ENDS[language].items(), 1):
        button.click()
        expect(page.locator("#status")).to_contain_text("waiting" if language == "en" else "正在等待")
        page_side, seek = seats[number - 1]
        page_side.send(json.dumps({"body": {"type": "seek_ended", "seek": seek, "end": end}}))
        expect(page.locator("#status")).to_contain_text(words)
        expect(button).to_have_text(opens)
    page.context.close()


def while_busy(views, browser, server, language):
    """A server that is busy is asked again, and the page says so meanwhile; nobody has to press anything again."""
    said = {"en": "The server is busy", "zh-CN": "服务器正忙"}[language]
    kinds = {"seek", "create", "withdraw_seek", "take", "join"}
    refused = []

    def someone():
        page = watched(browser.new_context(locale=language, viewport=DESK, bypass_csp=True), views)
        # Long enough to be seen.
        page.route_web_socket("**/ws", busy(kinds, 1, refused, wait=5_000))
        page.goto(server.url)
        expect(page.locator("#player")).not_to_be_empty()
        return page

    ada = someone()
    button, status = ada.locator("#open-seat"), ada.locator("#status")
    opens = button.text_content()
    ada.fill("#own", "kayles:6")
    button.click()
    expect(status).to_contain_text(said)
    # Whatever is pressed while nothing is answered, the last press counts.
    button.click()
    expect(button).to_have_text(opens)
    button.click()
    expect(button).not_to_have_text(opens)
    expect(status).to_contain_text("waiting" if language == "en" else "正在等待")
    # Who has looked before might see the seat that was withdrawn.
    bob = someone()
    bob.locator("#seats li", has_text="kayles:6").locator("button").click()
    expect(bob.locator("#status")).to_contain_text(said)
    bob.wait_for_url("**/g/*")
    ada.wait_for_url(bob.url)
    ada.goto(server.url)
    ada.fill("#own", "nim:2,4")
    ada.click("#make-link")
    expect(status).to_contain_text(said)
    expect(ada.locator("#link")).to_be_visible()
    bob.goto(server.url + ada.locator("#link").get_attribute("href"))
    bob.click("button.main")
    expect(bob.locator("#status")).to_contain_text(said)
    bob.wait_for_url("**/g/*")
    if asked := kinds - {one["body"]["type"] for one in refused}:
        views.slip(f"nobody asked for {asked}")
    ada.context.close()
    bob.context.close()


def typed_name(views, browser, server):
    """Whoever has visited another page before is called what is typed on that of an invitation."""
    ada = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    bob = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    for page in (ada, bob):
        page.goto(server.url)
        expect(page.locator("#player")).to_contain_text("guest-")
    ada.fill("#own", "nim:2,3")
    ada.click("#make-link")
    expect(ada.locator("#link")).to_be_visible()
    first = ada.locator("#link").get_attribute("href")
    # The same wishes have the same link; with others there is one more, and the first one is waited for, too.
    ada.click("#make-link")
    ada.fill("#own", "nim:4,5")
    ada.click("#make-link")
    expect(ada.locator("#link")).not_to_have_attribute("href", first)
    bob.goto(server.url + first)
    bob.fill("#name", "Robert")
    bob.click("button.main")
    bob.wait_for_url("**/g/*")
    expect(bob.locator("#player")).to_have_text("Robert")
    ada.wait_for_url(bob.url)
    expect(ada.locator("#position")).to_have_text("nim:2,3")
    ada.goto(server.url)
    # The one that was joined, and the one that waits; a second press made no third.
    expect(ada.locator("#your-matches li")).to_have_count(2)
    ada.context.close()
    bob.context.close()


def waiting(views, browser, server):
    """A seat stays open through a lost connection, and is one however often the button is pressed."""
    ada = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    bob = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    ada.goto(server.url)
    expect(ada.locator("#player")).not_to_be_empty()
    button = ada.locator("#open-seat")
    opens = button.text_content()
    ada.fill("#own", "kayles:5")
    button.click()
    expect(button).not_to_have_text(opens)
    # Pressed again, it is withdrawn.
    button.click()
    expect(button).to_have_text(opens)
    button.click()
    expect(button).not_to_have_text(opens)
    server.kill()
    expect(ada.locator("#status")).to_contain_text("Trying again")
    server.start()
    expect(ada.locator("#status")).to_contain_text("waiting for an opponent")
    bob.goto(server.url)
    expect(bob.locator("#seats button")).to_have_count(1)
    bob.locator("#seats button").click()
    bob.wait_for_url("**/g/*")
    ada.wait_for_url(bob.url)
    expect(ada.locator("#position")).to_have_text("kayles:5")
    ada.context.close()
    bob.context.close()


def one_address(views, browser, server):
    """Default limits: people at one address have pages open, and one more opens a match at the same time as two others."""
    context = browser.new_context(viewport=DESK, bypass_csp=True)
    first = watched(context, views)
    begin(first, server, "nim:3,5,7")
    expect(first.locator("#typed")).to_be_visible()
    match = first.url
    pages = [first]
    while len(pages) < AT_ONE_ADDRESS:
        page = watched(context, views)
        page.goto(match)
        expect(page.locator("#status")).not_to_be_empty()
        pages.append(page)
        # So many pages at once, so many a second.
        page.wait_for_timeout(150)
    more = [watched(browser.new_context(viewport=DESK, bypass_csp=True), views) for _ in range(3)]
    for page in more:
        page.evaluate("address => { location.assign(address) }", match)
    for page in more:
        page.wait_for_url(match)
        expect(page.locator("#status")).not_to_be_empty()
        expect(page.locator("#player")).not_to_be_empty()
    for page in more:
        page.context.close()
    context.close()
