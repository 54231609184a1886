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
import { ending, refusal, sentences, word } from './words.js';

/** @typedef {import('./connection.js').Body} Body */
/** @typedef {import('./connection.js').Refusal} Refusal */
/** @typedef {'first' | 'second'} Seat */

/** Moves that are listed. */
const LISTED = 200;
/** Between two looks at the clocks, in milliseconds. */
const TICK = 200;
/** Before the match is asked for again, at first and at most. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;

const id = found('match', HTMLDivElement).dataset.match ?? '';
const status = found('status', HTMLParagraphElement);
const trouble = found('trouble', HTMLParagraphElement);
const typed = found('typed', HTMLFormElement);
const input = found('move', HTMLInputElement);
const history_ = found('history', HTMLOListElement);

/** What is known of the match. */
const state = {
  seq: 0,
  ply: 0,
  /** @type {Seat} */
  toMove: 'first',
  /** @type {Seat | undefined} */
  mine: undefined,
  /** @type {{first?: any, second?: any}} */
  players: {},
  status: 'live',
  misere: false,
  cyclic: false,
  rated: false,
  /** @type {{until: number, adjourned: boolean} | undefined} */
  pause: undefined,
  /** @type {{outcome?: string, reason?: string}} */
  end: {},
  attached: false,
  /** Whether the server has chat. */
  chat: false,
  /** The last of the events that we had missed: until it is read, what comes is the past. */
  missed: 0,
};

/** The move that was sent and is not acknowledged. */
/** @type {{ply: number, move: string, name: string, hints: number} | undefined} */
let sent;
/** How often the match was asked for: an attempt that is not the last one is given up. */
let attempts = 0;
let resignArmed = false;
/** Help, in a match in which there is some. */
/** @type {import('./advice.js').Advice | undefined} */
let advice;
/** The help looks at a move before it is played. */
let considering = false;

const clocks = new Clocks();
const absence = new Absence();
const proposals = new Proposals((body) => ask(body), nameOf);
const looks = new Looks();
const board = new Board(found('board', HTMLDivElement), found('choices', HTMLDivElement), (move) => play(move));

const connection = new Connection({
  ready: async (welcome) => {
    showPlayer(welcome.player);
    state.chat = Boolean(welcome.limits?.chat);
    if (await attach()) {
      await sendAgain();
    }
  },
  event: hear,
  lost: () => {
    clocks.lost();
    ticked();
  },
  back: () => {
    attach();
  },
  state: (words) => {
    trouble.textContent = words;
  },
});

const chat = new Chat(connection, id, refused);

/**
 * Takes our seat, or watches. A server that cannot do it now is asked again.
 * @returns {Promise<boolean>} whether we follow the match
 */
async function attach() {
  attempts += 1;
  const attempt = attempts;
  for (let pause = FIRST_PAUSE; attempt === attempts; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      await follow();
      if (pause > FIRST_PAUSE) {
        trouble.textContent = '';
      }
      return true;
    } catch (/** @type {any} */ why) {
      refused(why);
      if (why.retry_after_ms === undefined) {
        break;
      }
      await later(Math.max(pause, why.retry_after_ms));
    }
  }
  return false;
}

/** The same, once. The events that we have not seen follow. */
async function follow() {
  const ask = { match: id, since_seq: state.seq };
  let reply;
  try {
    reply = await connection.request({ type: 'resume', ...ask });
  } catch (/** @type {any} */ why) {
    if (why.code !== 'not_a_player') {
      throw why;
    }
    reply = await connection.request({ type: 'watch', ...ask });
  }
  state.mine = reply.seat;
  state.missed = reply.snapshot.seq;
  take(reply.snapshot);
  invited(reply.code);
  state.attached = true;
  show();
  looks.want(id, () => look(reply.snapshot));
  await talk();
}

/** Opens the room of this reader: not against a bot, which says nothing. */
async function talk() {
  const other = state.mine === 'first' ? state.players.second : state.players.first;
  const alone = state.status === 'waiting' || (state.mine && other?.bot);
  if (state.chat && !alone) {
    await chat.enter(state.mine ? 'players' : 'watchers');
  }
}

/** @param {Body} snapshot */
function take(snapshot) {
  state.ply = snapshot.ply;
  state.toMove = snapshot.to_move;
  state.players = { first: snapshot.first, second: snapshot.second };
  state.status = snapshot.status;
  state.misere = snapshot.start.endsWith('@misere');
  state.end = { outcome: snapshot.outcome, reason: snapshot.reason };
  const until = snapshot.paused_until_ms;
  state.pause = until === undefined ? undefined : { until, adjourned: Boolean(snapshot.adjourned) };
  clocks.heard(snapshot.at_ms);
}

