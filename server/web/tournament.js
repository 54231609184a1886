// @ts-check
// The page of a tournament stays as the server paints it: after an event it is read again, and what has changed is replaced.

import { Connection, LOST, found, showPlayer } from './connection.js';
import { Looks } from './looks.js';
import { refusal } from './words.js';

/** Between an event and the reading of the page, in milliseconds: many games end at once, and many readers hear of it at once. */
const PAUSE = 1_500;
const LONGEST_PAUSE = 60_000;

const root = found('tournament', HTMLDivElement);
const id = root.dataset.tournament;
const status = found('status', HTMLParagraphElement);
let timer = 0;
let pause = PAUSE;
/** How often the page was read: only the newest answer counts. */
let reads = 0;
/** The server was too busy to let us follow the tournament, and it says so on the page. */
let busy = false;
const looks = new Looks();

const connection = new Connection({
  ready: (welcome) => {
    showPlayer(welcome.player);
    looks.want('watch', follow);
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

/** Follows the tournament, and reads what has changed up to now. */
async function follow() {
  try {
    await connection.request({ type: 'watch_tournament', tournament: id });
  } catch (/** @type {any} */ why) {
    if (why.code !== LOST) {
      busy = true;
      status.textContent = refusal(why);
    }
    throw why;
  }
  if (busy) {
    busy = false;
    status.textContent = '';
  }
  later();
}

function later() {
  if (!timer) {
    timer = window.setTimeout(read, pause * (1 + Math.random()));
  }
}

async function read() {
  timer = 0;
  reads += 1;
  const read_ = reads;
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (!answer.ok) {
      throw new Error(answer.statusText);
    }
    pause = PAUSE;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (read_ !== reads) {
      return;
    }
    for (const now of root.querySelectorAll('section[id]')) {
      const then = page.getElementById(now.id);
      if (then && then.innerHTML !== now.innerHTML) {
        replace(now, then);
      }
    }
  } catch {
    // A class behind one address asks for more than it gets at once.
    pause = Math.min(2 * pause, LONGEST_PAUSE);
    later();
  }
}

/**
 * Puts what a section says now into it. What is scrolled stays as it is, and the focus where it is.
 * @param {Element} now
 * @param {Element} then
 */
function replace(now, then) {
  const active = now.contains(document.activeElement) ? document.activeElement : null;
  const href = active?.getAttribute('href');
  const scrolled = Array.from(now.querySelectorAll('.scroll'), (one) => ({ left: one.scrollLeft, top: one.scrollTop, focused: one === active }));
  now.replaceChildren(...Array.from(then.childNodes, (node) => document.importNode(node, true)));
  for (const [index, one] of Array.from(now.querySelectorAll('.scroll')).entries()) {
    const { focused, ...place } = scrolled[index] ?? { focused: false };
    one.scrollTo(place);
    if (focused && one instanceof HTMLElement) {
      one.focus({ preventScroll: true });
    }
  }
  const links = Array.from(now.querySelectorAll('a'));
  links.find((link) => href && link.getAttribute('href') === href)?.focus({ preventScroll: true });
}

if ('live' in root.dataset) {
  connection.open();
}
