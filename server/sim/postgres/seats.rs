//! Which server has the connection from which a player plays: a row for each seat says who took it last.

use std::collections::BTreeMap;

use grundy_server::store::{GROWN_MAX, Lease, Seating};
use grundy_shared::ids::{MatchId, Millis, Seat};

use super::spent::Spent;

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
    /// Notes what has changed at one server, and says which of the seats that it asks about others have: with a good lease, and heard of lately.
    pub(crate) fn note(
        &mut self,
        lease: Lease,
        seating: &Seating,
        is_good: impl Fn(Lease) -> bool,
        spent: &Spent,
        now_ms: u64,
    ) -> Vec<(MatchId, Seat)> {
        if is_good(lease) {
            for (id, seat, at) in &seating.taken {
                let new = Row { by: lease, at: *at };
                let row = self.0.entry((*id, *seat)).or_insert(new);
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
                let there = is_good(row.by) && spent.is_heard_of(row.by.node, now_ms);
                row.by.node != lease.node && there
            })
        };
        places.filter(elsewhere).collect()
    }
}
