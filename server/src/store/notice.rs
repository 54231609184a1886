//! What servers that share a store hear of each other, and what one of them does for all.

use grundy_shared::ids::PlayerId;

/// Notices that one [`Store::notices`](super::Store::notices) returns.
pub const NOTICES_PAGE: usize = 256;

/// Something that another server may have stored, and that this one keeps in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// Each is higher than that before.
    pub number: u64,
    /// What it is.
    pub news: News,
}

/// What changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// The bans.
    Bans,
    /// The erasure of a player has begun, has forgotten the old names, or is finished.
    Erased {
        /// Who.
        player: PlayerId,
        /// The name that stands for the player.
        name: String,
    },
}

/// What one server at a time does for all that share the store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Duty {
    /// Removing what nobody needs.
    Sweep,
    /// Erasing a player.
    Erasure,
}

impl Duty {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Sweep => "sweep",
            Self::Erasure => "erasure",
        }
    }
}
