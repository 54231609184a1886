//! Nobody is charged for time in which no server that is alive could take their move. A server that takes over from a dead one holds the clocks: each may start when its player
//! is connected to a server that is alive, or once players have had their time to find back.

use grundy_server::matches::machine::Policy;
use grundy_server::store::{Commit, NodeId, StreamId};
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat};

use crate::world::World;

/// The clocks of two servers may differ by so much.
const APART_MS: Millis = Millis(1_000);

/// Looks at what this server has just stored.
pub(crate) fn check(world: &World, by: NodeId, commit: &Commit) {
    if world.plan.nodes == 1 {
        return;
    }
    for append in &commit.appends {
        let StreamId::Match(id) = append.stream else {
            continue;
        };
        let events = append.events.iter();
        for event in events.filter_map(|body| serde_json::from_slice::<Event>(body).ok()) {
            if let Event::ClockStarted { at_ms, seat } = event {
                expect_player(world, by, id, at_ms, seat);
            }
        }
    }
}

fn expect_player(world: &World, by: NodeId, id: MatchId, at: Millis, seat: Seat) {
    let log = world.disk.log(id);
    let events = log
        .iter()
        .filter_map(|entry| serde_json::from_str::<Event>(&entry.body).ok());
    let (mut player, mut held_at) = (None, None);
    for event in events {
        match event {
            Event::Created {
                creator, seat: of, ..
            } if of == seat => player = Some(creator.id),
            Event::Joined {
                player: joined,
                seat: of,
                ..
            } if of == seat => player = Some(joined.id),
            Event::Outage {
                at_ms, held: true, ..
            } => held_at = Some(at_ms),
            _ => {}
        }
    }
    let in_time = |held_at: Millis| at.plus(APART_MS) < held_at.plus(Policy::FIND_BACK_MS);
    let is_guest = |player: &PlayerId| world.disk.is_guest(*player);
    if held_at.is_some_and(in_time)
        && let Some(player) = player.filter(is_guest)
        && !world.seated().can_play(player, by, world.now_ms())
    {
        world.wrong(format!(
            "{by:?} starts the clock of the {seat} player in {id}, who is connected to no server that is alive"
        ));
    }
}
