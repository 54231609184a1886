// @ts-check
// What the players propose to each other: a move taken back, a draw, a pause, a rematch. Each has one proposal open at most.

import { found } from './connection.js';
import { word } from './words.js';

/** @typedef {import('./connection.js').Body} Body */
/** @typedef {'first' | 'second'} Seat */
/** @typedef {{proposal: string, seq: number}} Open */
/**
 * @typedef {object} Stand how the match stands
 * @property {Seat | undefined} mine
 * @property {string} status
 * @property {number} ply
 * @property {Seat} toMove
 * @property {{until: number, adjourned: boolean} | undefined} pause
 * @property {boolean} cyclic
 * @property {boolean} timed
 */

/** Pauses in a match, and the moves up to which one is taken back. */
const PAUSES = 3;
const TAKEN_BACK = 500;
/** What a move of the player who has proposed it does not end. */
const STAYS = ['draw', 'pause', 'adjourn'];

/** Each button, and what it asks for. */
const ASKS = {
  takeback: { type: 'propose', proposal: 'takeback' },
  draw: { type: 'propose', proposal: 'draw' },
  pause: { type: 'propose', proposal: 'pause' },
  adjourn: { type: 'propose', proposal: 'adjourn' },
  abort: { type: 'abort' },
  continue: { type: 'continue' },
  resume: { type: 'continue' },
};

export class Proposals {
  /** @type {{first?: Open, second?: Open}} */
  #open = {};
  /** Who offers a rematch. @type {Seat | undefined} */
  #rematch;
  /** Who has just declined what the other proposed. @type {Seat | undefined} */
  #declined;
  #pauses = 0;
  #rated = false;
  #tournament = false;
  /** @type {Stand | undefined} */
  #stand;
  #nameOf;

  /**
   * @param {(body: Body) => void} ask
   * @param {(seat: Seat) => string} nameOf
   */
  constructor(ask, nameOf) {
    this.#nameOf = nameOf;
    for (const [name, body] of Object.entries(ASKS)) {
      found(name, HTMLButtonElement).addEventListener('click', () => ask(body));
    }
    for (const agree of [true, false]) {
      found(agree ? 'accept' : 'decline', HTMLButtonElement).addEventListener('click', () => {
        const theirs = this.#theirs();
        if (theirs) {
          ask({ type: 'answer', proposed_seq: theirs.seq, agree });
        } else if (this.#rematch) {
          ask({ type: agree ? 'rematch' : 'decline_rematch' });
        }
      });
    }
    found('withdraw', HTMLButtonElement).addEventListener('click', () => ask({ type: this.#rematch ? 'withdraw' : 'withdraw_proposal' }));
  }

  /**
   * @param {number} seq
   * @param {Body} event
   */
  hear(seq, event) {
    const seat = /** @type {Seat} */ (event.seat);
    switch (event.type) {
      case 'created':
        this.#open = {};
        this.#rematch = undefined;
        this.#declined = undefined;
        this.#pauses = 0;
        this.#rated = Boolean(event.series?.rated);
        this.#tournament = Boolean(event.tournament);
        break;
      case 'proposed':
        this.#open[seat] = { proposal: event.proposal, seq };
        this.#declined = undefined;
        break;
      case 'proposal_ended':
        this.#open[seat] = undefined;
        this.#declined = event.by === seat ? undefined : event.by;
        break;
      case 'moved': {
        const own = this.#open[seat];
        this.#open = own && STAYS.includes(own.proposal) ? { [seat]: own } : {};
        this.#declined = undefined;
        break;
      }
      case 'paused':
        this.#pauses += 1;
        this.#open = {};
        break;
      case 'continued':
        for (const one of /** @type {Seat[]} */ (['first', 'second'])) {
          if (this.#open[one]?.proposal === 'resume') {
            this.#open[one] = undefined;
          }
        }
        break;
      case 'taken_back':
      case 'ended':
        this.#open = {};
        this.#declined = undefined;
        break;
      case 'rematch_offered':
        this.#rematch = seat;
        this.#declined = undefined;
        break;
      case 'rematch_declined':
        this.#declined = seat;
        this.#rematch = undefined;
        break;
      case 'rematch_withdrawn':
      case 'rematch_accepted':
        this.#rematch = undefined;
        break;
      default:
    }
  }

  /** What the other player proposes. @returns {Open | undefined} */
  #theirs() {
    const mine = this.#stand?.mine;
    return mine && this.#open[mine === 'first' ? 'second' : 'first'];
  }

  /**
   * Shows what is open, and the buttons for what can be proposed now.
   * @param {Stand} stand
   */
  show(stand) {
    this.#stand = stand;
    const { mine, status, pause } = stand;
    const other = mine === 'first' ? 'second' : 'first';
    const own = mine && this.#open[mine];
    const theirs = this.#theirs();
    const offered = Boolean(mine) && this.#rematch === other;
    const offering = Boolean(mine) && this.#rematch === mine;
    let words = '';
    if (theirs) {
      words = word(`live-proposes-${theirs.proposal}`, { name: this.#nameOf(other) });
    } else if (offered) {
      words = word('live-rematch-offered', { name: this.#nameOf(other) });
    }
    say('proposed', words);
    words = '';
    if (own) {
      words = word('live-you-propose');
    } else if (offering) {
      words = word('live-rematch-sent');
    } else if (mine && this.#declined === other) {
      words = word('live-declined', { name: this.#nameOf(other) });
    }
    say('sent', words);
    const live = Boolean(mine) && status === 'live';
    const open = live && !this.#tournament;
    const fresh = (/** @type {string} */ what) => open && own?.proposal !== what && theirs?.proposal !== what;
    const pauses = stand.timed && !pause && this.#pauses < PAUSES;
    const back = stand.toMove === mine ? 2 : 1;
    shown({
      accept: Boolean(theirs || offered),
      decline: Boolean(theirs || offered),
      withdraw: Boolean(own || offering),
      takeback: open && own?.proposal !== 'takeback' && !this.#rated && stand.ply >= back && stand.ply <= TAKEN_BACK,
      draw: fresh('draw') && stand.cyclic,
      pause: fresh('pause') && pauses,
      adjourn: fresh('adjourn') && pauses && !this.#rated,
      abort: (Boolean(mine) && status === 'waiting') || (fresh('abort') && stand.ply < 2),
      continue: live && Boolean(pause) && !pause?.adjourned,
      resume: fresh('resume') && Boolean(pause?.adjourned),
      resign: live,
    });
  }
}

/**
 * @param {string} id
 * @param {string} words
 */
function say(id, words) {
  const place = found(id, HTMLSpanElement);
  if (place.textContent !== words) {
    place.textContent = words;
  }
}

/**
 * Shows those buttons that can be pressed. Where one was that had the focus, the board has it.
 * @param {Record<string, boolean>} buttons
 */
export function shown(buttons) {
  for (const [name, can] of Object.entries(buttons)) {
    const button = found(name, HTMLButtonElement);
    const focused = document.activeElement === button;
    button.hidden = !can;
    if (focused && !can) {
      found('board', HTMLDivElement).focus({ preventScroll: true });
    }
  }
}
