"""Two people agree, or do not: moves taken back, draws, pauses; and one of them stays away."""

import re

from playwright.sync_api import expect

from playing import DESK, PHONE, watched
from views import EVERY

# The clocks of the first page, by their place in its list.
NO_CLOCK, SHORT, LONG = range(3)


def pair(views, browser, server, position, clock=NO_CLOCK, language="en"):
    """Two people in a match by link: the first player, and the second on a phone."""
    ada = watched(browser.new_context(viewport=DESK, locale=language, bypass_csp=True), views)
    bob = watched(browser.new_context(viewport=PHONE, locale=language, has_touch=True, is_mobile=True, bypass_csp=True), views)
    ada.goto(server.url)
    ada.fill("#own", position)
    ada.select_option("#side", "first")
    ada.select_option("#clock", index=clock)
    expect(ada.locator("#player")).not_to_be_empty()
    ada.click("#make-link")
    expect(ada.locator("#link")).to_be_visible()
    bob.goto(server.url + ada.locator("#link").get_attribute("href"))
    bob.click("button.main")
    for page in (bob, ada):
        page.wait_for_url("**/g/*")
    expect(ada.locator("#typed")).to_be_visible()
    expect(bob.locator("#actions")).to_be_visible()
    return ada, bob


def close(*pages):
    """Closes the browsers of these pages."""
    for page in pages:
        page.context.close()


def move(page, text):
    """Types a move once it is our turn."""
    expect(page.locator("#typed")).to_be_visible()
    page.fill("#move", text)
    page.press("#move", "Enter")


def moves(pages, count):
    """Waits until all have this many moves."""
    for page in pages:
        expect(page.locator("#history li")).to_have_count(count)


def any_move(page):
    """The first move of the list."""
    expect(page.locator("#typed")).to_be_visible()
    if not page.evaluate("document.querySelector('details').open"):
        page.locator("summary").click()
    page.locator("#moves button").first.click()


def seconds(page, seat):
    """What a clock shows."""
    shown = page.locator(f"#{seat} .clock").text_content()
    minutes, rest = re.fullmatch(r"(\d+):(\d\d)", shown).groups()
    return 60 * int(minutes) + int(rest)


def check(views, browser, server):
    """Everything that needs the consent of the other player: accepted, declined, withdrawn."""
    # Whoever is left may claim after a minute: meanwhile others agree.
    left = leaves(views, browser, server)
    taken_back(views, browser, server)
    drawn_with_a_move(views, browser, server)
    paused(views, browser, server)
    adjourned(views, browser, server)
    called_off(views, browser, server)
    claimed(views, left)


def taken_back(views, browser, server):
    """A move is taken back if the other player agrees. What is asked can be withdrawn."""
    ada, bob = pair(views, browser, server, "nim:3,4,5")
    both = (ada, bob)
    # Nobody has moved, there is no clock to stop, and the game has a winner.
    for page in both:
        for name in ("takeback", "draw", "pause", "adjourn", "continue", "resume", "claim", "withdraw"):
            expect(page.locator(f"#{name}")).to_be_hidden()
    move(ada, "A-3")
    moves(both, 1)
    expect(bob.locator("#takeback")).to_be_hidden()
    # Declined: the move stands, and who asked hears it.
    ada.click("#takeback")
    expect(bob.locator("#proposed")).to_contain_text("asks to take back a move")
    views.look(bob, "match-proposal", EVERY)
    expect(ada.locator("#withdraw")).to_be_visible()
    expect(ada.locator("#takeback")).to_be_hidden()
    bob.click("#decline")
    expect(ada.locator("#sent")).to_contain_text("declined")
    expect(bob.locator("#accept")).to_be_hidden()
    moves(both, 1)
    # Withdrawn: there is nothing to answer any more.
    ada.click("#takeback")
    expect(bob.locator("#accept")).to_be_visible()
    ada.click("#withdraw")
    expect(bob.locator("#accept")).to_be_hidden()
    expect(ada.locator("#withdraw")).to_be_hidden()
    # Accepted without a mouse, on a page that was loaded after the question.
    ada.click("#takeback")
    expect(bob.locator("#accept")).to_be_visible()
    bob.reload()
    expect(bob.locator("#accept")).to_be_visible()
    bob.focus("#accept")
    bob.keyboard.press("Enter")
    moves(both, 0)
    for page in both:
        expect(page.locator("#position")).to_have_text("nim:3,4,5")
    move(ada, "C-5")
    moves(both, 1)
    close(*both)


