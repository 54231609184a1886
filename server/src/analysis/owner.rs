//! For whom a job is done: its processor time counts against an address, and there against a player.

use grundy_shared::ids::PlayerId;

/// Where the client of a job is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// An address, as its digest: matches remember no more of the address that created them. See
    /// [`AddressKey::digest`](crate::addresses::AddressKey::digest).
    Address(u16),
    /// The address is not known: the player stands for it.
    Player(PlayerId),
    /// The server itself.
    Server,
}

/// For whom a job is done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Owner {
    /// Where the client is.
    pub place: Place,
    /// The player, if one has signed in.
    pub player: Option<PlayerId>,
}

impl Owner {
    /// The server itself.
    pub const SERVER: Self = Self {
        place: Place::Server,
        player: None,
    };

    /// A client at the address with this digest.
    #[must_use]
    pub fn at(address: u16, player: Option<PlayerId>) -> Self {
        Self {
            place: Place::Address(address),
            player,
        }
    }

    /// A player of whom only the digest of the address is known, or not even that.
    #[must_use]
    pub fn of_player(player: PlayerId, address: Option<u16>) -> Self {
        Self {
            place: address.map_or(Place::Player(player), Place::Address),
            player: Some(player),
        }
    }
}
