//! Ratings: of a player, their history, and leaderboards.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PAGE_MAX;
use crate::event::{PairScore, PlayerInfo};
use crate::ids::{MatchId, Millis, Seq};

/// A player's rating in one game family.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RatingInfo {
    /// The family: the name of a game, or `sum` for positions of several games.
    pub family: String,
    /// The rating. A newcomer has 1500.
    pub rating: i64,
    /// The rating deviation: with a chance of 95 % the strength is within two of it. A newcomer has 350.
    pub deviation: i64,
    /// `true` while the deviation is above 110. `false` if absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
    /// How many pairs were rated.
    pub pairs: u64,
    /// When the last one was over.
    pub last_at_ms: Millis,
}

/// What a rated pair has made of a player's rating.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RatedChange {
    /// The player.
    pub player: PlayerInfo,
    /// What became of the pair for the player.
    pub score: PairScore,
    /// The rating after the pair.
    pub rating: i64,
    /// By how much it has changed.
    pub change: i64,
    /// The deviation after the pair.
    pub deviation: i64,
    /// `true` while the deviation is above 110. `false` if absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
}

/// A pair in the history of a rating.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RatedEntry {
    /// The number of the pair in this history, from 1.
    pub seq: Seq,
    /// When it was over.
    pub at_ms: Millis,
    /// The pair: the id of its first match.
    pub pair: MatchId,
    /// The match with whose end it was over.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// The opponent.
    pub opponent: PlayerInfo,
    /// The opponent's rating before the pair.
    pub opponent_rating: i64,
    /// What became of the pair.
    pub score: PairScore,
    /// The rating after the pair.
    pub rating: i64,
    /// By how much it has changed.
    pub change: i64,
    /// The deviation after the pair.
    pub deviation: i64,
}

/// A player on a leaderboard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LeaderboardEntry {
    /// The player.
    pub player: PlayerInfo,
    /// The rating.
    pub rating: i64,
    /// The deviation.
    pub deviation: i64,
    /// How many pairs were rated.
    pub pairs: u64,
    /// When the last one was over.
    pub last_at_ms: Millis,
}

/// See [`ClientMessage::Ratings`](super::ClientMessage::Ratings).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ratings {
    /// The player, by id or name. You if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
}

/// See [`ClientMessage::RatingHistory`](super::ClientMessage::RatingHistory).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RatingHistory {
    /// The player, by id or name. You if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// The family: the name of a game, or `sum`.
    pub family: String,
    /// The `next` of the previous page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Seq>,
    /// Most pairs on the page: 1 to 200. 50 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = PAGE_MAX))]
    pub limit: Option<u32>,
}

/// See [`ClientMessage::Leaderboard`](super::ClientMessage::Leaderboard).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Leaderboard {
    /// The family: the name of a game, or `sum`.
    pub family: String,
    /// `true` for the bots, `false` for people. `false` if absent.
    #[serde(default)]
    pub bots: bool,
    /// `true` for the players whose ratings are provisional, `false` for the others. `false` if absent.
    #[serde(default)]
    pub provisional: bool,
    /// The `next` of the previous page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Most players on the page: 1 to 200. 50 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = PAGE_MAX))]
    pub limit: Option<u32>,
}
