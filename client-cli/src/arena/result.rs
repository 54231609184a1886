//! One finished game: what the journal keeps, and what is told about it.

use grundy_shared::event::Outcome;
use grundy_shared::ids::Seat;
use grundy_shared::oracle::Deeds;
use serde::{Deserialize, Serialize};

use super::cause::Cause;

/// How long things took: it differs from run to run, and stands in the journal only.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Timing {
    /// The whole game, in milliseconds.
    pub(crate) ms: u64,
    /// Each move, in microseconds.
    pub(crate) moves_us: Vec<u32>,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct GameResult {
    /// Its number, from 1.
    pub(crate) game: u64,
    /// The number of its pair, from 1.
    pub(crate) pair: u64,
    pub(crate) round: u32,
    pub(crate) start: String,
    /// The names of the players.
    pub(crate) first: String,
    pub(crate) second: String,
    pub(crate) outcome: Outcome,
    pub(crate) cause: Cause,
    /// More about the cause; empty where there is nothing to add.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) detail: String,
    /// The moves, separated by spaces.
    pub(crate) moves: String,
    /// Who wins the start by theory; absent if it is a draw or unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) favoured: Option<Seat>,
    /// What the first and the second player did.
    pub(crate) deeds: [Deeds; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) timing: Option<Timing>,
}

impl GameResult {
    /// Whether the player in this seat is at fault.
    pub(crate) fn is_fault_of(&self, seat: Seat) -> bool {
        self.cause.is_fault() && self.outcome.winner() == Some(seat.other())
    }

    /// What it holds in memory, about.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.moves.len() + self.start.len() + self.detail.len()
    }
}
