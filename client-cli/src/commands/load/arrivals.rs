//! An open loop: moves fall due at fixed moments, whatever the server does.
//!
//! The moments are set ahead: move n is due n/rate seconds after the beginning, and goes to the match that has waited longest for its
//! turn. Times are counted from that moment, so that a client or server that falls behind hides nothing. If no match can move, because
//! all wait for the server, the move is not made; it is counted as blocked. Players take turns, so no more can be asked of a server.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, sleep};

use super::phase::Phase;
use super::tally::{Tally, add};

/// Between two looks at what is due.
const TICK: Duration = Duration::from_millis(1);

/// The matches that can move, in the order in which they came.
#[derive(Default)]
pub(super) struct Arrivals {
    ready: RefCell<VecDeque<oneshot::Sender<Instant>>>,
}

impl Arrivals {
    /// Waits for a move; what comes is the moment at which it was due. Whoever drops this waits no longer.
    pub(super) fn next_move(&self) -> oneshot::Receiver<Instant> {
        let (sender, receiver) = oneshot::channel();
        self.ready.borrow_mut().push_back(sender);
        receiver
    }

    /// Gives a move to a match that can make it; false if none can.
    fn offer(&self, due: Instant) -> bool {
        let mut ready = self.ready.borrow_mut();
        while let Some(waiting) = ready.pop_front() {
            if waiting.send(due).is_ok() {
                return true;
            }
        }
        false
    }

    /// Offers so many moves a second while the phase is open.
    pub(super) async fn run(
        self: Rc<Self>,
        rate: u32,
        mut phase: watch::Receiver<Phase>,
        tally: Rc<Tally>,
    ) {
        loop {
            let now = *phase.borrow_and_update();
            match now {
                Phase::Open { since } => self.run_phase(rate, since, &phase, &tally).await,
                Phase::Closed if phase.changed().await.is_ok() => {}
                Phase::Closed | Phase::Stop => return,
            }
        }
    }

    async fn run_phase(
        &self,
        rate: u32,
        since: Instant,
        phase: &watch::Receiver<Phase>,
        tally: &Tally,
    ) {
        let mut offered = 0;
        while *phase.borrow() == (Phase::Open { since }) {
            loop {
                let due = since + moment(offered, rate);
                if due > Instant::now() {
                    break;
                }
                offered += 1;
                add(&tally.offered, 1);
                if !self.offer(due) {
                    add(&tally.blocked, 1);
                }
            }
            sleep(TICK).await;
        }
    }
}

/// When arrival `number` of so many a second is due, from the beginning.
pub(super) fn moment(number: u64, rate: u32) -> Duration {
    let (rate, nanos) = (u64::from(rate), 1_000_000_000);
    Duration::from_secs(number / rate) + Duration::from_nanos(number % rate * nanos / rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_spread_evenly_and_keep_the_rate() {
        assert_eq!(moment(0, 3), Duration::ZERO);
        assert_eq!(moment(1, 4), Duration::from_millis(250));
        assert_eq!(moment(30, 3), Duration::from_secs(10));
        assert_eq!(moment(600_000_000, 1_000_000), Duration::from_secs(600));
    }

    #[test]
    fn moves_go_to_those_that_wait_in_order_and_the_rest_is_blocked() {
        let arrivals = Arrivals::default();
        let mut first = arrivals.next_move();
        drop(arrivals.next_move());
        let mut third = arrivals.next_move();
        let due = Instant::now();
        let later = due + moment(1, 10);
        let offered = [due, later, later].map(|due| arrivals.offer(due));
        assert_eq!(offered, [true, true, false]);
        assert_eq!(first.try_recv(), Ok(due));
        assert_eq!(third.try_recv(), Ok(later));
    }
}
