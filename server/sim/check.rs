//! What must hold once everything has come to rest.

use std::collections::BTreeMap;

use grundy_server::store::{MatchRow, Store};
use grundy_shared::event::{Event, TimeControl};
use grundy_shared::ids::{MatchId, Millis, Seat, Seq};
use grundy_shared::protocol::client::ListStatus;
use grundy_shared::protocol::server::Snapshot;
use grundy_shared::rated::RatedPair;
use grundy_shared::referee::{Referee, Status};

use crate::clocks;
use crate::disk::{Entry, at_once};
use crate::node::Process;
use crate::ratings;
use crate::world::World;

/// Compares what is stored with its copy, with the rules, and with what snapshots said.
pub(crate) fn logs(world: &World) {
    let mut snapshots = world.disk.snapshots();
    snapshots.sort_by_key(|snapshot| (snapshot.match_id, snapshot.seq));
    let mut challenges = BTreeMap::new();
    let mut pairs = Vec::new();
    for id in world.disk.matches() {
        let log = world.disk.log(id);
        is_kept(world, id, &log);
        let first = snapshots.partition_point(|snapshot| snapshot.match_id < id);
        let end = snapshots.partition_point(|snapshot| snapshot.match_id <= id);
        if let Some((events, referee)) = replay(world, id, &log, &snapshots[first..end]) {
            row(world, id, &referee);
            pairs.extend(
                events
                    .iter()
                    .find_map(|end| RatedPair::ended(&referee, end)),
            );
            if let Some(clock) = challenge_of(&events)
                && let Some(other) = challenges.insert(clock, id)
            {
                world.wrong(format!("{id} and {other} came of one challenge"));
            }
            if let TimeControl::Fischer { .. } = referee.clock_control() {
                clocks::check(world, id, &log, &events);
            }
            if referee.status() != Status::Over {
                world.stuck(format!("{id} is still {:?}", referee.status()));
            }
        }
    }
    ratings::check(world, &pairs);
}

/// By its clock, the challenge that this match came of.
fn challenge_of(events: &[Event]) -> Option<Millis> {
    match events.first()? {
        Event::Created {
            clock: TimeControl::Fischer { base_ms, .. },
            held: true,
            rematch_of: None,
            series: None,
            ..
        } => Some(*base_ms),
        _ => None,
    }
}

/// The store has exactly what was committed.
fn is_kept(world: &World, id: MatchId, log: &[Entry]) {
    let mut kept = Vec::new();
    loop {
        let after = Seq(kept.len() as u64);
        match at_once(world.disk.memory.load(id.into(), after, 1_000)) {
            Ok(Some(page)) if !page.is_empty() => kept.extend(page),
            _ => break,
        }
    }
    let same = kept.len() == log.len()
        && kept
            .iter()
            .zip(log)
            .all(|(kept, entry)| kept.text() == entry.body);
    if !same {
        world.wrong(format!("the log of {id} is not what was committed"));
    }
}

/// The state that the log leads to; every snapshot is one on the way.
fn replay(
    world: &World,
    id: MatchId,
    log: &[Entry],
    snapshots: &[Snapshot],
) -> Option<(Vec<Event>, Referee)> {
    let read = log.iter().map(|entry| serde_json::from_str(&entry.body));
    let events: Vec<Event> = match read.collect() {
        Ok(events) => events,
        Err(error) => {
            world.wrong(format!("{id} cannot be read: {error}"));
            return None;
        }
    };
    if let Err(error) = Referee::replay(&events) {
        world.wrong(format!("{id} breaks a law: {error}"));
        return None;
    }
    let mut referee = Referee::begin(events.first()?).ok()?;
    let mut snapshots = snapshots.iter().peekable();
    for seq in 1.. {
        while let Some(snapshot) = snapshots.next_if(|snapshot| snapshot.seq.0 == seq) {
            is_on_the_way(world, &referee, snapshot);
        }
        match usize::try_from(seq).ok().and_then(|at| events.get(at)) {
            Some(event) => drop(referee.apply(event)),
            None => break,
        }
    }
    Some((events, referee))
}

fn is_on_the_way(world: &World, referee: &Referee, snapshot: &Snapshot) {
    let status = match referee.status() {
        Status::Waiting => ListStatus::Waiting,
        Status::Live => ListStatus::Live,
        Status::Over => ListStatus::Over,
    };
    let same = snapshot.position == referee.position().to_string()
        && snapshot.ply == referee.ply()
        && snapshot.status == status
        && snapshot.to_move == referee.to_move()
        && snapshot.first.as_ref() == referee.player(Seat::First)
        && snapshot.second.as_ref() == referee.player(Seat::Second);
    // Watchers of a rated match do not see the later state of the clock.
    let delayed = referee.is_rated() && snapshot.held;
    let clocks = status == ListStatus::Waiting
        || snapshot.clocks == referee.clocks_at(snapshot.at_ms.max(referee.last_at()))
        || (delayed && snapshot.clocks == referee.clocks_after(referee.ply()));
    if !same || !clocks {
        world.wrong(format!(
            "the snapshot of {} at {} is not what its log says: {snapshot:?}, clocks {:?}",
            snapshot.match_id,
            snapshot.seq,
            referee.clocks_at(snapshot.at_ms)
        ));
    }
}

/// The summary says what the log says.
fn row(world: &World, id: MatchId, referee: &Referee) {
    let Ok(Some(row)) = at_once(world.disk.memory.row(id)) else {
        return world.wrong(format!("{id} has no summary"));
    };
    let derived = MatchRow::of(referee, row.ended_at);
    let same = match referee.status() {
        Status::Over => row == derived && row.ended_at.is_some(),
        // What changes with every move is written at the end.
        _ => {
            row.status == derived.status
                && row.first == derived.first
                && row.second == derived.second
        }
    };
    if !same {
        world.wrong(format!(
            "the summary of {id} is {row:?}, and should be {derived:?}"
        ));
    }
}

/// Nothing is held any more: no place of a match, no connection.
pub(crate) fn at_rest(world: &World, process: &Process) {
    let app = &process.app;
    for (what, left) in [
        ("matches have a place", app.matches.open_matches() as i64),
        ("matches count as open", app.metrics.matches_live.get()),
        (
            "connections have a place",
            i64::from(app.addresses.connections()),
        ),
        (
            "matches are in quarantine",
            app.metrics.matches_quarantined.get(),
        ),
        (
            "matches panicked",
            i64::try_from(app.metrics.match_panics.get()).unwrap_or(i64::MAX),
        ),
    ] {
        if left != 0 {
            world.wrong(format!("at rest, {left} {what}"));
        }
    }
}
