//! How far a job has come.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Parts of a job that are done. Cheap to clone; each clone shows the same job.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<AtomicU32>);

impl Progress {
    /// Notes how many parts are done. A job that begins again begins at 0.
    pub fn set(&self, done: u32) {
        self.0.store(done, Ordering::Relaxed);
    }

    /// How many parts are done.
    #[must_use]
    pub fn done(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether both show the same job.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
