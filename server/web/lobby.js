// @ts-check
// The first page: a match against a bot, an invitation, open seats, matches in play.

import { keep, kept } from './coach.js';
import { Connection, LOST, drawnId, found, showPlayer } from './connection.js';
import { word } from './words.js';

/** @typedef {import('./connection.js').Body} Body */

/** Between two looks at the lists, in milliseconds. */
const LOOK_EVERY = 5_000;

const status = document.getElementById('status');
/** The invitation or the seat that waits. */
let waitsFor = '';
/** A match is being begun: a second press means the same. */
let asking = false;

const connection = new Connection({
  ready: (welcome) => {
    showPlayer(welcome.player);
    const open = welcome.obligations ?? [];
    showMine(open);
    if (waitsFor) {
      waitAgain(open.find((/** @type {any} */ one) => one.match === waitsFor));
    }
    look();
  },
  event: (frame) => {
    const { match, body } = frame;
    if (match && match === waitsFor && body.type === 'joined') {
      go(match);
    }
    if (body.type === 'seek_ended' && body.match) {
      go(body.match);
    }
  },
  state: (words) => say(words),
});

/**
 * After a lost connection: goes on waiting for the friend, or to the match that has begun meanwhile.
 * @param {Body | undefined} invitation
 */
function waitAgain(invitation) {
  if (invitation && !invitation.code) {
    go(waitsFor);
  } else if (invitation) {
    ask({ type: 'resume', match: waitsFor, since_seq: 0 }, () => say(word('live-waiting')));
  }
}

/** @param {string} words */
function say(words) {
  if (status) {
    status.textContent = words;
  }
}

/** @param {string} match */
function go(match) {
  location.assign(`/g/${match}`);
}

/** @returns {{position: string, side: string, clock?: Body}} what the form asks for */
function wanted() {
  const own = found('own', HTMLInputElement).value.trim();
  const position = own || found('start', HTMLSelectElement).value;
  const clock = found('clock', HTMLSelectElement).value;
  const side = found('side', HTMLSelectElement).value;
  const [minutes, seconds] = clock.split('+').map(Number);
  const timed = clock === 'none' ? {} : { clock: { type: 'fischer', base_ms: minutes * 60_000, increment_ms: seconds * 1_000 } };
  return { position, side, ...timed };
}

/** The match that was asked for last, and its name: it is forgotten with the answer. */
let unanswered = { asked: '', id: '' };

/**
 * The request for a new match. One that is sent again because its answer was lost has the same name, so that it makes no second match.
 * @param {Body} opponent
 * @returns {Body}
 */
function created(opponent) {
  const body = { ...wanted(), opponent };
  const asked = JSON.stringify(body);
  if (unanswered.asked !== asked) {
    unanswered = { asked, id: drawnId() };
  }
  return { type: 'create', client_create_id: unanswered.id, ...body };
}

/**
 * Sends a request that begins a match, one at a time.
 * @param {Body} body
 * @param {(reply: Body) => void} then
 */
async function ask(body, then) {
  if (asking) {
    return;
  }
  asking = true;
  say('');
  try {
    const reply = await connection.request(body);
    unanswered.asked = '';
    then(reply);
  } catch (/** @type {any} */ why) {
    if (why.code !== LOST) {
      unanswered.asked = '';
    }
    say(word('live-refused', { why: why.message + (why.example ? ` (${why.example})` : '') }));
  }
  asking = false;
}

/** @param {any[]} open */
function showMine(open) {
  const items = open.map((one) => item(one.match, word('live-back-to'), () => go(one.match)));
  found('your-matches', HTMLUListElement).replaceChildren(...items);
  found('mine', HTMLElement).hidden = items.length === 0;
}

/**
 * @param {string} text
 * @param {string} action
 * @param {() => void} act
 */
function item(text, action, act) {
  const row = document.createElement('li');
  const words = document.createElement('bdi');
  words.textContent = text;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = action;
  button.setAttribute('aria-label', `${action}: ${text}`);
  button.addEventListener('click', act);
  row.append(words, ' ', button);
  return row;
}

/**
 * @param {string} id
 * @param {HTMLElement[]} items
 * @param {string} none
 */
function fill(id, items, none) {
  const list = found(id, HTMLUListElement);
  if (items.length > 0) {
    list.replaceChildren(...items);
    return;
  }
  const row = document.createElement('li');
  row.textContent = none;
  list.replaceChildren(row);
}

/** Reads the lists. */
async function look() {
  if (document.hidden || !connection.isReady) {
    return;
  }
  try {
    const { seeks } = await connection.request({ type: 'seeks', limit: 20 });
    const seats = seeks.filter((/** @type {any} */ seek) => !seek.mine);
    const take = (/** @type {any} */ seek) => () => ask({ type: 'take', seek: seek.seek }, (reply) => go(reply.match));
    fill('seats', seats.map((/** @type {any} */ seek) => item(`${seek.player.name}: ${seek.position}`, word('live-take'), take(seek))), word('live-no-seats'));
    const { matches } = await connection.request({ type: 'list', status: 'live', limit: 20 });
    const name = (/** @type {any} */ player) => player?.name ?? word('live-free-seat');
    const title = (/** @type {any} */ one) => `${word('live-versus', { first: name(one.first), second: name(one.second) })}: ${one.position}`;
    fill('running', matches.map((/** @type {any} */ one) => item(title(one), word('live-watch'), () => go(one.match))), word('live-no-matches'));
  } catch {
    // The connection says itself what is wrong.
  }
}

const form = document.getElementById('new-match');
if (form) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const bot = found('bot', HTMLSelectElement).value;
    ask(created({ type: 'bot', name: bot }), (reply) => go(reply.match));
  });
  found('make-link', HTMLButtonElement).addEventListener('click', () => {
    ask(created({ type: 'invite' }), (reply) => {
      waitsFor = reply.match;
      const link = found('link', HTMLAnchorElement);
      link.href = `/j/${reply.code}`;
      link.textContent = link.href;
      found('invitation', HTMLDivElement).hidden = false;
      say(word('live-waiting'));
    });
  });
  found('open-seat', HTMLButtonElement).addEventListener('click', () => {
    ask({ type: 'seek', ...wanted() }, () => say(word('live-seeking')));
  });
  found('copy', HTMLButtonElement).addEventListener('click', async () => {
    await navigator.clipboard?.writeText(found('link', HTMLAnchorElement).href);
    say(word('live-copied'));
  });
  const coach = found('coach', HTMLInputElement);
  coach.checked = kept();
  coach.addEventListener('change', () => keep(coach.checked));
  window.setInterval(look, LOOK_EVERY);
  document.addEventListener('visibilitychange', look);
  connection.open();
}
