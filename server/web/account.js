// @ts-check
// The visitor's account, by the requests of the protocol: a name, a password, recovery codes, signing in and out. No secret is kept by the page.

import { Connection, LOST, enable, found, remember, showPlayer, signIn } from './connection.js';
import { refusal, word } from './words.js';

/** @typedef {import('./connection.js').Body} Body */

const status = found('status', HTMLParagraphElement);
const trouble = found('trouble', HTMLParagraphElement);
/** @type {import('./connection.js').Player | undefined} */
let player;
let claimed = false;
let asking = false;
let leaves = false;

const connection = new Connection({
  ready: (welcome) => {
    claimed = Boolean(welcome.claimed);
    leaves = false;
    shown(welcome.player);
  },
  event: () => {},
  state: (words) => {
    trouble.textContent = words;
  },
});

/** @param {import('./connection.js').Player} own */
function shown(own) {
  player = own;
  showPlayer(player);
  found('who', HTMLParagraphElement).textContent = word(claimed ? 'account-is' : 'account-is-guest', { name: player.name });
  const link = found('public', HTMLAnchorElement);
  link.href = `/u/${encodeURIComponent(player.name)}`;
  link.hidden = false;
  found('guest', HTMLParagraphElement).hidden = claimed;
  found('has-password', HTMLDivElement).hidden = !claimed;
  found('codes', HTMLFormElement).hidden = !claimed;
}

/**
 * One thing at a time: what is done is said, and why it is refused.
 * @param {() => Promise<string>} act
 */
async function once(act) {
  if (asking) {
    return;
  }
  asking = true;
  status.textContent = '';
  trouble.textContent = '';
  try {
    status.textContent = await act();
    // The form may be far below.
    if (status.textContent) {
      status.scrollIntoView({ block: 'nearest' });
    }
  } catch (/** @type {any} */ why) {
    trouble.textContent = refusal(why);
  }
  asking = false;
}

/**
 * @param {string} form
 * @param {() => Promise<string>} act
 */
function submitted(form, act) {
  found(form, HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    // The question whether to sign out is not on the page any more.
    leaves = false;
    once(act);
  });
}

/**
 * The text of a field, which is empty afterwards: a secret does not stay in the page.
 * @param {string} id
 * @returns {string}
 */
function taken(id) {
  const input = found(id, HTMLInputElement);
  const { value } = input;
  input.value = '';
  return value;
}

/** @param {Body} body */
async function become(body) {
  const reply = await signIn(body);
  if (!(await remember(reply.token))) {
    return word('live-no-cookies');
  }
  location.reload();
  return '';
}

submitted('rename', async () => {
  const name = found('new-name', HTMLInputElement).value.trim();
  const reply = await connection.insist({ type: 'rename', name });
  shown(reply.player ?? { id: '', name, bot: false });
  return word('account-renamed');
});
submitted('password', async () => {
  const current = taken('current');
  const password = taken('new-password');
  await connection.insist({ type: 'set_password', password, ...(claimed ? { current } : {}) });
  claimed = true;
  if (player) {
    shown(player);
  }
  return word('account-password-set');
});
submitted('codes', async () => {
  const reply = await connection.insist({ type: 'new_recovery_codes', password: taken('confirm') });
  const rows = reply.codes.map((/** @type {string} */ code) => {
    const row = document.createElement('li');
    const text = document.createElement('code');
    text.textContent = code;
    row.append(text);
    return row;
  });
  found('new-codes', HTMLUListElement).replaceChildren(...rows);
  found('made', HTMLDivElement).hidden = false;
  return '';
});
submitted('login', () => become({ type: 'login', name: found('login-name', HTMLInputElement).value.trim(), password: taken('login-password'), label: 'browser' }));
submitted('recover', () => become({ type: 'recover', name: found('recover-name', HTMLInputElement).value.trim(), code: taken('code'), password: taken('recover-password'), label: 'browser' }));
found('logout', HTMLButtonElement).addEventListener('click', (event) => {
  // A double click is one press.
  if (event.detail > 1) {
    return;
  }
  // A guest without a password cannot come back.
  if (!claimed && !leaves) {
    leaves = true;
    trouble.textContent = word('account-logout-sure');
    return;
  }
  once(async () => {
    // Without a connection nothing is sent, and the secret would stay good.
    const sent = connection.isReady;
    await connection.request({ type: 'logout' }).catch((/** @type {any} */ why) => {
      if (why.code !== LOST || !sent) {
        throw why;
      }
    });
    const answer = await fetch('/session', { method: 'DELETE' }).catch(() => undefined);
    if (!answer?.ok) {
      throw { code: LOST, message: word('live-lost') };
    }
    location.assign('/');
    return '';
  });
});
enable();
connection.open();
