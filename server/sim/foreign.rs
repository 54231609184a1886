//! Somebody else who appends to a match: another server, as far as this one can tell.

use std::sync::Arc;

use bytes::Bytes;
use grundy_server::store::{Commit, MatchRow, NodeId, Store, StreamId};
use grundy_shared::event::{EndReason, Event, Outcome};
use grundy_shared::ids::{MatchId, Seat, Seq};
use grundy_shared::referee::{Referee, Status};

use crate::disk::at_once;
use crate::faults::Fault;
use crate::postgres::Tables;
use crate::world::World;

/// The other server.
const OTHER: NodeId = NodeId(77);

/// Sometimes gets in before an append to a match, with something that may happen there.
pub(crate) fn interfere(world: &World, batch: &[Commit]) {
    for append in batch.iter().flat_map(|commit| &commit.appends) {
        if let StreamId::Match(id) = append.stream
            && append.expected > Seq(0)
            && world.strikes(Fault::Conflict, 150)
        {
            get_in(world, id);
        }
    }
}

fn get_in(world: &World, id: MatchId) {
    let log = world.disk.log(id);
    let events: Result<Vec<Event>, _> = log
        .iter()
        .map(|entry| serde_json::from_str(&entry.body))
        .collect();
    let Some(mut referee) = events.ok().and_then(|events| Referee::replay(&events).ok()) else {
        return;
    };
    if referee.status() != Status::Live {
        return;
    }
    let seat = *world.dice.pick(&Seat::BOTH);
    // Its clock is not ahead: that two servers tell one time is a matter of their machines.
    let at_ms = referee.last_at();
    let event = if world.dice.one_in(4) && !referee.is_rated() {
        Event::Ended {
            at_ms,
            outcome: Outcome::win_of(seat.other()),
            reason: EndReason::Resignation,
            next: None,
        }
    } else {
        Event::Presence {
            at_ms,
            seat,
            online: !referee.online(seat),
        }
    };
    // The flag may have fallen before: then this is none that may happen.
    let expected = referee.seq();
    if referee.apply(&event).is_err() {
        return;
    }
    let row = referee
        .outcome()
        .map(|_| MatchRow::of(&referee, Some(referee.last_at())));
    let mut commit = Commit::append(id, expected, vec![Bytes::from(event.to_json())]);
    if let Some(row) = row {
        commit = commit.with_row(id, row);
    }
    let (at, batch) = (world.wall(), vec![commit.clone()]);
    let change = move |tables: &Tables| {
        let lease = at_once(tables.memory.enlist(OTHER, at));
        lease.is_ok_and(|lease| at_once(tables.memory.commit(lease, batch.clone())) == [Ok(())])
    };
    if change(&world.database.primary) {
        world.disk.committed(world, &commit);
    }
    world.database.log(
        world,
        Arc::new(move |tables| {
            change(tables);
        }),
    );
}
