// @ts-check
// Where a match stands: who plays, whose move it is, how it ended. It follows the state and the events that the server sends, and says them in words.

import { ending, word } from './words.js';

/** @typedef {import('./connection.js').Body} Body */
/** @typedef {'first' | 'second'} Seat */

/** @param {Seat} seat @returns {Seat} */
export function other(seat) {
  return seat === 'first' ? 'second' : 'first';
}

export class Standing {
  ply = 0;
  /** @type {Seat} */
  toMove = 'first';
  /** Our seat. @type {Seat | undefined} */
  mine;
  /** @type {{first?: any, second?: any}} */
  players = {};
  status = 'live';
  rated = false;
  /** By how many moves the server shows a rated match later to those who do not play in it. */
  behind = 0;
  /** @type {{until: number, adjourned: boolean} | undefined} */
  pause;
  #misere = false;
  /** @type {{outcome?: string, reason?: string}} */
  #end = {};

  /** @param {Body} snapshot */
  take(snapshot) {
    this.ply = snapshot.ply;
    this.toMove = snapshot.to_move;
    this.players = { first: snapshot.first, second: snapshot.second };
    this.status = snapshot.status;
    this.#misere = snapshot.start.endsWith('@misere');
    this.#end = { outcome: snapshot.outcome, reason: snapshot.reason };
    const until = snapshot.paused_until_ms;
    this.pause = until === undefined ? undefined : { until, adjourned: Boolean(snapshot.adjourned) };
  }

  /** @param {Body} event */
  hear(event) {
    const seat = /** @type {Seat} */ (event.seat);
    switch (event.type) {
      case 'created':
        this.players = { [seat]: event.creator };
        this.rated = Boolean(event.series?.rated);
        this.status = 'waiting';
        break;
      case 'joined':
        this.players[seat] = event.player;
        this.status = 'live';
        break;
      case 'moved':
        this.ply = event.ply;
        this.toMove = other(seat);
        break;
      case 'taken_back':
        this.ply = event.ply;
        this.toMove = event.ply % 2 === 0 ? 'first' : 'second';
        break;
      case 'paused':
        this.pause = { until: event.until_ms, adjourned: Boolean(event.adjourned) };
        break;
      case 'continued':
        this.pause = undefined;
        break;
      case 'ended':
        this.status = 'over';
        this.pause = undefined;
        this.#end = { outcome: event.outcome, reason: event.reason };
        break;
      default:
    }
  }

  isOurMove() {
    return this.status === 'live' && !this.pause && this.mine === this.toMove;
  }

  /**
   * @param {Seat} seat
   * @returns {string}
   */
  nameOf(seat) {
    const player = this.players[seat];
    if (!player) {
      return word('live-free-seat');
    }
    const name = player.bot ? word('live-bot', { name: player.name }) : player.name;
    return seat === this.mine ? word('live-you', { name }) : name;
  }

  /**
   * Where the match stands, in words.
   * @param {number} now the time of the server
   */
  words(now) {
    if (this.status === 'waiting') {
      return word('live-waiting');
    }
    if (this.status === 'over') {
      return this.#result();
    }
    if (this.pause) {
      const until = new Date(Date.now() + this.pause.until - now);
      const time = until.toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' });
      return word(this.pause.adjourned ? 'live-adjourned' : 'live-paused', { time });
    }
    const name = this.nameOf(this.toMove);
    if (!this.mine) {
      return this.rated && this.behind > 0 ? word('live-watching-behind', { count: this.behind, name }) : word('live-watching', { name });
    }
    return this.mine === this.toMove ? word('live-your-move') : word('live-their-move', { name });
  }

  #result() {
    const { outcome } = this.#end;
    if (outcome !== 'first' && outcome !== 'second') {
      const how = ending(this.#end, this.#misere, false);
      return outcome === 'draw' ? word('live-drawn', { how }) : word('live-void', { how });
    }
    const lost = this.mine !== undefined && outcome !== this.mine;
    const how = ending(this.#end, this.#misere, lost);
    if (!this.mine) {
      return word('live-won', { name: this.nameOf(outcome), how });
    }
    return lost ? word('live-you-lost', { how }) : word('live-you-won', { how });
  }
}
