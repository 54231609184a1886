"""A connection that is lost, a server that is busy, another page that takes the seat: what was begun goes on, and nothing is done twice."""

import json
import re

from playwright.sync_api import expect

from agreeing import SHORT, close, move, moves, pair
from between import busy, late, lost
from playing import DESK, begin, watched
from studying import lose
from views import SOME

# The first page of a review is that of one that is not made yet, also if the server has made it by itself.
NOT_MADE = """document.addEventListener('readystatechange', () => {
  const review = document.getElementById('review');
  if (document.readyState !== 'interactive' || !review || sessionStorage.getItem('shown')) return;
  sessionStorage.setItem('shown', 'yes');
  if (!('wanted' in review.dataset)) {
    review.dataset.wanted = '';
    review.innerHTML = '<p id="status"></p><progress id="progress"></progress>';
  }
});"""

# Chooses another move as soon as the page says that the connection is lost, and keeps what it says then.
CHANGE = """move => {
  const trouble = document.getElementById('trouble');
  new MutationObserver((changes, watch) => {
    if (!trouble.textContent.includes('connection is lost')) return;
    watch.disconnect();
    document.getElementById('move').value = move;
    document.getElementById('typed').requestSubmit();
    window.said = document.getElementById('status').textContent;
  }).observe(trouble, { childList: true });
}"""


def check(views, browser, server):
    """Interrupts what a reader does."""
    review_of_a_busy_server(views, browser, server)
    review_of_a_lost_connection(views, browser, server)
    exercise_of_a_busy_server(views, browser, server)
    exercise_of_a_lost_connection(views, browser, server)
    puzzle_of_a_lost_connection(views, browser, server)
    sign_out_without_a_connection(views, browser, server)
    pressed_while_lost(views, browser, server)
    resigned_while_lost(views, browser, server)
    chosen_while_lost(views, browser, server)
    chosen_after_a_loss(views, browser, server)
    own_matches(views, browser, server)
    invitation_opened_elsewhere(views, browser, server)
    link_of_another_position(views, browser, server)
    signed_out_elsewhere(views, browser, server)
    opened_elsewhere(views, browser, server)
    typed_again(views, browser, server)
    said_twice(views, browser, server)
    hint_that_is_late(views, browser, server)


def gone(page, server):
    """Kills the server; the page notices."""
    server.kill()
    expect(page.locator("#trouble")).to_have_text(re.compile("connection is lost|Connecting"))


def back(page, server):
    """Starts it again; the page notices."""
    server.start()
    expect(page.locator("#trouble")).to_be_empty()


def come(page, held, count=1, press=None):
    """Waits until so many answers are held. What nobody hears as long as another answer is on its way is pressed again."""
    for _ in range(600):
        if len(held) >= count:
            return
        if press:
            page.click(press)
        page.wait_for_timeout(100)
    raise AssertionError(f"{len(held)} of {count} answers came")


def over(views, browser, server):
    """A page in whose match the reader has given a win away, and the address of the match."""
    page = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    lose(page, server)
    return page, page.url


def reviewed(views, browser, server):
    """The same, once there are exercises."""
    page, match = over(views, browser, server)
    page.goto(f"{match}/review")
    expect(page.locator("tr[aria-current]")).to_be_visible()
    return page, match


def review_of_a_busy_server(views, browser, server):
    """A review that is refused because the server is busy is asked for again, and so is a place of it."""
    page, match = over(views, browser, server)
    refused = []
    page.route_web_socket("**/ws", busy({"review"}, 2, refused))
    page.add_init_script(NOT_MADE)
    page.goto(f"{match}/review")
    row = page.locator("tr[aria-current] td").first
    expect(row).to_have_text("0")
    # The keys are heard once the script of the page that was loaded again is there.
    page.wait_for_load_state()
    if len(refused) != 2:
        views.slip(f"a review was refused {len(refused)} times")
    places = []

    def place(route):
        places.append(route.request.resource_type)
        if len(places) == 1:
            route.fulfill(status=429)
        else:
            route.continue_()

    page.route(re.compile(r"/review\?ply="), place)
    page.keyboard.press("ArrowRight")
    expect(row).to_have_text("1")
    if places != ["fetch", "fetch"]:
        views.slip(f"a place of a review that was refused was asked for as {places}")
    page.context.close()


