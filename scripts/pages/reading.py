"""Readers of the pages for learning and watching: rules, lab, tournaments, players, running matches, programs."""

import json
import os
import subprocess

from playwright.sync_api import expect

from between import busy
from playing import DESK, PHONE, begin, watched
from views import EVERY, SOME

# A game for each way in which its theory is shown: a period, a square of values, none.
GAMES = ("kayles", "wythoff", "chomp", "loopy", "value", "hack")
# Positions whose boards carry marks of each kind.
POSITIONS = (
    ("stones", "nim:3,5,7"),
    ("pins", "kayles:7,4"),
    ("misere", "nim:1,1,2@misere"),
    ("draws", "loopy.0-1.1-0.1-2:0"),
    ("sides", "domineering:.../.../..."),
    ("edges", "hack:0b1r2-3,0-4"),
    ("vertices", "nodekayles:0-1,1-2,3"),
    ("bar", "chomp:5,4,2"),
    ("unknown", "cram:........./........./........./........./........./........./........."),
    ("sum", "nim:3,4+kayles:6+wythoff:2,5"),
    ("large", "nim:1000000000000000000,40"),
)


# Two guests play rated pairs, which the first or the second loses; the name of the first.
RATED_PAIRS = """async (pairs) => {
  const open = async () => {
    const socket = new WebSocket(location.href.replace('http', 'ws').replace(/\\/[^/]*$/, '/ws'));
    await new Promise((ready) => socket.addEventListener('open', ready));
    let id = 0;
    const waiting = new Map();
    socket.addEventListener('message', ({ data }) => {
      const frame = JSON.parse(data);
      if ('re' in frame) waiting.get(frame.re)?.(frame.body);
    });
    return (body) => new Promise((done) => { waiting.set(++id, done); socket.send(JSON.stringify({ id, body })); });
  };
  const [ada, bo] = [await open(), await open()];
  const welcome = await ada({ type: 'hello', protocol: 1 });
  await bo({ type: 'hello', protocol: 1 });
  const clock = { type: 'fischer', base_ms: 60000, increment_ms: 0 };
  for (let pair = 0; pair < pairs; pair++) {
    const made = await ada({ type: 'create', position: 'nim:1,2', clock, games: 2, rated: true, side: 'first', opponent: { type: 'invite' } });
    await bo({ type: 'join', code: made.code });
    const loser = pair % 3 === 2 ? bo : ada;
    for (let game = 0; game < 2; game++) {
      const { matches } = await loser({ type: 'list', mine: true, status: 'live' });
      for (const { match } of matches) {
        await loser({ type: 'resume', match, since_seq: 0 });
        await loser({ type: 'resign', match });
      }
    }
  }
  return welcome.player.name;
}"""


def check(views, browser, server, grundy, home):
    """Looks at the pages, and uses them."""
    cup = tournament(server, grundy, home, "--players", "3")
    for language in ("en", "zh-CN"):
        context = browser.new_context(locale=language, viewport=DESK, bypass_csp=True)
        page = watched(context, views)
        rules(views, page, server, language)
        lab(views, page, server, language)
        programs(views, page, server, language)
        tv(views, page, server, language)
        finished(views, page, server, cup, language)
        player(views, page, server, language)
        context.close()
    live_tournament(views, browser, server, grundy, home)
    by_keyboard_and_without_scripts(views, browser, server)


