// @ts-check
// A position in which a move is to be found: its board, its moves, and what is said of an answer. Who judges the answers is the page's business.

import { Board } from './board.js';
import { LOST, found } from './connection.js';
import { Looks } from './looks.js';
import { refusal, word } from './words.js';

/** @typedef {import('./connection.js').Connection} Connection */
/** @typedef {{position: string, to_move: string}} Task */

/** Moves that are listed. */
const LISTED = 200;

export class Exercise {
  #connection;
  #hooks;
  #board;
  #busy = false;
  #looks = new Looks();

  /**
   * @param {Connection} connection
   * @param {{tried: (move: string) => Promise<void>, solution: () => Promise<void>, next: () => Promise<void>}} hooks
   *   what follows when a move is tried, the solution is wanted, or the next exercise
   */
  constructor(connection, hooks) {
    this.#connection = connection;
    this.#hooks = hooks;
    this.#board = new Board(found('board', HTMLDivElement), found('choices', HTMLDivElement), (move) => this.#try(move));
    found('typed', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      this.#try(found('move', HTMLInputElement).value.trim());
    });
    found('solution', HTMLButtonElement).addEventListener('click', () => this.#once(hooks.solution));
    found('next', HTMLButtonElement).addEventListener('click', () => this.#once(hooks.next));
  }

  /**
   * Puts the first task. A server that is busy is asked again.
   * @param {() => Promise<void>} put
   */
  begin(put) {
    let waited = false;
    this.#looks.want('first', async () => {
      try {
        await put();
      } catch (/** @type {any} */ why) {
        waited = waited || why.code !== LOST;
        refused(why);
        throw why;
      }
      if (waited) {
        trouble('');
      }
    });
  }

  /**
   * Puts a task.
   * @param {Task} task
   * @param {string} words what is to be done
   */
  async put(task, words) {
    const reply = await this.#connection.insist({ type: 'moves', picture: true, limit: LISTED, position: task.position, to_move: task.to_move });
    found('exercise', HTMLDivElement).hidden = false;
    found('position', HTMLElement).textContent = reply.position;
    found('games', HTMLElement).replaceChildren(...rules(reply.position));
    found('task', HTMLParagraphElement).textContent = words;
    found('move', HTMLInputElement).value = '';
    this.#board.show(reply.picture, reply.moves, reply.touches ?? []);
    const buttons = reply.moves.map((/** @type {string} */ move) => {
      const row = document.createElement('li');
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = move;
      button.addEventListener('click', () => this.#try(move));
      row.append(button);
      return row;
    });
    found('moves', HTMLUListElement).replaceChildren(...buttons);
    found('count', HTMLElement).textContent = word('live-moves', { count: Number(reply.total ?? reply.moves.length) });
    this.#open(true);
    this.explain([]);
    say('');
  }

  /** The exercise is over: only the next one can be asked for. */
  close() {
    this.#board.show(undefined, [], []);
    this.#open(false);
  }

  /** Nothing is left to do. */
  leave() {
    found('exercise', HTMLDivElement).hidden = true;
  }

  /**
   * Shows reasons.
   * @param {string[]} lines none hides them
   */
  explain(lines) {
    found('why', HTMLDetailsElement).hidden = lines.length === 0;
    found('reasons', HTMLPreElement).textContent = lines.join('\n');
  }

  /** @param {boolean} open */
  #open(open) {
    found('typed', HTMLFormElement).hidden = !open;
    found('solution', HTMLButtonElement).hidden = !open;
    const next = found('next', HTMLButtonElement);
    const went = document.activeElement === next;
    next.hidden = open;
    if (!open) {
      next.focus();
    } else if (went) {
      found('move', HTMLInputElement).focus();
    }
  }

  /** @param {string} move */
  #try(move) {
    if (move !== '') {
      this.#once(() => this.#hooks.tried(move));
    }
  }

  /**
   * One thing at a time; what goes wrong is said.
   * @param {() => Promise<void>} act
   */
  async #once(act) {
    if (this.#busy) {
      return;
    }
    this.#busy = true;
    try {
      trouble('');
      await act();
    } catch (/** @type {any} */ why) {
      refused(why);
    }
    this.#busy = false;
  }
}

/**
 * Links to the rules of the games in a position. The exercise stays open.
 * @param {string} position
 * @returns {(Node | string)[]}
 */
function rules(position) {
  const games = new Set(position.split('+').map((component) => component.match(/^[a-z]+/)?.[0] ?? ''));
  return Array.from(games).flatMap((game) => {
    const link = document.createElement('a');
    const name = document.createElement('code');
    name.textContent = game;
    link.className = 'step';
    link.href = `/rules/${game}`;
    link.target = '_blank';
    link.append(name);
    return [link, ' '];
  });
}

/** @param {string} words */
export function say(words) {
  found('status', HTMLParagraphElement).textContent = words;
}

/** @param {string} words */
export function trouble(words) {
  found('trouble', HTMLParagraphElement).textContent = words;
}

/** @param {import('./connection.js').Refusal} why */
export function refused(why) {
  trouble(refusal(why));
}

/**
 * The first moves of a list, and how many more there are.
 * @param {string[]} moves
 * @param {number} total
 * @returns {string}
 */
export function listed(moves, total) {
  const shown = moves.join(', ');
  return total > moves.length ? `${shown} … (${total})` : shown;
}
