//! Limits of how often something may happen, measured by the clock of the runtime, which a simulation holds in its hand.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{NotUntil, Quota, RateLimiter};
use tokio::time::Instant;

/// The time since the limiter was made.
#[derive(Clone, Copy, Debug)]
struct Since(Instant);

impl Clock for Since {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

type Unmetered = NoOpMiddleware<Duration>;

/// How often one thing may happen to each of many.
#[derive(Debug)]
pub struct Rates<K: Hash + Eq + Clone>(RateLimiter<K, DashMapStateStore<K>, Since, Unmetered>);

impl<K: Hash + Eq + Clone> Rates<K> {
    /// So many a second; 0 counts as 1.
    #[must_use]
    pub fn per_second(count: u32) -> Self {
        Self::new(Quota::per_second(at_least_one(count)))
    }

    /// So many a minute; 0 counts as 1.
    #[must_use]
    pub fn per_minute(count: u32) -> Self {
        Self::new(Quota::per_minute(at_least_one(count)))
    }

    /// So many in ten minutes; 0 counts as 1.
    #[must_use]
    pub fn per_ten_minutes(count: u32) -> Self {
        let count = at_least_one(count);
        let each = Duration::from_secs(600) / count.get();
        let quota =
            Quota::with_period(each).expect("a tenth of a minute at least, and not nothing");
        Self::new(quota.allow_burst(count))
    }

    fn new(quota: Quota) -> Self {
        Self(RateLimiter::dashmap_with_clock(
            quota,
            Since(Instant::now()),
        ))
    }

    /// Counts one.
    ///
    /// # Errors
    /// How long to wait for the next.
    pub fn check(&self, key: &K) -> Result<(), Duration> {
        let counted = self.0.check_key(key);
        counted.map_err(|until| wait(self.0.clock(), &until))
    }

    /// Forgets those to whom nothing has happened for a while. Cost: linear in those that are remembered.
    pub fn tidy(&self) {
        self.0.retain_recent();
    }
}

fn at_least_one(count: u32) -> NonZeroU32 {
    NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN)
}

fn wait(clock: &Since, until: &NotUntil<Duration>) -> Duration {
    until.wait_time_from(clock.now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_clock_of_the_runtime_counts() {
        let rates = Rates::per_minute(60);
        for _ in 0..60 {
            assert_eq!(rates.check(&"a"), Ok(()));
        }
        assert_eq!(rates.check(&"a"), Err(Duration::from_secs(1)));
        assert_eq!(rates.check(&"b"), Ok(()));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(rates.check(&"a"), Ok(()));
    }
}
