//! When each pair of players last had a move acknowledged, and how often.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The acknowledged moves of pairs.
pub(crate) struct Ledger(Mutex<Vec<(u64, Instant)>>);

impl Ledger {
    /// For so many pairs.
    pub(crate) fn new(pairs: usize) -> Self {
        Self(Mutex::new(vec![(0, Instant::now()); pairs]))
    }

    fn rows(&self) -> MutexGuard<'_, Vec<(u64, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A move of this pair is acknowledged.
    pub(crate) fn note(&self, pair: usize) {
        let row = &mut self.rows()[pair];
        *row = (row.0 + 1, Instant::now());
    }

    /// How many moves of each pair are acknowledged.
    pub(crate) fn counts(&self) -> Vec<u64> {
        self.rows().iter().map(|(count, _)| *count).collect()
    }

    /// The pairs that have not so many more than they had then.
    pub(crate) fn behind(&self, then: &[u64], by: u64) -> Vec<usize> {
        let counts = self.counts().into_iter().zip(then).enumerate();
        counts
            .filter(|(_, (now, then))| *now < *then + by)
            .map(|(row, _)| row)
            .collect()
    }

    /// Whether each pair has so many more than it had then.
    pub(crate) fn has_grown(&self, then: &[u64], by: u64) -> bool {
        self.behind(then, by).is_empty()
    }

    /// How long ago the pair that was acknowledged a move longest ago was.
    pub(crate) fn longest_silence(&self) -> Duration {
        let silences = self.rows().iter().map(|(_, last)| last.elapsed()).max();
        silences.unwrap_or_default()
    }
}
