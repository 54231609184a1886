//! Which of the servers that share the store seem dead, as this one sees it.
//!
//! The clocks of two machines can differ by hours, so no moment that another server wrote is compared with the time here: a server is dead
//! if its row has not changed while this one looked at it for [`DEAD_AFTER`]. A server that is taken for dead while it lives loses its lease and
//! has to start again, so looks that say little are not counted: those after a gap, and those while the store is slow.

use std::time::Duration;

use rustc_hash::FxHashMap;
use tokio::time::Instant;

use crate::store::{NodeId, NodeRow};

/// Between two heartbeats of a server that others watch.
pub const BEAT_EVERY: Duration = Duration::from_millis(250);
/// A server whose row has not changed for so long is dead.
pub const DEAD_AFTER: Duration = Duration::from_secs(2);
/// A server that has not reached its shared store for this long sends its clients away: others may have continued their matches. A restart of the
/// database takes less.
pub const CUT_OFF_AFTER: Duration = Duration::from_secs(5);
/// Looks further apart than this, or a heartbeat that takes longer, say nothing about others.
const TOO_LONG: Duration = Duration::from_secs(1);
/// Each server that lives gives the one before it so long to take over before it does so itself.
const TURN: Duration = Duration::from_millis(500);

/// What was seen of one server.
#[derive(Debug)]
struct Seen {
    row: NodeRow,
    since: Instant,
    /// Nothing of it is left to take over.
    settled: bool,
    /// It has not stopped by itself: this server or another one has found it dead in this life.
    died: bool,
}

impl Seen {
    /// What is seen after `before`. A server that stops by itself changes its sign with its lease; one whose lease another server has ended does not.
    fn after(before: Option<&Self>, row: NodeRow, now: Instant) -> Self {
        let before = before.filter(|before| row.left && before.row.epoch == row.epoch);
        Self {
            row,
            since: now,
            settled: false,
            died: before.is_some_and(|before| {
                before.died || (!before.row.left && before.row.sign == row.sign)
            }),
        }
    }
}

/// What was seen of the other servers.
#[derive(Debug)]
pub struct Peers {
    own: NodeId,
    seen: FxHashMap<NodeId, Seen>,
    looked_at: Option<Instant>,
}

impl Peers {
    /// Nothing was seen yet by this server.
    #[must_use]
    pub fn new(own: NodeId) -> Self {
        Self {
            own,
            seen: FxHashMap::default(),
            looked_at: None,
        }
    }

    /// What was seen says nothing any more: the store was slow, or could not be reached, perhaps for the others as well.
    pub fn begin_again(&mut self, now: Instant) {
        self.seen.values_mut().for_each(|seen| seen.since = now);
    }

    /// Takes in what the store says of all servers, asked for with a heartbeat that took so long. Returns those that seem dead, and that it is this server's turn
    /// to take over.
    pub fn look(&mut self, now: Instant, beat_took: Duration, rows: &[NodeRow]) -> Vec<NodeRow> {
        for row in rows.iter().filter(|row| row.id != self.own) {
            let before = self.seen.get(&row.id);
            if before.is_none_or(|seen| seen.row != *row) {
                let seen = Seen::after(before, *row, now);
                self.seen.insert(row.id, seen);
            }
        }
        let last = self.looked_at.replace(now);
        let gap = last.map_or(Duration::ZERO, |last| now - last);
        if gap.max(beat_took) > TOO_LONG {
            self.begin_again(now);
        }
        let silent = |seen: &Seen| now - seen.since;
        let living = self.living(now);
        let is_due = |seen: &&Seen| {
            let turn = self.turn(seen.row.id, &living);
            // Who has left says nothing any more.
            let patience = if seen.row.left {
                Duration::ZERO
            } else {
                DEAD_AFTER
            };
            !seen.settled && silent(seen) >= patience + TURN * turn
        };
        let due: Vec<NodeRow> = self
            .seen
            .values()
            .filter(is_due)
            .map(|seen| seen.row)
            .collect();
        for row in due.iter().filter(|row| !row.left) {
            if let Some(seen) = self.seen.get_mut(&row.id) {
                seen.died = true;
            }
        }
        due
    }

    /// Whether a server that is to be taken over from was found dead, by whichever server and however many take-overs failed since; else it has stopped.
    #[must_use]
    pub fn has_died(&self, id: NodeId) -> bool {
        self.seen.get(&id).is_some_and(|seen| seen.died)
    }

    /// The other living servers, as last seen.
    #[must_use]
    pub fn living(&self, now: Instant) -> Vec<NodeId> {
        let lives = |seen: &&Seen| !seen.row.left && now - seen.since < DEAD_AFTER;
        let living = self.seen.values().filter(lives);
        living.map(|seen| seen.row.id).collect()
    }

    /// How many of those that live come before this server in taking over from another one. They stand in a ring, so that each is the first for some.
    fn turn(&self, dead: NodeId, living: &[NodeId]) -> u32 {
        let distance = |id: NodeId| id.0.wrapping_sub(dead.0);
        let own = distance(self.own);
        let before = living.iter().filter(|id| distance(**id) < own).count();
        u32::try_from(before).unwrap_or(u32::MAX)
    }

