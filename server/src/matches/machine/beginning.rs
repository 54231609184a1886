//! What a match begins with.

use grundy_shared::ids::{JoinCode, Millis};
use grundy_shared::referee::Referee;

use crate::matches::frame::Frame;
use crate::store::AddressDigest;

/// What a match begins with.
#[derive(Debug)]
pub struct Beginning {
    /// Its state.
    pub referee: Referee,
    /// The last events, which those who come are sent without asking the store; may be empty.
    pub recent: Vec<Frame>,
    /// The join code and when it expires, if the match waits for the other player.
    pub invitation: Option<(JoinCode, Millis)>,
    /// The invitation does not end while its creator is away: the creator is known by a password.
    pub lasts: bool,
    /// The place for which the match counts, if that is known.
    pub address: Option<AddressDigest>,
    /// Where the match comes from.
    pub origin: Origin,
}

/// Where a match comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It was made just now. Its players learn of it only now: what has passed since its last event is given back.
    Made,
    /// It is a rematch that was made just now: its clocks start when both players are here.
    Rematch,
    /// It is a game of a tournament that was made just now: its clocks start when both players are here, who lose if they do not
    /// come in time.
    Tournament,
    /// It is taken up after the server was away. A held clock starts when its player is back, at the latest at `clocks_at`.
    Recovered {
        /// The end of the time that the players have to find back.
        clocks_at: Millis,
    },
    /// It is read from its log because somebody asks for it, or after a panic.
    Asked,
}
