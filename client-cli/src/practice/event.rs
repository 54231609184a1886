//! What happens in a lesson: the one structure that the screen and the JSON show.

use grundy_shared::ids::{MatchId, Ply, Seat};
use grundy_shared::practice::{Hint, Performance, Refutation, Shown};
use grundy_shared::puzzle::Difficulty;
use grundy_shared::solver::MoveReason;
use serde::Serialize;

use super::deck::Tries;
use crate::failure::InBatch;

/// The form of the JSON.
pub(crate) const SCHEMA: &str = "grundy/learn/1";

/// Something that happens. Until an exercise is over, none names a winning move but the last hint.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event<'e> {
    /// The lesson begins.
    Begin {
        /// Always [`SCHEMA`].
        schema: &'static str,
        /// How many exercises it has.
        exercises: usize,
    },
    /// An exercise is put: a winning move is to be found.
    Exercise {
        /// Its number in the lesson, from 1.
        number: usize,
        /// How many there are.
        of: usize,
        /// The position, canonical.
        position: String,
        /// Who is to move, and wins.
        to_move: Seat,
        /// The game family.
        family: &'static str,
        /// The match from which it comes.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The number of the move that is to be found.
        ply: Ply,
        /// How often it was tried before.
        tries: u64,
    },
    /// A puzzle is put.
    Puzzle {
        /// Its number in the collection, from 1.
        number: usize,
        /// The day of which it is the puzzle, as `2026-11-25`; `null` if it was chosen otherwise.
        day: Option<String>,
        /// The position, canonical.
        position: String,
        /// Who is to move, and wins.
        to_move: Seat,
        /// The game family.
        family: &'static str,
        /// How hard it is to find a winning move by chance.
        difficulty: Difficulty,
        /// How it went when it was solved for the first time; `shown` if it was not solved, but its solution was shown; `null` otherwise.
        solved: Option<Performance>,
    },
    /// A winning move was found.
    Right {
        /// How.
        performance: Performance,
        /// The move with its reason, and the others that win.
        #[serde(flatten)]
        shown: Shown,
    },
    /// A move that does not win.
    Wrong(Refutation),
    /// A move that could not be judged in the time available. It does not count.
    Undecided {
        /// The move.
        #[serde(rename = "move")]
        mv: String,
    },
    /// A hint.
    Hint {
        /// Its number, from 1.
        number: u8,
        /// How many there are.
        of: u8,
        /// The hint.
        #[serde(flatten)]
        hint: Hint,
    },
    /// Why the last wrong move does not win.
    Why {
        /// The reason.
        reason: &'e MoveReason,
    },
    /// The solution.
    Solution(Shown),
    /// The exercise was left for another time.
    Skipped {},
    /// The exercise was taken out of the deck, and does not come back.
    Forgotten {},
    /// The exercise is over, and its result is in the deck.
    Scheduled {
        /// How it went.
        performance: Performance,
        /// The days until it is due again: 0 for today.
        due_in_days: u32,
    },
    /// The legal moves, the rules, or help.
    Text {
        /// What was asked for.
        of: &'static str,
        /// The answer.
        text: String,
    },
    /// What was typed cannot be done.
    Error {
        /// Why.
        error: InBatch<'e>,
    },
    /// The lesson is over.
    End {
        /// How the exercises went.
        results: Tries,
        /// How many were skipped or not reached.
        left: usize,
        /// What can be done next.
        #[serde(skip)]
        next: Next,
    },
}

/// What can be done after a lesson.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// More exercises.
    Learn,
    /// More puzzles.
    Puzzle,
}
