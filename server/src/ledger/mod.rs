//! The use of limits that hold across all servers on one store.
//!
//! Every server counts for itself and decides at once, as a server alone does. About once a second it adds what it has counted to rows that all servers share, and learns
//! what all have used together; from then on that counts as well. Use is measured in the time in which it is refilled, so that the uses of
//! several servers are added, and a limit that was exceeded has to be waited for until all of it is refilled. Small uses are not reported.
//!
//! A server alone has no ledger: it pays for nothing here.

pub mod limit;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;
use tokio::time::Instant;

pub use self::limit::{Digested, Limit};

use crate::store::{AddressSecret, Levels, SETTLED_AT_ONCE, Spender, Spendings};

/// Use that is smaller than this part of what may be used at once is not reported, unless other servers have reported some.
const REPORTED_FROM: u32 = 5;
/// Spenders that are remembered of either kind; further ones are counted by each server alone.
const REMEMBERED: usize = 200_000;
/// A level that changed so long ago is not read again. More than a report takes with all its waits, and the change before it.
const OVERLAP: Duration = Duration::from_secs(30);

/// What a server has used and not reported.
#[derive(Clone, Copy, Debug)]
struct Pending {
    /// Microseconds in which it is refilled.
    time: i64,
    /// Microseconds of what may be used at once.
    lead: i64,
    since: Instant,
}

#[derive(Default, Debug)]
struct State {
    /// When all that was reported is refilled.
    known: FxHashMap<Spender, Instant>,
    pending: FxHashMap<Spender, Pending>,
    /// Of a report that is under way.
    reported: FxHashMap<Spender, Pending>,
    /// What others hold.
    held: FxHashMap<i64, u32>,
    /// Whether everything was read once.
    begun: bool,
}

/// The limits over all servers, as this one knows them.
#[derive(Debug)]
pub struct Ledger {
    /// `None` for a server alone.
    shared: Option<AddressSecret>,
    state: Mutex<State>,
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

fn time(micros: i64) -> Duration {
    Duration::from_micros(u64::try_from(micros).unwrap_or(0))
}

impl Ledger {
    /// That of a server which has its store for itself.
    #[must_use]
    pub fn alone() -> Arc<Self> {
        Arc::new(Self {
            shared: None,
            state: Mutex::default(),
        })
    }

