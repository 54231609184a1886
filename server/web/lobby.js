// @ts-check
// The first page: a match against a bot, an invitation, open seats, matches in play.

import { keep, kept } from './coach.js';
import { copied } from './copy.js';
import { Connection, LOST, drawnId, enable, found, showPlayer } from './connection.js';
import { refusal, sentences, word, wordOr } from './words.js';

/** @typedef {import('./connection.js').Body} Body */
/** @typedef {import('./connection.js').Refusal} Refusal */

/** Between two looks at the lists, in milliseconds. */
const LOOK_EVERY = 5_000;
/** Between two looks at the invitations that another page of ours follows, in milliseconds. */
const ASK_EVERY = 2_000;

const status = document.getElementById('status');
/** The matches that wait for a friend. @type {Set<string>} */
const invitations = new Set();
/** Those of them that another page of ours follows: the server reports their events there only. @type {Set<string>} */
const elsewhere = new Set();
/** The wishes of the link that is shown: a second press with the same wishes means the same match. */
let linked = '';
/** The seat that the reader wants, as it is asked for: it ends with its connection, and is then opened again. @type {Body | undefined} */
let seat;
/** The seat that is open, and its number. @type {{body: Body, seek: string} | undefined} */
let opened;
/** The seat that is open is being made the one that is wanted. */
let settling = false;
/** The unfinished matches of the reader, when the last connection was made. @type {Set<string> | undefined} */
let known;
/** A match is being begun, or its page is being loaded: a second press means the same. */
let asking = false;
let leaves = false;
/** What was pressed before there was a connection. @type {(() => void) | undefined} */
let early;
/** Our own number. */
let self_ = '';
/** Our unfinished matches, as the server counts them up when a connection is made, and the invitations since. @type {any[]} */
let open = [];

const connection = new Connection({
  ready: (welcome) => {
    showPlayer(welcome.player);
    self_ = welcome.player.id;
    open = welcome.obligations ?? [];
    // Somebody may have taken the seat just when the connection was lost.
    const waited = seat ?? opened;
    opened = undefined;
    const begun = waited && known && open.find((/** @type {any} */ one) => !one.code && !known?.has(one.match));
    known = new Set(open.map((/** @type {any} */ one) => one.match));
    showMine();
    if (begun) {
      go(begun.match);
      return;
    }
    for (const match of invitations) {
      waitAgain(match, open.find((/** @type {any} */ one) => one.match === match));
    }
    if (!seat && invitations.size > 0) {
      waits();
    }
    goOn();
    look();
  },
  event: (frame) => {
    const { match, body } = frame;
    // By whichever of our links the friend has come.
    if (match && invitations.has(match) && body.type === 'joined') {
      go(match);
    } else if (match && invitations.has(match) && body.type === 'ended') {
      expired(match);
    } else if (body.type === 'superseded' && invitations.has(body.match)) {
      elsewhere.add(body.match);
      waits();
    }
    if (body.type === 'seek_ended' && body.match) {
      go(body.match);
    } else if (body.type === 'seek_ended' && body.seek === opened?.seek) {
      closed(wordOr(`live-seat-${body.end}`, 'live-seat-other'));
    }
  },
  state: (words) => say(words),
});

/** Opens the seat again that was lost with its connection, and then does what was pressed meanwhile: one thing at a time. */
async function goOn() {
  await settle();
  const pressed = early;
  early = undefined;
  pressed?.();
}

/**
 * After a lost connection: goes on waiting for the friend, or to the match that has begun meanwhile.
 * @param {string} match
 * @param {Body | undefined} invitation
 */
function waitAgain(match, invitation) {
  if (invitation && !invitation.code) {
    begun(match);
  } else if (invitation?.connected) {
    elsewhere.add(match);
  } else if (invitation) {
    elsewhere.delete(match);
    // What is lost again is asked for again, and whoever may not wait any more sees that on the page of the match.
    connection.request({ type: 'resume', match, since_seq: 0 }).catch(() => {});
  } else {
    expired(match);
  }
}

/** Says that we wait for a friend, and where. */
function waits() {
  const here = Array.from(invitations).some((match) => !elsewhere.has(match));
  say(word(here ? 'live-waiting' : 'live-invitation-elsewhere'));
}

/** Looks whether a friend has come to an invitation that another page follows. That page may have been closed since. */
async function lookElsewhere() {
  if (elsewhere.size === 0 || leaves || !connection.isReady) {
    return;
  }
  try {
    const listed = await unfinished();
    for (const match of elsewhere) {
      const one = listed.get(match);
      if (!one) {
        expired(match);
      } else if (one.first && one.second) {
        begun(match);
      }
    }
  } catch {
    // It is asked again soon.
  }
}

