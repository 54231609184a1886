//! Players who look for an opponent: open seats, and automatic matching.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PAGE_MAX;
use super::asked_clock::{AskedClock, untimed};
use super::games::{is_one, one};
use super::rating::RatingInfo;
use super::side::Side;
use crate::bounds::{SEEK_START_BYTES_MAX, SERIES_MAX};
use crate::event::{PlayerInfo, TimeControl};
use crate::ids::{Millis, SeekId};

/// Whether a seeker plays against bots.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BotFilter {
    /// Against people and bots.
    #[default]
    Yes,
    /// Against people only.
    No,
    /// Against bots only.
    Only,
}

impl BotFilter {
    /// Whether it admits an opponent that is a bot, or is not.
    #[must_use]
    pub fn admits(self, bot: bool) -> bool {
        match self {
            Self::Yes => true,
            Self::No => !bot,
            Self::Only => bot,
        }
    }
}

/// How far from the terms of a seek an opponent's may be. Each step includes the ones before it.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// The same start position and clock.
    Exact,
    /// The same game, and a clock of the same speed.
    #[default]
    Near,
    /// Any game and any clock.
    Any,
}

/// When a seek with automatic matching accepts more, and when the server gives up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Automatic {
    /// The widest window that the seeker accepts.
    pub widest: Window,
    /// When the window becomes `near`, if the seeker accepts that.
    pub near_at_ms: Millis,
    /// When the window becomes `any`, if the seeker accepts that.
    pub any_at_ms: Millis,
    /// When the server gives up.
    pub gives_up_at_ms: Millis,
}

/// A player who looks for an opponent. It ends with the connection that asked for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SeekInfo {
    /// The seek.
    pub seek: SeekId,
    /// The player who seeks.
    pub player: PlayerInfo,
    /// The start position, in canonical notation.
    pub position: String,
    /// The clocks.
    pub clock: TimeControl,
    /// How many games are played, one after another with sides swapped. 1 if absent.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub games: u32,
    /// `true` if the two games are a rated pair. `false` if absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// The seeker's rating in the family of the start position, if the player has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<RatingInfo>,
    /// The side that the seeker asks for.
    pub side: Side,
    /// Whether the seeker plays against bots.
    #[serde(default)]
    pub bots: BotFilter,
    /// Since when.
    pub opened_at_ms: Millis,
    /// Automatic matching. Absent if the seek is an open seat, which only waits to be taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub automatic: Option<Automatic>,
}

/// How a seek ended, if it was not withdrawn and its connection is still there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeekEnd {
    /// A player took the other seat.
    Taken,
    /// The server found an opponent.
    Matched,
    /// The server found nobody in time.
    GaveUp,
    /// An opponent was there, and you have as many unfinished matches as you may have.
    TooManyMatches,
}

/// See [`ClientMessage::Seek`](super::ClientMessage::Seek).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Seek {
    /// The start position, at most 1024 bytes; it must have a legal move.
    #[schemars(length(min = 1, max = SEEK_START_BYTES_MAX))]
    pub position: String,
    /// The clocks. Untimed if absent.
    #[serde(default = "untimed", with = "AskedClock")]
    #[schemars(with = "AskedClock")]
    pub clock: TimeControl,
    /// How many games to play, one after another with sides swapped: 1, or an even number from 2 to 1000. 1 if absent.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    #[schemars(range(min = 1, max = SERIES_MAX))]
    pub games: u32,
    /// `true` for a rated pair: `games` is 2, and there is a clock. You are matched with players who ask for one, too. `false` if absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// Your side, in a series that of the first game. `random` if absent.
    #[serde(default)]
    pub side: Side,
    /// Whether you play against bots. `yes` if absent.
    #[serde(default)]
    pub bots: BotFilter,
    /// Asks the server to find an opponent, whose terms may be as far from yours as this. If absent, you wait until somebody takes the seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub automatic: Option<Window>,
}

/// See [`ClientMessage::Seeks`](super::ClientMessage::Seeks).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Seeks {
    /// Only those of this game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The `next` of the previous page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<SeekId>,
    /// Most seeks on the page: 1 to 200. 50 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = PAGE_MAX))]
    pub limit: Option<u32>,
}

/// See [`ClientMessage::Take`](super::ClientMessage::Take).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Take {
    /// The seek.
    pub seek: String,
}

/// See [`ClientMessage::WithdrawSeek`](super::ClientMessage::WithdrawSeek).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WithdrawSeek {
    /// The seek.
    pub seek: String,
}
