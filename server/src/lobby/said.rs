//! What is said about seeks: every change of the lobby, in one order.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, PlayerId, Seat, SeekId};
use grundy_shared::protocol::lobby::SeekInfo;
use serde::{Deserialize, Serialize};

use super::state::{Bounds, Deserted};
use crate::hall::Life;
use crate::matches::Outbox;
use crate::store::AddressDigest;

/// A change.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Said {
    /// A player on the server that says so looks for an opponent.
    Seek(Box<Sought>),
    /// A seek has ended.
    Over {
        seek: SeekId,
        how: Over,
        made: Option<Made>,
    },
    /// A player has another name.
    Renamed { player: PlayerId, name: String },
}

/// A seek.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Sought {
    pub(super) info: SeekInfo,
    pub(super) games: Vec<String>,
    /// Where the seeker is.
    pub(super) address: AddressDigest,
    /// How many there may be, as the server that says it is set up.
    pub(super) bounds: Bounds,
}

/// How a seek ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Over {
    /// This player has taken it, with this seat.
    Taken(PlayerId, Seat),
    /// A wave has paired it.
    Matched,
    /// The seeker has no room for another match.
    Full,
    /// The server has looked for long enough.
    GaveUp,
    /// The seeker has withdrawn it, or has left.
    Withdrawn,
}

/// The match of a seek, with the seeker's seat and opponent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Made {
    pub(super) id: MatchId,
    pub(super) seat: Seat,
    pub(super) opponent: PlayerInfo,
}

/// What names the end of a seek, which happens once.
pub(super) fn end_of(seek: SeekId) -> String {
    format!("seek {seek}")
}

/// Where a seeker is: on which server, by which connection if it is this one, and at which address.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) life: Life,
    pub(super) connection: Option<Outbox>,
    pub(super) address: AddressDigest,
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        (self.life, &self.connection) == (other.life, &other.connection)
    }
}

impl Place {
    /// When the server with this life says that the seek is deserted.
    pub(super) fn deserted_on(&self, life: Life) -> Deserted {
        match &self.connection {
            _ if self.life != life => Deserted::Never,
            None => Deserted::Always,
            Some(_) => Deserted::IfSaid,
        }
    }
}
