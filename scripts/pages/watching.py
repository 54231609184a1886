"""Those who watch a match that is faster than they may ask, on a server with the limits that it has by default."""

from playwright.sync_api import expect

from between import busy
from playing import DESK, watched
from server import Server

START = 400
MADE = 240
# Two players make moves as fast as the server takes them, and leave the match as it is then.
PLAY = """async ({ start, made }) => {
  const connect = () => new Promise((resolve) => {
    const socket = new WebSocket(location.origin.replace('http', 'ws') + '/ws');
    const waiting = new Map();
    let next = 1;
    const ask = (body) => new Promise((answer) => {
      waiting.set(next, answer);
      socket.send(JSON.stringify({ id: next++, body }));
    });
    socket.onmessage = ({ data }) => {
      const { re, body } = JSON.parse(data);
      waiting.get(re)?.(body);
      waiting.delete(re);
    };
    // A busy server asks for patience.
    const insist = async (body) => {
      for (;;) {
        const reply = await ask(body);
        if (reply.type !== 'error') return reply;
        if (reply.retry_after_ms === undefined) throw new Error(JSON.stringify(reply));
        await new Promise((later) => setTimeout(later, reply.retry_after_ms + 20));
      }
    };
    socket.onopen = async () => {
      await insist({ type: 'hello', protocol: 1, client: 'check/1' });
      resolve(insist);
    };
  });
  const players = [await connect(), await connect()];
  window.begin = async (position) => {
    const { match, code } = await players[0]({ type: 'create', position, side: 'first', opponent: { type: 'invite' } });
    await players[1]({ type: 'join', code });
    return match;
  };
  window.move = (match, ply) => players[(ply - 1) % 2]({ type: 'move', match, ply, move: 'A-1' });
  window.resign = (match) => players[0]({ type: 'resign', match });
  const match = await window.begin(`nim:${start}`);
  window.play = async () => {
    for (let ply = 1; ply <= made; ply += 1) {
      await window.move(match, ply);
    }
  };
  return match;
}"""
# The television looks at once which matches run.
LOOK = "document.dispatchEvent(new Event('visibilitychange'))"
# Counts how often a board is taken away, and gives it the focus.
KEEP = """match => {
  const kept = document.querySelector(`[data-match='${match}']`);
  window.taken = 0;
  new MutationObserver((changes) => {
    for (const { removedNodes } of changes) window.taken += Array.from(removedNodes).includes(kept) ? 1 : 0;
  }).observe(kept.parentNode, { childList: true });
  kept.querySelector('a').focus();
}"""


def check(views, browser, program, home):
    """Watches."""
    server = Server(program, home / "limited", profile=None)
    try:
        fast(views, browser, server)
        refused_at_first(views, browser, server)
        keeps_boards(views, browser, server)
    finally:
        server.kill()


def connected(page):
    """The connections that a page has opened."""
    sockets = []
    page.on("websocket", lambda socket: sockets.append(socket))
    return sockets


def fast(views, browser, server):
    """A page and the television follow a fast match to its last board, over the connection that they have."""
    players = browser.new_context().new_page()
    players.goto(server.url + "/rules")
    match = players.evaluate(PLAY, {"start": START, "made": MADE})
    pages = []
    for path in (f"/g/{match}", "/tv"):
        page = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
        sockets = connected(page)
        page.goto(server.url + path)
        pages.append((page, sockets))
    (page, _), (tv, _) = pages
    expect(page.locator("#status")).to_contain_text("watching")
    expect(tv.locator("#player")).not_to_be_empty()
    # On a busy machine it may take more than one.
    before = [len(sockets) for _, sockets in pages]
    players.evaluate("window.play()")
    expect(page.locator("#history li")).to_have_count(MADE)
    expect(page.locator("#position")).to_have_text(f"nim:{START - MADE}")
    expect(page.locator("#trouble")).to_be_empty()
    expect(tv.locator(f'[data-match="{match}"] svg')).to_contain_text(str(START - MADE))
    for (page, sockets), count in zip(pages, before):
        if len(sockets) != count:
            views.slip(f"{page.url} has lost its connection")
        page.context.close()
    players.context.close()


def refused_at_first(views, browser, server):
    """A page that may not follow the match yet asks again."""
    players = browser.new_context().new_page()
    players.goto(server.url + "/rules")
    match = players.evaluate(PLAY, {"start": START, "made": 3})
    refusals = []
    page = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    page.route_web_socket("**/ws", busy({"resume"}, 2, refusals))
    page.goto(f"{server.url}/g/{match}")
    expect(page.locator("#status")).to_contain_text("watching")
    players.evaluate("window.play()")
    expect(page.locator("#history li")).to_have_count(3)
    expect(page.locator("#trouble")).to_be_empty()
    page.context.close()
    players.context.close()


def keeps_boards(views, browser, server):
    """The television shows the last board of a match that ends, puts another match in its place, and leaves the other boards, and the focus, where they are."""
    players = browser.new_context().new_page()
    players.goto(server.url + "/rules")
    stays = players.evaluate(PLAY, {"start": START, "made": 0})
    ends = players.evaluate("window.begin('nim:1')")
    tv = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    refusals = []
    tv.route_web_socket("**/ws", busy({"watch"}, 2, refusals))
    tv.goto(server.url + "/tv")
    expect(tv.locator("#player")).not_to_be_empty()

    def board(match, part=""):
        return tv.locator(f"[data-match='{match}']{part}")

    expect(board(ends, " [data-part='A.1']")).to_have_count(1)
    tv.evaluate(KEEP, stays)
    players.evaluate("match => window.move(match, 1)", ends)
    expect(board(ends, " .over")).not_to_be_empty()
    expect(board(ends, " [data-part='A.1']")).to_have_count(0)
    begins = players.evaluate("window.begin('kayles:5')")
    tv.evaluate(LOOK)
    expect(board(begins)).to_have_count(1)
    expect(board(ends)).to_have_count(0)
    expect(board(stays, " a")).to_be_focused()
    if tv.evaluate("window.taken"):
        views.slip("a board that has not changed was taken away and put back")
    # If the board that has the focus goes, the one in its place has it.
    board(begins, " a").focus()
    players.evaluate("match => window.resign(match)", begins)
    expect(board(begins, " .over")).not_to_be_empty()
    tv.evaluate(LOOK)
    expect(board(begins)).to_have_count(0)
    expect(tv.locator("#tv > article a").first).to_be_focused()
    if len(refusals) != 2:
        views.slip(f"the television was refused {len(refusals)} times")
    tv.context.close()
    players.context.close()
