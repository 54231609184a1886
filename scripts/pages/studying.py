"""People look at what their match was worth, and learn from it."""

import json

from playwright.sync_api import expect

from playing import DESK, begin, watched
from views import EVERY, SOME


def check(views, browser, server):
    """Reviews, exercises and puzzles, in both languages."""
    for language in ("en", "zh-CN"):
        context = browser.new_context(locale=language, viewport=DESK, bypass_csp=True)
        page = watched(context, views)
        lose(page, server)
        review(views, page, language)
        learn(views, page, language)
        puzzle(views, page, server, language)
        today(views, page, server, language)
        advice(views, page, server, language)
        account(views, browser, server, page, language)
        context.close()
    read_without_scripts(views, browser, server)


def lose(page, server):
    """A match in which the visitor gives a win away: the bot copies every move from then on."""
    begin(page, server, "nim:3,5", bot="perfect")
    for number, move in enumerate(("A-1", "B-2"), 1):
        expect(page.locator("#typed")).to_be_visible()
        page.fill("#move", move)
        page.press("#move", "Enter")
        expect(page.locator("#history li")).to_have_count(2 * number)
    expect(page.locator("#review")).to_be_visible()
    record(page, server)


def record(page, server):
    """The record of the match can be had at its address."""
    match = page.locator("#match").get_attribute("data-match")
    answer = page.request.get(f"{server.url}/g/{match}.ndjson")
    head, *events = answer.text().splitlines()
    if json.loads(head)["events"] != len(events) or json.loads(events[-1])["body"]["type"] != "ended":
        raise AssertionError(f"this is no record: {answer.text()}")


