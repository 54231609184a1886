//! The times and bounds by which matches are run.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::Millis;

use crate::config::Config;
use crate::store::{AddressDigest, FairShare, Guard};

/// The times and bounds by which matches are run; shared by all of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// How long a join code is valid: a match that nobody has joined by then ends.
    pub join_code_ms: Millis,
    /// An invitation that does not last ends if its creator has not followed the match for so long.
    pub invitation_away_ms: Millis,
    /// How long a player must be gone before the log says so, and an offer of a rematch ends.
    pub away_ms: Millis,
    /// How long players whom the log calls present have to come after a start of the server.
    pub roll_call_ms: Millis,
    /// A match without clocks that both players have left for so long ends.
    pub abandoned_ms: Millis,
    /// How long the clocks of a rematch wait for both players.
    pub rematch_start_ms: Millis,
    /// Whether several servers share the store, so that another one may store events of a match.
    pub shared: bool,
    /// How many moves the watchers of a rated match are behind its players.
    pub rated_delay_moves: u32,
    /// Open matches that one player may have.
    pub matches_per_player: u32,
    /// Open matches that one bot may have.
    pub matches_per_bot: u32,
    /// Open matches that may be created at one address.
    pub matches_per_address: u32,
    /// Open matches that the server takes.
    pub live_matches: u32,
    /// The part of the free places for matches that an address may have.
    pub address_share: u32,
}

impl Policy {
    /// How long the clocks of a rematch wait for both players, in milliseconds.
    pub const REMATCH_START_MS: Millis = Millis(10_000);

    /// After a start, or a stop of the server that a player was connected to, the player's clock is held for so long, in milliseconds, unless the player is back
    /// before: the longest delay that a server asks for, and five seconds to connect.
    pub const FIND_BACK_MS: Millis = Millis(8_000);

    /// As configured; `shared` says whether other servers use the same store.
    #[must_use]
    pub fn of(config: &Config, shared: bool) -> Self {
        let (limits, times) = (&config.limits, &config.times);
        Self {
            join_code_ms: times.join_code_ms,
            invitation_away_ms: times.invitation_away_ms,
            away_ms: times.away_ms,
            roll_call_ms: times.dead_after_ms,
            abandoned_ms: times.abandoned_ms,
            rematch_start_ms: Self::REMATCH_START_MS,
            shared,
            rated_delay_moves: limits.rated_delay_moves,
            matches_per_player: limits.matches_per_player,
            matches_per_bot: limits.bot_matches_per_player,
            matches_per_address: limits.matches_per_address,
            live_matches: limits.live_matches,
            address_share: limits.address_share,
        }
    }

    /// A player has no more open matches than allowed.
    pub(in crate::matches) fn room_of(&self, player: &PlayerInfo) -> Guard {
        Guard::OpenMatches {
            of: Some(player.id),
            at_most: match player.bot {
                true => self.matches_per_bot,
                false => self.matches_per_player,
            },
        }
    }

    /// No more open matches than allowed were created there.
    pub(in crate::matches) fn room_from(&self, address: AddressDigest) -> Guard {
        Guard::OpenMatchesFrom {
            address,
            at_most: self.matches_per_address,
        }
    }

    /// The places of the server are shared fairly.
    pub(in crate::matches) fn share_of(&self, address: AddressDigest) -> Guard {
        Guard::Share {
            address,
            rule: FairShare {
                places: self.live_matches,
                parts: self.address_share,
            },
        }
    }

    /// The server has no more open matches than it takes.
    pub(in crate::matches) fn room_on_server(&self) -> Guard {
        Guard::OpenMatches {
            of: None,
            at_most: self.live_matches,
        }
    }
}
