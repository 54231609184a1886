// @ts-check
// Who is away, and from when on the other may end the match for it. The server decides; this shows the way to it.

/** @typedef {import('./connection.js').Body} Body */
/** @typedef {'first' | 'second'} Seat */

/** How long a player must be away, with a clock and without, and the clocks under which players may be. */
const PATIENCE = 60_000;
const UNTIMED = 600_000;
const SLOW = 3_600_000;

export class Absence {
  #away = { first: false, second: false };
  /** Since when both are there or away, and since when it is the turn of who is to move. */
  #since = { first: 0, second: 0 };
  #turn = 0;
  /** No claims in this match. */
  #never = false;

  /** @param {Body} event */
  hear(event) {
    const at = event.at_ms;
    const seat = /** @type {Seat} */ (event.seat);
    switch (event.type) {
      case 'created':
        this.#away = { first: false, second: false };
        this.#since = { first: at, second: at };
        this.#never = Boolean(event.series?.rated || event.tournament);
        break;
      case 'joined':
        this.#since[seat] = at;
        this.#turn = at;
        break;
      case 'presence':
        this.#away[seat] = !event.online;
        this.#since[seat] = at;
        break;
      case 'moved':
      case 'taken_back':
      case 'continued':
        this.#turn = at;
        break;
      default:
    }
  }

  /** @param {Seat} seat */
  has(seat) {
    return this.#away[seat];
  }

  /**
   * How long it takes until the match can be claimed from the player to move, in milliseconds.
   * @param {Seat} toMove
   * @param {import('./clocks.js').Clocks} clocks
   * @returns {number | undefined} nothing if it cannot be, as things stand
   */
  claimIn(toMove, clocks) {
    const { first, second } = this.#away;
    const other = toMove === 'first' ? second : first;
    if (this.#never || !this.#away[toMove] || other || clocks.atFirst >= SLOW) {
      return undefined;
    }
    const from = Math.max(this.#since.first, this.#since.second, this.#turn);
    return Math.max(0, from + (clocks.timed ? PATIENCE : UNTIMED) - clocks.now());
  }
}
