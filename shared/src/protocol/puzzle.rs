//! Puzzles of a server: asking for one, and answering it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// See [`ClientMessage::Puzzle`](super::ClientMessage::Puzzle).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// Only puzzles of this family: the name of a game, or `sum`. Of any if absent. Ignored with `puzzle`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// This puzzle. One that you have not tried, rated like you, if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub puzzle: Option<String>,
}

/// See [`ClientMessage::SolvePuzzle`](super::ClientMessage::SolvePuzzle).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SolvePuzzle {
    /// The puzzle.
    pub puzzle: String,
    /// The move. You give up if it is `null` or absent.
    #[serde(rename = "move", default)]
    pub move_text: Option<String>,
}

/// A player's rating in puzzles.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SolverRating {
    /// The rating. A newcomer has 1500.
    pub rating: i64,
    /// The rating deviation: with a chance of 95 % the strength is within two of it. A newcomer has 350.
    pub deviation: i64,
    /// `true` while the deviation is above 110. `false` if absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
    /// How many puzzles the player has answered.
    pub attempts: u64,
}

/// What an answer has made of a rating.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SolvingChange {
    /// The rating after the answer.
    pub rating: i64,
    /// By how much the answer has changed it.
    pub change: i64,
    /// The deviation after the answer.
    pub deviation: i64,
    /// `true` while the deviation is above 110. `false` if absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
    /// How many first answers it rests on.
    pub attempts: u64,
}
