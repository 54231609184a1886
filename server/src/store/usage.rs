//! What addresses and players have used of their quotas, as far as a restart must not forget it.

use grundy_shared::ids::{Millis, PlayerId};

use super::address_digest::AddressDigest;

/// Whose use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UsageOf {
    /// Of all addresses with this digest.
    Address(AddressDigest),
    /// Of a player.
    Player(PlayerId),
}

/// What somebody has used. Each quota is refilled at a steady rate: kept is when it will be full again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Usage {
    /// Who.
    pub of: UsageOf,
    /// When the quota of stored bytes is full again.
    pub bytes: Millis,
    /// When the quota of matches is full again.
    pub matches: Millis,
    /// When the quota of new guests is full again.
    pub guests: Millis,
}

impl Usage {
    /// When nothing of it matters any more.
    #[must_use]
    pub fn until(&self) -> Millis {
        self.bytes.max(self.matches).max(self.guests)
    }
}
