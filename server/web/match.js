// @ts-check
// The page of a match. It shows what the server has said and decides nothing: the events are the truth, and after a lost connection
// the missing ones are sent again.

import { Absence } from './absence.js';
import { Board } from './board.js';
import { Chat } from './chat.js';
import { Clocks, timeText } from './clocks.js';
import { Connection, LOST, drawnId, found, showPlayer } from './connection.js';
import { Looks, later } from './looks.js';
import { Proposals, shown } from './proposals.js';
import { Standing, other } from './standing.js';
import { refusal, sentences, word } from './words.js';

/** @typedef {import('./connection.js').Body} Body */
/** @typedef {import('./connection.js').Refusal} Refusal */
/** @typedef {'first' | 'second'} Seat */

/** Moves that are listed. */
const LISTED = 200;
/** Between two looks at the clocks, in milliseconds. */
const TICK = 200;
/** How long the page asks whether a resignation is meant. A second press that comes sooner than this is no answer. */
const STANDS = 4_000;
const HASTE = 500;
/** Before the match is asked for again, at first and at most. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;

const id = found('match', HTMLDivElement).dataset.match ?? '';
const status = found('status', HTMLParagraphElement);
const trouble = found('trouble', HTMLParagraphElement);
const typed = found('typed', HTMLFormElement);
const input = found('move', HTMLInputElement);
const history_ = found('history', HTMLOListElement);

const standing = new Standing();
/** The last event that was read. */
let seq = 0;
/** The last of the events that we had missed: until it is read, what comes is the past. */
let missed = 0;
let attached = false;
/** Whether the server has chat. */
let chatty = false;
let cyclic = false;

/**
 * The move that is not acknowledged. It waits for a connection; or it is on its way; or nobody is sure: the connection was lost on which this
 * one was sent, or the one that was chosen before it.
 * @type {{ply: number, move: string, name: string, hints: number, fate: 'waits' | 'flies' | 'unsure'} | undefined}
 */
let sent;
/** What was pressed last was not sent: there was no connection. */
let unsent = false;
/** What was asked for and is not answered. @type {Set<string>} */
const underway = new Set();
/** How often the match was asked for: an attempt that is not the last one is given up. */
let attempts = 0;
/** When the page asked whether the resignation is meant, and the timer that ends the question. */
let askedAt = 0;
let stands = 0;
/** Another page of ours has the seat: this one takes it back only when it is loaded again. */
let elsewhere = false;
/** What had the focus in the form when the last move was made, and has it again for the next one. @type {HTMLElement | undefined} */
let hand;
/** Help, in a match in which there is some. */
/** @type {import('./advice.js').Advice | undefined} */
let advice;
/** The help looks at a move before it is played. */
let considering = false;

const clocks = new Clocks();
const absence = new Absence();
const proposals = new Proposals((body) => ask(body), (seat) => standing.nameOf(seat));
const looks = new Looks();
const board = new Board(found('board', HTMLDivElement), found('choices', HTMLDivElement), (move) => play(move));

const connection = new Connection({
  ready: (welcome) => {
    showPlayer(welcome.player);
    chatty = Boolean(welcome.limits?.chat);
    standing.behind = welcome.limits?.rated_delay_moves ?? 0;
    if (elsewhere) {
      trouble.textContent = word('live-superseded');
    } else {
      attach();
    }
  },
  event: hear,
  lost: () => {
    clocks.lost();
    ticked();
  },
  back: () => {
    if (!elsewhere) {
      attach();
    }
  },
  state: (words) => {
    trouble.textContent = words;
  },
});

const chat = new Chat(connection, id, refused);

/** Takes our seat, or watches. A server that cannot do it now is asked again. */
async function attach() {
  attempts += 1;
  const attempt = attempts;
  for (let pause = FIRST_PAUSE; attempt === attempts; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      await follow();
      if (pause > FIRST_PAUSE) {
        trouble.textContent = '';
      }
      // The server may not have our move. If it has, that is among the events that follow.
      if (sent && standing.ply < sent.ply) {
        send();
      }
      await talk();
      return;
    } catch (/** @type {any} */ why) {
      refused(why);
      if (why.retry_after_ms === undefined) {
        break;
      }
      await later(Math.max(pause, why.retry_after_ms));
    }
  }
}

/** The same, once. The events that we have not seen follow. */
async function follow() {
  const ask = { match: id, since_seq: seq };
  let reply;
  try {
    reply = await connection.request({ type: 'resume', ...ask });
  } catch (/** @type {any} */ why) {
    if (why.code !== 'not_a_player') {
      throw why;
    }
    reply = await connection.request({ type: 'watch', ...ask });
  }
  standing.mine = reply.seat;
  missed = reply.snapshot.seq;
  if (reply.snapshot.ply !== standing.ply) {
    passed();
  }
  standing.take(reply.snapshot);
  clocks.heard(reply.snapshot.at_ms);
  invited(reply.code);
  attached = true;
  show();
  looks.want(id, () => look(reply.snapshot));
}

