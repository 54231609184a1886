// @ts-check
// Running matches side by side. Each is watched as by anybody: the server decides how far watchers are behind.

import { Connection, LOST, found, showPlayer } from './connection.js';
import { Looks } from './looks.js';
import { ending, word } from './words.js';

/** Between two looks at which matches run, in milliseconds. */
const LOOK_EVERY = 15_000;
/** Between two looks at a match of our own, which its players do not watch. */
const OWN_EVERY = 3_000;
/** Pages are made for people who look: a result is shown for so long before another match takes its place. */
const RESULT_STAYS = 6_000;

const root = found('tv', HTMLDivElement);
const status = found('status', HTMLParagraphElement);
const looks = new Looks();
/** Matches of our own among those that are shown. */
const own = new Set();

const connection = new Connection({
  ready: (welcome) => {
    showPlayer(welcome.player);
    follow();
  },
  event: ({ match, seq, body }) => {
    // A watcher who reads too slowly gets a snapshot, which names its match itself, instead of the events.
    const named = match ?? (body.type === 'snapshot' ? body.match : undefined);
    const article = named ? shown(named) : null;
    if (!article) {
      return;
    }
    article.dataset.seq = String(seq ?? body.seq ?? article.dataset.seq ?? 0);
    if (body.type === 'ended' || (body.type === 'snapshot' && body.status === 'over')) {
      over(article, body);
    }
    if (['moved', 'taken_back', 'ended', 'snapshot'].includes(body.type)) {
      want(named, article);
    }
  },
  state: (words) => {
    status.textContent = words;
  },
});

/**
 * The board of a match, if it is shown.
 * @param {string} match
 * @returns {HTMLElement | null}
 */
function shown(match) {
  return root.querySelector(`[data-match="${match}"]`);
}

/** Watches the matches that are shown. */
function follow() {
  for (const article of root.children) {
    watch(article);
  }
}

/**
 * Watches a match, or looks at it from time to time if it is one of our own. A server that is busy is asked again.
 * @param {Element} article
 */
function watch(article) {
  const match = article.getAttribute('data-match');
  if (!match) {
    return;
  }
  looks.want(`watch ${match}`, async () => {
    try {
      await connection.request({ type: 'watch', match, since_seq: 0 });
    } catch (/** @type {any} */ why) {
      if (why.code === LOST || why.retry_after_ms !== undefined) {
        throw why;
      }
      own.add(match);
    }
    want(match, article);
  });
}

function lookAtOwn() {
  if (document.hidden) {
    return;
  }
  for (const match of own) {
    const article = shown(match);
    if (article) {
      want(match, article);
    } else {
      own.delete(match);
    }
  }
}

/**
 * Has the board of a match asked for, if it is still shown when its turn comes.
 * @param {string} match
 * @param {Element} article
 */
function want(match, article) {
  looks.want(match, async () => {
    if (article.isConnected) {
      const ask = { type: 'moves', picture: true, limit: 1 };
      draw(article, await connection.request({ ...ask, ...(article.classList.contains('ended') ? await last(match, article) : { match }) }));
    }
  });
}

/**
 * The last position of a match that is over: its moves are not to be had.
 * @param {string} match
 * @param {Element} article
 */
async function last(match, article) {
  const since_seq = Number(article.getAttribute('data-seq'));
  const { snapshot } = await connection.request({ type: 'watch', match, since_seq });
  return { position: snapshot.position, to_move: snapshot.to_move };
}

/**
 * @param {Element} article
 * @param {import('./connection.js').Body} reply
 */
function draw(article, reply) {
  if (reply.picture) {
    const drawn = new DOMParser().parseFromString(reply.picture, 'image/svg+xml').documentElement;
    article.querySelector('.picture')?.replaceChildren(document.importNode(drawn, true));
  }
  for (const player of article.querySelectorAll('[data-seat]')) {
    player.classList.toggle('to-move', player.getAttribute('data-seat') === reply.to_move);
  }
}

/**
 * @param {Element} article
 * @param {import('./connection.js').Body} end
 */
function over(article, end) {
  const start = article.querySelector('code')?.textContent ?? '';
  const how = ending({ outcome: end.outcome, reason: end.reason }, start.endsWith('@misere'));
  const name = article.querySelector(`[data-seat="${end.outcome}"] .name`)?.textContent ?? '';
  const drawn = end.outcome === 'draw' ? 'live-drawn' : 'live-void';
  const words = name ? word('live-won', { name, how }) : word(drawn, { how });
  const place = article.querySelector('.over');
  if (place) {
    place.textContent = words;
  }
  article.classList.add('ended');
  window.setTimeout(refresh, RESULT_STAYS);
}

/** Reads which matches run, and keeps the boards of those that are shown. */
async function refresh() {
  if (document.hidden || !connection.isReady) {
    return;
  }
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (!answer.ok) {
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    replace(Array.from(page.getElementById('tv')?.children ?? []));
  } catch {
    // The next look reads it again.
  }
}

/**
 * Takes away the boards that are not shown any more, and puts the new ones in their places. The others stay where they are: one that is moved loses the focus.
 * @param {Element[]} then the boards of the page as it is now, or what it says if there are none
 */
function replace(then) {
  const key = (/** @type {Element} */ one) => one.getAttribute('data-match') ?? '';
  const old = new Map(Array.from(root.children, (one) => [key(one), one]));
  const stay = new Set(then.map(key));
  const before = Array.from(root.children);
  const focused = before.findIndex((one) => one.contains(document.activeElement));
  for (const [match, one] of old) {
    if (!stay.has(match)) {
      one.remove();
      if (match) {
        connection.request({ type: 'leave', match }).catch(() => {});
      }
    }
  }
  let place = root.firstElementChild;
  for (const one of then) {
    const known = old.get(key(one));
    const board = known ?? document.importNode(one, true);
    if (board === place) {
      place = place.nextElementSibling;
    } else {
      root.insertBefore(board, place);
    }
    if (!known) {
      watch(board);
    }
  }
  if (focused >= 0 && !root.contains(document.activeElement)) {
    // The board that had the focus is gone, or had to be moved: it, or the one in its place, has it now.
    const next = before[focused].isConnected ? before[focused] : (root.children[focused] ?? root.lastElementChild);
    next?.querySelector('a')?.focus({ preventScroll: true });
  }
}

window.setInterval(refresh, LOOK_EVERY);
window.setInterval(lookAtOwn, OWN_EVERY);
document.addEventListener('visibilitychange', refresh);
connection.open();
