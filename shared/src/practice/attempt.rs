//! One attempt at an exercise, as a state machine.
//!
//! ```text
//! finding --right move--> over        finding --wrong move--> finding (the refutation is returned)
//! finding --hint-------> finding      finding --solution, skip--> over
//! ```

use serde::{Deserialize, Serialize};

use super::exercise::Exercise;
use super::hint::{Hint, RUNGS};
use super::refutation::Refutation;
use super::theme::Theme;
use crate::ids::Seat;
use crate::notation::MoveError;
use crate::position::Position;
use crate::solver::{Budget, MoveReason, MoveResult, Reasons, reasons, solve};

/// Winning moves that are named after an answer.
const NAMED: usize = 8;

/// How an exercise went.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Performance {
    /// The solution was shown, by `solution` or by the last hint.
    Shown,
    /// A winning move was found after a wrong one.
    AfterWrong,
    /// A winning move was found after hints.
    AfterHints,
    /// A winning move was found at once.
    AtOnce,
}

/// The winning moves of an exercise that is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Shown {
    /// A winning move, with its reason: the one that was found, or the best one. `None` if none was found within the budget.
    pub best: Option<MoveReason>,
    /// The first other winning moves.
    pub others: Vec<String>,
    /// How many winning moves there are; `None` if that is unknown.
    pub winning_moves_total: Option<u64>,
}

/// What a move was.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// It wins.
    Right(Shown),
    /// It does not win.
    Wrong(Refutation),
    /// The budget did not suffice to judge it. It does not count.
    Undecided {
        /// The move, canonical.
        #[serde(rename = "move")]
        mv: String,
    },
}

/// An attempt at one exercise.
#[derive(Clone, Debug)]
pub struct Attempt {
    position: Position,
    to_move: Seat,
    theme: Theme,
    hints: u8,
    wrong: u32,
    performance: Option<Performance>,
}

impl Attempt {
    /// A new attempt.
    #[must_use]
    pub fn new(exercise: &Exercise) -> Self {
        Self::at(exercise.position.clone(), exercise.to_move, exercise.theme)
    }

    /// A new attempt at a position that is won for the player to move.
    #[must_use]
    pub fn at(position: Position, to_move: Seat, theme: Theme) -> Self {
        Self {
            position,
            to_move,
            theme,
            hints: 0,
            wrong: 0,
            performance: None,
        }
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Who is to move.
    #[must_use]
    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    /// How many different hints were given: 0 to [`RUNGS`].
    #[must_use]
    pub fn hints(&self) -> u8 {
        self.hints
    }

    /// How many moves were wrong.
    #[must_use]
    pub fn wrong(&self) -> u32 {
        self.wrong
    }

    /// How it went; `None` while no winning move was found or shown.
    #[must_use]
    pub fn performance(&self) -> Option<Performance> {
        self.performance
    }

    /// Judges a move. Any winning move is right. After the end nothing is counted any more.
    ///
    /// # Errors
    /// It is not a legal move, which does not count.
    pub fn try_move(&mut self, text: &str, budget: &Budget<'_>) -> Result<Answer, MoveError> {
        let mv = self.position.parse_move(self.to_move, text)?;
        let name = mv.to_string();
        let mut why = reasons(&self.position, self.to_move, &[mv], budget);
        let reason = why.moves.swap_remove(0);
        Ok(match reason.result {
            MoveResult::Unknown => Answer::Undecided { mv: name },
            MoveResult::Wins => {
                let performance = match (self.wrong, self.hints) {
                    (_, RUNGS..) => Performance::Shown,
                    (1.., _) => Performance::AfterWrong,
                    (0, 1..) => Performance::AfterHints,
                    (0, 0) => Performance::AtOnce,
                };
                self.performance.get_or_insert(performance);
                Answer::Right(self.shown(Some(reason), budget))
            }
            MoveResult::Draws | MoveResult::Loses => {
                if self.performance.is_none() {
                    self.wrong = self.wrong.saturating_add(1);
                }
                Answer::Wrong(Refutation::of(&self.position, self.to_move, reason, budget))
            }
        })
    }

    /// The next hint, each more than the last; after the last one that again. `None` if the budget did not suffice for it: then it is
    /// not counted.
    pub fn hint(&mut self, budget: &Budget<'_>) -> Option<Hint> {
        let rung = self.hints.saturating_add(1).min(RUNGS);
        let hint = match rung {
            1 => Hint::Idea { theme: self.theme },
            2 => Hint::place_of(&self.position, self.to_move, &self.best(budget), budget)?,
            _ => Hint::Move {
                mv: self.best(budget).best?,
            },
        };
        if self.performance.is_none() {
            self.hints = rung;
        }
        Some(hint)
    }

    /// Shows the solution, which ends the attempt.
    pub fn solution(&mut self, budget: &Budget<'_>) -> Shown {
        self.performance.get_or_insert(Performance::Shown);
        let mut why = self.best(budget);
        let best = why.moves.pop();
        self.shown(best, budget)
    }

    /// The reasons of the position and of its best move.
    fn best(&self, budget: &Budget<'_>) -> Reasons {
        reasons(&self.position, self.to_move, &[], budget)
    }

    /// This winning move and the others.
    fn shown(&self, best: Option<MoveReason>, budget: &Budget<'_>) -> Shown {
        let solution = solve(&self.position, self.to_move, budget, NAMED + 1);
        let is_other = |mv: &String| best.as_ref().is_none_or(|best| best.mv != *mv);
        let winning = solution.winning_moves.into_iter().map(|winning| winning.mv);
        Shown {
            others: winning.filter(is_other).take(NAMED).collect(),
            winning_moves_total: solution.winning_moves_total,
            best,
        }
    }
}
