// @ts-check
// The page of a match. It shows what the server has said and decides nothing: the events are the truth, and after a lost connection
// the missing ones are sent again.

import { Board } from './board.js';
import { Chat } from './chat.js';
import { Connection, LOST, drawnId, found, showPlayer } from './connection.js';
import { ending, refusal, sentences, word } from './words.js';

/** @typedef {import('./connection.js').Body} Body */
/** @typedef {import('./connection.js').Refusal} Refusal */
/** @typedef {'first' | 'second'} Seat */

/** Moves that are listed. */
const LISTED = 200;
/** Between two looks at the clocks, in milliseconds. */
const TICK = 200;

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
  /** @type {Body | undefined} */
  clocks: undefined,
  /** When the clocks were so, by the clock of this browser, which may be wrong but runs evenly. */
  since: 0,
  held: false,
  paused: false,
  /** @type {{outcome?: string, reason?: string}} */
  end: {},
  /** @type {{seat: Seat, proposal: string} | undefined} */
  proposal: undefined,
  /** @type {Set<Seat>} */
  away: new Set(),
  /** @type {string | undefined} */
  rematch: undefined,
  attached: false,
  /** Whether the server has chat. */
  chat: false,
  /** The last of the events that we had missed: until it is read, what comes is the past. */
  missed: 0,
};

/** The move that was sent and is not acknowledged. */
/** @type {{ply: number, move: string, name: string, hints: number} | undefined} */
let sent;
/** Asked for the board, and again if something has happened meanwhile. */
let looking = false;
let lookAgain = false;
let resignArmed = false;
/** Help, in a match in which there is some. */
/** @type {import('./advice.js').Advice | undefined} */
let advice;
/** The help looks at a move before it is played. */
let considering = false;

const board = new Board(found('board', HTMLDivElement), found('choices', HTMLDivElement), (move) => play(move));

const connection = new Connection({
  ready: async (welcome) => {
    showPlayer(welcome.player);
    state.chat = Boolean(welcome.limits?.chat);
    await attach();
    await sendAgain();
  },
  event: hear,
  state: (words) => {
    trouble.textContent = words;
  },
});

const chat = new Chat(connection, id, refused);

/** Takes our seat, or watches. The events that we have not seen follow. */
async function attach() {
  const ask = { match: id, since_seq: state.seq };
  try {
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
    await look(reply.snapshot);
    await talk();
  } catch (/** @type {any} */ why) {
    refused(why);
  }
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
  state.held = Boolean(snapshot.held);
  state.paused = snapshot.paused_until_ms !== undefined;
  clocked(snapshot.clocks);
}

