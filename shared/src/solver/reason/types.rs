//! What the reasons for moves consist of.

use serde::{Deserialize, Serialize};

use crate::fact::Fact;
use crate::ids::Seat;
use crate::json::wide_option;
use crate::solver::OutcomeClass;

/// Why moves of a position win, draw or lose.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reasons {
    /// Always `grundy/reasons/1`.
    pub schema: String,
    /// The position.
    pub position: Assessment,
    /// The best move: one that wins, the quickest if play can cycle; in a draw one that keeps it. Absent in a lost position,
    /// and if none was found within the budget.
    pub best: Option<String>,
    /// The moves that were asked for, then the best one if it is not among them.
    pub moves: Vec<MoveReason>,
    /// The same in English, line by line, in plain ASCII.
    pub lines: Vec<String>,
}

/// What a move does for the player who makes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveResult {
    /// It wins.
    Wins,
    /// Neither player can then force a win.
    Draws,
    /// It loses.
    Loses,
    /// The budget was used up before it was known.
    Unknown,
}

impl MoveResult {
    /// Of a move after which the other player is to move with this outcome.
    pub(super) fn of(outcome: OutcomeClass, mover: Seat) -> Self {
        match outcome.winner(mover.other()) {
            _ if outcome == OutcomeClass::Unknown => Self::Unknown,
            None => Self::Draws,
            Some(winner) if winner == mover => Self::Wins,
            Some(_) => Self::Loses,
        }
    }
}

/// The reason for one move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveReason {
    /// The move, canonical.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it does for the player who makes it.
    pub result: MoveResult,
    /// What it changes.
    pub changes: Vec<Fact>,
    /// What it leaves, with the opponent to move.
    pub leaves: Assessment,
    /// The best reply, if the move does not win and one was found within the budget.
    pub reply: Option<Reply>,
}

/// The best reply to a move that does not win: it refutes a losing move, and keeps a draw.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reply {
    /// The reply, canonical.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it changes.
    pub changes: Vec<Fact>,
    /// What it leaves, with the first player to move again.
    pub leaves: Assessment,
}

/// What is known of a position, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Assessment {
    /// The position, canonical.
    pub position: String,
    /// The player to move.
    pub to_move: Seat,
    /// Who wins.
    pub outcome: OutcomeClass,
    /// The Grundy value in normal play, if the method gives it.
    #[serde(with = "wide_option")]
    pub nim_value: Option<u64>,
    /// The value of a partizan position that is a number, in lowest terms.
    pub value: Option<String>,
    /// The method; with outcome `unknown`, the methods that were tried.
    pub method: String,
    /// Why: empty if it was not found within the budget.
    pub facts: Vec<Fact>,
}