/** Opens the room of this reader: not against a bot, which says nothing. */
async function talk() {
  const alone = standing.status === 'waiting' || (standing.mine && standing.players[other(standing.mine)]?.bot);
  if (chatty && !alone) {
    await chat.enter(standing.mine ? 'players' : 'watchers');
  }
}

/** @param {{match?: string, chat?: string, room?: string, seq?: number, body: Body}} frame */
function hear(frame) {
  if (frame.chat !== undefined) {
    chat.hear(frame);
    return;
  }
  if (frame.match === undefined && frame.body?.type === 'superseded' && frame.body.match === id) {
    trouble.textContent = word('live-superseded');
    elsewhere = true;
    attached = false;
    standing.mine = undefined;
    sent = undefined;
    passed();
    // What happens from now on is not heard here.
    clocks.lost();
    show();
    return;
  }
  if (frame.match === undefined && frame.body?.type === 'snapshot' && frame.body.match === id) {
    // We read too slowly: the list of moves has a gap, so all of it is asked for again.
    seq = 0;
    attached = false;
    history_.replaceChildren();
    attach();
    return;
  }
  if (frame.match !== id || frame.seq === undefined || frame.seq <= seq) {
    return;
  }
  seq = frame.seq;
  clocks.hear(frame.body);
  absence.hear(frame.body);
  proposals.hear(frame.seq, frame.body);
  standing.hear(frame.body);
  happened(frame.body);
  if (seq >= missed) {
    show();
  }
}

/** Shows the link to our invitation, as long as nobody has joined. */
/** @param {string | undefined} code */
function invited(code) {
  const link = found('link', HTMLAnchorElement);
  found('invitation', HTMLParagraphElement).hidden = !code;
  if (code) {
    link.href = `/j/${code}`;
    link.textContent = link.href;
  }
}

/** @param {Body} event */
function happened(event) {
  switch (event.type) {
    case 'joined':
      invited(undefined);
      changed();
      if (attached) {
        talk();
      }
      break;
    case 'moved':
      if (sent && event.client_move_id === sent.name) {
        made();
      } else if (sent && sent.fate !== 'flies' && event.ply === sent.ply) {
        // The server had the one that was chosen before.
        const { move } = sent;
        made();
        trouble.textContent = word('live-move-instead', { move });
      }
      listed(event);
      changed();
      break;
    case 'taken_back':
      while (history_.children.length > event.ply) {
        history_.lastElementChild?.remove();
      }
      changed();
      break;
    case 'continued':
      // In a pause nothing could be played.
      lookSoon();
      break;
    case 'ended':
      changed();
      break;
    case 'rematch_accepted':
      if (standing.mine && seq > missed) {
        location.assign(`/g/${event.rematch}`);
      }
      break;
    default:
  }
}

/** @param {Body} event */
function listed(event) {
  const row = document.createElement('li');
  row.textContent = event.move;
  row.className = event.seat;
  history_.append(row);
  history_.scrollTop = history_.scrollHeight;
}

/** The position has changed: once all events that are there have been read, the board is asked for. */
function changed() {
  if (attached && seq >= missed) {
    passed();
    lookSoon();
  }
}

/** The position on the board has passed: what could be played in it cannot be now. */
function passed() {
  board.show(undefined, [], []);
  found('moves', HTMLUListElement).replaceChildren();
  advice?.at(undefined);
}

function lookSoon() {
  looks.want(id, () => look());
}

/**
 * Asks for the position, its picture and its moves.
 * @param {Body} [snapshot] the state of the match, if it has just come
 */
async function look(snapshot) {
  try {
    const asked = await question(snapshot);
    const ply = standing.ply;
    const reply = await connection.request(asked);
    const now = standing.ply === ply;
    drawn(reply, now && standing.isOurMove());
    if (!now) {
      lookSoon();
    }
  } catch (/** @type {any} */ why) {
    if (why.retry_after_ms !== undefined) {
      throw why;
    }
    if (why.code !== 'match_over' && why.code !== 'not_started') {
      refused(why);
    }
  }
}

/**
 * @param {Body} [snapshot]
 * @returns {Promise<Body>}
 */
