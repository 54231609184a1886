//! Limits of how often something may happen, measured by the clock of the runtime, which a simulation holds in its hand.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{NotUntil, Quota, RateLimiter};
use rustc_hash::FxHashMap;
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
    /// So many a second, and this many at once; 0 counts as 1.
    #[must_use]
    pub fn per_second(count: u32, at_once: u32) -> Self {
        let quota = Quota::per_second(at_least_one(count));
        Self::new(quota.allow_burst(at_least_one(at_once)))
    }

    /// This many a minute, and this many at once; 0 counts as 1.
    #[must_use]
    pub fn per_minute_at_once(count: u32, at_once: u32) -> Self {
        let quota = Quota::per_minute(at_least_one(count));
        Self::new(quota.allow_burst(at_least_one(at_once)))
    }

    /// So many a minute; 0 counts as 1.
    #[must_use]
    pub fn per_minute(count: u32) -> Self {
        Self::new(Quota::per_minute(at_least_one(count)))
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

/// How often something may happen to each of many, where a charge can be given back.
#[derive(Debug)]
pub struct Charges<K> {
    each: Duration,
    count: u32,
    began: Instant,
    /// When the charges of each will have been paid off, from the beginning.
    paid_at: Mutex<FxHashMap<K, Duration>>,
}

impl<K: Hash + Eq + Clone> Charges<K> {
    /// So many in ten minutes; 0 counts as 1.
    #[must_use]
    pub fn per_ten_minutes(count: u32) -> Self {
        let count = count.max(1);
        Self {
            each: Duration::from_secs(600) / count,
            count,
            began: Instant::now(),
            paid_at: Mutex::default(),
        }
    }

    fn paid_at(&self) -> MutexGuard<'_, FxHashMap<K, Duration>> {
        self.paid_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Charges for one.
    ///
    /// # Errors
    /// How long to wait for the next.
    pub fn charge(&self, key: &K) -> Result<(), Duration> {
        let now = self.began.elapsed();
        let mut all = self.paid_at();
        let paid_at = all.entry(key.clone()).or_insert(now);
        let then = (*paid_at).max(now) + self.each;
        let wait = then.saturating_sub(now + self.each * self.count);
        if wait.is_zero() {
            *paid_at = then;
            return Ok(());
        }
        Err(wait)
    }

    /// Takes back one charge.
    pub fn give_back(&self, key: &K) {
        if let Some(paid_at) = self.paid_at().get_mut(key) {
            *paid_at = paid_at.saturating_sub(self.each);
        }
    }

    /// Forgets those who have no charge left. Cost: linear in those that are remembered.
    pub fn tidy(&self) {
        let now = self.began.elapsed();
        self.paid_at().retain(|_, paid_at| *paid_at > now);
    }
}

/// Milliseconds after which a wait is over for certain.
#[must_use]
pub fn in_ms(wait: Duration) -> u64 {
    let ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
    ms.saturating_add(1)
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

    #[tokio::test(start_paused = true)]
    async fn a_charge_that_is_given_back_was_none() {
        let charges = Charges::per_ten_minutes(2);
        let minutes = |count: u64| Duration::from_secs(60 * count);
        for _ in 0..10 {
            assert_eq!(charges.charge(&"a"), Ok(()));
            charges.give_back(&"a");
        }
        assert_eq!(charges.charge(&"a"), Ok(()));
        assert_eq!(charges.charge(&"a"), Ok(()));
        assert_eq!(charges.charge(&"a"), Err(minutes(5)));
        assert_eq!(charges.charge(&"b"), Ok(()));
        charges.give_back(&"a");
        assert_eq!(charges.charge(&"a"), Ok(()));
        tokio::time::advance(minutes(20)).await;
        charges.tidy();
        assert_eq!(charges.paid_at().len(), 0);
        // What is given back late makes no more room than there is.
        charges.give_back(&"a");
        assert_eq!(charges.charge(&"a"), Ok(()));
        tokio::time::advance(minutes(20)).await;
        charges.give_back(&"a");
        for _ in 0..2 {
            assert_eq!(charges.charge(&"a"), Ok(()));
        }
        assert_eq!(charges.charge(&"a"), Err(minutes(5)));
    }
}
