//! Limits of how often something may happen, measured by the clock of the runtime, which a simulation holds in its hand.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{NotUntil, Quota, RateLimiter};
use rustc_hash::FxHashMap;
use tokio::time::Instant;

use crate::ledger::{Digested, Ledger, Limit};

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

/// How often one thing may happen to each of many. The limit can be replaced.
#[derive(Debug)]
pub struct Rates<K: Hash + Eq + Clone> {
    counted: ArcSwap<Counted<K>>,
    /// Where the uses on all servers are added.
    over: Option<(Arc<Ledger>, Limit)>,
}

/// A limit, and what was counted under it.
#[derive(Debug)]
struct Counted<K: Hash + Eq + Clone> {
    quota: Quota,
    limiter: RateLimiter<K, DashMapStateStore<K>, Since, Unmetered>,
}

impl<K: Hash + Eq + Clone + Digested> Rates<K> {
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
        let limiter = RateLimiter::dashmap_with_clock(quota, Since(Instant::now()));
        Self {
            counted: ArcSwap::from_pointee(Counted { quota, limiter }),
            over: None,
        }
    }

    /// The same over all servers.
    #[must_use]
    pub fn over(self, ledger: &Arc<Ledger>, limit: Limit) -> Self {
        Self {
            over: Some((ledger.clone(), limit)),
            ..self
        }
    }

    /// Takes over the limit of another. If it is a different one, what was counted under the old one is forgotten.
    pub fn adopt(&self, other: &Self) {
        let other = other.counted.load_full();
        if other.quota != self.counted.load().quota {
            self.counted.store(other);
        }
    }

    /// Counts one.
    ///
    /// # Errors
    /// How long to wait for the next.
    pub fn check(&self, key: &K) -> Result<(), Duration> {
        let counted = self.counted.load();
        let (limiter, each) = (&counted.limiter, counted.quota.replenish_interval());
        let lead = each * (counted.quota.burst_size().get() - 1);
        if let Some((ledger, limit)) = &self.over {
            ledger.check(*limit, key, lead)?;
        }
        let checked = limiter.check_key(key);
        checked.map_err(|until| wait(limiter.clock(), &until))?;
        if let Some((ledger, limit)) = &self.over {
            ledger.spend(*limit, key, each, lead);
        }
        Ok(())
    }

    /// Forgets those to whom nothing has happened for a while. Cost: linear in those that are remembered.
    pub fn tidy(&self) {
        self.counted.load().limiter.retain_recent();
    }
}

/// How often something may happen to each of many, where a charge can be given back. The limit can be replaced.
#[derive(Debug)]
pub struct Charges<K> {
    began: Instant,
    charged: Mutex<Charged<K>>,
    /// Where the charges of all servers are added.
    over: Option<(Arc<Ledger>, Limit)>,
}

/// A limit, and what was charged under it.
#[derive(Debug)]
struct Charged<K> {
    count: u32,
    /// When the charges of each will have been paid off, from the beginning.
    paid_at: FxHashMap<K, Duration>,
}

impl<K> Charged<K> {
    fn new(count: u32) -> Self {
        Self {
            count: count.max(1),
            paid_at: FxHashMap::default(),
        }
    }

    /// How long it takes to pay off one charge.
    fn each(&self) -> Duration {
        Duration::from_secs(600) / self.count
    }

    fn lead(&self) -> Duration {
        self.each() * (self.count - 1)
    }
}

impl<K: Hash + Eq + Clone + Digested> Charges<K> {
    /// So many in ten minutes; 0 counts as 1.
    #[must_use]
    pub fn per_ten_minutes(count: u32) -> Self {
        Self {
            began: Instant::now(),
            charged: Mutex::new(Charged::new(count)),
            over: None,
        }
    }

    /// The same over all servers.
    #[must_use]
    pub fn over(self, ledger: &Arc<Ledger>, limit: Limit) -> Self {
        Self {
            over: Some((ledger.clone(), limit)),
            ..self
        }
    }

    fn charged(&self) -> MutexGuard<'_, Charged<K>> {
        self.charged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So many in ten minutes from now on. If that is another limit, the charges are forgotten.
    pub fn set_per_ten_minutes(&self, count: u32) {
        let (mut charged, new) = (self.charged(), Charged::new(count));
        if charged.count != new.count {
            *charged = new;
        }
    }

    /// Charges for one.
    ///
    /// # Errors
    /// How long to wait for the next.
    pub fn charge(&self, key: &K) -> Result<(), Duration> {
        let now = self.began.elapsed();
        let mut charged = self.charged();
        let (each, count, lead) = (charged.each(), charged.count, charged.lead());
        if let Some((ledger, limit)) = &self.over {
            ledger.check(*limit, key, lead)?;
        }
        let paid_at = charged.paid_at.entry(key.clone()).or_insert(now);
        let then = (*paid_at).max(now) + each;
        let wait = then.saturating_sub(now + each * count);
        if wait.is_zero() {
            *paid_at = then;
            if let Some((ledger, limit)) = &self.over {
                ledger.spend(*limit, key, each, lead);
            }
            return Ok(());
        }
        Err(wait)
    }

    /// Takes back one charge.
    pub fn give_back(&self, key: &K) {
        let mut charged = self.charged();
        let each = charged.each();
        if let Some(paid_at) = charged.paid_at.get_mut(key) {
            *paid_at = paid_at.saturating_sub(each);
        }
        if let Some((ledger, limit)) = &self.over {
            ledger.give_back(*limit, key, each, charged.lead());
        }
    }

    /// Forgets those who have no charge left. Cost: linear in those that are remembered.
    pub fn tidy(&self) {
        let now = self.began.elapsed();
        self.charged().paid_at.retain(|_, paid_at| *paid_at > now);
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
    async fn another_limit_counts_anew_and_the_same_one_goes_on() {
        let rates = Rates::per_minute(1);
        assert_eq!(rates.check(&"a"), Ok(()));
        rates.adopt(&Rates::per_minute(1));
        assert!(rates.check(&"a").is_err());
        rates.adopt(&Rates::per_minute_at_once(1, 2));
        assert_eq!((rates.check(&"a"), rates.check(&"a")), (Ok(()), Ok(())));
        assert!(rates.check(&"a").is_err());

        let charges = Charges::per_ten_minutes(1);
        assert_eq!(charges.charge(&"a"), Ok(()));
        charges.set_per_ten_minutes(1);
        assert!(charges.charge(&"a").is_err());
        charges.set_per_ten_minutes(2);
        assert_eq!(
            (charges.charge(&"a"), charges.charge(&"a")),
            (Ok(()), Ok(()))
        );
        assert!(charges.charge(&"a").is_err());
        // One that was charged under the old limit and is given back under the new one.
        charges.set_per_ten_minutes(0);
        charges.give_back(&"a");
        assert_eq!(charges.charge(&"a"), Ok(()));
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
        assert_eq!(charges.charged().paid_at.len(), 0);
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
