//! Since when a lane for commits has no connection.
//!
//! Signs of life have a connection of their own, so they say nothing about the others. A server that cannot commit must not keep its matches and its players: it gives no signs
//! then, until others take its matches over and it sends its players away. Waiting for a lock is no such reason: everybody would wait.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;
use tokio::time::Instant;

use super::lane::Lane;

/// So long a lane may have no connection. A restart of the database, after which all lanes connect again, is no reason.
const WITHOUT_MOST: Duration = Duration::from_secs(3);

/// The lanes without a connection. Shared by all lanes of a server.
#[derive(Debug, Default)]
pub struct Reach(Mutex<FxHashMap<Lane, Instant>>);

impl Reach {
    fn without(&self) -> MutexGuard<'_, FxHashMap<Lane, Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A lane has given its connection up.
    pub fn lose(&self, lane: Lane) {
        self.without().entry(lane).or_insert_with(Instant::now);
    }

    /// A lane has connected.
    pub fn find(&self, lane: Lane) {
        self.without().remove(&lane);
    }

    /// Whether a lane for commits has had no connection for too long.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        let without = self.without();
        let mut since = [Lane::Moves, Lane::Order]
            .iter()
            .filter_map(|lane| without.get(lane));
        since.any(|since| since.elapsed() > WITHOUT_MOST)
    }
}
