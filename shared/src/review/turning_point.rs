//! The moves that gave a win or a draw away.

use serde::{Deserialize, Serialize};

use crate::ids::{Ply, Seat};
use crate::json::wide_option;
use crate::solver::Reasons;

/// A win that was given away.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TurningPoint {
    /// The number of the move.
    pub ply: Ply,
    /// Who moved.
    pub seat: Seat,
    /// The move, canonical.
    #[serde(rename = "move")]
    pub mv: String,
    /// The first moves that would have kept the win, at most [`NAMED_MOVES`](super::NAMED_MOVES).
    pub winning_moves: Vec<String>,
    /// How many there were; `null` when unknown or above 2^53-1.
    pub winning_moves_total: Option<u64>,
    /// How many moves there were to choose from; `null` above 2^53-1.
    pub legal_moves: Option<u64>,
    /// Whether it was a draw that was given away, and not a win.
    pub drawn: bool,
    /// The Grundy value that the move left.
    #[serde(with = "wide_option")]
    pub left_value: Option<u64>,
    /// The opponent's next move, if it took the win.
    pub answer: Option<String>,
    /// The position before the move; `null` when its text is longer than 256 bytes.
    pub position: Option<String>,
    /// What the move left and which reply refutes it, and what the best move would have left, in the game's own terms;
    /// `null` before the last [`EXPLAINED`](super::EXPLAINED) turning points.
    pub why: Option<Reasons>,
}

impl TurningPoint {
    /// The move that would have kept the win or the draw, as [`Self::why`] has it.
    #[must_use]
    pub fn best(&self) -> Option<&str> {
        self.why.as_ref()?.best.as_deref()
    }
}