def review_of_a_lost_connection(views, browser, server):
    """A review whose connection is lost is asked for once by the next one."""
    page, match = over(views, browser, server)
    asked = []
    page.route_web_socket("**/ws", lost("review", 1, asked))
    page.add_init_script(NOT_MADE)
    page.goto(f"{match}/review")
    expect(page.locator("tr[aria-current]")).to_be_visible()
    if len(asked) != 2:
        views.slip(f"after one lost connection a review was asked for {len(asked)} times")
    page.context.close()


def exercise_of_a_busy_server(views, browser, server):
    """The first exercise is there once the server is not busy any more."""
    page, match = reviewed(views, browser, server)
    refused = []
    page.route_web_socket("**/ws", busy({"moves"}, 2, refused))
    page.goto(f"{match}/learn")
    expect(page.locator("#exercise")).to_be_visible()
    expect(page.locator("#trouble")).to_be_empty()
    page.context.close()


def exercise_of_a_lost_connection(views, browser, server):
    """The first exercise is put by the next connection. One that is there stays, with what was typed, and is answered by the next."""
    page, match = reviewed(views, browser, server)
    asked = []
    page.route_web_socket("**/ws", lost("moves", 1, asked))
    page.goto(f"{match}/learn")
    expect(page.locator("#exercise")).to_be_visible()
    gone(page, server)
    page.fill("#move", "B-2")
    page.press("#move", "Enter")
    back(page, server)
    expect(page.locator("#move")).to_have_value("B-2")
    page.press("#move", "Enter")
    expect(page.locator("#next")).to_be_visible()
    page.click("#next")
    expect(page.locator("#done")).to_be_visible()
    if len(asked) != 2:
        views.slip(f"an exercise was put {len(asked)} times")
    page.context.close()


def puzzle_of_a_lost_connection(views, browser, server):
    """A rated puzzle stays the same when the connection is lost, and an answer that may have been heard is given again."""
    page = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    asked = []
    page.route_web_socket("**/ws", lost("solve_puzzle", 1, asked))
    page.goto(f"{server.url}/puzzles")
    expect(page.locator("#exercise")).to_be_visible()
    position = page.locator("#position").text_content()
    gone(page, server)
    back(page, server)
    expect(page.locator("#position")).to_have_text(position)
    # Pressed until there is an answer: without a connection nothing is sent.
    page.wait_for_function("""() => {
      const open = document.getElementById('next').hidden;
      if (open) document.querySelector('#moves button').click();
      return !open;
    }""")
    expect(page.locator("#position")).to_have_text(position)
    puzzles = {request["body"]["puzzle"] for request in asked}
    if len(asked) != 2 or len(puzzles) != 1:
        views.slip(f"the answers to one puzzle were {asked}")
    page.click("#next")
    expect(page.locator("#solution")).to_be_visible()
    page.context.close()


def sign_out_without_a_connection(views, browser, server):
    """Nobody is signed out whom the server cannot sign out: the secret would stay good."""
    page = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    page.goto(f"{server.url}/account")
    expect(page.locator("#who")).not_to_be_empty()
    name = page.locator("#player").text_content()
    gone(page, server)
    # A guest is asked whether it is meant.
    page.click("#logout")
    page.click("#logout")
    back(page, server)
    expect(page.locator("#player")).to_have_text(name)
    if not page.url.endswith("/account"):
        views.slip(f"without a connection, signing out leads to {page.url}")
    page.reload()
    expect(page.locator("#player")).to_have_text(name)
    page.dblclick("#logout")
    expect(page.locator("#trouble")).to_contain_text("Press again")
    page.click("#logout")
    page.wait_for_url(server.url + "/")
    expect(page.locator("#player")).not_to_be_empty()
    expect(page.locator("#player")).not_to_have_text(name)
    page.context.close()


