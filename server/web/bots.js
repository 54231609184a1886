// @ts-check
// Tokens of the visitor: made, listed and revoked by the requests of the protocol. The secret of a new one is shown once and kept nowhere.

import { Connection, enable, found, showPlayer } from './connection.js';
import { copied } from './copy.js';
import { refusal, word } from './words.js';

const DAY_MS = 86_400_000;

const status = found('status', HTMLParagraphElement);
const form = found('new-token', HTMLFormElement);
const list = found('tokens', HTMLUListElement);
let asking = false;

const connection = new Connection({
  ready: (welcome) => {
    showPlayer(welcome.player);
    look();
  },
  event: () => {},
  state: (words) => {
    status.textContent = words;
  },
});

/**
 * Asks, and says why it is refused.
 * @param {import('./connection.js').Body} body
 */
async function ask(body) {
  try {
    status.textContent = '';
    return await connection.insist(body);
  } catch (/** @type {any} */ why) {
    status.textContent = refusal(why);
    status.scrollIntoView({ block: 'nearest' });
    return undefined;
  }
}

/** Shows the tokens. */
async function look() {
  const reply = await ask({ type: 'tokens' });
  if (reply) {
    const focused = list.contains(document.activeElement);
    list.replaceChildren(...reply.tokens.map(row));
    if (focused) {
      // The button is gone. Another one in its place would revoke the wrong token at a second press.
      list.tabIndex = -1;
      list.focus();
    }
  }
}

/** @param {any} token */
function row(token) {
  const item = document.createElement('li');
  const name = document.createElement('bdi');
  name.textContent = token.name;
  const known = document.createElement('code');
  known.textContent = `${token.prefix}…`;
  const about = document.createElement('span');
  const until = token.expires_at_ms ? new Date(token.expires_at_ms).toLocaleDateString(document.documentElement.lang) : '';
  const ends = until ? word('live-token-until', { date: until }) : word('live-token-forever');
  const scopes = document.createElement('code');
  scopes.textContent = token.scopes.join(' ');
  about.append(scopes, ' ', ends);
  item.append(name, ' ', known, ' ', about, ' ');
  if (token.this) {
    const here = document.createElement('strong');
    here.textContent = word('live-token-here');
    item.append(here);
    return item;
  }
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = word('live-token-revoke');
  button.setAttribute('aria-label', `${word('live-token-revoke')}: ${token.name}`);
  button.addEventListener('click', async () => {
    if (asking) {
      return;
    }
    asking = true;
    const revoked = await ask({ type: 'revoke_token', token: token.prefix });
    asking = false;
    if (revoked) {
      look();
    }
  });
  item.append(button);
  return item;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (asking) {
    return;
  }
  const chosen = form.querySelectorAll('input[name="scope"]:checked');
  const scopes = Array.from(chosen, (box) => (box instanceof HTMLInputElement ? box.value : ''));
  const days = Number(found('life', HTMLSelectElement).value);
  const life = days > 0 ? { expires_in_ms: days * DAY_MS } : {};
  asking = true;
  const reply = await ask({ type: 'create_token', name: found('token-name', HTMLInputElement).value.trim(), scopes, ...life });
  asking = false;
  if (reply) {
    found('secret', HTMLElement).textContent = reply.secret;
    found('made', HTMLDivElement).hidden = false;
    look();
  }
});
found('copy', HTMLButtonElement).addEventListener('click', async () => {
  status.textContent = await copied(found('secret', HTMLElement));
});
enable();
connection.open();