def drawn_with_a_move(views, browser, server):
    """A draw that is offered along with a move stands until the other player moves."""
    ada, bob = pair(views, browser, server, "northcott:x..o./.o.x.", LONG)
    both = (ada, bob)
    ada.click("#draw")
    expect(bob.locator("#accept")).to_be_visible()
    any_move(ada)
    moves(both, 1)
    expect(bob.locator("#typed")).to_be_visible()
    expect(bob.locator("#proposed")).to_contain_text("offers a draw")
    expect(ada.locator("#withdraw")).to_be_visible()
    # A move of the other is an answer.
    any_move(bob)
    moves(both, 2)
    expect(bob.locator("#accept")).to_be_hidden()
    expect(ada.locator("#withdraw")).to_be_hidden()
    # Both can have a proposal open.
    ada.click("#draw")
    expect(bob.locator("#accept")).to_be_visible()
    bob.click("#pause")
    expect(ada.locator("#proposed")).to_contain_text("pause")
    expect(ada.locator("#withdraw")).to_be_visible()
    expect(bob.locator("#withdraw")).to_be_visible()
    ada.click("#decline")
    expect(bob.locator("#sent")).to_contain_text("declined")
    any_move(ada)
    moves(both, 3)
    bob.click("#accept")
    for page in both:
        expect(page.locator("#status")).to_contain_text("draw by agreement")
    close(*both)


def paused(views, browser, server):
    """In a pause the clocks stand still and nobody moves; either player ends it."""
    ada, bob = pair(views, browser, server, "nim:3,4,5", SHORT)
    both = (ada, bob)
    move(ada, "A-1")
    moves(both, 1)
    move(bob, "B-1")
    moves(both, 2)
    # Some of the turn is over when it begins. (A second may pass between two looks of the check.)
    expect(ada.locator("#first .clock")).to_have_text(re.compile("2:[0-5]"))
    ada.click("#pause")
    bob.click("#accept")
    for page in both:
        expect(page.locator("#status")).to_contain_text("paused")
        expect(page.locator("#continue")).to_be_visible()
        expect(page.locator("#pause")).to_be_hidden()
    expect(ada.locator("#typed")).to_be_hidden()
    then = seconds(ada, "first")
    if then > 180:
        views.slip(f"the pause has given time back: {then} s")
    views.look(ada, "match-paused", EVERY)
    for page in both:
        if abs(seconds(page, "first") - then) > 1:
            views.slip("a clock runs in the pause")
    ada.reload()
    expect(ada.locator("#continue")).to_be_visible()
    if abs(seconds(ada, "first") - then) > 1:
        views.slip("a page that is loaded in the pause has another clock")
    bob.click("#continue")
    expect(ada.locator("#typed")).to_be_visible()
    expect(bob.locator("#continue")).to_be_hidden()
    for page in both:
        if not then - 30 < seconds(page, "first") <= then:
            views.slip(f"after the pause the clock has {seconds(page, 'first')} s, not {then}")
    move(ada, "C-1")
    moves(both, 3)
    close(*both)


def adjourned(views, browser, server):
    """An adjourned match goes on when both players want it to. All of it in Chinese."""
    ada, bob = pair(views, browser, server, "nim:3,4,5", SHORT, "zh-CN")
    both = (ada, bob)
    ada.click("#adjourn")
    expect(bob.locator("#proposed")).to_contain_text("封局")
    views.look(bob, "match-adjourn-zh", EVERY)
    bob.click("#accept")
    for page in both:
        expect(page.locator("#status")).to_contain_text("封局")
        expect(page.locator("#continue")).to_be_hidden()
    views.look(ada, "match-adjourned-zh", EVERY)
    ada.click("#resume")
    expect(bob.locator("#proposed")).to_contain_text("继续对局")
    expect(bob.locator("#resume")).to_be_hidden()
    bob.click("#accept")
    expect(ada.locator("#typed")).to_be_visible()
    close(*both)


def called_off(views, browser, server):
    """Before the second move a match can be called off, and an invitation that nobody has taken."""
    ada, bob = pair(views, browser, server, "nim:3,4,5")
    ada.click("#abort")
    bob.click("#accept")
    expect(ada.locator("#status")).to_contain_text("called off")
    close(ada, bob)
    ada = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    ada.goto(server.url)
    expect(ada.locator("#player")).not_to_be_empty()
    ada.click("#make-link")
    expect(ada.locator("#link")).to_be_visible()
    ada.reload()
    ada.locator("#your-matches button").click()
    expect(ada.locator("#invitation")).to_be_visible()
    ada.click("#abort")
    expect(ada.locator("#status")).to_contain_text("called off")
    close(ada)


def leaves(views, browser, server):
    """A player who is to move and has lost leaves."""
    ada, bob = pair(views, browser, server, "nim:3,4,5", LONG)
    both = (ada, bob)
    for number, (mover, text) in enumerate(((ada, "A-1"), (bob, "B-1"), (ada, "C-4")), 1):
        move(mover, text)
        moves(both, number)
    close(bob)
    return ada


def claimed(views, ada):
    """Who is left may end the match after a minute, and sees how long that takes."""
    expect(ada.locator("#status")).to_contain_text("offline")
    expect(ada.locator("#gone")).to_be_visible()
    expect(ada.locator("#claim")).to_be_visible(timeout=90_000)
    views.look(ada, "match-claim", EVERY)
    ada.click("#claim")
    expect(ada.locator("#status")).to_contain_text("You won because the other player stayed away")
    close(ada)
