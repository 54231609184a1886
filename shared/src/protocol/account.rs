//! What concerns a player outside a match: the numbered events of an account, challenges, and standing offers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::games::{is_one, one};
use super::side::Side;
use crate::event::{EndReason, Outcome, PlayerInfo, Series, TimeControl};
use crate::ids::{ChallengeId, MatchId, Millis, Seat, TournamentId};

/// An open challenge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChallengeInfo {
    /// The challenge.
    pub challenge: ChallengeId,
    /// The player who challenges.
    pub from: PlayerInfo,
    /// The player who is challenged.
    pub to: PlayerInfo,
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
    /// The side that the challenger asks for.
    pub side: Side,
    /// When the challenge expires.
    pub expires_at_ms: Millis,
}

/// Why a challenge is declined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeclineReason {
    /// No reason is given.
    #[default]
    Other,
    /// Not now.
    Later,
    /// Not this game.
    Game,
    /// Not this start position.
    Position,
    /// The clocks are too fast.
    TooFast,
    /// The clocks are too slow.
    TooSlow,
    /// Only with clocks.
    Untimed,
    /// Only without clocks.
    Timed,
    /// Not against bots.
    NoBots,
    /// Only against bots.
    OnlyBots,
    /// The player has as many unfinished matches as it takes.
    TooManyMatches,
}

impl DeclineReason {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Other => "other",
            Self::Later => "later",
            Self::Game => "game",
            Self::Position => "position",
            Self::TooFast => "too_fast",
            Self::TooSlow => "too_slow",
            Self::Untimed => "untimed",
            Self::Timed => "timed",
            Self::NoBots => "no_bots",
            Self::OnlyBots => "only_bots",
            Self::TooManyMatches => "too_many_matches",
        }
    }

    /// The reason as part of a sentence for people.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Other => "no reason was given",
            Self::Later => "not now",
            Self::Game => "not this game",
            Self::Position => "not this start position",
            Self::TooFast => "the clock is too fast",
            Self::TooSlow => "the clock is too slow",
            Self::Untimed => "the player plays only with a clock",
            Self::Timed => "the player plays only without a clock",
            Self::NoBots => "the player does not play bots",
            Self::OnlyBots => "the player plays only bots",
            Self::TooManyMatches => "the player has too many unfinished matches",
        }
    }
}

/// How a challenge ended. Every challenge ends exactly once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChallengeEnd {
    /// It was accepted: the match is made.
    Accepted,
    /// The challenged player declined it.
    Declined,
    /// The challenger withdrew it.
    Withdrawn,
    /// Nobody answered in time.
    Expired,
    /// The server stopped.
    ServerStopped,
}

/// A standing offer: the server accepts every challenge that fits it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OfferInfo {
    /// The player who offers to play.
    pub player: PlayerInfo,
    /// The games; all if empty. A sum needs each of its games.
    pub games: Vec<String>,
    /// Unfinished matches that the player takes at once.
    pub at_once: u32,
    /// The least time that a clock gives for the first move.
    pub min_base_ms: Millis,
    /// Whether matches without clocks are offered, too.
    pub untimed: bool,
}

/// What happened to a player outside a match, or that a match of the player began or ended. Everything that it says is stored already.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AccountEvent {
    /// A match of yours began. `resume` it, unless this connection follows it already.
    MatchBegan {
        /// When the server announced it.
        at_ms: Millis,
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// Your seat.
        seat: Seat,
        /// The other player.
        opponent: PlayerInfo,
        /// The start position.
        position: String,
        /// The clocks.
        clock: TimeControl,
        /// The place of the match in a series. Absent if it is a single game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        series: Option<Series>,
    },
    /// A match of yours ended.
    MatchEnded {
        /// When the server announced it.
        at_ms: Millis,
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The outcome.
        outcome: Outcome,
        /// How it ended.
        reason: EndReason,
    },
    /// A round of a tournament is paired in which you play, or have a bye. Each of its games follows as `match_began`.
    TournamentPaired {
        /// When the round was paired.
        at_ms: Millis,
        /// The tournament.
        tournament: TournamentId,
        /// The round, from 1.
        round: u32,
        /// Your board, from 1. Absent with a bye.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        board: Option<u32>,
        /// Your opponent. Absent with a bye.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opponent: Option<PlayerInfo>,
    },
    /// You challenge a player, or a player challenges you.
    Challenged {
        /// When the server announced it.
        at_ms: Millis,
        /// The challenge.
        challenge: ChallengeInfo,
    },
    /// A challenge from you or to you ended.
    ChallengeEnded {
        /// When the server announced it.
        at_ms: Millis,
        /// The challenge.
        challenge: ChallengeId,
        /// How.
        end: ChallengeEnd,
        /// With `declined`: why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<DeclineReason>,
        /// With `accepted`: the match.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        match_id: Option<MatchId>,
    },
}