/** @param {{match?: string, chat?: string, room?: string, seq?: number, body: Body}} frame */
function hear(frame) {
  if (frame.chat !== undefined) {
    chat.hear(frame);
    return;
  }
  if (frame.match === undefined && frame.body?.type === 'superseded' && frame.body.match === id) {
    trouble.textContent = word('live-superseded');
    state.mine = undefined;
    show();
    return;
  }
  if (frame.match === undefined && frame.body?.type === 'snapshot' && frame.body.match === id) {
    // We read too slowly: the list of moves has a gap, so all of it is asked for again.
    state.seq = 0;
    state.attached = false;
    history_.replaceChildren();
    attach();
    return;
  }
  if (frame.match !== id || frame.seq === undefined || frame.seq <= state.seq) {
    return;
  }
  state.seq = frame.seq;
  clocks.hear(frame.body);
  absence.hear(frame.body);
  proposals.hear(frame.seq, frame.body);
  happened(frame.body);
  if (state.seq >= state.missed) {
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
    case 'created':
      state.players = { [event.seat]: event.creator };
      state.rated = Boolean(event.series?.rated);
      state.status = 'waiting';
      break;
    case 'joined':
      /** @type {any} */ (state.players)[event.seat] = event.player;
      state.status = 'live';
      invited(undefined);
      changed();
      if (state.attached) {
        talk();
      }
      break;
    case 'moved':
      state.ply = event.ply;
      state.toMove = event.seat === 'first' ? 'second' : 'first';
      if (sent && event.client_move_id === sent.name) {
        sent = undefined;
      }
      listed(event);
      changed();
      break;
    case 'taken_back':
      state.ply = event.ply;
      state.toMove = event.ply % 2 === 0 ? 'first' : 'second';
      while (history_.children.length > event.ply) {
        history_.lastElementChild?.remove();
      }
      changed();
      break;
    case 'paused':
      state.pause = { until: event.until_ms, adjourned: Boolean(event.adjourned) };
      break;
    case 'continued':
      state.pause = undefined;
      // In a pause nothing could be played.
      lookSoon();
      break;
    case 'ended':
      state.status = 'over';
      state.pause = undefined;
      state.end = { outcome: event.outcome, reason: event.reason };
      changed();
      break;
    case 'rematch_accepted':
      if (state.mine && state.seq > state.missed) {
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

/** The position has changed: what could be played before cannot be now, and the board is asked for. */
function changed() {
  board.show(undefined, [], []);
  found('moves', HTMLUListElement).replaceChildren();
  advice?.at(undefined);
  lookSoon();
}

/** Asks for the board, once all events that are there have been read. */
function lookSoon() {
  if (state.attached && state.seq >= state.missed) {
    looks.want(id, () => look());
  }
}

/**
 * Asks for the position, its picture and its moves.
 * @param {Body} [snapshot] the state of the match, if it has just come
 */
async function look(snapshot) {
  try {
    const asked = await question(snapshot);
    const ply = state.ply;
    const reply = await connection.request(asked);
    // If a move was made meanwhile, these are not the moves of now, and the board is looked at again.
    drawn(reply, isOurMove() && state.ply === ply);
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
  const ask = { type: 'moves', picture: true, limit: state.mine ? LISTED : 1 };
  if (state.status === 'live') {
    return { ...ask, match: id };
  }
  // The moves of a match that is over or has not begun are not to be had, but its position is.
  const type = state.mine ? 'resume' : 'watch';
  const known = snapshot ?? (await connection.request({ type, match: id, since_seq: state.seq })).snapshot;
  return { ...ask, position: known.position, to_move: known.to_move };
}

/**
 * @param {Body} reply
 * @param {boolean} ours whether it is our turn in this position
 */
function drawn(reply, ours) {
  found('position', HTMLElement).textContent = reply.position;
  state.cyclic = reply.cyclic === true;
  board.show(reply.picture, ours ? reply.moves : [], ours ? (reply.touches ?? []) : []);
  advice?.at(ours ? { position: reply.position, to_move: state.toMove } : undefined);
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

function isOurMove() {
  return state.status === 'live' && !state.pause && state.mine === state.toMove && state.mine !== undefined;
}

/** @param {string} move */
async function play(move) {
  if (!isOurMove() || sent || considering) {
    return;
  }
  if (advice) {
    considering = true;
    const ply = state.ply;
    const may = await advice.lets(move);
    considering = false;
    if (!may || !isOurMove() || state.ply !== ply) {
      return;
    }
  }
  sent = { ply: state.ply + 1, move, name: drawnId(), hints: advice?.helped ?? 0 };
  board.clear();
  await send();
}

/** Sends the move that is not acknowledged. Under the same name, so that it is made once. */
async function send() {
  if (!sent) {
    return;
  }
  try {
    await connection.request({ type: 'move', match: id, ply: sent.ply, move: sent.move, client_move_id: sent.name, hints: sent.hints });
    input.value = '';
    trouble.textContent = '';
    sent = undefined;
  } catch (/** @type {any} */ why) {
    if (why.code === LOST) {
      return;
    }
    sent = undefined;
    refused(why);
    lookSoon();
  }
}

/** After a lost connection: the move that the server may not have. */
async function sendAgain() {
  if (sent && state.ply < sent.ply) {
    await send();
  } else {
    sent = undefined;
  }
}

/** @param {Refusal} why */
function refused(why) {
  if (why.code === LOST) {
    return;
  }
  trouble.textContent = refusal(why);
}

/**
 * @param {Seat} seat
 * @returns {string}
 */
function nameOf(seat) {
  const player = state.players[seat];
  if (!player) {
    return word('live-free-seat');
  }
  const name = player.bot ? word('live-bot', { name: player.name }) : player.name;
  return seat === state.mine ? word('live-you', { name }) : name;
}

/** @returns {string} where the match stands, in words */
function standing() {
  if (!state.attached) {
    return '';
  }
  if (state.status === 'waiting') {
    return word('live-waiting');
  }
  if (state.status === 'over') {
    const { outcome } = state.end;
    const decided = outcome === 'first' || outcome === 'second';
    const how = ending(state.end, state.misere, decided && Boolean(state.mine) && outcome !== state.mine);
    if (decided) {
      if (state.mine) {
        return outcome === state.mine ? word('live-you-won', { how }) : word('live-you-lost', { how });
      }
      return word('live-won', { name: nameOf(outcome), how });
    }
    return outcome === 'draw' ? word('live-drawn', { how }) : word('live-void', { how });
  }
  if (state.pause) {
    const until = new Date(Date.now() + state.pause.until - clocks.now());
    const time = until.toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' });
    return word(state.pause.adjourned ? 'live-adjourned' : 'live-paused', { time });
  }
  const name = nameOf(state.toMove);
  if (!state.mine) {
    return word('live-watching', { name });
  }
  return state.mine === state.toMove ? word('live-your-move') : word('live-their-move', { name });
}

/** Shows the state. */
function show() {
  const said = standing();
  const other = state.mine === 'first' ? 'second' : 'first';
  const last = history_.lastElementChild;
  const gone = state.mine && state.status === 'live' && absence.has(other);
  const words = [said];
  if (last && state.status === 'live' && isOurMove()) {
    words.unshift(word('live-moved', { name: nameOf(other), move: last.textContent ?? '' }));
  }
  if (gone) {
    words.push(word('live-offline', { name: nameOf(other) }));
  }
  const text = sentences(words);
  if (status.textContent !== text) {
    status.textContent = text;
  }
  document.title = isOurMove() ? `● ${said}` : [nameOf('first'), nameOf('second')].join(' – ');
  for (const seat of /** @type {Seat[]} */ (['first', 'second'])) {
    const row = found(seat, HTMLParagraphElement);
    const name = row.querySelector('.name');
    if (name) {
      name.textContent = nameOf(seat);
    }
    row.classList.toggle('to-move', state.status === 'live' && state.toMove === seat);
    row.classList.toggle('away', absence.has(seat));
  }
  typed.hidden = !isOurMove();
  found('actions', HTMLParagraphElement).hidden = !state.mine || state.status === 'over';
  found('over', HTMLParagraphElement).hidden = !state.mine || state.status !== 'over';
  found('review', HTMLParagraphElement).hidden = state.status !== 'over';
  proposals.show({ ...state, timed: clocks.timed });
  ticked();
}

/** Shows what changes with time alone. */
function ticked() {
  // Watchers of a rated match are shown an earlier state of it.
  const behind = state.rated && !state.mine;
  for (const seat of /** @type {Seat[]} */ (['first', 'second'])) {
    const clock = found(seat, HTMLParagraphElement).querySelector('.clock');
    if (clock) {
      clocks.show(clock, seat, behind);
    }
  }
  const warning = state.mine && clocks.warning(state.mine);
  if (warning) {
    hint(warning);
  }
  claimable();
}

/** Says when the match can be ended because the other player stays away. */
function claimable() {
  const theirs = state.mine && state.status === 'live' && !state.pause && state.mine !== state.toMove;
  const wait = theirs && state.attached ? absence.claimIn(state.toMove, clocks) : undefined;
  const name = nameOf(state.toMove);
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

/** @param {Body} body */
async function ask(body) {
  try {
    const reply = await connection.request({ match: id, ...body });
    if (reply.rematch) {
      location.assign(`/g/${reply.rematch}`);
    }
  } catch (/** @type {any} */ why) {
    refused(why);
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
pressed('resign', () => {
  if (resignArmed) {
    ask({ type: 'resign' });
    return;
  }
  resignArmed = true;
  trouble.textContent = word('live-resign-sure');
  window.setTimeout(() => {
    resignArmed = false;
    trouble.textContent = '';
  }, 4_000);
});
pressed('rematch', () => ask({ type: 'rematch' }));
if (document.getElementById('advice')) {
  const { Advice } = await import('./advice.js');
  advice = new Advice(connection, board, play, refused);
}
window.setInterval(ticked, TICK);
connection.open();
