// @ts-check
// The clocks of a match and the time of the server. They follow from the events, as the server counts them.

import { word } from './words.js';

/** @typedef {import('./connection.js').Body} Body */
/** @typedef {'first' | 'second'} Seat */
/** @typedef {{left: number, periods: number}} Budget what a player has: milliseconds, and the periods after them */

/** Seconds left at which the reader hears it, fewest first. */
const MARKS = [10, 20, 60];
/** From two days on, days and hours are shown. */
const DAYS = 172_800;

export class Clocks {
  /** @type {Body} */
  #control = { type: 'untimed' };
  /** What both had when the turn began. @type {Record<Seat, Budget> | undefined} */
  #left;
  #held = { first: false, second: false };
  /** @type {Seat} */
  #toMove = 'first';
  /** The match is on. */
  #on = false;
  /** Since when the clock runs, what the turn had taken before, and what it may take before it costs time. */
  #since = 0;
  #spent = 0;
  #lag = 0;
  /** How far the server is ahead of the clock of this browser, which may be wrong but runs evenly. @type {number | undefined} */
  #ahead;
  /** When the connection was lost, until it is back. @type {number | undefined} */
  #lost;
  /** The last mark that was said. */
  #said = Infinity;

  /** Learns the time of the server. @param {number} now */
  heard(now) {
    this.#ahead = now - performance.now();
    this.#lost = undefined;
  }

  /** Nobody says any more what the clocks are. */
  lost() {
    this.#lost ??= this.now();
  }

  /** The time of the server, as far as it is known. */
  now() {
    return this.#lost ?? performance.now() + (this.#ahead ?? 0);
  }

  get timed() {
    return this.#control.type !== 'untimed';
  }

  /** The time for the first move, in milliseconds. */
  get atFirst() {
    const { base_ms = 0, delay_ms = 0, move_ms = 0, period_ms = 0, type } = this.#control;
    return move_ms || base_ms + (type === 'delay' ? delay_ms : 0) || period_ms;
  }

  /** @param {Body} event */
  hear(event) {
    const at = event.at_ms;
    switch (event.type) {
      case 'created':
        this.#begin(event);
        break;
      case 'joined':
        this.#on = true;
        this.#turn('first', at);
        break;
      case 'moved':
        this.#have(event.clocks);
        this.#held[/** @type {Seat} */ (event.seat)] = false;
        this.#turn(event.seat === 'first' ? 'second' : 'first', at, event.lag_ms);
        break;
      case 'taken_back':
        this.#have(event.clocks);
        this.#turn(event.ply % 2 === 0 ? 'first' : 'second', at);
        break;
      case 'outage':
        this.#since += event.credited_ms;
        if (event.held) {
          this.#hold(at);
        }
        break;
      case 'paused':
        this.#hold(at);
        break;
      case 'continued':
        this.#start('first', at);
        this.#start('second', at);
        break;
      case 'clock_started':
        this.#start(event.seat, at);
        break;
      case 'ended':
        if (this.#left) {
          this.#left[this.#toMove] = this.#at(this.#toMove, at);
        }
        this.#on = false;
        break;
      default:
    }
  }

  /** @param {Body} event */
  #begin({ clock, held }) {
    this.#control = clock;
    this.#on = false;
    this.#held = { first: Boolean(held), second: Boolean(held) };
    // Without time before them, the first period runs at once.
    const periods = (clock.periods ?? 0) - (clock.base_ms ? 0 : 1);
    const each = () => ({ left: this.atFirst, periods });
    this.#left = this.timed ? { first: each(), second: each() } : undefined;
  }

  /** @param {Body | undefined} clocks */
  #have(clocks) {
    if (clocks) {
      const { first_ms, second_ms, periods } = clocks;
      this.#left = { first: { left: first_ms, periods: periods?.first ?? 0 }, second: { left: second_ms, periods: periods?.second ?? 0 } };
    }
  }

  /**
   * @param {Seat} seat
   * @param {number} at
   */
  #turn(seat, at, lag = 0) {
    this.#toMove = seat;
    this.#since = at;
    this.#spent = 0;
    this.#lag = lag;
  }

  /** Both stand still. @param {number} at */
  #hold(at) {
    this.#spent = this.#taken(at);
    this.#since = at;
    this.#held = { first: true, second: true };
  }

  /**
   * @param {Seat} seat
   * @param {number} at
   */
  #start(seat, at) {
    this.#held[seat] = false;
    if (seat === this.#toMove) {
      this.#since = at;
    }
  }

  /** What the turn has taken. @param {number} at */
  #taken(at) {
    return this.#spent + (this.#held[this.#toMove] ? 0 : Math.max(0, at - this.#since));
  }

  /**
   * What a player has at a moment.
   * @param {Seat} seat
   * @param {number} at
   * @returns {Budget}
   */
  #at(seat, at) {
    const { left, periods } = this.#left?.[seat] ?? { left: 0, periods: 0 };
    const used = this.#on && seat === this.#toMove ? Math.max(0, this.#taken(at) - this.#lag) : 0;
    if (used < left) {
      return { left: left - used, periods };
    }
    const length = this.#control.period_ms ?? Infinity;
    const begun = Math.floor((used - left) / length);
    return begun < periods ? { left: length - ((used - left) % length), periods: periods - begun - 1 } : { left: 0, periods: 0 };
  }

  /**
   * Shows the clock of a player.
   * @param {Element} place
   * @param {Seat} seat
   * @param {boolean} stands the reader is shown an earlier state of the match, so nothing runs
   */
  show(place, seat, stands) {
    const { left, periods } = this.#at(seat, stands ? this.#since : this.now());
    let text = this.#left && this.#ahead !== undefined ? timeText(left) : '';
    if (text && periods > 0) {
      text = word('live-clock-periods', { time: text, periods, seconds: this.#control.period_ms / 1_000 });
    }
    const stale = text !== '' && this.#on && this.#lost !== undefined;
    text += stale ? ' ?' : '';
    if (place.textContent !== text) {
      place.textContent = text;
    }
    place.classList.toggle('stale', stale);
    place.classList.toggle('short', text !== '' && left < 20_000 && periods === 0);
  }

  /**
   * Says once for each mark how little a player has who is to move.
   * @param {Seat} seat
   * @returns {string | undefined}
   */
  warning(seat) {
    const { left, periods } = this.#at(seat, this.now());
    const runs = this.#left && this.#on && seat === this.#toMove && !this.#held[seat] && this.#lost === undefined;
    const seconds = Math.ceil(left / 1_000);
    const mark = MARKS.find((one) => seconds <= one && one * 1_000 < this.atFirst);
    if (!runs || periods > 0 || !mark || mark >= this.#said) {
      return undefined;
    }
    this.#said = mark;
    return word('live-clock-left', { count: seconds });
  }
}

/**
 * @param {number} ms
 * @returns {string} `2:41`, `1:02:07`, `2 days 23 h`
 */
export function timeText(ms) {
  const seconds = Math.ceil(ms / 1_000);
  const hours = Math.floor(seconds / 3_600);
  if (seconds >= DAYS) {
    return word('live-clock-days', { days: Math.floor(hours / 24), hours: hours % 24 });
  }
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
