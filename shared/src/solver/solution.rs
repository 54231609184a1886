//! The object that `solve` returns, as described in `docs/NOTATION.md`.

use serde::{Deserialize, Serialize};

use crate::ids::Seat;
use crate::json::{MAX_INTEGER, wide_option};

/// Who wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum OutcomeClass {
    /// The player to move.
    N,
    /// The player who has just moved.
    P,
    /// Left, no matter who is to move (partizan positions).
    L,
    /// Right, no matter who is to move (partizan positions).
    R,
    /// Neither: with best play the game never ends (loopy positions).
    D,
    /// The budget was used up before it was known.
    #[serde(rename = "unknown")]
    Unknown,
}

impl OutcomeClass {
    /// Who wins with best play when this player is to move; `None` if nobody does, or if that is unknown.
    #[must_use]
    pub fn winner(self, to_move: Seat) -> Option<Seat> {
        match self {
            Self::N => Some(to_move),
            Self::P => Some(to_move.other()),
            Self::L => Some(Seat::First),
            Self::R => Some(Seat::Second),
            Self::D | Self::Unknown => None,
        }
    }
}

/// A move that wins, and where it leads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WinningMove {
    /// The move, canonical.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after it, canonical.
    pub to: String,
}

/// What is known of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Solution {
    /// Always `grundy/solve/1`.
    pub schema: &'static str,
    /// The position, canonical.
    pub position: String,
    /// Who wins.
    pub outcome: OutcomeClass,
    /// The Grundy value in normal play, when it is known; `null` in misère play.
    #[serde(serialize_with = "wide_option::serialize")]
    pub nim_value: Option<u64>,
    /// The value of a partizan position that is a number, in lowest terms.
    pub value: Option<String>,
    /// How many moves there are; `null` above 2^53-1.
    pub legal_moves: Option<u64>,
    /// The first winning moves, in the order of the list of moves. If not all could be counted, those that a theorem shows to win.
    pub winning_moves: Vec<WinningMove>,
    /// How many winning moves there are; `null` above 2^53-1 or when unknown.
    pub winning_moves_total: Option<u64>,
    /// Plies to the end when the winner hurries and the loser delays.
    #[serde(serialize_with = "wide_option::serialize")]
    pub remoteness: Option<u64>,
    /// The method; with outcome `unknown`, the methods that were tried.
    pub method: String,
    /// Whether it is certain; `false` with outcome `unknown` only.
    pub exact: bool,
}

/// A count as JSON holds it: `None` above 2^53-1.
pub(crate) fn count(total: u128) -> Option<u64> {
    u64::try_from(total).ok().filter(|n| *n <= MAX_INTEGER)
}
