//! What ties the games of an arena to its settings and to each other.

use grundy_shared::chain::{self, Hash};

/// The head of the hash chain of an arena: a hash of everything that was settled before the first game, and of all games counted
/// since, in the order of the plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head(Hash);

impl Head {
    /// Before the first game: the arena's commitment.
    pub(crate) fn new(commitment: Hash) -> Self {
        Self(commitment)
    }

    /// Adds the line of a game.
    pub(crate) fn add(&mut self, line: &str) {
        self.0 = chain::link(&self.0, line.as_bytes());
    }

    /// In hexadecimal digits.
    pub(crate) fn to_hex(self) -> String {
        hex(&self.0)
    }
}

/// A hash in hexadecimal digits.
pub(crate) fn hex(hash: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(hash)
}
