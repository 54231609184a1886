// @ts-check
// A link that begins a match against a bot from the position of the page. Without scripts it leads to the first page with that position.

import { Connection, LOST, drawnId } from './connection.js';
import { refusal } from './words.js';

/** The bot, which finds most wins and not all. */
const BOT = 'skill:0.7';

/**
 * Begins a match.
 * @param {HTMLAnchorElement} link
 * @param {string} position
 */
function begin(link, position) {
  const status = document.getElementById('status');
  /** @param {string} words */
  const say = (words) => {
    if (status) {
      status.textContent = words;
    }
  };
  // Under its own name, so that a second attempt after a lost connection makes no second match.
  const body = { type: 'create', client_create_id: drawnId(), position, side: 'first', opponent: { type: 'bot', name: BOT } };
  const connection = new Connection({
    ready: async () => {
      try {
        const reply = await connection.insist(body);
        location.assign(`/g/${reply.match}`);
      } catch (/** @type {any} */ why) {
        // A lost answer is asked for again when the connection is back.
        if (why.code !== LOST) {
          connection.close();
          say(refusal(why));
          delete link.dataset.asked;
        }
      }
    },
    event: () => {},
    refused: () => {
      delete link.dataset.asked;
    },
    state: say,
  });
  connection.open();
}

for (const link of document.querySelectorAll('a[data-try]')) {
  if (link instanceof HTMLAnchorElement) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) {
        return;
      }
      event.preventDefault();
      if (!link.dataset.asked) {
        link.dataset.asked = 'yes';
        begin(link, link.dataset.try ?? '');
      }
    });
  }
}
