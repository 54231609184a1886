//! What is said about accounts: every change of what they hold, in one order.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{ChallengeId, MatchId, Millis, PlayerId};
use grundy_shared::protocol::account::{ChallengeEnd, ChallengeInfo, DeclineReason, OfferInfo};
use grundy_shared::protocol::{AccountEvent, ErrorBody};
use serde::{Deserialize, Serialize};

use crate::store::AddressDigest;

/// A change.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Said {
    /// Somebody follows the account on the server that says so. `stream` names the numbering of an account that is new.
    Come { player: PlayerInfo, stream: String },
    /// Nobody follows it there any more.
    Go { player: PlayerId },
    /// The player has a standing offer, on a connection that this server calls so.
    Offer { offer: OfferInfo, place: u64 },
    /// It ends.
    OfferEnds { player: PlayerId, place: u64 },
    /// A challenge.
    Challenge(Box<Challenge>),
    /// A challenge has ended.
    Ended {
        challenge: ChallengeId,
        end: ChallengeEnd,
        reason: Option<DeclineReason>,
        match_id: Option<MatchId>,
        at: Millis,
    },
    /// Something happened to a player.
    Tell {
        player: PlayerId,
        event: Box<AccountEvent>,
    },
    /// A player has another name.
    Renamed { player: PlayerId, name: String },
    /// A player was erased, and has this name from now on.
    Erased {
        player: PlayerId,
        name: String,
        at: Millis,
    },
}

/// A challenge, and for how long it stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Challenge {
    pub(super) info: ChallengeInfo,
    /// Where the challenger is.
    pub(super) address: AddressDigest,
    pub(super) at: Millis,
    pub(super) stands_for: Millis,
}

/// What came of a change.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It is made.
    Done,
    /// The challenged player has a standing offer by now.
    Offered,
    /// It is refused.
    Refused(ErrorBody),
}

/// What names the end of a challenge, which happens once.
pub(super) fn end_of(challenge: ChallengeId) -> String {
    format!("challenge {challenge}")
}

/// What names an event that several servers announce, each because it has the match or the tournament.
pub(super) fn announcement(player: PlayerId, event: &AccountEvent) -> Option<String> {
    match event {
        AccountEvent::MatchBegan { match_id, .. } => Some(format!("began {match_id} {player}")),
        AccountEvent::MatchEnded { match_id, .. } => Some(format!("ended {match_id} {player}")),
        AccountEvent::TournamentPaired {
            tournament, round, ..
        } => Some(format!("paired {tournament} {round} {player}")),
        AccountEvent::Challenged { .. } | AccountEvent::ChallengeEnded { .. } => None,
    }
}
