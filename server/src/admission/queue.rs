//! New work that waits until the server accepts it: in order of arrival, for a bounded time, in a bounded number of places.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::work::Work;
use crate::addresses::AddressKey;

/// Requests of each kind that wait at once, and those of one address among them.
const PLACES: usize = 1_024;
const PLACES_OF_ADDRESS: usize = 256;
/// Once work of a kind is accepted again, each measurement lets in a quarter of the waiting requests, but at least this many.
const AT_ONCE: usize = 16;

/// One request that waits.
#[derive(Debug)]
struct Waiting {
    address: AddressKey,
    until: Instant,
    turn: oneshot::Sender<bool>,
}

/// Resolves to `true` when it is the turn of a request, and to `false` when its time is up. An error means that the server stops.
pub type Turn = oneshot::Receiver<bool>;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Queue {
    guests: Mutex<VecDeque<Waiting>>,
    matches: Mutex<VecDeque<Waiting>>,
}

impl Queue {
    /// The requests of this kind that wait; `None` if such work never waits.
    fn of(&self, work: Work) -> Option<MutexGuard<'_, VecDeque<Waiting>>> {
        let waiting = match work {
            Work::Guest => &self.guests,
            Work::Match => &self.matches,
            Work::Analysis | Work::Watch => return None,
        };
        Some(waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How many requests of this kind wait.
    pub(super) fn len(&self, work: Work) -> usize {
        self.of(work).map_or(0, |waiting| waiting.len())
    }

    /// Takes a place; `None` if there is none for this kind or this address. Cost: proportional to the requests that wait.
    pub(super) fn enter(
        &self,
        work: Work,
        address: AddressKey,
        patience: Duration,
    ) -> Option<Turn> {
        let mut waiting = self.of(work)?;
        let same = waiting.iter().filter(|other| other.address == address);
        if waiting.len() >= PLACES || same.count() >= PLACES_OF_ADDRESS {
            return None;
        }
        let (turn, wait) = oneshot::channel();
        let until = Instant::now() + patience;
        waiting.push_back(Waiting {
            address,
            until,
            turn,
        });
        Some(wait)
    }

    /// Drops requests whose time is up or whose client is gone, and lets in some if work of this kind is accepted now.
    pub(super) fn step(&self, work: Work, is_taken_on: bool) {
        let Some(mut waiting) = self.of(work) else {
            return;
        };
        waiting.retain(|one| !one.turn.is_closed());
        if is_taken_on {
            let most = AT_ONCE.max(waiting.len() / 4).min(waiting.len());
            for one in waiting.drain(..most) {
                let _ = one.turn.send(true);
            }
        }
        let now = Instant::now();
        // The oldest requests end first, unless `overload.wait_ms` was changed meanwhile.
        while let Some(one) = waiting.pop_front_if(|one| one.until <= now) {
            let _ = one.turn.send(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(5);

    fn address(number: u32) -> AddressKey {
        IpAddr::V4(Ipv4Addr::from_bits(number)).into()
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_to_come_is_let_in_first_and_what_waits_too_long_is_refused() {
        let queue = Queue::default();
        let mut turns: Vec<Turn> = (0..100)
            .filter_map(|number| queue.enter(Work::Guest, address(number), PATIENCE))
            .collect();
        let told = |turns: &mut Vec<Turn>, wanted: bool| {
            let told = turns.iter_mut().map(Turn::try_recv);
            told.filter(|told| *told == Ok(wanted)).count()
        };
        queue.step(Work::Guest, false);
        assert_eq!((turns.len(), queue.len(Work::Guest)), (100, 100));
        queue.step(Work::Guest, true);
        assert_eq!(told(&mut turns, true), 25);
        assert_eq!(
            turns
                .iter()
                .take(25)
                .filter(|turn| turn.is_terminated())
                .count(),
            25
        );
        // A client that disconnects frees its place.
        turns.truncate(90);
        queue.step(Work::Guest, false);
        assert_eq!(queue.len(Work::Guest), 65);
        tokio::time::advance(PATIENCE).await;
        queue.step(Work::Guest, false);
        assert_eq!((told(&mut turns, false), queue.len(Work::Guest)), (65, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn places_are_bounded_in_all_and_for_each_address() {
        let queue = Queue::default();
        let enter = |number| queue.enter(Work::Match, address(number), PATIENCE);
        let one: Vec<Turn> = (0..PLACES).filter_map(|_| enter(1)).collect();
        assert_eq!(one.len(), PLACES_OF_ADDRESS);
        let others: Vec<Turn> = (2..5_000).filter_map(enter).collect();
        assert_eq!(one.len() + others.len(), PLACES);
        assert!(queue.enter(Work::Guest, address(1), PATIENCE).is_some());
        for work in [Work::Analysis, Work::Watch] {
            assert!(
                queue.enter(work, address(1), PATIENCE).is_none(),
                "{work:?}"
            );
        }
    }
}
