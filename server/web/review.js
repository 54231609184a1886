// @ts-check
// The page of a review. The server paints every place of it; this script walks from one to the next without loading the whole page, and asks for a review
// that is not made yet.

import { Connection, found, showPlayer } from './connection.js';
import { later } from './looks.js';
import { refusal, word } from './words.js';

const review = found('review', HTMLElement);
const match = review.dataset.match ?? '';

/** The links that keys follow. */
const KEYS = {
  ArrowLeft: 'back',
  ArrowRight: 'forward',
  Home: 'to-start',
  End: 'to-end',
  '[': 'back',
  ']': 'forward',
  '{': 'mistake-before',
  '}': 'mistake-after',
};

/** Between two steps while a key is held down, in milliseconds: the server allows ten pages a second. */
const STEP = 150;
/** Before a review is asked for again, at first and at most. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 15_000;
let stepped = -STEP;

/** The way to a place that has not come yet: the latest one counts. @type {AbortController | undefined} */
let underWay;

/**
 * Shows the place of this address.
 * @param {string} address
 */
async function go(address) {
  const active = document.activeElement;
  const focused = active?.id;
  const link = active?.getAttribute('href');
  underWay?.abort();
  const way = new AbortController();
  underWay = way;
  try {
    const ask = { headers: { accept: 'text/html' }, signal: way.signal };
    let answer = await fetch(address, ask);
    if (answer.status === 429 || answer.status === 503) {
      // Readers behind one address may ask for more than they get at once.
      await later(FIRST_PAUSE);
      answer = await fetch(address, ask);
    }
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (underWay !== way) {
      return;
    }
    const shown = page.getElementById('review');
    // A review that is not there any more is asked for by the page that says so.
    if (!answer.ok || !shown || 'wanted' in shown.dataset || document.getElementById('review') === null) {
      location.assign(address);
      return;
    }
    replace(shown);
    const links = Array.from(found('review', HTMLElement).querySelectorAll('a'));
    const again = focused ? document.getElementById(focused) : links.find((one) => link && one.getAttribute('href') === link);
    again?.focus({ preventScroll: !focused });
  } catch {
    if (underWay === way) {
      location.assign(address);
    }
  } finally {
    if (underWay === way) {
      underWay = undefined;
    }
  }
}

/**
 * Puts the parts of a place where they belong. What is scrolled stays as it is.
 * @param {Element} shown
 */
function replace(shown) {
  const old = found('review', HTMLElement);
  const scrolled = Array.from(old.querySelectorAll('.tall'), (list) => list.scrollTop);
  old.replaceChildren(...Array.from(shown.childNodes, (node) => document.importNode(node, true)));
  old.querySelectorAll('.tall').forEach((list, index) => {
    list.scrollTop = scrolled[index] ?? 0;
  });
  reveal();
}

/** Scrolls the list to the move that is shown. */
function reveal() {
  const row = document.querySelector('tr[aria-current]');
  const list = row?.closest('.tall');
  if (row instanceof HTMLElement && list) {
    const above = row.offsetTop - list.scrollTop;
    if (above < 0 || above + row.offsetHeight > list.clientHeight) {
      list.scrollTop = row.offsetTop - list.clientHeight / 2;
    }
  }
}

/** @param {string} address */
function walk(address) {
  history.pushState(null, '', address);
  go(address);
}

/** Asks for the review; the page is loaded again once it is there. */
function ask() {
  const status = found('status', HTMLParagraphElement);
  const progress = found('progress', HTMLProgressElement);
  /** @param {string} words */
  const say = (words) => {
    status.textContent = words;
  };
  let attempts = 0;
  const connection = new Connection({
    ready: async (welcome) => {
      showPlayer(welcome.player);
      attempts += 1;
      const attempt = attempts;
      // One that was begun before the connection was lost is given up.
      for (let pause = FIRST_PAUSE; attempt === attempts; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
        say(word('live-reviewing'));
        progress.hidden = false;
        try {
          await connection.request({ type: 'review', match, limit: 1, progress: true });
          location.reload();
          return;
        } catch (/** @type {any} */ why) {
          progress.hidden = true;
          say(refusal(why));
          if (why.retry_after_ms === undefined) {
            return;
          }
          await later(Math.max(pause, why.retry_after_ms));
        }
      }
    },
    event: (frame) => {
      if (frame.body.type === 'reviewing' && frame.body.positions) {
        progress.max = frame.body.positions;
        progress.value = frame.body.positions_done;
      }
    },
    state: say,
  });
  connection.open();
}

if ('wanted' in review.dataset) {
  ask();
} else if (review.querySelector('table')) {
  reveal();
  review.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const address = link?.getAttribute('href') ?? '';
    if (address.startsWith('?') && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      walk(address);
    }
  });
  document.addEventListener('keydown', (event) => {
    const id = /** @type {Record<string, string>} */ (KEYS)[event.key];
    const link = id && document.getElementById(id);
    if (link && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      // A key that is held down goes on when the last step is there.
      if (event.repeat && (underWay || performance.now() - stepped < STEP)) {
        return;
      }
      stepped = performance.now();
      walk(link.getAttribute('href') ?? '');
    }
  });
  window.addEventListener('popstate', () => go(location.href));
}
