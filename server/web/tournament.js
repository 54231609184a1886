// @ts-check
// The page of a tournament stays as the server paints it: after an event it is read again, and what has changed is replaced.

import { Connection, found, showPlayer } from './connection.js';
import { refusal } from './words.js';

/** Between an event and the reading of the page, in milliseconds: many games end at once, and many readers hear of it at once. */
const PAUSE = 1_500;
const LONGEST_PAUSE = 60_000;

const root = found('tournament', HTMLDivElement);
const id = root.dataset.tournament;
const status = found('status', HTMLParagraphElement);
let timer = 0;
let pause = PAUSE;

const connection = new Connection({
  ready: (welcome) => {
    showPlayer(welcome.player);
    connection.request({ type: 'watch_tournament', tournament: id }).then(later, (why) => {
      status.textContent = refusal(why);
    });
  },
  event: (/** @type {any} */ frame) => {
    if (frame.tournament === id) {
      later();
    }
  },
  state: (words) => {
    status.textContent = words;
  },
});

function later() {
  if (!timer) {
    timer = window.setTimeout(read, pause * (1 + Math.random()));
  }
}

async function read() {
  timer = 0;
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (!answer.ok) {
      throw new Error(answer.statusText);
    }
    pause = PAUSE;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const now of root.querySelectorAll('section[id]')) {
      const then = page.getElementById(now.id);
      if (then && then.innerHTML !== now.innerHTML) {
        const focused = now.contains(document.activeElement) ? document.activeElement?.getAttribute('href') : null;
        now.replaceChildren(...Array.from(then.childNodes, (node) => document.importNode(node, true)));
        Array.from(now.querySelectorAll('a')).find((link) => focused && link.getAttribute('href') === focused)?.focus();
      }
    }
  } catch {
    // A class behind one address asks for more than it gets at once.
    pause = Math.min(2 * pause, LONGEST_PAUSE);
    later();
  }
}

if ('live' in root.dataset) {
  connection.open();
}
