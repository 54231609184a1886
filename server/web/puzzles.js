// @ts-check
// Rated puzzles: a position that can be won. The first answer counts, for the player and for the puzzle.

import { Connection, found, showPlayer } from './connection.js';
import { Exercise, listed, say, trouble } from './exercise.js';
import { sentences, word } from './words.js';

/** @type {string | undefined} */
let puzzle;

const connection = new Connection({
  ready: (welcome) => {
    showPlayer(welcome.player);
    if (puzzle === undefined) {
      exercise.begin(next);
    }
  },
  event: () => {},
  state: trouble,
});

const exercise = new Exercise(connection, { tried: answer, solution: () => answer(undefined), next });

/** @param {{rating: number, deviation: number, provisional?: boolean}} you */
function rated({ rating, deviation, provisional }) {
  found('rating', HTMLParagraphElement).textContent = word(provisional ? 'puzzles-rating-new' : 'puzzles-rating', { rating, deviation });
}

async function next() {
  const put = await connection.insist({ type: 'puzzle' });
  await exercise.put({ position: put.position, to_move: put.to_move }, word('puzzles-task', { rating: put.rating }));
  puzzle = put.puzzle;
  rated(put.you);
}

/** @param {string | undefined} move none gives up */
async function answer(move) {
  const asked = move === undefined ? {} : { move };
  const judged = await connection.insist({ type: 'solve_puzzle', puzzle, ...asked });
  const { you } = judged;
  const signed = `${you.change < 0 ? '−' : '+'}${Math.abs(you.change)}`;
  const winning = word('exercise-winning', { moves: listed(judged.winning_moves, Number(judged.winning_moves_total ?? judged.winning_moves.length)) });
  const verdict = judged.right ? word('puzzles-right', { move: judged.move }) : word('puzzles-wrong', { move: judged.move ?? '' });
  const counted = judged.repeated ? '' : word('puzzles-change', { change: signed, rating: you.rating });
  say(sentences([move === undefined ? '' : verdict, winning, counted]));
  rated(you);
  exercise.explain(judged.reasons.lines);
  exercise.close();
}

connection.open();
