// @ts-check
// The page of an invitation: join, under a name if this browser has none yet.

import { Connection, LOST, enable, found, showPlayer } from './connection.js';
import { refusal } from './words.js';

const form = found('join', HTMLFormElement);
const status = found('status', HTMLParagraphElement);
const name = found('name', HTMLInputElement);
let asked = false;

const connection = new Connection({
  ready: async (welcome) => {
    showPlayer(welcome.player);
    const mine = (welcome.obligations ?? []).find((/** @type {any} */ open) => open.code === form.dataset.code);
    if (mine) {
      // It is our own invitation: the friend is waited for on the page of the match.
      location.assign(`/g/${mine.match}`);
      return;
    }
    try {
      const joined = await connection.insist({ type: 'join', code: form.dataset.code });
      location.replace(`/g/${joined.match}`);
    } catch (/** @type {any} */ why) {
      // A lost answer is asked for again when the connection is back.
      if (why.code === LOST) {
        return;
      }
      connection.close();
      asked = false;
      status.textContent = refusal(why);
    }
  },
  event: () => {},
  // The name may be taken: another one may be tried.
  refused: () => {
    asked = false;
  },
  state: (words) => {
    status.textContent = words;
  },
});

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (asked) {
    return;
  }
  asked = true;
  connection.open(name.value.trim() || undefined);
});
enable();
