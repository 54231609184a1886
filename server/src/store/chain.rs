//! The hash chain of a match: each event is tied to all events before it.
//!
//! `link(n) = SHA-256(link(n-1) ‖ body(n))`, and `link(0)` is derived from the id of the match, so that a log cannot be
//! passed off as another's. A flipped byte, a removed or a swapped event breaks the chain at its number; a cut tail
//! shows by the head that a finished match keeps beside its log.

use grundy_shared::ids::MatchId;
use sha2::{Digest, Sha256};

/// A SHA-256.
pub type Hash = [u8; 32];

/// The link before event 1.
#[must_use]
pub fn genesis(id: MatchId) -> Hash {
    Sha256::new()
        .chain_update(b"grundy/log/1/")
        .chain_update(id.to_string())
        .finalize()
        .into()
}

/// The link of an event, from that of the event before it and its stored bytes.
#[must_use]
pub fn link(previous: &Hash, body: &[u8]) -> Hash {
    Sha256::new()
        .chain_update(previous)
        .chain_update(body)
        .finalize()
        .into()
}
