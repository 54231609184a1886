"""Those who watch a match that is faster than they may ask, on a server with the limits that it has by default."""

import json

from playwright.sync_api import expect

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
  const { match, code } = await players[0]({ type: 'create', position: `nim:${start}`, side: 'first', opponent: { type: 'invite' } });
  await players[1]({ type: 'join', code });
  window.play = async () => {
    for (let ply = 1; ply <= made; ply += 1) {
      await players[(ply - 1) % 2]({ type: 'move', match, ply, move: 'A-1' });
    }
  };
  return match;
}"""


def check(views, browser, program, home):
    """Watches."""
    server = Server(program, home / "limited", profile=None)
    try:
        fast(views, browser, server)
        refused_at_first(views, browser, server)
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

    def between(page_side):
        server_side = page_side.connect_to_server()

        def ask(message):
            asked = json.loads(message)
            if asked["body"]["type"] == "resume" and len(refusals) < 2:
                refusals.append(asked)
                busy = {"type": "error", "code": "server_busy", "message": "busy", "retry_after_ms": 100}
                page_side.send(json.dumps({"re": asked["id"], "body": busy}))
            else:
                server_side.send(message)

        page_side.on_message(ask)

    page = watched(browser.new_context(viewport=DESK, bypass_csp=True), views)
    page.route_web_socket("**/ws", between)
    page.goto(f"{server.url}/g/{match}")
    expect(page.locator("#status")).to_contain_text("watching")
    players.evaluate("window.play()")
    expect(page.locator("#history li")).to_have_count(3)
    expect(page.locator("#trouble")).to_be_empty()
    page.context.close()
    players.context.close()
