//! What nobody needs any more, and what was removed of it.

use grundy_shared::ids::{MatchId, Millis, PlayerId};

/// The most matches, and the most guests, that are removed in one transaction.
pub const REMOVED_AT_ONCE: usize = 100;

/// Before which moments nobody needs what came to nothing; 0: everything is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unneeded {
    /// Matches that ended before this without a move, and count for nothing.
    pub matches_before: Millis,
    /// Guests who came before this, have no password, and sit in no match.
    pub guests_before: Millis,
}

/// Matches and guests: those that may be removed, or those that were.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Removal {
    /// The matches.
    pub matches: Vec<MatchId>,
    /// The guests.
    pub guests: Vec<PlayerId>,
}

impl Removal {
    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.matches.is_empty() && self.guests.is_empty()
    }
}