    /// That of one of several servers, whose store has this secret.
    #[must_use]
    pub fn shared(secret: AddressSecret) -> Arc<Self> {
        Arc::new(Self {
            shared: Some(secret),
            state: Mutex::default(),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn spender(&self, limit: Limit, who: &impl Digested) -> Option<Spender> {
        let secret = self.shared.as_ref()?;
        Some(Spender {
            kind: limit as i16,
            who: limit::digest(secret, who),
        })
    }

    /// Whether all servers together leave room for one more use, where `lead` is the time in which everything is refilled that may be used at once, but one.
    ///
    /// # Errors
    /// How long to wait.
    pub fn check(&self, limit: Limit, who: &impl Digested, lead: Duration) -> Result<(), Duration> {
        let Some(of) = self.spender(limit, who) else {
            return Ok(());
        };
        let (now, state) = (Instant::now(), self.state());
        let Some(known) = state.known.get(&of) else {
            return Ok(());
        };
        let own =
            [&state.pending, &state.reported].map(|own| own.get(&of).map_or(0, |own| own.time));
        let level = micros(known.saturating_duration_since(now)).saturating_add(own[0]);
        let level = level.saturating_add(own[1]);
        match time(level.saturating_sub(micros(lead))) {
            Duration::ZERO => Ok(()),
            wait => Err(wait),
        }
    }

    /// Counts a use that takes this time to refill.
    pub fn spend(&self, limit: Limit, who: &impl Digested, used: Duration, lead: Duration) {
        self.add(limit, who, micros(used), lead);
    }

    /// Takes back a use that was counted.
    pub fn give_back(&self, limit: Limit, who: &impl Digested, used: Duration, lead: Duration) {
        self.add(limit, who, -micros(used), lead);
    }

    fn add(&self, limit: Limit, who: &impl Digested, used: i64, lead: Duration) {
        let Some(of) = self.spender(limit, who) else {
            return;
        };
        let (now, mut state) = (Instant::now(), self.state());
        if state.pending.len() >= REMEMBERED && !state.pending.contains_key(&of) {
            return;
        }
        let pending = state.pending.entry(of).or_insert(Pending {
            time: 0,
            lead: 0,
            since: now,
        });
        pending.time = pending.time.saturating_add(used);
        pending.lead = micros(lead);
    }

    /// How many connections of an address the other servers hold.
    pub fn held_elsewhere(&self, who: &impl Digested) -> u32 {
        match &self.shared {
            Some(secret) => {
                let who = limit::digest(secret, who);
                self.state().held.get(&who).copied().unwrap_or(0)
            }
            None => 0,
        }
    }

    /// Begins a report: what is to be said to the store, with what is held here.
    pub fn report<K: Digested>(&self, held: impl IntoIterator<Item = (K, u32)>) -> Spendings {
        let Some(secret) = &self.shared else {
            return Spendings::default();
        };
        let held = held.into_iter().take(SETTLED_AT_ONCE);
        let held = held
            .map(|(who, count)| (limit::digest(secret, &who), count))
            .collect();
        let (now, mut state) = (Instant::now(), self.state());
        let State {
            known,
            pending,
            reported,
            begun,
            ..
        } = &mut *state;
        known.retain(|_, paid_at| *paid_at > now);
        // What is refilled by now need not be said any more.
        pending.retain(|_, own| own.time != 0 && now < own.since + time(own.time.saturating_abs()));
        let large = |(of, own): &(&Spender, &Pending)| {
            own.time.saturating_mul(i64::from(REPORTED_FROM)) >= own.lead || known.contains_key(of)
        };
        let large = pending.iter().filter(large).take(SETTLED_AT_ONCE);
        *reported = large.map(|(of, own)| (*of, *own)).collect();
        for of in reported.keys() {
            pending.remove(of);
        }
        Spendings {
            spent: reported.iter().map(|(of, own)| (*of, own.time)).collect(),
            held,
            within: begun.then_some(OVERLAP),
        }
    }

    /// Ends a report: what the store has answered. `None` if it did not: then all of it is said again, and counted once more for each attempt of which a part was stored.
    pub fn settle(&self, levels: Option<Levels>) {
        let (now, mut state) = (Instant::now(), self.state());
        let reported = std::mem::take(&mut state.reported);
        let Some(levels) = levels else {
            for (of, own) in reported {
                let pending = state
                    .pending
                    .entry(of)
                    .or_insert(Pending { time: 0, ..own });
                pending.time = pending.time.saturating_add(own.time);
                pending.since = own.since;
            }
            // What others said meanwhile has to be read, too.
            state.begun = false;
            return;
        };
        state.begun = true;
        for (of, left) in levels.spent {
            if state.known.len() < REMEMBERED || state.known.contains_key(&of) {
                state.known.insert(of, now + time(left));
            }
        }
        state.held.clear();
        for (who, count) in levels.held {
            let held = state.held.entry(who).or_default();
            *held = held.saturating_add(count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: [u8; 32] = [7; 32];
    const EACH: Duration = Duration::from_secs(6);
    const LEAD: Duration = Duration::from_secs(54);

    fn ledger() -> Arc<Ledger> {
        Ledger::shared(SECRET.into())
    }

    fn use_once(ledger: &Ledger, who: &str) -> Result<(), Duration> {
        ledger.check(Limit::Codes, &who, LEAD)?;
        ledger.spend(Limit::Codes, &who, EACH, LEAD);
        Ok(())
    }

    fn report(ledger: &Ledger) -> Spendings {
        ledger.report(std::iter::empty::<(&str, u32)>())
    }

    /// Says that the store has these levels.
    fn answer(ledger: &Ledger, spent: Vec<(Spender, i64)>) {
        let held = Vec::new();
        ledger.settle(Some(Levels { spent, held }));
    }

    #[tokio::test(start_paused = true)]
    async fn uses_of_two_servers_are_added() {
        let (here, there) = (ledger(), ledger());
        for _ in 0..7 {
            use_once(&here, "a").expect("room");
        }
        let said = report(&here);
        assert_eq!(said.within, None);
        let [(of, used)] = said.spent[..] else {
            panic!("{said:?}");
        };
        assert_eq!(used, micros(7 * EACH));
        answer(&there, vec![(of, used)]);
        for _ in 0..3 {
            use_once(&there, "a").expect("room");
        }
        assert_eq!(use_once(&there, "a"), Err(EACH));
        use_once(&there, "b").expect("somebody else");
        tokio::time::advance(EACH).await;
        use_once(&there, "a").expect("one is refilled");
        assert_eq!(report(&there).within, Some(OVERLAP));
    }

    #[tokio::test(start_paused = true)]
    async fn small_uses_are_not_reported_unless_others_have_some() {
        let here = ledger();
        use_once(&here, "a").expect("room");
        assert_eq!(report(&here).spent, []);
        here.settle(Some(Levels::default()));
        use_once(&here, "a").expect("room");
        let said = report(&here).spent;
        assert_eq!(said.len(), 1);
        answer(&here, said);
        use_once(&here, "a").expect("room");
        assert_eq!(report(&here).spent[0].1, micros(EACH));
        here.settle(None);
        assert_eq!(report(&here).spent[0].1, micros(EACH), "it is said again");
        here.settle(Some(Levels::default()));
        use_once(&here, "b").expect("room");
        tokio::time::advance(EACH).await;
        report(&here);
        assert!(here.state().pending.is_empty(), "it is refilled");
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_used_while_a_report_is_under_way_counts_at_once() {
        let here = ledger();
        for _ in 0..4 {
            use_once(&here, "a").expect("room");
        }
        let said = report(&here).spent;
        answer(&here, said);
        for _ in 0..3 {
            use_once(&here, "a").expect("room");
        }
        report(&here);
        for _ in 0..3 {
            use_once(&here, "a").expect("room");
        }
        assert_eq!(use_once(&here, "a"), Err(EACH));
        here.give_back(Limit::Codes, &"a", EACH, LEAD);
        use_once(&here, "a").expect("it was given back");
    }

    #[test]
    fn what_others_hold_is_added_and_forgotten_with_them() {
        let here = ledger();
        let said = here.report([("a", 3)]);
        let who = said.held[0].0;
        let held = vec![(who, 4), (who, 5)];
        here.settle(Some(Levels {
            spent: Vec::new(),
            held,
        }));
        assert_eq!(here.held_elsewhere(&"a"), 9);
        assert_eq!(here.held_elsewhere(&"b"), 0);
        here.settle(Some(Levels::default()));
        assert_eq!(here.held_elsewhere(&"a"), 0);
    }

    #[test]
    fn a_server_alone_says_nothing() {
        let alone = Ledger::alone();
        for _ in 0..100 {
            use_once(&alone, "a").expect("no bound here");
        }
        assert_eq!(alone.report([("a", 3)]), Spendings::default());
    }
}