/**
 * A friend has come. The page that the reader looks at goes to the match. Another page only links to it, since by going there it would take the seat away from the
 * first one.
 * @param {string} match
 */
function begun(match) {
  if (!elsewhere.has(match) || document.hasFocus()) {
    go(match);
    return;
  }
  elsewhere.delete(match);
  const link = document.createElement('a');
  link.href = `/g/${match}`;
  link.textContent = word('live-friend-came');
  status?.replaceChildren(link);
}

/**
 * An invitation has expired or was called off. The link that is shown is the newest.
 * @param {string} match
 */
function expired(match) {
  const newest = Array.from(invitations).at(-1) === match;
  invitations.delete(match);
  elsewhere.delete(match);
  if (newest) {
    linked = '';
    showLink();
    say(word('live-invitation-over'));
  }
}

/**
 * Wants this seat, or none, and says so on the button: the next press means the opposite. Without a connection it is opened once there is one.
 * @param {Body | undefined} wish
 */
async function want(wish) {
  seat = wish;
  mark();
  await settle();
}

/** Opens the seat that is wanted, and withdraws another one, however often that changes before the answers are there. */
async function settle() {
  if (settling) {
    return;
  }
  settling = true;
  while (opened?.body !== seat && connection.isReady && !leaves) {
    const [wish, before] = [seat, opened];
    say('');
    try {
      if (before) {
        await connection.insist({ type: 'withdraw_seek', seek: before.seek });
        // It may have been lost meanwhile with its connection.
        opened = opened === before ? undefined : opened;
      } else if (wish) {
        const { seek } = await connection.insist(wish);
        opened = { body: wish, seek: seek.seek };
        if (seat === wish) {
          say(word('live-seeking'));
        }
      }
    } catch (/** @type {any} */ why) {
      // A seat that has ended meanwhile cannot be withdrawn, and need not be.
      if (opened === before) {
        refused(why);
        seat = seat === wish && why.code !== LOST ? opened?.body : seat;
      }
    }
  }
  settling = false;
  mark();
}

/**
 * The seat is open no more.
 * @param {string} words why
 */
function closed(words) {
  seat = undefined;
  opened = undefined;
  say(words);
  mark();
}

/** Shows on the button what it does. */
function mark() {
  const button = found('open-seat', HTMLButtonElement);
  button.textContent = (seat ? button.dataset.withdraw : button.dataset.open) ?? '';
}

/** @param {string} words */
function say(words) {
  if (status) {
    status.textContent = words;
  }
}

/** @param {any} why */
function refused(why) {
  say(refusal(why));
  // The button may be far below.
  status?.scrollIntoView({ block: 'nearest' });
}

