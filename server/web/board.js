// @ts-check
// A board: a picture whose parts can be pointed at until one move is meant. The server says which parts each move touches.

import { word } from './words.js';

/** @typedef {{move: string, way: string[]}} Way */

/** Moves that are offered when several are possible. */
const OFFERED = 8;

export class Board {
  #root;
  #choices;
  #play;
  /** @type {Way[]} */
  #ways = [];
  /** @type {Map<string, Element[]>} */
  #parts = new Map();
  /** @type {Set<string>} */
  #pointed = new Set();

  /**
   * @param {HTMLElement} root where the picture is
   * @param {HTMLElement} choices where moves are offered
   * @param {(move: string) => void} play
   */
  constructor(root, choices, play) {
    this.#root = root;
    this.#choices = choices;
    this.#play = play;
    root.addEventListener('click', (event) => {
      const part = event.target instanceof Element ? event.target.closest('[data-part]') : null;
      this.#point(part?.getAttribute('data-part') ?? '');
    });
  }

  /**
   * Shows a position.
   * @param {string | undefined} picture SVG of this server; without it the old picture goes
   * @param {string[]} moves the moves that can be made; none if it is not our turn
   * @param {string[][][]} touches for each move the ways to point at it
   */
  show(picture, moves, touches) {
    if (picture !== undefined) {
      const drawn = new DOMParser().parseFromString(picture, 'image/svg+xml').documentElement;
      this.#root.replaceChildren(document.importNode(drawn, true));
    }
    this.#ways = moves.flatMap((move, index) => (touches[index] ?? []).map((way) => ({ move, way })));
    this.#parts.clear();
    const live = new Set(this.#ways.flatMap(({ way }) => way));
    for (const element of this.#root.querySelectorAll('[data-part]')) {
      const name = element.getAttribute('data-part') ?? '';
      this.#parts.set(name, [...(this.#parts.get(name) ?? []), element]);
      element.classList.toggle('live', live.has(name));
    }
    this.clear();
  }

  /**
   * Shows a move as if it was pointed at.
   * @param {string} move
   */
  offer(move) {
    this.#pointed.clear();
    this.#offer(this.#ways.filter((way) => way.move === move).slice(0, 1));
  }

  /** Forgets what was pointed at. */
  clear() {
    this.#pointed.clear();
    this.#offer([]);
  }

  /** @param {string} part */
  #point(part) {
    if (this.#ways.length === 0) {
      return;
    }
    const more = new Set([...this.#pointed, part]);
    if (this.#fitting(more).length > 0) {
      this.#pointed = more;
    } else {
      // Something else is meant.
      this.#pointed = new Set(this.#fitting(new Set([part])).length > 0 ? [part] : []);
    }
    this.#offer(this.#pointed.size > 0 ? this.#fitting(this.#pointed) : []);
  }

  /**
   * The moves that touch all of these parts, those that touch fewest parts first, each once.
   * @param {Set<string>} parts
   * @returns {Way[]}
   */
  #fitting(parts) {
    const fitting = this.#ways.filter(({ way }) => [...parts].every((part) => way.includes(part)));
    fitting.sort((one, other) => one.way.length - other.way.length);
    const seen = new Set();
    return fitting.filter(({ move }) => !seen.has(move) && seen.add(move));
  }

  /** @param {Way[]} ways */
  #offer(ways) {
    for (const elements of this.#parts.values()) {
      elements.forEach((element) => element.classList.remove('chosen', 'pointed'));
    }
    const [first, second] = ways;
    const sure = first && (!second || first.way.length < second.way.length);
    for (const part of sure ? first.way : this.#pointed) {
      this.#parts.get(part)?.forEach((element) => element.classList.add(sure ? 'chosen' : 'pointed'));
    }
    const shown = ways.slice(0, OFFERED).map(({ move }, index) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = word('live-play-this', { move });
      button.classList.toggle('main', Boolean(sure) && index === 0);
      button.addEventListener('click', () => this.#play(move));
      return button;
    });
    /** @type {Node[]} */
    const nodes = shown;
    if (first && !sure) {
      const choose = document.createElement('p');
      choose.textContent = word('live-choose');
      nodes.unshift(choose);
    }
    this.#choices.replaceChildren(...nodes);
  }
}
