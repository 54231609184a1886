//! Free space that is kept on the disk of the database, so that running matches come to their end before it is full.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::metrics::Metrics;
use crate::store::open::MEMORY;

/// Between two looks at the disk.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// When to ask again while there is too little space, in milliseconds.
pub const RETRY_MS: u64 = 10_000;

/// How much space is free on the disk of the database, as it was seen last.
#[derive(Debug, Default)]
pub struct Reserve {
    /// `None` for a store in memory.
    directory: Option<PathBuf>,
    /// Bytes that are to stay free; 0: none.
    bytes: u64,
    free: AtomicU64,
    low: AtomicBool,
}

impl Reserve {
    /// For the database in this directory; so many bytes are to stay free. Looks at once.
    #[must_use]
    pub fn of(data: &Path, bytes: u64) -> Self {
        let directory = (data != Path::new(MEMORY)).then(|| data.to_owned());
        let reserve = Self {
            directory,
            bytes,
            free: AtomicU64::new(u64::MAX),
            low: AtomicBool::new(false),
        };
        reserve.look();
        reserve
    }

    /// Whether less is free than is to stay free.
    #[must_use]
    pub fn is_low(&self) -> bool {
        self.low.load(Ordering::Relaxed)
    }

    /// Bytes that are to stay free.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Asks the system how much is free. What cannot be asked changes nothing.
    fn look(&self) {
        let Some(disk) = self.directory.as_ref() else {
            return;
        };
        let free = match rustix::fs::statvfs(disk) {
            Ok(found) => found.f_bavail.saturating_mul(found.f_frsize),
            Err(error) => {
                tracing::debug!(%error, "the free space of the disk is not known");
                return;
            }
        };
        self.free.store(free, Ordering::Relaxed);
        let low = free < self.bytes;
        if low != self.low.swap(low, Ordering::Relaxed) {
            match low {
                true => tracing::warn!(
                    free,
                    reserve = self.bytes,
                    "the disk is nearly full: new matches, guests, chat and tournaments are refused until there is room"
                ),
                false => tracing::info!(free, "the disk has room again"),
            }
        }
    }

    /// Looks each second until the server stops.
    pub async fn watch(self: Arc<Self>, metrics: Arc<Metrics>, stop: CancellationToken) {
        let mut looks = tokio::time::interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while self.directory.is_some() && stop.run_until_cancelled(looks.tick()).await.is_some() {
            let looks = Arc::clone(&self);
            // A file system of the network may take its time.
            if tokio::task::spawn_blocking(move || looks.look())
                .await
                .is_err()
            {
                return;
            }
            let free = self.free.load(Ordering::Relaxed);
            if free != u64::MAX {
                metrics.disk_free.set(free);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reserve_that_no_disk_has_is_low_and_none_never_is() {
        let directory = tempfile::tempdir().expect("a directory");
        assert!(Reserve::of(directory.path(), u64::MAX).is_low());
        assert!(!Reserve::of(directory.path(), 0).is_low());
        assert!(!Reserve::of(Path::new(MEMORY), u64::MAX).is_low());
        assert!(!Reserve::of(Path::new("/nowhere/at/all"), u64::MAX).is_low());
    }
}
