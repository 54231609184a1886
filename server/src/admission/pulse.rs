//! Delays of the serving threads: each notes when its next turn is due, by how much it came late, and how much of that delay was its own work.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tokio::time::{Instant, MissedTickBehavior};

use super::signals::Measured;
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
    /// The longest delay by own work since the last measurement.
    late: AtomicU64,
    /// The processor time of its latest turn, and how long that turn took.
    worked: AtomicU64,
    took: AtomicU64,
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

    /// Measures the thread that runs this, for as long as it is polled; `turned` is called at each turn.
    pub(super) async fn measure(&self, mut turned: impl FnMut()) {
        let mut turns = tokio::time::interval(TURN);
        turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let Some(thread) = self.threads.get(shard::here()) else {
            return;
        };
        let (mut began, mut used) = (self.now(), thread_time());
        loop {
            let late = turns.tick().await.elapsed();
            let (now, used_now) = (self.now(), thread_time());
            let turn = Measured {
                late,
                worked: used_now.saturating_sub(used),
                took: now.saturating_sub(began),
            };
            (began, used) = (now, used_now);
            thread.late.fetch_max(micros(turn.own_delay()), Relaxed);
            thread.worked.store(micros(turn.worked), Relaxed);
            thread.took.store(micros(turn.took), Relaxed);
            thread.due.store(micros(now + TURN), Relaxed);
            tracing::trace!(
                late_us = micros(late),
                worked_us = micros(turn.worked),
                took_us = micros(turn.took),
                "turn"
            );
            turned();
        }
    }

    /// The longest delay of a thread by its own work since the last measurement. The work of a turn that is late now is not known yet: it is taken from the
    /// turn before.
    pub(super) fn take_late(&self) -> Duration {
        let now = micros(self.now());
        let late = self.threads.iter().map(|thread| {
            let due = thread.due.load(Relaxed);
            let overdue = if due == 0 { 0 } else { now.saturating_sub(due) };
            let turn = Measured {
                late: Duration::from_micros(overdue),
                worked: Duration::from_micros(thread.worked.load(Relaxed)),
                took: Duration::from_micros(thread.took.load(Relaxed)),
            };
            Duration::from_micros(thread.late.swap(0, Relaxed)).max(turn.own_delay())
        });
        late.max().unwrap_or_default()
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// The processor time that this thread has used.
fn thread_time() -> Duration {
    let used = clock_gettime(ClockId::ThreadCPUTime);
    let (seconds, nanos) = (u64::try_from(used.tv_sec), u32::try_from(used.tv_nsec));
    Duration::new(seconds.unwrap_or_default(), nanos.unwrap_or_default())
}
