//! Which server has the connection from which a player plays: a row for each seat says who took it last.

use std::collections::BTreeMap;

use grundy_server::store::{GROWN_MAX, Lease, LostSeat, NodeId, Seating, Seats as Said};
use grundy_shared::ids::{MatchId, Millis, Seat};

/// Who took a seat, and when by the clock of that server.
#[derive(Clone, Copy)]
struct Row {
    by: Lease,
    at: Millis,
}

/// The seats that somebody has.
#[derive(Default)]
pub(crate) struct Seats(BTreeMap<(MatchId, Seat), Row>);

impl Seats {
    /// Notes what has changed at one server, and says whose seats it has taken, and which of the seats that it asks about others have: with a good lease, and heard of lately.
    pub(crate) fn note(
        &mut self,
        lease: Lease,
        seating: &Seating,
        is_good: impl Fn(Lease) -> bool,
        is_heard_of: impl Fn(NodeId) -> bool,
    ) -> Said {
        let mut came = Vec::new();
        if is_good(lease) {
            for (id, seat, at) in &seating.taken {
                let new = Row { by: lease, at: *at };
                let row = self.0.entry((*id, *seat)).or_insert(new);
                if row.by.node != lease.node && new.at >= row.at {
                    came.push((*id, *seat, row.by));
                }
                if new.at >= row.at || !is_good(row.by) {
                    *row = new;
                }
            }
        }
        for place in &seating.left {
            if self.0.get(place).is_some_and(|row| row.by == lease) {
                self.0.remove(place);
            }
        }
        let asked = seating.asked.iter().take(GROWN_MAX);
        let places = asked.flat_map(|id| Seat::BOTH.map(|seat| (*id, seat)));
        let elsewhere = |place: &(MatchId, Seat)| {
            self.0.get(place).is_some_and(|row| {
                let there = is_good(row.by) && is_heard_of(row.by.node);
                row.by.node != lease.node && there
            })
        };
        Said {
            elsewhere: places.filter(elsewhere).collect(),
            came,
        }
    }

    /// The next seats of this life of a node and of its earlier ones, and whether their opponents have been at another server since this moment.
    pub(crate) fn of(
        &self,
        node: NodeId,
        until: u64,
        since: Millis,
        after: Option<(MatchId, Seat)>,
        is_good: impl Fn(Lease) -> bool,
    ) -> Vec<LostSeat> {
        let of = |row: &Row| row.by.node == node && row.by.epoch <= until;
        let seats = self.0.iter().filter(|(_, row)| of(row));
        let seats = seats.map(|(place, _)| *place);
        let seats = seats.filter(|place| after.is_none_or(|after| *place > after));
        let lost = seats.map(|(id, seat)| LostSeat {
            id,
            seat,
            opponent_stays: self
                .0
                .get(&(id, seat.other()))
                .is_some_and(|row| row.at <= since && is_good(row.by)),
        });
        lost.take(GROWN_MAX).collect()
    }

    /// Forgets what lives of a node up to this one have taken.
    pub(crate) fn forget(&mut self, node: NodeId, until: u64) {
        self.0
            .retain(|_, row| row.by.node != node || row.by.epoch > until);
    }
}
