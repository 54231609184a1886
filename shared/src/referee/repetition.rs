//! When endless play is a draw: at the third coming of a position with the same player to move.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::game::Kind;
use crate::ids::Seat;
use crate::position::Position;

/// How often a position has to come for a draw.
const TIMES: u8 = 3;

/// How often each position came from which play may be endless. A few dozen bytes a position, whatever its length:
/// it is known by the SHA-256 of its text and of who is to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Repetitions {
    came: BTreeMap<[u8; 32], u8>,
}

impl Repetitions {
    /// Whether the match is drawn when this position comes once more. O(length) where play may be endless, else O(components).
    pub(super) fn draws(&self, position: &Position, to_move: Seat) -> bool {
        let came = |key| self.came.get(&key).copied().unwrap_or(0);
        key(position, to_move).is_some_and(|key| came(key) + 1 >= TIMES)
    }

    /// The position came.
    pub(super) fn note(&mut self, position: &Position, to_move: Seat) {
        if let Some(key) = key(position, to_move) {
            let came = self.came.entry(key).or_insert(0);
            *came = came.saturating_add(1);
        }
    }
}

/// What a position is known by; `None` where it cannot come again.
fn key(position: &Position, to_move: Seat) -> Option<[u8; 32]> {
    (position.kind() == Kind::Loopy).then(|| {
        Sha256::new()
            .chain_update([to_move.index() as u8])
            .chain_update(position.to_string())
            .finalize()
            .into()
    })
}
