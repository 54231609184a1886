//! How far the rooms have been heard that somebody hears here.

use std::sync::{Mutex, MutexGuard, PoisonError};

use grundy_shared::ids::{MatchId, Millis, Seq};
use grundy_shared::protocol::chat::Room;
use rustc_hash::FxHashMap;

/// How far a room has been heard.
#[derive(Debug)]
pub(super) struct Hearing {
    /// The newest line that was sent to those who hear the room.
    pub(super) known: Seq,
    /// The newest of which anybody has spoken.
    pub(super) newest: Seq,
    /// Lines that were said before are not sent.
    pub(super) since: Millis,
    /// A task reads on.
    pub(super) busy: bool,
}

/// The rooms that somebody hears here.
#[derive(Default, Debug)]
pub(super) struct Heard(Mutex<FxHashMap<(MatchId, Room), Hearing>>);

impl Heard {
    pub(super) fn all(&self) -> MutexGuard<'_, FxHashMap<(MatchId, Room), Hearing>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