def pressed_while_lost(views, browser, server):
    """What is pressed while the connection is lost is done by the next one, also if it opens a seat again first."""
    page = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    page.goto(server.url)
    expect(page.locator("#player")).not_to_be_empty()
    page.click("#open-seat")
    expect(page.locator("#status")).to_contain_text("waiting for an opponent")
    server.kill()
    expect(page.locator("#status")).to_contain_text("connection is lost")
    page.click("#play-bot")
    server.start()
    page.wait_for_url("**/g/*")
    page.context.close()


def resigned_while_lost(views, browser, server):
    """Who resigns while the connection is lost does not think that it was heard, and can do it afterwards."""
    page = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    begin(page, server, "nim:9,9,9")
    expect(page.locator("#typed")).to_be_visible()
    gone(page, server)
    for _ in range(2):
        page.click("#resign")
        if "Press again" in page.locator("#trouble").text_content():
            views.slip("a page asks to resign again what it has not sent")
        expect(page.locator("#status")).to_contain_text("What you pressed was not sent")
    back(page, server)
    expect(page.locator("#typed")).to_be_visible()
    expect(page.locator("#status")).to_contain_text("What you pressed was not sent")
    page.click("#resign")
    page.click("#resign")
    expect(page.locator("#over")).to_be_visible()
    expect(page.locator("#status")).not_to_contain_text("was not sent")
    page.context.close()


def chosen_while_lost(views, browser, server):
    """Of the moves that are chosen while the connection is lost, the last one is made, once; until then the page says which one waits."""
    ada, bob = pair(views, browser, server, "nim:3,4,5")
    gone(ada, server)
    for text in ("A-1", "B-2"):
        move(ada, text)
        expect(ada.locator("#status")).to_contain_text(f"{text} is sent as soon as there is a connection")
    expect(ada.locator("#status")).not_to_contain_text("A-1")
    back(ada, server)
    moves((ada, bob), 1)
    expect(bob.locator("#history li")).to_have_text("B-2")
    expect(ada.locator("#status")).not_to_contain_text("B-2")
    expect(ada.locator("#move")).to_have_value("")
    move(bob, "A-1")
    moves((ada, bob), 2)
    close(ada, bob)


def cut(heard, asked):
    """Closes the connection at the first move, which the server has heard or not, before the page hears of it; `asked` has all moves."""

    def between(page_side):
        server_side = page_side.connect_to_server()
        cuts = set()

        def leave():
            page_side.close()
            server_side.close()

        def ask(message):
            request = json.loads(message)
            if request["body"]["type"] == "move":
                asked.append(request)
                if len(asked) == 1:
                    cuts.add(request["id"])
            if cuts and not heard:
                leave()
            else:
                server_side.send(message)

        def answer(message):
            if not cuts:
                page_side.send(message)
            elif json.loads(message).get("re") in cuts:
                leave()

        page_side.on_message(ask)
        server_side.on_message(answer)

    return between


def chosen_after_a_loss(views, browser, server):
    """When another move is chosen after one that the server may have, one of them is made: the first if the server has it, and the page says so."""
    for heard, trouble, expected in ((True, re.compile("B-2 was not sent"), ["A-1"]), (False, "", ["A-1", "B-2"])):
        asked = []
        ada, bob = pair(views, browser, server, "nim:3,4,5")
        ada.route_web_socket("**/ws", cut(heard, asked))
        ada.reload()
        expect(ada.locator("#typed")).to_be_visible()
        ada.evaluate(CHANGE, "B-2")
        move(ada, "A-1")
        moves((ada, bob), 1)
        expect(bob.locator("#history li")).to_have_text(expected[-1])
        expect(ada.locator("#trouble")).to_have_text(trouble)
        expect(ada.locator("#status")).not_to_contain_text("as soon as")
        expect(ada.locator("#move")).to_have_value("")
        said = ada.evaluate("window.said")
        if "may have been played already. If not, B-2 is sent" not in said:
            views.slip(f"of a move that the server may have the page says {said!r}")
        sent = [request["body"]["move"] for request in asked]
        if sent != expected:
            views.slip(f"the moves that were sent are {sent}")
        move(bob, "C-1")
        moves((ada, bob), 2)
        close(ada, bob)


