//! Whether the serving threads turn: each notes when it is due next, and by how much it came late.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior};

use crate::shard;

/// Between two turns that are measured.
pub(super) const TURN: Duration = Duration::from_millis(50);
/// Threads that are told apart: the most that a server has.
const THREADS: usize = 64;

/// One serving thread, in microseconds since the beginning.
#[derive(Default, Debug)]
struct Thread {
    /// When its next turn is due; 0 before the first.
    due: AtomicU64,
    /// The latest that it came since somebody looked.
    late: AtomicU64,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Pulse {
    began: Instant,
    threads: Box<[Thread]>,
}

impl Pulse {
    pub(super) fn new() -> Self {
        Self {
            began: Instant::now(),
            threads: (0..THREADS).map(|_| Thread::default()).collect(),
        }
    }

    /// The time since the beginning.
    pub(super) fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn now_us(&self) -> u64 {
        u64::try_from(self.now().as_micros()).unwrap_or(u64::MAX)
    }

    /// Measures the thread that runs this, for as long as it is polled; `turned` is called at each turn.
    pub(super) async fn measure(&self, mut turned: impl FnMut()) {
        let mut turns = tokio::time::interval(TURN);
        turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let Some(thread) = self.threads.get(shard::here()) else {
            return;
        };
        loop {
            let late = turns.tick().await.elapsed();
            let late = u64::try_from(late.as_micros()).unwrap_or(u64::MAX);
            thread.late.fetch_max(late, Relaxed);
            let next = self.now() + TURN;
            let next = u64::try_from(next.as_micros()).unwrap_or(u64::MAX);
            thread.due.store(next, Relaxed);
            turned();
        }
    }

    /// By how much the latest thread came late since the last look, or is late now.
    pub(super) fn take_late(&self) -> Duration {
        let now = self.now_us();
        let late = self.threads.iter().map(|thread| {
            let due = thread.due.load(Relaxed);
            let overdue = if due == 0 { 0 } else { now.saturating_sub(due) };
            thread.late.swap(0, Relaxed).max(overdue)
        });
        Duration::from_micros(late.max().unwrap_or_default())
    }
}
