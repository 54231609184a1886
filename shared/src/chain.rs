//! The hash chain of a log: each event is tied to all events before it.
//!
//! `link(n) = SHA-256(link(n-1) ‖ body(n))`, and `link(0)` is derived from the kind and the id of what the log is of, so that a log cannot be
//! passed off as another's. A flipped byte, a removed or a swapped event breaks the chain at its number; a cut tail
//! shows by the head that a finished match keeps beside its log.

use std::fmt::Display;

use sha2::{Digest, Sha256};

use crate::ids::{MatchId, PlayerId, PuzzleId, TournamentId};

/// A SHA-256.
pub type Hash = [u8; 32];

fn start(name: &impl Display) -> Hash {
    Sha256::new()
        .chain_update(b"grundy/log/1/")
        .chain_update(name.to_string())
        .finalize()
        .into()
}

/// The link before event 1 of a match.
#[must_use]
pub fn genesis(id: MatchId) -> Hash {
    start(&id)
}

/// The link before event 1 of a tournament. A match's id has no slash: no two logs begin alike.
#[must_use]
pub fn genesis_of_tournament(id: TournamentId) -> Hash {
    start(&format_args!("tournament/{id}"))
}

/// The link before event 1 of a player's account.
#[must_use]
pub fn genesis_of_account(id: PlayerId) -> Hash {
    start(&format_args!("account/{id}"))
}

/// The link before event 1 of a player's rating in a family.
#[must_use]
pub fn genesis_of_rating(player: PlayerId, family: &str) -> Hash {
    start(&format_args!("rating/{player}/{family}"))
}

/// The link before event 1 of the puzzles that a player has tried.
#[must_use]
pub fn genesis_of_solving(player: PlayerId) -> Hash {
    start(&format_args!("solving/{player}"))
}

/// The link before event 1 of a puzzle.
#[must_use]
pub fn genesis_of_puzzle(id: PuzzleId) -> Hash {
    start(&format_args!("puzzle/{id}"))
}

/// The link before event 1 of a room of a match.
#[must_use]
pub fn genesis_of_chat(id: MatchId, room: &str) -> Hash {
    start(&format_args!("chat/{id}/{room}"))
}

/// The link before event 1 of the audit log of a server.
#[must_use]
pub fn genesis_of_audit() -> Hash {
    start(&"audit/server")
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