async function question(snapshot) {
  // Who does not play needs no list: all who watch ask for the same small reply, which the server makes once.
  const ask = { type: 'moves', picture: true, limit: standing.mine ? LISTED : 1 };
  if (standing.status === 'live') {
    return { ...ask, match: id };
  }
  // The moves of a match that is over or has not begun are not to be had, but its position is.
  const type = standing.mine ? 'resume' : 'watch';
  const known = snapshot ?? (await connection.request({ type, match: id, since_seq: seq })).snapshot;
  return { ...ask, position: known.position, to_move: known.to_move };
}

/**
 * @param {Body} reply
 * @param {boolean} ours whether it is our turn in this position
 */
function drawn(reply, ours) {
  found('position', HTMLElement).textContent = reply.position;
  cyclic = reply.cyclic === true;
  board.show(reply.picture, ours ? reply.moves : [], ours ? (reply.touches ?? []) : []);
  advice?.at(ours ? { position: reply.position, to_move: standing.toMove } : undefined);
  const buttons = (ours ? reply.moves : []).map((/** @type {string} */ move) => {
    const row = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = move;
    button.addEventListener('click', () => play(move));
    row.append(button);
    return row;
  });
  const total = Number(reply.total ?? reply.moves.length);
  if (ours && total > reply.moves.length) {
    const row = document.createElement('li');
    row.textContent = word('live-more-moves', { count: total - reply.moves.length });
    buttons.push(row);
  }
  found('moves', HTMLUListElement).replaceChildren(...buttons);
  found('count', HTMLElement).textContent = word('live-moves', { count: total });
  show();
}

/** @param {string} move */
async function play(move) {
  if (!standing.isOurMove() || sent?.fate === 'flies' || considering) {
    return;
  }
  // The last choice counts. Whether the server has heard the one before, it says itself.
  const before = sent;
  sent = undefined;
  unsent = false;
  const active = document.activeElement;
  hand = active === input ? input : typed.contains(active) ? found('board', HTMLDivElement) : undefined;
  if (advice) {
    considering = true;
    const ply = standing.ply;
    const may = await advice.lets(move);
    considering = false;
    if (!may || !standing.isOurMove() || standing.ply !== ply) {
      return;
    }
  }
  const name = before?.move === move ? before.name : drawnId();
  sent = { ply: standing.ply + 1, move, name, hints: advice?.helped ?? 0, fate: before?.fate ?? 'waits' };
  board.clear();
  await send();
}

/** Sends the move that is not acknowledged, once there is a connection. Under the same name, so that it is made once. */
async function send() {
  const move = sent;
  if (!move || move.fate === 'flies' || !connection.isReady) {
    show();
    return;
  }
  move.fate = 'flies';
  show();
  try {
    await connection.request({ type: 'move', match: id, ply: move.ply, move: move.move, client_move_id: move.name, hints: move.hints });
    if (move === sent) {
      made();
    }
  } catch (/** @type {any} */ why) {
    if (move !== sent) {
      return;
    }
    if (why.code === LOST) {
      move.fate = 'unsure';
      show();
      return;
    }
    sent = undefined;
    refused(why);
    lookSoon();
  }
}

/** A move of ours is made. */
function made() {
  sent = undefined;
  input.value = '';
  trouble.textContent = '';
}

/** @param {Refusal} why */
function refused(why) {
  if (why.code === LOST) {
    return;
  }
  trouble.textContent = refusal(why);
}

/** Shows the standing. */
function show() {
  const said = attached ? standing.words(clocks.now()) : '';
  const opponent = other(standing.mine ?? 'second');
  const last = history_.lastElementChild;
  const gone = standing.mine && standing.status === 'live' && absence.has(opponent);
  const words = [said];
  if (last && standing.status === 'live' && standing.isOurMove()) {
    words.unshift(word('live-moved', { name: standing.nameOf(opponent), move: last.textContent ?? '' }));
  }
  if (gone) {
    words.push(word('live-offline', { name: standing.nameOf(opponent) }));
  }
  if (sent && sent.fate !== 'flies') {
    words.push(word(sent.fate === 'unsure' ? 'live-move-unsure' : 'live-move-waits', { move: sent.move }));
  }
  if (unsent) {
    words.push(word('live-unsent'));
  }
  const text = sentences(words);
  if (status.textContent !== text) {
    status.textContent = text;
  }
  document.title = standing.isOurMove() ? `● ${said}` : [standing.nameOf('first'), standing.nameOf('second')].join(' – ');
  for (const seat of /** @type {Seat[]} */ (['first', 'second'])) {
    const row = found(seat, HTMLParagraphElement);
    const name = row.querySelector('.name');
    if (name) {
      name.textContent = absence.has(seat) ? word('live-away', { name: standing.nameOf(seat) }) : standing.nameOf(seat);
    }
    row.classList.toggle('to-move', standing.status === 'live' && standing.toMove === seat);
    row.classList.toggle('away', absence.has(seat));
  }
  const ours = standing.isOurMove();
  const again = ours && typed.hidden;
  typed.hidden = !ours;
  // The form was hidden, and with it what had the focus. Give the focus back to it, unless the player has put it elsewhere meanwhile.
  if (again && document.activeElement === document.body) {
    hand?.focus({ preventScroll: true });
  }
  hand = again ? undefined : hand;
  found('actions', HTMLParagraphElement).hidden = !standing.mine || standing.status === 'over';
  found('over', HTMLParagraphElement).hidden = !standing.mine || standing.status !== 'over';
  // Without a move there is nothing to review.
  found('review', HTMLParagraphElement).hidden = standing.status !== 'over' || standing.ply === 0;
  proposals.show({ ...standing, cyclic, timed: clocks.timed });
  if (standing.status !== 'live') {
    unasked();
  }
  ticked();
}

