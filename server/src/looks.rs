//! Looks at the logs that this server follows, for what other servers on the same store have appended: one question for all of them.
//!
//! Hints of other servers say the same sooner. Without them, or while the bus is not connected, a look several times a second finds everything; with
//! them a look every few seconds finds what was lost on the way. Whether players are connected to another server is asked with every look.

use std::sync::Arc;
use std::time::Duration;

use grundy_shared::ids::{MatchId, Seat, Seq};
use rustc_hash::{FxHashMap, FxHashSet};
use tokio::time::{Instant, Interval, MissedTickBehavior};

use crate::arrivals::Arrivals;
use crate::bus::Bus;
use crate::chat::Chats;
use crate::lifecycle::Lifecycle;
use crate::matches::{LiveMatch, Matches};
use crate::store::{GROWN_MAX, Lease, Seating, Seats, Store, StoreError, StreamId};
use crate::tournaments::Tournaments;

/// Between two looks without hints. Less than what an announcement may be late.
const LOOK_EVERY: Duration = Duration::from_millis(400);
/// Of so many looks, one is made while hints come.
const WITH_HINTS: u32 = 5;

/// When to look.
fn ticks() -> Interval {
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// What looks are made with, and whom they tell.
pub struct Looks {
    /// The logs.
    pub store: Arc<dyn Store>,
    /// Says whether hints come.
    pub bus: Arc<dyn Bus>,
    /// The matches that are here.
    pub matches: Arc<Matches>,
    /// The tournaments that are here.
    pub tournaments: Arc<Tournaments>,
    /// The rooms that somebody hears here.
    pub chats: Arc<Chats>,
    /// Says when the server stops.
    pub lifecycle: Lifecycle,
    /// The right to take seats.
    pub lease: Lease,
}

/// The seats that the store knows to be taken here, and how often each had been taken when that was said.
type Taken = FxHashMap<(MatchId, Seat), u64>;

impl Looks {
    /// Looks again and again, until the server begins to stop. Somebody may hold the table of seats: moves of other servers come all the same.
    pub async fn run(self) {
        futures::join!(self.look_for_players(), self.look_for_events());
    }

    async fn look_for_players(&self) {
        let draining = self.lifecycle.draining();
        let mut ticks = ticks();
        let (mut taken, mut arrivals) = (Taken::default(), Arrivals::default());
        while draining.run_until_cancelled(ticks.tick()).await.is_some() {
            let look = async {
                let matches = self.matches.known();
                for matches in matches.chunks(GROWN_MAX / 2) {
                    self.look_at_seats(matches, &mut taken, &mut arrivals)
                        .await?;
                }
                self.forget_seats(&mut taken).await?;
                self.look_at_arrivals(&mut arrivals).await
            };
            if let Some(Err(error)) = draining.run_until_cancelled(look).await {
                tracing::warn!(%error, "players on other servers cannot be looked for");
            }
        }
    }

    async fn look_for_events(&self) {
        let draining = self.lifecycle.draining();
        let mut ticks = ticks();
        let mut left_out = 0;
        while draining.run_until_cancelled(ticks.tick()).await.is_some() {
            left_out += 1;
            if self.bus.is_connected() && left_out < WITH_HINTS {
                continue;
            }
            match draining.run_until_cancelled(self.look_at_logs()).await {
                Some(Err(error)) => {
                    tracing::warn!(%error, "events of other servers cannot be looked for");
                }
                _ => left_out = 0,
            }
        }
    }

    /// Says which players have come here and left, and tells matches whose players are connected elsewhere.
    async fn look_at_seats(
        &self,
        matches: &[Arc<LiveMatch>],
        taken: &mut Taken,
        arrivals: &mut Arrivals,
    ) -> Result<(), StoreError> {
        let mut seating = Seating::default();
        let mut said = Vec::new();
        for live in matches {
            let (id, pulse) = (live.id(), live.pulse());
            seating.asked.push(id);
            for seat in Seat::BOTH {
                let (place, times) = ((id, seat), pulse.taken(seat));
                match (pulse.is_connected(seat), taken.get(&place)) {
                    (true, known) if known != Some(&times) => {
                        seating.taken.push((id, seat, pulse.taken_at(seat)));
                        said.push((place, Some(times)));
                    }
                    (false, Some(_)) => {
                        seating.left.push(place);
                        said.push((place, None));
                    }
                    _ => {}
                }
            }
        }
        let Seats { elsewhere, came } = self.store.seats(self.lease, seating).await?;
        let elsewhere: FxHashSet<(MatchId, Seat)> = elsewhere.into_iter().collect();
        for (id, seat, from) in came {
            if let Some(live) = self.matches.get(id) {
                arrivals.come((id, seat), from, live.pulse().taken_at(seat));
            }
        }
        for (place, times) in said {
            match times {
                Some(times) => taken.insert(place, times),
                None => taken.remove(&place),
            };
        }
        for live in matches {
            let older = |seat| {
                let place = (live.id(), seat);
                let times = taken.get(&place).copied().unwrap_or(0);
                elsewhere.contains(&place).then_some(times)
            };
            self.matches.seats_elsewhere(live, Seat::BOTH.map(older));
        }
        Ok(())
    }

    /// Says that nobody is connected here to matches that are here no longer.
    async fn forget_seats(&self, taken: &mut Taken) -> Result<(), StoreError> {
        let gone = |(id, _): &&(MatchId, Seat)| self.matches.get(*id).is_none();
        let left: Vec<(MatchId, Seat)> = taken.keys().filter(gone).copied().collect();
        for places in left.chunks(GROWN_MAX) {
            let seating = Seating {
                left: places.to_vec(),
                ..Seating::default()
            };
            self.store.seats(self.lease, seating).await?;
            for place in places {
                taken.remove(place);
            }
        }
        Ok(())
    }

    /// Tells matches whose players came from servers that were dead.
    async fn look_at_arrivals(&self, arrivals: &mut Arrivals) -> Result<(), StoreError> {
        if arrivals.is_empty() {
            return Ok(());
        }
        let nodes = self.store.nodes().await?;
        for ((id, seat), heartbeat) in arrivals.look(Instant::now(), &nodes) {
            self.matches.found_back(id, seat, heartbeat);
        }
        Ok(())
    }

    /// Asks which logs have grown, and tells those whose they are. Cost: one statement for each [`GROWN_MAX`] logs that are followed here.
    async fn look_at_logs(&self) -> Result<(), StoreError> {
        let matches = self.matches.known();
        let matches = matches
            .iter()
            .map(|live| (live.id().into(), live.pulse().seq()));
        let mut known: Vec<(StreamId, Seq)> = matches.collect();
        known.extend(self.tournaments.known().await);
        known.extend(self.chats.known());
        for asked in known.chunks(GROWN_MAX) {
            let grown = self.store.grown(asked).await?;
            for (stream, last) in &grown {
                match *stream {
                    StreamId::Match(id) => self.matches.hint(id, *last),
                    StreamId::Tournament(id) => self.tournaments.hint(id, *last),
                    _ => {}
                }
            }
            self.chats.begin_to_hear(asked, &grown);
        }
        Ok(())
    }
}
