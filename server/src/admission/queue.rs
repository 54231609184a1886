//! New work that waits until the server accepts it: in order of arrival, for a bounded time, in a bounded number of places.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;
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

/// Resolves to `true` when it is the turn of a request, and to `false` when its time is up or its place goes to another address. An error means that the server
/// stops.
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

    /// Takes a place; `None` if there is none for this kind or this address. If all are taken, the address with the most waiting requests loses its newest, which is
    /// refused, unless this address would then have as many: a few addresses cannot keep everybody else out. Cost: proportional to the requests that wait.
    pub(super) fn enter(
        &self,
        work: Work,
        address: AddressKey,
        patience: Duration,
    ) -> Option<Turn> {
        let mut waiting = self.of(work)?;
        let same = waiting.iter().filter(|other| other.address == address);
        let of_address = same.count();
        if of_address >= PLACES_OF_ADDRESS {
            return None;
        }
        if waiting.len() >= PLACES {
            let displaced = displace(&mut waiting, of_address + 1)?;
            let _ = displaced.turn.send(false);
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

/// Takes the newest request of the address that has the most, if it has more than this.
fn displace(waiting: &mut VecDeque<Waiting>, more_than: usize) -> Option<Waiting> {
    let mut counts: FxHashMap<AddressKey, usize> = FxHashMap::default();
    for one in &*waiting {
        *counts.entry(one.address).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    if most <= more_than {
        return None;
    }
    let newest = waiting
        .iter()
        .rposition(|one| counts.get(&one.address) == Some(&most))?;
    waiting.remove(newest)
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
        // Others displace all but one of this address.
        assert_eq!((others.len(), queue.len(Work::Match)), (PLACES - 1, PLACES));
        assert!(queue.enter(Work::Guest, address(1), PATIENCE).is_some());
        for work in [Work::Analysis, Work::Watch] {
            assert!(
                queue.enter(work, address(1), PATIENCE).is_none(),
                "{work:?}"
            );
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_few_addresses_cannot_hold_all_places() {
        let queue = Queue::default();
        let enter = |number| queue.enter(Work::Guest, address(number), PATIENCE);
        let mut greedy: Vec<(u32, Turn)> = (0..PLACES as u32)
            .filter_map(|place| Some((place % 4, enter(place % 4)?)))
            .collect();
        assert_eq!(greedy.len(), PLACES);
        let mut others: Vec<Turn> = (4..12).filter_map(enter).collect();
        assert_eq!((others.len(), queue.len(Work::Guest)), (8, PLACES));
        let displaced: Vec<u32> = greedy
            .iter_mut()
            .filter_map(|(from, turn)| (turn.try_recv() == Ok(false)).then_some(*from))
            .collect();
        // Two of each, the newest first.
        assert_eq!(displaced, [0, 1, 2, 3, 0, 1, 2, 3]);
        assert!(greedy[PLACES - 8].1.is_terminated());
        assert!(others.iter_mut().all(|turn| turn.try_recv().is_err()));
        // An address that would have as many as the greediest displaces nothing.
        assert!(enter(0).is_none());
    }
}
