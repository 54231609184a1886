//! The matches whose logs were found damaged, until a later look finds them sound.

use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};

use grundy_shared::ids::MatchId;
use grundy_shared::protocol::ErrorBody;
use prometheus_client::metrics::gauge::Gauge;
use rustc_hash::FxHashMap;

use super::refusal;

/// The damaged matches: each is logged and counted once, and refused without being read.
#[derive(Debug)]
pub(crate) struct Damaged {
    /// How often each was checked again.
    looks: Mutex<FxHashMap<MatchId, u32>>,
    quarantined: Gauge,
}

impl Damaged {
    pub(super) fn new(quarantined: Gauge) -> Self {
        Self {
            looks: Mutex::default(),
            quarantined,
        }
    }

    fn lock(&self) -> MutexGuard<'_, FxHashMap<MatchId, u32>> {
        self.looks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a match is damaged. Returns whether this was not known.
    pub(super) fn note(&self, id: MatchId, error: &dyn Display) -> bool {
        let is_new = self.lock().insert(id, 0).is_none();
        if is_new {
            self.quarantined.inc();
            tracing::error!(match_id = %id, %error, "the log of the match is damaged; grundy-server fsck shows more");
        }
        is_new
    }

    /// Checks that the match was not found damaged.
    ///
    /// # Errors
    /// The refusal of a damaged match.
    pub(crate) fn check(&self, id: MatchId) -> Result<(), ErrorBody> {
        if self.lock().contains_key(&id) {
            return Err(refusal::damaged());
        }
        Ok(())
    }

    /// The matches that were checked least often, at most this many; each now counts as checked once more. Cost: linear in the damaged matches, up to a logarithm.
    pub(super) fn next(&self, at_most: usize) -> Vec<MatchId> {
        let mut looks = self.lock();
        let mut next: Vec<_> = looks.iter().map(|(id, looks)| (*looks, *id)).collect();
        next.sort_unstable();
        next.truncate(at_most);
        for (_, id) in &next {
            *looks.entry(*id).or_default() += 1;
        }
        next.into_iter().map(|(_, id)| id).collect()
    }

    /// A later check found the match sound, or removed.
    pub(super) fn clear(&self, id: MatchId) {
        if self.lock().remove(&id).is_some() {
            self.quarantined.dec();
            tracing::warn!(match_id = %id, "the log of the match is sound after all: it is served again");
        }
    }
}