def own_matches(views, browser, server):
    """The first page says of our matches what they are, against whom, and who is to move; or their numbers if the server does not list them."""
    ada, bob = pair(views, browser, server, "nim:3,4,5")
    match = ada.url
    names = {page: page.locator("#player").text_content() for page in (ada, bob)}
    for page in (ada, bob):
        page.goto(server.url)
    mine = ada.locator("#your-matches li")
    expect(mine).to_contain_text(f"nim:3,4,5 against {names[bob]}. It is your move.")
    expect(ada.locator("#your-matches button")).to_have_attribute("aria-label", re.compile(f"nim:3,4,5 against {names[bob]}"))
    expect(bob.locator("#your-matches li")).to_contain_text(f"nim:3,4,5 against {names[ada]}. {names[ada]} is to move.")
    # It is not among those to watch, too.
    expect(ada.locator("#running li")).not_to_have_count(0)
    expect(ada.locator("#running li").filter(has_text=names[ada])).to_have_count(0)
    ada.fill("#own", "kayles:5")
    ada.click("#make-link")
    expect(ada.locator("#link")).to_be_visible()
    ada.reload()
    expect(mine).to_have_count(2)
    expect(mine.nth(1)).to_contain_text("kayles:5: nobody has joined yet")
    views.look(ada, "lobby-own", SOME)
    bob.route_web_socket("**/ws", busy({"list"}, 100, []))
    bob.reload()
    expect(bob.locator("#your-matches li")).to_contain_text(match.rsplit("/", 1)[1])
    bob.click("#your-matches button")
    bob.wait_for_url(match)
    close(ada, bob)


def invited(page, server, position):
    """Makes a link for a friend."""
    page.goto(server.url)
    page.fill("#own", position)
    page.select_option("#side", "first")
    expect(page.locator("#player")).not_to_be_empty()
    page.click("#make-link")
    expect(page.locator("#link")).to_be_visible()
    return server.url + page.locator("#link").get_attribute("href")


def invitation_opened_elsewhere(views, browser, server):
    """If you open your own link in a second page and close that page, the first page goes to the match when the friend joins."""
    ada = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    link = invited(ada, server, "nim:2,3")
    other = watched(ada.context, views)
    other.goto(link)
    other.wait_for_url("**/g/*")
    expect(ada.locator("#status")).to_contain_text("in another tab or window")
    other.close()
    bob = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    bob.goto(link)
    bob.click("button.main")
    ada.wait_for_url("**/g/*")
    expect(ada.locator("#typed")).to_be_visible()
    close(ada, bob)


def link_of_another_position(views, browser, server):
    """A link is shown only beside the position that it leads to; the list of your matches has it in any case."""
    ada = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    invited(ada, server, "nim:2,3")
    expect(ada.locator("#your-matches li")).to_contain_text("nim:2,3: nobody has joined yet")
    ada.fill("#own", "kayles:5")
    expect(ada.locator("#link")).to_be_hidden()
    ada.fill("#own", "nim:2,3")
    expect(ada.locator("#link")).to_be_visible()
    close(ada)


def signed_out_elsewhere(views, browser, server):
    """A page whose player has signed out in another one says so, whatever is pressed, and not that it is trying again."""
    page = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    page.goto(f"{server.url}/account")
    expect(page.locator("#who")).not_to_be_empty()
    other = watched(page.context, views)
    other.goto(f"{server.url}/account")
    expect(other.locator("#who")).not_to_be_empty()
    other.click("#logout")
    other.click("#logout")
    other.wait_for_url(server.url + "/")
    expect(page.locator("#trouble")).to_contain_text("You have been signed out")
    page.fill("#new-name", "Somebody")
    page.press("#new-name", "Enter")
    expect(page.locator("#trouble")).to_contain_text("You have been signed out")
    page.context.close()