def tournament(server, grundy, home, *more):
    """A tournament of built-in bots; its id."""
    command = [grundy, "--server", server.url, "--json", "tournament", "create", "Spring Cup", *more]
    for bot in ("perfect", "random", "skill:0.7"):
        command += ["--bot", bot]
    environment = os.environ | {"XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config"), "HOME": str(home)}
    made = subprocess.run(command, check=True, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return json.loads(made)["state"]["tournament"]


def rules(views, page, server, language):
    """The list of games, and a page of each kind."""
    page.goto(f"{server.url}/rules")
    views.look(page, f"rules-{language}", SOME)
    # The boards have no words: in the second language a few are enough.
    for game in GAMES if language == "en" else GAMES[:2]:
        page.goto(f"{server.url}/rules/{game}")
        expect(page.locator("svg.board").first).to_be_visible()
        views.look(page, f"rules-{game}-{language}", SOME)
    # One press begins a match from the board of the page.
    page.click("a[data-try]")
    page.wait_for_url("**/g/*")
    expect(page.locator("#typed")).to_be_visible()


def lab(views, page, server, language):
    """Positions with marks of each kind; a walk from move to move and back."""
    page.goto(f"{server.url}/lab")
    views.look(page, f"lab-empty-{language}", SOME)
    for kind, position in POSITIONS if language == "en" else (POSITIONS[0], POSITIONS[4], POSITIONS[8]):
        page.goto(server.url + "/lab")
        page.fill("#position", position)
        page.press("#position", "Enter")
        page.wait_for_url("**/lab?position=*")
        views.look(page, f"lab-{kind}-{language}", EVERY if kind == "stones" and language == "en" else SOME)
    page.goto(f"{server.url}/lab?position=nim:3,5,7")
    page.locator("svg.board a").first.click()
    page.wait_for_url("**from=nim*")
    page.locator("table.list tbody a").first.click()
    page.wait_for_load_state()
    page.locator("a.button").first.click()
    page.wait_for_load_state()
    page.goto(f"{server.url}/lab?position=nonsense")
    expect(page.locator("[role=alert]")).to_be_visible()
    views.look(page, f"lab-wrong-{language}", SOME)


def programs(views, page, server, language):
    """A token is made, seen once, and revoked."""
    page.goto(f"{server.url}/bots")
    expect(page.locator("#tokens li")).to_have_count(1)
    page.click("#new-token button")
    expect(page.locator("#made")).to_be_visible()
    expect(page.locator("#tokens li")).to_have_count(2)
    if not page.locator("#secret").text_content().startswith("grg_"):
        views.slip("the new token is not shown")
    views.look(page, f"bots-{language}", SOME)
    page.locator("#tokens button").click()
    expect(page.locator("#tokens li")).to_have_count(1)
    page.reload()
    expect(page.locator("#tokens li")).to_have_count(1)
    if page.locator("#made").is_visible() or "grg_" in (page.locator("#secret").text_content() or ""):
        views.slip("a token is shown twice")


def tv(views, page, server, language):
    """A match that somebody plays is seen to go on."""
    begin(page, server, "nim:3,5,7")
    expect(page.locator("#typed")).to_be_visible()
    match = page.url.rsplit("/", 1)[1]
    stranger = views.browser.new_context(locale=language, viewport=DESK, bypass_csp=True)
    watcher = watched(stranger, views)
    watcher.goto(f"{server.url}/tv")
    board = watcher.locator(f"[data-match='{match}']")
    expect(board.locator("svg.board [data-part='C.7']")).to_have_count(1)
    views.look(watcher, f"tv-{language}", SOME)
    page.fill("#move", "C-7")
    page.press("#move", "Enter")
    expect(board.locator("svg.board [data-part='C.7']")).to_have_count(0)
    page.click("#resign")
    page.click("#resign")
    expect(board.locator(".over")).not_to_be_empty()
    stranger.close()


def finished(views, page, server, cup, language):
    """A tournament that is over."""
    page.goto(f"{server.url}/t")
    views.look(page, f"tournaments-{language}", SOME)
    page.goto(f"{server.url}/t/{cup}")
    while page.locator("[data-live]").count():
        page.wait_for_timeout(500)
        page.reload()
    expect(page.locator("#grid table")).to_be_visible()
    views.look(page, f"tournament-{language}", EVERY if language == "en" else SOME)


def player(views, page, server, language):
    """A player with matches."""
    page.locator("#standings a").first.click()
    page.wait_for_url("**/u/*")
    views.look(page, f"player-{language}", SOME)
    page.goto(server.url)
    name = page.evaluate(RATED_PAIRS, 7)
    page.goto(f"{server.url}/u/{name}")
    expect(page.locator("svg.chart")).to_be_visible()
    views.look(page, f"rated-player-{language}", SOME)
    page.goto(f"{server.url}/u/nobody-of-this-name")
    views.look(page, f"no-player-{language}", SOME)


def live_tournament(views, browser, server, grundy, home):
    """A page that is open while the tournament begins and ends."""
    cup = tournament(server, grundy, home, "--start-in", "15s")
    context = browser.new_context(viewport=PHONE, bypass_csp=True)
    page = watched(context, views)
    refused, ended = [], []
    page.route_web_socket("**/ws", busy({"watch_tournament"}, 1, refused))

    def read(route):
        """After the last event nothing else makes the page read again what it was refused."""
        if route.request.resource_type == "fetch" and not ended and "Over." in route.fetch().text():
            ended.append(route)
            route.fulfill(status=429)
        else:
            route.continue_()

    page.route(f"{server.url}/t/{cup}", read)
    page.goto(f"{server.url}/t/{cup}")
    expect(page.locator("#state")).to_contain_text("Players can enter")
    views.look(page, "tournament-entries", SOME)
    # Nothing but the events of the server changes the page.
    expect(page.locator("#state .verdict")).to_have_text("Over.")
    expect(page.locator("#grid table")).to_be_visible()
    expect(page.locator("#status")).to_be_empty()
    if len(refused) != 1 or len(ended) != 1:
        views.slip(f"a tournament was refused {len(refused)} and {len(ended)} times")
    context.close()


def by_keyboard_and_without_scripts(views, browser, server):
    """The lab needs neither a mouse nor scripts."""
    context = browser.new_context(viewport=DESK, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.url}/lab")
    page.focus("#position")
    page.keyboard.type("nim:1,2")
    page.keyboard.press("Enter")
    page.wait_for_url("**/lab?position=*")
    page.locator("table.list tbody a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**from=nim*")
    for path in ("/rules", "/rules/nim", "/t", "/tv", "/bots"):
        page.goto(server.url + path)
        expect(page.locator("nav.pages [aria-current]")).to_have_count(1)
    context.close()
    # The first page is begun with the position of a link.
    context = browser.new_context(viewport=DESK)
    page = context.new_page()
    page.goto(f"{server.url}/?position=kayles:5")
    if page.input_value("#own") != "kayles:5":
        views.slip("the first page forgets the position of its address")
    context.close()
