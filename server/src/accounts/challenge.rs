//! A challenge: what is asked for, and what became of it.

use grundy_shared::event::{PlayerInfo, TimeControl};
use grundy_shared::ids::{ChallengeId, Millis};
use grundy_shared::protocol::account::ChallengeInfo;
use grundy_shared::protocol::client::Side;
use grundy_shared::rated::Family;
use tokio::time::Instant;

use crate::store::AddressDigest;

/// The terms of a match, checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The start position, canonical.
    pub position: String,
    /// The names of its games.
    pub games: Vec<&'static str>,
    /// The clocks.
    pub clock: TimeControl,
    /// The family in which they would be rated.
    pub family: Family,
    /// How many games are played.
    pub count: u32,
    /// Whether they are a rated pair.
    pub rated: bool,
    /// The challenger's side.
    pub side: Side,
}

/// What a challenger asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// The player, by id or name.
    pub player: String,
    /// The terms.
    pub terms: Terms,
    /// How long the challenge stands.
    pub stands_for: Millis,
    /// Where the challenger is.
    pub address: AddressDigest,
}

impl Asked {
    /// The challenge to this player at this moment.
    pub(super) fn info(
        &self,
        challenge: ChallengeId,
        from: &PlayerInfo,
        to: PlayerInfo,
        at: Millis,
    ) -> ChallengeInfo {
        let terms = &self.terms;
        ChallengeInfo {
            challenge,
            from: from.clone(),
            to,
            position: terms.position.clone(),
            clock: terms.clock,
            games: terms.count,
            rated: terms.rated,
            side: terms.side,
            expires_at_ms: at.plus(self.stands_for),
        }
    }
}

/// An open challenge.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) info: ChallengeInfo,
    pub(super) address: AddressDigest,
    pub(super) until: Instant,
    /// This server is making its match.
    pub(super) accepting: bool,
}

/// What a challenge came to at once.
#[derive(Debug)]
pub enum Challenged {
    /// The other player has been told.
    Waits(ChallengeInfo),
    /// The other player has a standing offer that fits: the match is to be made, if the player has fewer unfinished matches than this.
    Fits {
        /// The other player.
        opponent: PlayerInfo,
        /// Unfinished matches that the player takes, the new one included.
        at_once: u32,
    },
}
