//! A server that stops, and its players on the way to another one.

use std::sync::Arc;

use grundy_shared::event::Event;
use grundy_shared::ids::Millis;
use grundy_shared::referee::Command;

use super::rig::*;
use crate::matches::machine::{Input, Policy};

/// A match of ten seconds for each player, one of which is used up, on a store that other servers use too.
fn shared() -> Rig {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    rig.machine.policy = Arc::new(Policy {
        shared: true,
        ..*policy()
    });
    rig.wait(1_000);
    rig
}

fn is_hold(event: &Event) -> bool {
    matches!(
        event,
        Event::Outage {
            held: true,
            credited_ms: Millis(0),
            ..
        }
    )
}

/// What the server on which Ada was connected stores when it stops.
fn ada_is_sent_away(rig: &mut Rig) {
    rig.lose(1);
    rig.write_elsewhere(&Command::Outage {
        away_ms: Millis(0),
        hold: true,
    });
    rig.look();
}

#[test]
fn a_server_that_stops_holds_the_clocks_of_players_whom_it_leaves() {
    let mut rig = shared();
    rig.tell(Input::Drain);
    rig.lose(1);
    rig.tell(Input::Stop);
    assert!(is_hold(&rig.last()), "{:?}", rig.kinds());
    assert!(rig.done);
    assert_eq!(rig.kinds().len(), 3);
    rig.now += 5_000;
    assert_eq!(rig.left(), (9_000, 10_000));
}

#[test]
fn what_was_asked_before_comes_first() {
    let mut rig = shared();
    rig.stores_at_once = false;
    rig.moves(ADA, 1, "A-3");
    rig.tell(Input::Drain);
    rig.store();
    rig.store();
    assert!(is_hold(&rig.last()), "{:?}", rig.kinds());
    assert!(rig.kinds().iter().any(|kind| kind == "moved"));
}

#[test]
fn a_hold_meets_what_another_server_stored() {
    let mut rig = shared();
    rig.stores_at_once = false;
    rig.tell(Input::Drain);
    rig.write_elsewhere(&Command::Outage {
        away_ms: Millis(0),
        hold: true,
    });
    rig.store();
    rig.read();
    let holds = rig.events().iter().filter(|event| is_hold(event)).count();
    assert_eq!(holds, 1);
    assert!(rig.in_flight.is_none());
}

#[test]
fn a_server_that_has_the_store_for_itself_holds_nothing_and_neither_does_one_without_players() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    rig.tell(Input::Drain);
    assert!(!rig.events().iter().any(is_hold));
    let mut rig = shared();
    rig.lose(1);
    rig.lose(2);
    rig.tell(Input::Drain);
    assert!(!rig.events().iter().any(is_hold));
}

#[test]
fn a_player_on_the_way_from_another_server_is_waited_for() {
    let mut rig = shared();
    ada_is_sent_away(&mut rig);
    rig.wait(3_000);
    assert_eq!(rig.left(), (9_000, 10_000));
    rig.attach(1, ADA, true, 3);
    rig.wait(1_000);
    assert_eq!(rig.left(), (8_000, 10_000));
}

#[test]
fn a_player_who_does_not_come_is_not_waited_for_for_ever() {
    let mut rig = shared();
    ada_is_sent_away(&mut rig);
    rig.wait(Policy::FIND_BACK_MS.0 - 1_000);
    assert_eq!(rig.left(), (9_000, 10_000));
    rig.wait(3_000);
    let (ada, bea) = rig.left();
    assert!((7_000..8_500).contains(&ada), "{ada}");
    assert_eq!(bea, 10_000);
}
