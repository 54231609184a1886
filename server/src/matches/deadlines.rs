//! When which match wants to be woken: one list for all, since most matches never wait until theirs.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grundy_shared::ids::{MatchId, Millis};
use tokio::sync::Notify;

use crate::clock::Clock;

/// The moments at which matches want to be woken, one for each match at most.
#[derive(Debug, Default)]
pub(super) struct Deadlines {
    set: Mutex<BTreeSet<(Millis, MatchId)>>,
    /// The earliest has changed.
    earlier: Notify,
}

impl Deadlines {
    fn set(&self) -> MutexGuard<'_, BTreeSet<(Millis, MatchId)>> {
        self.set.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes this match at `at` instead of at the moment `before`, which was set for it last and has not come.
    pub(super) fn set_for(&self, id: MatchId, at: Millis, before: Option<Millis>) {
        let mut set = self.set();
        if let Some(before) = before {
            set.remove(&(before, id));
        }
        set.insert((at, id));
        let earliest = set.first() == Some(&(at, id));
        drop(set);
        if earliest {
            self.earlier.notify_one();
        }
    }

    /// Waits until matches are due, and takes them off the list, the earliest first; at most `limit`, since each is work.
    pub(super) async fn due(&self, clock: &dyn Clock, limit: usize) -> Vec<MatchId> {
        loop {
            let now = clock.now();
            let next = {
                let mut set = self.set();
                let mut due = Vec::new();
                while due.len() < limit
                    && let Some((at, id)) = set.first().copied()
                    && at <= now
                {
                    set.pop_first();
                    due.push(id);
                }
                if !due.is_empty() {
                    return due;
                }
                set.first().map(|(at, _)| *at)
            };
            match next {
                None => self.earlier.notified().await,
                Some(at) => {
                    let ahead = Duration::from_millis(at.since(now).0);
                    // The clock may stand still meanwhile: it is asked again.
                    tokio::select! {
                        biased;
                        () = self.earlier.notified() => {}
                        () = tokio::time::sleep(ahead) => {}
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::clock::SystemClock;

    fn id(number: u64) -> MatchId {
        MatchId::from_random(number)
    }

    #[tokio::test(start_paused = true)]
    async fn the_earliest_is_woken_first_and_a_new_moment_replaces_the_old_one() {
        let start = tokio::time::Instant::now();
        let clock = SystemClock::with_source(Millis(0), move || start.elapsed());
        let deadlines = Arc::new(Deadlines::default());
        deadlines.set_for(id(1), Millis(1_000), None);
        deadlines.set_for(id(2), Millis(1_500), None);
        deadlines.set_for(id(1), Millis(500), Some(Millis(1_000)));
        assert_eq!(deadlines.due(&clock, 9).await, [id(1)]);
        assert_eq!(clock.now(), Millis(500));
        let setting = async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            deadlines.set_for(id(3), Millis(700), None);
        };
        let (woken, ()) = tokio::join!(deadlines.due(&clock, 9), setting);
        assert_eq!(woken, [id(3)]);
        assert_eq!(clock.now(), Millis(700));
        deadlines.set_for(id(4), Millis(1_500), None);
        assert_eq!(deadlines.due(&clock, 1).await.len(), 1);
        assert_eq!(deadlines.due(&clock, 9).await.len(), 1);
        assert!(deadlines.set().is_empty());
    }
}
