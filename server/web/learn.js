// @ts-check
// Positions in which a win was given away, or the puzzle of the day, until a winning move is found. The solver of the server judges each answer.

import { Connection, found, showPlayer } from './connection.js';
import { Exercise, listed, refused, say, trouble } from './exercise.js';
import { sentences, word } from './words.js';

/** @typedef {{ply?: number, position: string, to_move: string, move?: string, drawn: boolean}} Mistake a puzzle has no move that was played */

/** @type {Mistake[]} */
const mistakes = JSON.parse(found('exercises', HTMLScriptElement).textContent ?? '[]');
/** Winning moves that are named. */
const NAMED = 8;
/** The exercise that is shown. @type {number | undefined} */
let at;
let right = 0;
let tries = 0;

const connection = new Connection({
  ready: (welcome) => {
    showPlayer(welcome.player);
    if (at === undefined) {
      exercise.begin(() => put(0));
    }
  },
  event: () => {},
  state: trouble,
});

const exercise = new Exercise(connection, { tried, solution, next });

/**
 * Puts a mistake, or says how it went. What cannot be put now changes nothing.
 * @param {number} place
 */
async function put(place) {
  const mistake = mistakes[place];
  if (mistake) {
    await exercise.put(mistake, task(mistake, place));
  } else {
    exercise.leave();
    found('again', HTMLButtonElement).hidden = mistakes.length === 0;
    say(mistakes.length > 0 ? word('learn-done', { right, total: mistakes.length }) : word('learn-nothing'));
  }
  at = place;
  tries = 0;
  found('done', HTMLParagraphElement).hidden = Boolean(mistake);
}

/**
 * What is to be done.
 * @param {Mistake} mistake
 * @param {number} place
 * @returns {string}
 */
function task({ ply, move, drawn }, place) {
  if (ply === undefined || move === undefined) {
    return word('today-task');
  }
  return word(drawn ? 'learn-task-draw' : 'learn-task', { number: place + 1, total: mistakes.length, ply, move });
}

/** @param {string} move */
async function tried(move) {
  const mistake = mistakes[at ?? 0];
  const { position, to_move } = mistake;
  const { reasons } = await connection.insist({ type: 'explain', position, to_move, moves: [move] });
  const judged = reasons.moves[0];
  tries += 1;
  const wanted = mistake.drawn ? ['wins', 'draws'] : ['wins'];
  if (wanted.includes(judged.result)) {
    right += tries === 1 ? 1 : 0;
    say(sentences([word('exercise-right', { move: judged.move }), await others(mistake)]));
    exercise.explain(reasons.lines);
    exercise.close();
    return;
  }
  if (judged.result === 'unknown') {
    say(mistake.drawn ? word('exercise-unknown-draw', { move: judged.move }) : word('exercise-unknown', { move: judged.move }));
    return;
  }
  // The reasons name the best move, so only the reply is shown as long as the answer is sought.
  const { move: played, reply } = judged;
  if (mistake.drawn) {
    say(reply ? word('exercise-refuted-draw', { move: played, reply: reply.move }) : word('exercise-wrong-draw', { move: played }));
  } else {
    say(reply ? word('exercise-refuted', { move: played, reply: reply.move }) : word('exercise-wrong', { move: played }));
  }
}

async function solution() {
  const mistake = mistakes[at ?? 0];
  const { position, to_move } = mistake;
  const { reasons } = await connection.insist({ type: 'explain', position, to_move, moves: mistake.move ? [mistake.move] : [] });
  tries += 1;
  say(await others(mistake));
  exercise.explain(reasons.lines);
  exercise.close();
}

/**
 * The moves that win, in words.
 * @param {Mistake} mistake
 * @returns {Promise<string>}
 */
async function others({ position, to_move, drawn }) {
  const { solution: found_ } = await connection.insist({ type: 'solve', position, to_move, max_moves: NAMED });
  const moves = found_.winning_moves.map((/** @type {{move: string}} */ one) => one.move);
  if (moves.length === 0 || drawn) {
    return '';
  }
  return word('exercise-winning', { moves: listed(moves, Number(found_.winning_moves_total ?? moves.length)) });
}

async function next() {
  await put((at ?? -1) + 1);
}

found('again', HTMLButtonElement).addEventListener('click', () => {
  right = 0;
  put(0).catch(refused);
});
connection.open();