    /// Nothing of this server is left to take over, until it lives again.
    pub fn settle(&mut self, id: NodeId) {
        if let Some(seen) = self.seen.get_mut(&id) {
            seen.settled = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use grundy_shared::ids::Millis;

    use super::*;

    const QUICK: Duration = Duration::from_millis(2);
    const EVERY: Duration = Duration::from_millis(250);

    fn row(id: u32, sign: u64) -> NodeRow {
        NodeRow {
            id: NodeId(id),
            epoch: 1,
            enlisted_at: Millis(0),
            heartbeat: Some(Millis(7)),
            sign,
            left: false,
        }
    }

    /// When a server that is silent from the beginning is found dead by this one, while these others live.
    fn found_after(own: u32, dead: u32, others: &[u32]) -> Duration {
        let mut peers = Peers::new(NodeId(own));
        let began = Instant::now();
        for look in 0..100 {
            let now = began + EVERY * look;
            let living = others.iter().map(|id| row(*id, look.into()));
            let rows: Vec<NodeRow> = living.chain([row(dead, 0), row(own, 0)]).collect();
            let found = peers.look(now, QUICK, &rows);
            if !found.is_empty() {
                assert_eq!(found, [row(dead, 0)]);
                peers.settle(NodeId(dead));
                assert_eq!(peers.look(now + EVERY, QUICK, &rows), []);
                return now - began;
            }
        }
        panic!("never");
    }

    #[test]
    fn a_silent_server_is_taken_over_by_the_next_in_the_ring_and_then_by_any() {
        assert_eq!(found_after(2, 1, &[]), DEAD_AFTER);
        assert_eq!(found_after(2, 1, &[3]), DEAD_AFTER);
        assert_eq!(found_after(3, 1, &[2]), DEAD_AFTER + TURN);
        assert_eq!(found_after(1, 3, &[2]), DEAD_AFTER);
        assert_eq!(found_after(2, 3, &[1, 9]), DEAD_AFTER + TURN * 2);
    }

    #[test]
    fn one_that_has_left_is_not_waited_for() {
        let mut peers = Peers::new(NodeId(2));
        let mut second = Peers::new(NodeId(3));
        let now = Instant::now();
        let left = NodeRow {
            left: true,
            ..row(1, 0)
        };
        let rows = [left, row(2, 0), row(3, 0)];
        assert_eq!(peers.look(now, QUICK, &rows), [left]);
        assert_eq!(second.look(now, QUICK, &rows), []);
        assert_eq!(second.look(now + TURN, QUICK, &rows), [left]);
        peers.settle(NodeId(1));
        assert_eq!(peers.look(now + EVERY, QUICK, &rows), []);
    }

    #[test]
    fn a_lease_that_another_server_ended_is_no_stop() {
        let left = |sign| NodeRow {
            left: true,
            ..row(1, sign)
        };
        let mut peers = Peers::new(NodeId(2));
        let began = Instant::now();
        let mut look = |at: Duration, row: NodeRow| {
            let found = peers.look(began + at, QUICK, &[row]);
            (found, peers.has_died(NodeId(1)))
        };
        let mut at = Duration::ZERO;
        while at < DEAD_AFTER {
            assert_eq!(look(at, row(1, 0)), (vec![], false));
            at += EVERY;
        }
        // The take-over fails after it has ended the lease, so a later look finds a server without one.
        assert_eq!(look(at, row(1, 0)), (vec![row(1, 0)], true));
        assert_eq!(look(at + EVERY, left(1)), (vec![left(1)], true));
        assert_eq!(look(at + EVERY * 2, left(1)), (vec![left(1)], true));
        // It lives again, and then stops by itself, which changes its sign.
        let again = NodeRow {
            epoch: 2,
            ..row(1, 5)
        };
        assert_eq!(look(at + EVERY * 3, again), (vec![], false));
        let stopped = NodeRow {
            left: true,
            sign: 6,
            ..again
        };
        assert_eq!(look(at + EVERY * 4, stopped), (vec![stopped], false));
        // Another server may be the first to find one dead.
        let other = NodeRow { epoch: 3, ..again };
        let ended = NodeRow {
            left: true,
            ..other
        };
        assert_eq!(look(at + EVERY * 5, other), (vec![], false));
        assert_eq!(look(at + EVERY * 6, ended), (vec![ended], true));
    }

    #[test]
    fn clocks_that_differ_and_owed_time_are_no_sign_of_death() {
        let mut peers = Peers::new(NodeId(1));
        let began = Instant::now();
        // The heartbeat stays at one moment because a player is owed time.
        for look in 0..100 {
            let rows = [row(2, look.into())];
            assert_eq!(peers.look(began + EVERY * look, QUICK, &rows), []);
        }
    }

    #[test]
    fn a_gap_and_a_slow_store_begin_again() {
        let mut peers = Peers::new(NodeId(1));
        let mut now = Instant::now();
        let rows = [row(2, 0)];
        for _ in 0..100 {
            assert_eq!(peers.look(now, TOO_LONG * 2, &rows), []);
            now += EVERY;
        }
        for _ in 0..20 {
            assert_eq!(peers.look(now, QUICK, &rows), []);
            now += TOO_LONG + EVERY;
        }
        for _ in 0..8 {
            assert_eq!(peers.look(now, QUICK, &rows), []);
            now += EVERY;
        }
        assert_eq!(peers.look(now, QUICK, &rows), rows);
    }
}