def review(views, page, language):
    """Walks through a review by links, by keys, and back."""
    page.locator("#review a").first.click()
    page.wait_for_url("**/review")
    row = page.locator("tr[aria-current] td").first
    expect(row).to_have_text("0")
    views.look(page, f"review-{language}", EVERY)
    # The table of moves is whole on a desktop.
    for width in (1024, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        cut = page.evaluate("(table => table.scrollWidth - table.clientWidth)(document.querySelector('.moves-made .scroll'))")
        if cut > 0:
            views.slip(f"the table of moves is cut by {cut} px at {width}")
    page.keyboard.press("ArrowRight")
    expect(row).to_have_text("1")
    page.locator("#forward").click()
    expect(row).to_have_text("2")
    page.keyboard.press("{")
    expect(row).to_have_text("0")
    page.locator(".curve a").nth(3).click()
    expect(row).to_have_text("3")
    if not page.url.endswith("?ply=3"):
        views.slip(f"the address of a place is not its own: {page.url}")
    page.go_back()
    expect(row).to_have_text("0")
    page.reload()
    expect(row).to_have_text("0")


def learn(views, page, language):
    """Finds the win that was given away, at the second try."""
    page.locator(".moves-made a.main").click()
    page.wait_for_url("**/learn")
    expect(page.locator("#exercise")).to_be_visible()
    if "B-2" in page.content().replace("<button type=\"button\">B-2</button>", ""):
        views.slip("an exercise names its solution")
    page.fill("#move", "A-1")
    page.press("#move", "Enter")
    expect(page.locator("#status")).not_to_be_empty()
    expect(page.locator("#next")).to_be_hidden()
    views.look(page, f"learn-{language}", EVERY)
    page.locator("#board .live").last.click(force=True)
    page.fill("#move", "b2")
    page.press("#move", "Enter")
    expect(page.locator("#next")).to_be_visible()
    expect(page.locator("#status")).to_contain_text("B-2")
    page.locator("#why summary").click()
    views.look(page, f"learnt-{language}", SOME)
    page.click("#next")
    expect(page.locator("#done")).to_be_visible()
    views.look(page, f"learn-done-{language}", SOME)


def puzzle(views, page, server, language):
    """Answers a puzzle and goes on to the next."""
    page.goto(f"{server.url}/puzzles")
    expect(page.locator("#exercise")).to_be_visible()
    position = page.locator("#position").text_content()
    views.look(page, f"puzzle-{language}", EVERY)
    page.locator("#moves button").first.dispatch_event("click")
    expect(page.locator("#next")).to_be_visible()
    views.look(page, f"puzzle-answered-{language}", SOME)
    page.click("#next")
    expect(page.locator("#solution")).to_be_visible()
    expect(page.locator("#position")).not_to_have_text(position)


def today(views, page, server, language):
    """Solves the puzzle of the day, from the first page."""
    page.goto(server.url)
    page.locator("a[href='/puzzles/today']").click()
    expect(page.locator("#exercise")).to_be_visible()
    expect(page.locator("#task")).not_to_be_empty()
    page.click("#solution")
    expect(page.locator("#next")).to_be_visible()
    expect(page.locator("#why")).to_be_visible()
    views.look(page, f"today-{language}", SOME)


def advice(views, page, server, language):
    """Three hints lead to a move; a move that gives the win away is offered back once."""
    begin(page, server, "nim:3,5", bot="perfect")
    advised = page.locator("#advised")
    page.check("#coach")
    page.fill("#move", "A-1")
    page.press("#move", "Enter")
    expect(advised).to_contain_text("B-3")
    expect(page.locator("#history li")).to_have_count(0)
    views.look(page, f"coach-{language}", SOME)
    page.click("#hint")
    # The warning has a "1", too.
    expect(advised).not_to_contain_text("A-1")
    expect(advised).to_contain_text("1")
    page.click("#hint")
    if language == "en":
        expect(page.locator("#reasons")).to_be_visible()
        if "B-2" in page.locator("#advice").text_content():
            views.slip("the idea names the move")
    # In the other language both presses are heard, however long the first answer takes.
    page.click("#hint")
    expect(advised).to_contain_text("B-2")
    page.locator("#choices button.main").click()
    expect(page.locator("#history li")).to_have_count(2)
    # The review will say how often the player was helped: a warning and three hints.
    match = page.locator("#match").get_attribute("data-match")
    page.click("#resign")
    page.click("#resign")
    expect(page.locator("#over")).to_be_visible()
    helped = [json.loads(line)["body"].get("hints") for line in page.request.get(f"{server.url}/g/{match}.ndjson").text().splitlines()[1:] if '"moved"' in line]
    if helped[0] != 4:
        views.slip(f"help is not noted: {helped}")
    # The next page knows that the player wants to be warned, and a warning need not be heeded.
    begin(page, server, "nim:3,5", bot="perfect")
    expect(page.locator("#coach")).to_be_checked()
    page.click("#why")
    expect(page.locator("#reasons")).to_contain_text("B-2")
    page.fill("#move", "A-1")
    page.press("#move", "Enter")
    page.locator("#advised button").click()
    expect(page.locator("#history li")).to_have_count(2)
    page.uncheck("#coach")


def account(views, browser, server, page, language):
    """A guest takes a name and a password, and signs in with them in another browser, also after the password was forgotten."""
    name = {"en": "Ada Lovelace", "zh-CN": "王小明"}[language]
    page.goto(f"{server.url}/account")
    expect(page.locator("#guest")).to_be_visible()
    page.fill("#new-name", name)
    page.press("#new-name", "Enter")
    expect(page.locator("#player")).to_have_text(name)
    page.fill("#new-password", "short")
    page.evaluate("document.getElementById('password').noValidate = true")
    page.press("#new-password", "Enter")
    expect(page.locator("#trouble")).not_to_be_empty()
    page.fill("#new-password", "correct horse")
    page.press("#new-password", "Enter")
    expect(page.locator("#codes")).to_be_visible()
    page.fill("#confirm", "correct horse")
    page.press("#confirm", "Enter")
    expect(page.locator("#made")).to_be_visible()
    code = page.locator("#new-codes code").first.text_content()
    views.look(page, f"account-{language}", EVERY)
    elsewhere = browser.new_context(locale=language, viewport=DESK)
    other = elsewhere.new_page()
    other.goto(f"{server.url}/account")
    expect(other.locator("#player")).not_to_be_empty()
    other.fill("#login-name", name)
    other.fill("#login-password", "wrong horse")
    other.press("#login-password", "Enter")
    expect(other.locator("#trouble")).not_to_be_empty()
    other.fill("#login-password", "correct horse")
    other.press("#login-password", "Enter")
    expect(other.locator("#player")).to_have_text(name)
    other.click("#logout")
    other.wait_for_url(server.url + "/")
    expect(other.locator("#player")).not_to_have_text(name)
    other.goto(f"{server.url}/account")
    expect(other.locator("#player")).not_to_be_empty()
    other.click("details summary")
    other.fill("#recover-name", name)
    other.fill("#code", code)
    other.fill("#recover-password", "battery staple")
    other.press("#recover-password", "Enter")
    expect(other.locator("#player")).to_have_text(name)
    elsewhere.close()


def read_without_scripts(views, browser, server):
    """A review can be read and walked through without scripts."""
    context = browser.new_context(viewport=DESK)
    page = context.new_page()
    lose(page, server)
    page.locator("#review a").first.click()
    expect(page.locator("tr[aria-current]")).to_be_visible()
    address = page.url
    context.close()
    context = browser.new_context(java_script_enabled=False, viewport=DESK)
    page = context.new_page()
    page.goto(address)
    page.locator("#forward").click()
    if page.locator("tr[aria-current] td").first.text_content() != "1":
        views.slip("a review cannot be walked through without scripts")
    context.close()
