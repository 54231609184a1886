//! The log of a rating: one for each player and family. Each pair is one event in the logs of both players, stored together with the end of
//! the match, and each event says enough to compute it again.

use serde::{Deserialize, Serialize};

use super::strength::Strength;
use crate::event::{PairScore, PlayerInfo};
use crate::ids::{MatchId, Millis, Seq};

/// One entry of the log of a rating.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RatingEvent {
    /// A pair was rated.
    Rated(Rated),
}

/// A pair was rated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rated {
    /// When the pair was over.
    pub at_ms: Millis,
    /// The pair: the id of its first game.
    pub pair: MatchId,
    /// The game with whose end it was over.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// The opponent.
    pub opponent: PlayerInfo,
    /// The number of the same pair in the log of the opponent.
    pub opponent_seq: Seq,
    /// What became of it.
    pub score: PairScore,
    /// The player's strength before it.
    pub before: Strength,
    /// The opponent's strength before it.
    pub against: Strength,
    /// The player's strength after it.
    pub after: Strength,
}

impl RatingEvent {
    /// The one form in which it is stored and hashed: compact JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an event has only string keys and plain values")
    }
}