/** @param {string} match */
function go(match) {
  leaves = true;
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

/** Shows the link as long as the form asks for what it leads to. The list of our matches has the other invitations. */
function showLink() {
  found('invitation', HTMLDivElement).hidden = linked !== JSON.stringify(wanted());
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
 * @returns {Promise<Body | undefined>} the reply, if it was not refused
 */
async function ask(body, then) {
  if (asking || leaves) {
    return undefined;
  }
  if (!connection.isReady) {
    early = () => ask(body, then);
    return undefined;
  }
  asking = true;
  say('');
  let reply;
  try {
    reply = await connection.insist(body);
    unanswered.asked = '';
    then(reply);
  } catch (/** @type {any} */ why) {
    // A server that is busy has not looked: what was lost before may be there.
    if (why.code !== LOST && why.retry_after_ms === undefined) {
      unanswered.asked = '';
    }
    refused(why);
  }
  asking = false;
  return reply;
}

/**
 * Our unfinished matches as the server lists them, by their numbers.
 * @returns {Promise<Map<string, any>>} refused with a {@link Refusal}
 */
async function unfinished() {
  /** @type {Map<string, any>} */
  const listed = new Map();
  for (const status of ['waiting', 'live']) {
    const { matches } = await connection.request({ type: 'list', mine: true, status, limit: 200 });
    for (const one of matches) {
      listed.set(one.match, one);
    }
  }
  return listed;
}

/** Shows our unfinished matches: what they are, or their numbers if the server does not list them now. */
async function showMine() {
  /** @type {Map<string, any>} */
  let listed = new Map();
  try {
    listed = open.length > 0 ? await unfinished() : listed;
  } catch {
    // The numbers lead there, too.
  }
  const rows = open.map((one) => ({ key: one.match, text: whatIs(one, listed.get(one.match)), action: word('live-back-to'), act: () => go(one.match) }));
  fill('your-matches', rows, '');
  found('mine', HTMLElement).hidden = rows.length === 0;
}

/**
 * One of our unfinished matches, in words.
 * @param {any} open
 * @param {any} listed the same match, if the server has listed it
 * @returns {string}
 */
function whatIs(open, listed) {
  if (!listed) {
    return open.match;
  }
  const { position } = listed;
  const opponent = open.seat === 'first' ? listed.second : listed.first;
  if (!opponent) {
    return word('live-own-invitation', { position });
  }
  const { name } = opponent;
  return sentences([word('live-own-match', { position, name }), word(open.to_move ? 'live-your-move' : 'live-their-move', { name })]);
}

/**
 * A row of a list, with a button. Rows with the same key do the same.
 * @typedef {{key: string, text: string, action: string, act: () => void}} Row
 */

/** @param {Row} row */
function item({ key, text, action, act }) {
  const item = document.createElement('li');
  item.dataset.key = key;
  const words = document.createElement('bdi');
  words.textContent = text;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = action;
  button.setAttribute('aria-label', `${action}: ${text}`);
  button.addEventListener('click', act);
  item.append(words, ' ', button);
  return item;
}

/**
 * Shows a list. One that has not changed is left alone, and a button that has the focus keeps it.
 * @param {string} id
 * @param {Row[]} rows
 * @param {string} none
 */
function fill(id, rows, none) {
  const list = found(id, HTMLUListElement);
  const shown = JSON.stringify(rows.length > 0 ? rows.map(({ key, text }) => [key, text]) : none);
  if (list.dataset.shown === shown) {
    return;
  }
  list.dataset.shown = shown;
  const focused = list.contains(document.activeElement) ? document.activeElement?.closest('li')?.dataset.key : undefined;
  const items = rows.map(item);
  if (items.length === 0) {
    const empty = document.createElement('li');
    empty.textContent = none;
    items.push(empty);
  }
  list.replaceChildren(...items);
  items.find((one) => focused !== undefined && one.dataset.key === focused)?.querySelector('button')?.focus();
}

/** Reads the lists. */
async function look() {
  if (document.hidden || !connection.isReady) {
    return;
  }
  try {
    const { seeks } = await connection.request({ type: 'seeks', limit: 20 });
    const seats = seeks.filter((/** @type {any} */ seek) => seek.player.id !== self_);
    const seatRow = (/** @type {any} */ seek) => ({
      key: seek.seek,
      text: `${seek.player.name}: ${seek.position}`,
      action: word('live-take'),
      act: () => ask({ type: 'take', seek: seek.seek }, (reply) => go(reply.match)),
    });
    fill('seats', seats.map(seatRow), word('live-no-seats'));
    const { matches } = await connection.request({ type: 'list', status: 'live', limit: 20 });
    // Ours have a list of their own.
    const others = matches.filter((/** @type {any} */ one) => one.first?.id !== self_ && one.second?.id !== self_);
    const name = (/** @type {any} */ player) => player?.name ?? word('live-free-seat');
    const title = (/** @type {any} */ one) => `${word('live-versus', { first: name(one.first), second: name(one.second) })}: ${one.position}`;
    const row = (/** @type {any} */ one) => ({ key: one.match, text: title(one), action: word('live-watch'), act: () => go(one.match) });
    fill('running', others.map(row), word('live-no-others'));
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
    const asked = JSON.stringify(wanted());
    if (asked === linked) {
      return;
    }
    ask(created({ type: 'invite' }), (reply) => {
      invitations.add(reply.match);
      open.unshift({ match: reply.match, seat: reply.seat, to_move: false, code: reply.code });
      showMine();
      linked = asked;
      const link = found('link', HTMLAnchorElement);
      link.href = `/j/${reply.code}`;
      link.textContent = link.href;
      showLink();
      say(word('live-waiting'));
    });
  });
  found('open-seat', HTMLButtonElement).addEventListener('click', () => {
    want(seat === undefined ? { type: 'seek', ...wanted() } : undefined);
  });
  found('copy', HTMLButtonElement).addEventListener('click', async () => say(await copied(found('link', HTMLAnchorElement))));
  const coach = found('coach', HTMLInputElement);
  coach.checked = kept();
  coach.addEventListener('change', () => keep(coach.checked));
  form.addEventListener('input', showLink);
  window.setInterval(look, LOOK_EVERY);
  window.setInterval(lookElsewhere, ASK_EVERY);
  document.addEventListener('visibilitychange', look);
  // A page that comes back out of the browser's memory is not on its way any more.
  window.addEventListener('pageshow', (event) => {
    leaves = leaves && !event.persisted;
  });
  enable();
  connection.open();
}
