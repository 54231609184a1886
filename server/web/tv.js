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
  event: (frame) => {
    const article = frame.match ? root.querySelector(`[data-match="${frame.match}"]`) : null;
    if (!article || !frame.match) {
      return;
    }
    if (frame.body.type === 'moved' || frame.body.type === 'taken_back') {
      want(frame.match, article);
    } else if (frame.body.type === 'ended') {
      over(article, frame.body);
    }
  },
  state: (words) => {
    status.textContent = words;
  },
});

/** Watches the matches that are shown. */
function follow() {
  for (const article of root.querySelectorAll('[data-match]')) {
    watch(article);
  }
}

/**
 * Watches a match, or looks at it from time to time if it is one of our own.
 * @param {Element} article
 */
async function watch(article) {
  const match = article.getAttribute('data-match') ?? '';
  try {
    await connection.request({ type: 'watch', match, since_seq: 0 });
  } catch (/** @type {any} */ why) {
    if (why.code === LOST) {
      return;
    }
    own.add(match);
  }
  want(match, article);
}

function lookAtOwn() {
  for (const match of own) {
    const article = root.querySelector(`[data-match="${match}"]`);
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
      draw(article, await connection.request({ type: 'moves', match, picture: true, limit: 1 }));
    }
  });
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
    const now = new Map(Array.from(root.querySelectorAll('[data-match]'), (one) => [one.getAttribute('data-match'), one]));
    const then = Array.from(page.getElementById('tv')?.children ?? []);
    const kept = then.map((one) => now.get(one.getAttribute('data-match')) ?? document.importNode(one, true));
    const gone = Array.from(now.values()).filter((one) => !kept.includes(one));
    const fresh = kept.filter((one) => !now.has(one.getAttribute('data-match')));
    if (gone.length > 0 || fresh.length > 0) {
      root.replaceChildren(...kept);
    }
    for (const one of gone) {
      connection.request({ type: 'leave', match: one.getAttribute('data-match') }).catch(() => {});
    }
    for (const one of fresh) {
      if (one.hasAttribute('data-match')) {
        watch(one);
      }
    }
  } catch {
    // The next look reads it again.
  }
}

window.setInterval(refresh, LOOK_EVERY);
window.setInterval(lookAtOwn, OWN_EVERY);
document.addEventListener('visibilitychange', refresh);
connection.open();