/** @param {Body | undefined} clocks */
function clocked(clocks) {
  state.clocks = clocks;
  state.since = performance.now();
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
      state.held = Boolean(event.held);
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
      state.proposal = undefined;
      clocked(event.clocks);
      if (sent && event.client_move_id === sent.name) {
        sent = undefined;
      }
      listed(event);
      changed();
      break;
    case 'taken_back':
      state.ply = event.ply;
      state.toMove = event.ply % 2 === 0 ? 'first' : 'second';
      state.proposal = undefined;
      clocked(event.clocks);
      while (history_.children.length > event.ply) {
        history_.lastElementChild?.remove();
      }
      changed();
      break;
    case 'presence':
      state.away[event.online ? 'delete' : 'add'](event.seat);
      break;
    case 'proposed':
      state.proposal = { seat: event.seat, proposal: event.proposal };
      break;
    case 'proposal_ended':
      state.proposal = undefined;
      break;
    case 'paused':
      state.paused = true;
      state.proposal = undefined;
      break;
    case 'continued':
      state.paused = false;
      state.proposal = undefined;
      break;
    case 'clock_started':
      state.held = false;
      state.since = performance.now();
      break;
    case 'ended':
      state.status = 'over';
      state.proposal = undefined;
      state.end = { outcome: event.outcome, reason: event.reason };
      changed();
      break;
    case 'rematch_offered':
      state.rematch = event.seat;
      break;
    case 'rematch_withdrawn':
    case 'rematch_declined':
      state.rematch = undefined;
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

/** The position has changed: the board is asked for, once all events that are there have been read. */
function changed() {
  if (state.attached && state.seq >= state.missed) {
    look();
  }
}

/**
 * Asks for the position, its picture and its moves.
 * @param {Body} [snapshot] the state of the match, if it has just come
 */
async function look(snapshot) {
  if (looking) {
    lookAgain = true;
    return;
  }
  looking = true;
  try {
    const reply = await connection.request(await question(snapshot));
    drawn(reply);
  } catch (/** @type {any} */ why) {
    if (why.code !== 'match_over' && why.code !== 'not_started') {
      refused(why);
    }
  }
  looking = false;
  if (lookAgain) {
    lookAgain = false;
    await look();
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

/** @param {Body} reply */
function drawn(reply) {
  const ours = isOurMove();
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
  return state.status === 'live' && !state.paused && state.mine === state.toMove && state.mine !== undefined;
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
    changed();
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
  if (state.paused) {
    return word('live-paused');
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
  const gone = state.mine && state.status === 'live' && state.away.has(other);
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
    row.classList.toggle('away', state.away.has(seat));
  }
  typed.hidden = !isOurMove();
  found('actions', HTMLParagraphElement).hidden = !state.mine || state.status !== 'live';
  found('draw', HTMLButtonElement).hidden = !state.cyclic;
  found('over', HTMLParagraphElement).hidden = !state.mine || state.status !== 'over';
  found('review', HTMLParagraphElement).hidden = state.status !== 'over';
  proposed();
  ticked();
}

/** Shows what the other player proposes. */
function proposed() {
  const { proposal, mine, rematch } = state;
  const theirs = mine && proposal && proposal.seat !== mine;
  const again = mine && rematch && rematch !== mine;
  let words = '';
  if (theirs) {
    words = word(`live-proposes-${proposal.proposal}`, { name: nameOf(proposal.seat) });
  } else if (again) {
    words = word('live-rematch-offered', { name: nameOf(/** @type {Seat} */ (rematch)) });
  } else if (mine && proposal) {
    words = word('live-you-propose');
  } else if (mine && rematch) {
    words = word('live-rematch-sent');
  }
  found('proposal', HTMLParagraphElement).hidden = words === '';
  found('proposed', HTMLSpanElement).textContent = words;
  const canAnswer = Boolean(theirs || again);
  found('accept', HTMLButtonElement).hidden = !canAnswer;
  found('decline', HTMLButtonElement).hidden = !canAnswer;
}

/** Shows the clocks. */
function ticked() {
  for (const seat of /** @type {Seat[]} */ (['first', 'second'])) {
    const clock = found(seat, HTMLParagraphElement).querySelector('.clock');
    if (!clock) {
      continue;
    }
    if (!state.clocks) {
      clock.textContent = '';
      continue;
    }
    const runs = state.status === 'live' && !state.held && !state.paused && state.toMove === seat;
    const passed = runs ? performance.now() - state.since : 0;
    const left = Math.max(0, state.clocks[`${seat}_ms`] - passed);
    const seconds = Math.ceil(left / 1000);
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    if (clock.textContent !== text) {
      clock.textContent = text;
    }
    clock.classList.toggle('short', left < 20_000);
  }
}

/** @param {Body} body */
async function ask(body) {
  try {
    return await connection.request({ match: id, ...body });
  } catch (/** @type {any} */ why) {
    refused(why);
    return undefined;
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
pressed('takeback', () => ask({ type: 'propose', proposal: 'takeback' }));
pressed('draw', () => ask({ type: 'propose', proposal: 'draw' }));
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
pressed('rematch', async () => {
  const reply = await ask({ type: 'rematch' });
  if (reply?.rematch) {
    location.assign(`/g/${reply.rematch}`);
  }
});
for (const accept of [true, false]) {
  pressed(accept ? 'accept' : 'decline', async () => {
    if (state.status === 'over') {
      const reply = await ask({ type: accept ? 'rematch' : 'decline_rematch' });
      if (reply?.rematch) {
        location.assign(`/g/${reply.rematch}`);
      }
    } else if (state.proposal) {
      ask({ type: 'answer', proposal: state.proposal.proposal, accept });
    }
  });
}
if (document.getElementById('advice')) {
  const { Advice } = await import('./advice.js');
  advice = new Advice(connection, board, play, refused);
}
window.setInterval(ticked, TICK);
connection.open();
