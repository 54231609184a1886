//! Ratings as the store keeps them beside their logs, so that leaderboards can be read.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::Millis;
use grundy_shared::rated::{Family, RatingState};

use super::cursor::Cursor;

/// A player's rating in one family. Derived from its log, and compared with it by `fsck`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RatingRow {
    /// What the log comes to.
    pub state: RatingState,
    /// Whether the player is a bot: it is then on the leaderboard of the bots.
    pub bot: bool,
}

/// Which leaderboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaderboard {
    /// Of which family.
    pub family: Family,
    /// That of the bots, or that of people.
    pub bots: bool,
    /// Those whose ratings are provisional, or those whose ratings are settled.
    pub provisional: bool,
    /// The moment for which that is asked.
    pub now: Millis,
}

/// A player on a leaderboard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranked {
    /// The place, to go on from.
    pub cursor: Cursor,
    /// Who, under the name of today.
    pub player: PlayerInfo,
    /// The rating.
    pub state: RatingState,
}
