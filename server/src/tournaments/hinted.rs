//! Hints of other servers at new events of tournaments, which anybody on the bus can forge: each log is read at most so often for nothing.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grundy_shared::ids::{Seq, TournamentId};
use rustc_hash::FxHashMap;
use tokio::sync::Notify;
use tokio::time::Instant;

/// After a look that found nothing, the log is not looked at again for so long.
const FRUITLESS: Duration = Duration::from_millis(200);
/// Between two rounds while something waits.
const ROUND: Duration = Duration::from_millis(20);

/// What is hinted at, and what was looked at.
#[derive(Debug, Default)]
pub(super) struct Hinted {
    of: Mutex<FxHashMap<TournamentId, Of>>,
    new: Notify,
}

/// One log.
#[derive(Debug, Default)]
struct Of {
    /// The newest event that was hinted at since the last look.
    newest: Option<Seq>,
    /// The last look, and how far the log was known then.
    looked: Option<(Instant, Seq)>,
}

impl Hinted {
    fn of(&self) -> MutexGuard<'_, FxHashMap<TournamentId, Of>> {
        self.of.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// There may be events up to this one. Only to be called for logs that are known, which bounds what is kept.
    pub(super) fn note(&self, id: TournamentId, last: Seq) {
        let mut of = self.of();
        let newest = &mut of.entry(id).or_default().newest;
        *newest = (*newest).max(Some(last));
        self.new.notify_one();
    }

    /// Waits until a look may be due.
    pub(super) async fn wait(&self) {
        let waits = self.of().values().any(|of| of.newest.is_some());
        match waits {
            true => tokio::time::sleep(ROUND).await,
            false => self.new.notified().await,
        }
    }

    /// A log that is to be looked at now, given how far each is known; one that is not known any more is forgotten.
    pub(super) fn next(
        &self,
        now: Instant,
        known: impl Fn(TournamentId) -> Option<Seq>,
    ) -> Option<TournamentId> {
        let mut due = None;
        self.of().retain(|id, of| {
            let Some(seq) = known(*id) else {
                return false;
            };
            of.newest = of.newest.filter(|newest| *newest > seq);
            let fruitless = of
                .looked
                .is_some_and(|(at, then)| then == seq && now - at < FRUITLESS);
            if due.is_none() && of.newest.is_some() && !fruitless {
                due = Some(*id);
                of.newest = None;
                of.looked = Some((now, seq));
            }
            true
        });
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u64) -> TournamentId {
        TournamentId::from_random(number)
    }

    #[test]
    fn a_log_is_looked_at_once_for_each_hint_that_says_something_new() {
        let (hinted, now) = (Hinted::default(), Instant::now());
        let known = |_| Some(Seq(4));
        hinted.note(id(1), Seq(4));
        assert_eq!(hinted.next(now, known), None, "it is known");
        hinted.note(id(1), Seq(5));
        assert_eq!(hinted.next(now, known), Some(id(1)));
        assert_eq!(hinted.next(now, known), None);
        // It has grown: the next hint is heeded at once.
        hinted.note(id(1), Seq(6));
        assert_eq!(hinted.next(now, |_| Some(Seq(5))), Some(id(1)));
    }

    #[test]
    fn forged_hints_cost_a_look_in_a_while_and_hold_up_no_other_log() {
        let (hinted, mut now) = (Hinted::default(), Instant::now());
        let known = |_| Some(Seq(4));
        let began = now;
        let mut looks = 0;
        while now - began < Duration::from_secs(1) {
            hinted.note(id(1), Seq(u64::MAX));
            looks += u32::from(hinted.next(now, known) == Some(id(1)));
            now += Duration::from_millis(1);
        }
        assert_eq!(looks, 5);
        hinted.note(id(2), Seq(5));
        hinted.note(id(1), Seq(u64::MAX));
        let next = [hinted.next(now, known), hinted.next(now, known)];
        assert!(next.contains(&Some(id(2))), "{next:?}");
    }

    #[test]
    fn what_is_over_is_forgotten() {
        let hinted = Hinted::default();
        hinted.note(id(1), Seq(5));
        assert_eq!(hinted.next(Instant::now(), |_| None), None);
        assert!(hinted.of().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_hint_that_has_to_wait_is_heeded_later() {
        let hinted = Hinted::default();
        let known = |_| Some(Seq(4));
        hinted.note(id(1), Seq(9));
        hinted.wait().await;
        assert_eq!(hinted.next(Instant::now(), known), Some(id(1)));
        hinted.note(id(1), Seq(9));
        let began = Instant::now();
        loop {
            hinted.wait().await;
            if hinted.next(Instant::now(), known).is_some() {
                break;
            }
        }
        assert!((FRUITLESS..FRUITLESS + 2 * ROUND).contains(&began.elapsed()));
    }
}
