//! Summaries that are not as the server wrote them: each logged once, and counted.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashSet;

use crate::store::StoreError;

/// Summaries remembered. Beyond them no more are logged or counted.
const REMEMBERED: usize = 65_536;

/// Those that were met since the start, by table and place.
#[derive(Debug, Default)]
pub(super) struct Unverified(Mutex<FxHashSet<(&'static str, String)>>);

impl Unverified {
    fn lock(&self) -> MutexGuard<'_, FxHashSet<(&'static str, String)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes one: the table, and which row of it.
    pub(super) fn note(&self, table: &'static str, row: &dyn ToString, error: &StoreError) {
        let mut known = self.lock();
        let row = row.to_string();
        if known.len() < REMEMBERED && known.insert((table, row.clone())) {
            tracing::error!(
                table,
                row,
                %error,
                "a summary is not shown: stop the server and run grundy-server fsck"
            );
        }
    }

    /// Whether this one was met.
    pub(super) fn has(&self, table: &'static str, row: &dyn ToString) -> bool {
        let known = self.lock();
        !known.is_empty() && known.contains(&(table, row.to_string()))
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.lock().len() as u64
    }
}