def opened_elsewhere(views, browser, server):
    """The page that has lost the seat to another page says that it stands still, and does not take the seat back by itself."""
    ada, bob = pair(views, browser, server, "nim:3,4,5", SHORT)
    other = watched(ada.context, views)
    other.goto(ada.url)
    expect(other.locator("#typed")).to_be_visible()
    trouble = ada.locator("#trouble")
    expect(trouble).to_contain_text("no longer follows it")
    expect(ada.locator("#typed")).to_be_hidden()
    expect(ada.locator("#first .clock")).to_contain_text("?")
    expect(ada.locator("#status")).to_be_empty()
    server.kill()
    expect(trouble).not_to_contain_text("no longer follows it")
    server.start()
    expect(trouble).to_contain_text("no longer follows it")
    expect(other.locator("#trouble")).to_be_empty()
    move(other, "A-1")
    moves((other, bob), 1)
    moves((ada,), 0)
    # It takes the seat when it is loaded again.
    ada.reload()
    moves((ada,), 1)
    expect(other.locator("#trouble")).to_contain_text("no longer follows it")
    close(ada, bob)


def typed_again(views, browser, server):
    """Who types moves goes on typing when it is the reader's turn again; a move whose answer was lost is not left in the field."""
    page = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    asked = []
    page.route_web_socket("**/ws", lost("move", 1, asked))
    begin(page, server, "nim:9,9,9")
    expect(page.locator("#typed")).to_be_visible()
    page.focus("#move")
    page.keyboard.type("A-1")
    page.keyboard.press("Enter")
    moves((page,), 2)
    expect(page.locator("#typed")).to_be_visible()
    expect(page.locator("#move")).to_have_value("")
    expect(page.locator("#move")).to_be_focused()
    page.keyboard.type("A-1")
    page.keyboard.press("Enter")
    moves((page,), 4)
    expect(page.locator("#move")).to_be_focused()
    page.context.close()


def said_twice(views, browser, server):
    """A line that is sent twice at once is said once, and who types on meanwhile loses nothing."""
    held = []
    ada, bob = pair(views, browser, server, "nim:3,4,5")
    ada.route_web_socket("**/ws", late("say", 2, held))
    ada.reload()
    expect(ada.locator("#typed")).to_be_visible()
    lines = bob.locator("#lines li")
    ada.fill("#say", "one")
    ada.evaluate("() => { const form = document.getElementById('talk'); form.requestSubmit(); form.requestSubmit(); }")
    come(ada, held)
    held[0]()
    expect(ada.locator("#say")).to_have_value("")
    ada.fill("#say", "two")
    ada.press("#say", "Enter")
    expect(lines).to_have_count(2)
    ada.fill("#say", "three")
    come(ada, held, 2)
    held[1]()
    # Pressed until it is said: as long as the line before is on its way, nothing is sent.
    ada.wait_for_function("""() => {
      const { value } = document.getElementById('say');
      if (value) document.getElementById('talk').requestSubmit();
      return !value;
    }""")
    expect(lines).to_have_count(3)
    said = [line.split()[-1] for line in lines.all_text_contents()]
    if said != ["one", "two", "three"]:
        views.slip(f"what was said is {said}")
    close(ada, bob)


def hint_that_is_late(views, browser, server):
    """A hint that comes when the position has passed is not given for the next one."""
    held = []
    page = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    page.route_web_socket("**/ws", late("solve", 2, held))
    begin(page, server, "nim:9,9,9")
    expect(page.locator("#advice")).to_be_visible()
    page.click("#hint")
    move(page, "A-1")
    moves((page,), 2)
    expect(page.locator("#advice")).to_be_visible()
    come(page, held)
    held[0]()
    come(page, held, 2, "#hint")
    expect(page.locator("#advised")).to_be_empty()
    held[1]()
    expect(page.locator("#advised")).not_to_be_empty()
    expect(page.locator("#reasons")).to_be_hidden()
    page.context.close()