/** Shows what changes with time alone. */
function ticked() {
  // Watchers of a rated match are shown an earlier state of it.
  const behind = standing.rated && !standing.mine;
  for (const seat of /** @type {Seat[]} */ (['first', 'second'])) {
    const clock = found(seat, HTMLParagraphElement).querySelector('.clock');
    if (clock) {
      clocks.show(clock, seat, behind);
    }
  }
  const warning = standing.mine && clocks.warning(standing.mine);
  if (warning) {
    hint(warning);
  }
  claimable();
}

/** Says when the match can be ended because the other player stays away. */
function claimable() {
  const theirs = standing.mine && standing.status === 'live' && !standing.pause && standing.mine !== standing.toMove;
  const wait = theirs && attached ? absence.claimIn(standing.toMove, clocks) : undefined;
  const name = standing.nameOf(standing.toMove);
  let words = '';
  if (wait !== undefined) {
    words = wait > 0 ? word('live-claim-in', { name, time: timeText(wait) }) : word('live-claim', { name });
  }
  const absent = found('absent', HTMLSpanElement);
  if (absent.textContent !== words) {
    absent.textContent = words;
    found('gone', HTMLParagraphElement).hidden = words === '';
    shown({ claim: wait === 0, void: wait === 0 });
    if (wait === 0) {
      hint(words);
    }
  }
}

/** Says something to those who do not see it. @param {string} words */
function hint(words) {
  found('warned', HTMLParagraphElement).textContent = words;
}

/**
 * Asks for something that another connection is not asked for: without one the page says that it was not sent. What is asked already is not asked twice.
 * @param {Body} body
 */
async function ask(body) {
  unsent = !connection.isReady;
  show();
  const name = JSON.stringify(body);
  if (unsent || underway.has(name)) {
    return;
  }
  underway.add(name);
  try {
    const reply = await connection.insist({ match: id, ...body });
    if (reply.rematch) {
      location.assign(`/g/${reply.rematch}`);
    }
  } catch (/** @type {any} */ why) {
    // Also that the connection is lost.
    trouble.textContent = refusal(why);
  }
  underway.delete(name);
}

/** Whether the page asks if the resignation is meant: as long as that can be read. */
function isAsked() {
  return trouble.textContent === word('live-resign-sure');
}

/** The question is not open any more. */
function unasked() {
  if (isAsked()) {
    trouble.textContent = '';
  }
}

/**
 * @param {string} name
 * @param {() => void} act
 */
function pressed(name, act) {
  found(name, HTMLButtonElement).addEventListener('click', act);
}

typed.addEventListener('submit', (event) => {
  event.preventDefault();
  const move = input.value.trim();
  if (move) {
    play(move);
  }
});
pressed('claim', () => ask({ type: 'claim', claim: 'win' }));
pressed('void', () => ask({ type: 'claim', claim: 'void' }));
const resign = found('resign', HTMLButtonElement);
// A key that is held down presses once.
resign.addEventListener('keydown', (event) => event.repeat && event.preventDefault());
resign.addEventListener('click', (event) => {
  // With a mouse the browser counts the presses of a double click; with a finger or a key the time tells.
  if (event.detail > 1 || (event.pointerType !== 'mouse' && isAsked() && event.timeStamp - askedAt < HASTE)) {
    return;
  }
  // What cannot be sent needs no question.
  if (isAsked() || !connection.isReady) {
    unasked();
    ask({ type: 'resign' });
    return;
  }
  trouble.textContent = word('live-resign-sure');
  askedAt = event.timeStamp;
  window.clearTimeout(stands);
  stands = window.setTimeout(unasked, STANDS);
});
pressed('rematch', () => ask({ type: 'rematch' }));
if (document.getElementById('advice')) {
  const { Advice } = await import('./advice.js');
  advice = new Advice(connection, board, play, refused);
}
window.setInterval(ticked, TICK);
connection.open();
