//! Players who have come here from another server. Some time later it shows whether that one was alive: if it was dead, they could not play until they came, and nobody
//! charges them for that time.

use grundy_shared::ids::{MatchId, Millis, Seat};
use rustc_hash::FxHashMap;
use tokio::time::Instant;

use crate::peers::DEAD_AFTER;
use crate::store::{Lease, NodeRow};

/// One of them.
#[derive(Debug)]
struct Arrival {
    /// The life of the other server.
    from: Lease,
    /// When the player came.
    at: Millis,
    /// When that server was alive, and what its row said then, as it was seen first.
    seen: Option<(Option<Millis>, u64, Instant)>,
}

/// Those whose server may have been dead. Each is decided after [`DEAD_AFTER`] at the latest, so there are no more than came in that time.
#[derive(Debug, Default)]
pub struct Arrivals(FxHashMap<(MatchId, Seat), Arrival>);

impl Arrivals {
    /// A player has come to this seat from this life of another server.
    pub fn come(&mut self, place: (MatchId, Seat), from: Lease, at: Millis) {
        let arrival = Arrival {
            from,
            at,
            seen: None,
        };
        self.0.insert(place, arrival);
    }

    /// Whether nothing is to be decided.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes in what the store says of all servers. The players whose server was dead when they came, and when it was alive last.
    pub fn look(&mut self, now: Instant, rows: &[NodeRow]) -> Vec<((MatchId, Seat), Millis)> {
        let mut dead = Vec::new();
        self.0.retain(|place, arrival| {
            let row = rows.iter().find(|row| row.id == arrival.from.node);
            let Some(row) = row else {
                return false;
            };
            match arrival.look(now, row) {
                Verdict::Open => true,
                Verdict::Alive => false,
                Verdict::Dead(heartbeat) => {
                    dead.push((*place, heartbeat));
                    false
                }
            }
        });
        dead
    }
}

/// What is known of the server that a player came from.
enum Verdict {
    /// Nothing yet.
    Open,
    /// It was alive when the player came.
    Alive,
    /// It was dead by then, and alive last at this moment.
    Dead(Millis),
}

impl Arrival {
    fn look(&mut self, now: Instant, row: &NodeRow) -> Verdict {
        let (heartbeat, sign, since) = *self.seen.get_or_insert((row.heartbeat, row.sign, now));
        // It said that it was alive after the player came; or nobody knows when it was.
        let Some(heartbeat) = heartbeat.filter(|heartbeat| *heartbeat < self.at) else {
            return Verdict::Alive;
        };
        let ended = row.epoch != self.from.epoch || row.left;
        if !ended && row.sign != sign {
            return Verdict::Alive;
        }
        match ended || now - since >= DEAD_AFTER {
            true => Verdict::Dead(heartbeat),
            false => Verdict::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::store::NodeId;

    const FROM: Lease = Lease {
        node: NodeId(20),
        epoch: 3,
    };
    const EVERY: Duration = Duration::from_millis(400);

    fn place() -> (MatchId, Seat) {
        (MatchId::from_random(7), Seat::First)
    }

    /// The other server, alive last at 1,000.
    fn row(sign: u64) -> NodeRow {
        NodeRow {
            id: FROM.node,
            epoch: FROM.epoch,
            enlisted_at: Millis(0),
            heartbeat: Some(Millis(1_000)),
            sign,
            left: false,
        }
    }

    /// A player who came at this moment.
    fn came(at: u64) -> Arrivals {
        let mut arrivals = Arrivals::default();
        arrivals.come(place(), FROM, Millis(at));
        arrivals
    }

    #[test]
    fn a_server_that_says_nothing_more_was_dead() {
        let mut arrivals = came(1_700);
        let began = Instant::now();
        let looks = (0..).map(|look| began + EVERY * look);
        for now in looks.take_while(|now| *now - began < DEAD_AFTER) {
            assert_eq!(arrivals.look(now, &[row(5)]), []);
            assert!(!arrivals.is_empty());
        }
        let found = arrivals.look(began + DEAD_AFTER, &[row(5)]);
        assert_eq!(found, [(place(), Millis(1_000))]);
        assert!(arrivals.is_empty(), "it is said once");
    }

    #[test]
    fn a_server_that_goes_on_was_alive() {
        let mut arrivals = came(1_100);
        let began = Instant::now();
        assert_eq!(arrivals.look(began, &[row(5)]), []);
        assert_eq!(arrivals.look(began + EVERY, &[row(6)]), []);
        assert!(arrivals.is_empty());
        // It had a heartbeat after the player came.
        let mut arrivals = came(900);
        assert_eq!(arrivals.look(began, &[row(5)]), []);
        assert!(arrivals.is_empty());
    }

    #[test]
    fn a_server_whose_life_has_ended_was_dead() {
        let began = Instant::now();
        let again = NodeRow {
            epoch: FROM.epoch + 1,
            ..row(5)
        };
        let gone = NodeRow {
            left: true,
            ..row(5)
        };
        for ended in [again, gone] {
            let found = came(1_700).look(began, &[ended]);
            assert_eq!(found, [(place(), Millis(1_000))]);
            // Alive when it was seen first; its heartbeats of the next life say nothing of this one.
            let mut arrivals = came(1_700);
            assert_eq!(arrivals.look(began, &[row(5)]), []);
            let later = NodeRow {
                heartbeat: Some(Millis(9_000)),
                sign: 9,
                ..ended
            };
            let found = arrivals.look(began + EVERY, &[later]);
            assert_eq!(found, [(place(), Millis(1_000))]);
        }
    }

    #[test]
    fn a_server_that_nobody_knows_is_nothing_to_wait_for() {
        let mut arrivals = came(1_700);
        assert_eq!(arrivals.look(Instant::now(), &[]), []);
        assert!(arrivals.is_empty());
        let mut silent = came(1_700);
        let never = NodeRow {
            heartbeat: None,
            ..row(5)
        };
        assert_eq!(silent.look(Instant::now(), &[never]), []);
        assert!(silent.is_empty());
    }
}
