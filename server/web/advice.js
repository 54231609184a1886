// @ts-check
// Help in a match against a bot of the server: hints, the reason for a position, and a warning before a move that gives something away.
// The solver of the server works it out, and refuses where a player must not have it.

import { keep, kept } from './coach.js';
import { found } from './connection.js';
import { word } from './words.js';

/** @typedef {import('./connection.js').Body} Body */
/** @typedef {{position: string, to_move: string}} Task */

/** What a move comes to, from the worst to the best; what is not known is not among them. */
const RESULTS = ['loses', 'draws', 'wins'];
/** Hints that follow each other in one position. */
const HINTS = 3;

export class Advice {
  #connection;
  #board;
  #play;
  #refused;
  /** @type {Task | undefined} the position in which it is our turn */
  #task;
  /** How many hints were given in this position. */
  #given = 0;
  /** How often the player was helped before this move: the server notes it. */
  #helped = 0;
  /** Moves of this position about which the reader was warned. */
  #warned = new Set();
  /** Questions that are not answered yet, and the last of them. */
  #asked = 0;
  #last = Promise.resolve();
  #coach = found('coach', HTMLInputElement);

  /**
   * @param {import('./connection.js').Connection} connection
   * @param {import('./board.js').Board} board
   * @param {(move: string) => void} play plays a move about which the reader was warned
   * @param {(why: any) => void} refused
   */
  constructor(connection, board, play, refused) {
    this.#connection = connection;
    this.#board = board;
    this.#play = play;
    this.#refused = refused;
    this.#coach.checked = kept();
    this.#coach.addEventListener('change', () => keep(this.#coach.checked));
    found('hint', HTMLButtonElement).addEventListener('click', () => this.#ask(() => this.#hint()));
    found('why', HTMLButtonElement).addEventListener('click', () => this.#ask(() => this.#why()));
  }

  /**
   * What the player is to decide now.
   * @param {Task | undefined} task nothing while it is not our turn
   */
  at(task) {
    found('advice', HTMLElement).hidden = task === undefined;
    if (task && this.#task?.position === task.position && this.#task.to_move === task.to_move) {
      return;
    }
    this.#task = task;
    // What was asked of the position before does not count any more.
    this.#asked = 0;
    this.#given = 0;
    this.#helped = 0;
    this.#warned.clear();
    this.#say('');
    this.#explain([]);
  }

  /** How often the player was helped before the move that is to be made. */
  get helped() {
    return this.#helped;
  }

  /**
   * Whether a move is played: if the reader wants to be warned, one that gives a win or a draw away is offered back once.
   * @param {string} move
   * @returns {Promise<boolean>}
   */
  async lets(move) {
    const task = this.#task;
    if (!task || !this.#coach.checked || this.#warned.has(move)) {
      return true;
    }
    try {
      const { reasons } = await this.#connection.request({ type: 'explain', ...task, moves: [move] });
      const best = reasons.moves.find((/** @type {Body} */ one) => one.move === reasons.best);
      const [played] = reasons.moves;
      if (!best || rank(played) < 0 || rank(played) >= rank(best) || this.#task !== task) {
        return true;
      }
      this.#warned.add(move);
      this.#helped += 1;
      this.#warn(move, played.reply?.move, best.result === 'wins');
      return false;
    } catch {
      // What is wrong with the move, the server says when it gets it; where there is no help, the match goes on without.
      return true;
    }
  }

  /**
   * @param {string} move
   * @param {string | undefined} reply
   * @param {boolean} win whether a win is given away, and not a draw
   */
  #warn(move, reply, win) {
    const [alone, refuted] = win ? ['advice-loses-win', 'advice-loses-win-to'] : ['advice-loses-draw', 'advice-loses-draw-to'];
    this.#say(reply ? word(refuted, { move, reply }) : word(alone, { move }));
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = word('advice-anyway', { move });
    button.addEventListener('click', () => this.#play(move));
    found('advised', HTMLElement).append(' ', button);
  }

  /** The next hint: whether there is a win; then, of what the position is made; then a move. */
  async #hint() {
    const task = this.#task;
    if (!task) {
      return;
    }
    const { solution } = await this.#connection.insist({ type: 'solve', ...task, max_moves: 1 });
    // The position may have passed meanwhile: nothing is said of another one.
    if (this.#task !== task) {
      return;
    }
    const [winning] = solution.winning_moves;
    if (!winning) {
      this.#say(word(none(solution)));
    } else if (this.#given === 0) {
      const count = Number(solution.winning_moves_total ?? 0);
      this.#say(count > 0 ? word('advice-wins', { count }) : word('advice-win'));
    } else if (this.#given === 1) {
      const { reasons } = await this.#connection.insist({ type: 'explain', ...task });
      if (this.#task !== task) {
        return;
      }
      this.#say(word('advice-idea'));
      // What is said of moves begins after an empty line, and would name the best one.
      const end = reasons.lines.indexOf('');
      this.#explain(end < 0 ? reasons.lines : reasons.lines.slice(0, end));
    } else {
      this.#say(word('advice-move', { move: winning.move }));
      this.#board.offer(winning.move);
    }
    this.#given += 1;
    this.#helped += 1;
  }

  /** Who wins here, and why. */
  async #why() {
    const task = this.#task;
    if (!task) {
      return;
    }
    const { reasons } = await this.#connection.insist({ type: 'explain', ...task });
    if (this.#task === task) {
      this.#say('');
      this.#explain(reasons.lines);
      this.#helped += 1;
    }
  }

  /** @param {string} words */
  #say(words) {
    found('advised', HTMLElement).textContent = words;
  }

  /** @param {string[]} lines */
  #explain(lines) {
    found('reasons', HTMLPreElement).hidden = lines.length === 0;
    found('reasons', HTMLPreElement).textContent = lines.join('\n');
  }

  /**
   * One question after the other. A press while an answer is being worked out asks for the next one, as long as the position is the same.
   * @param {() => Promise<void>} act
   */
  #ask(act) {
    if (this.#asked === HINTS) {
      return;
    }
    this.#asked += 1;
    const task = this.#task;
    const then = async () => {
      if (this.#task !== task) {
        return;
      }
      try {
        await act();
      } catch (why) {
        this.#refused(why);
      }
      this.#asked -= this.#task === task ? 1 : 0;
    };
    this.#last = this.#last.then(then);
  }
}

/** @param {Body} move */
function rank(move) {
  return RESULTS.indexOf(move.result);
}

/**
 * The message where there is no winning move.
 * @param {Body} solution
 * @returns {string}
 */
function none(solution) {
  switch (solution.outcome) {
    case 'unknown':
      return 'advice-hard';
    case 'D':
      return 'advice-draw';
    default:
      // A win of which no move was found in the time of a hint has moves that are not known.
      return solution.winning_moves_total === 0 ? 'advice-lost' : 'advice-hard';
  }
}
