//! A server that stops, and its players on the way to another one.

use std::sync::Arc;

use grundy_shared::event::Event;
use grundy_shared::ids::{Millis, Seat};
use grundy_shared::referee::Command;

use super::rig::*;
use crate::matches::machine::{Input, Origin, Policy};

/// A match of ten seconds for each player, one of which is used up, on a store that other servers use too.
fn shared() -> Rig {
    let mut rig = share(Rig::begun("nim:3,4,5", "10s+0s"));
    rig.wait(1_000);
    rig
}

fn share(mut rig: Rig) -> Rig {
    rig.machine.policy = Arc::new(Policy {
        shared: true,
        ..*policy()
    });
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

/// How long it takes until a server is found dead.
const DEAD_AFTER: u64 = 2_000;

/// Ada's server dies. Another one credits the time, and this one still counts her as connected there.
fn adas_server_dies(rig: &mut Rig) {
    rig.lose(1);
    rig.tell(Input::Elsewhere([Some(9), None]));
    its_matches_are_taken_over(rig);
}

fn its_matches_are_taken_over(rig: &mut Rig) {
    rig.wait(DEAD_AFTER);
    rig.write_elsewhere(&Command::Outage {
        away_ms: Millis(DEAD_AFTER),
        hold: true,
    });
    rig.look();
}

/// The players whose clocks were started since the clocks were held last.
fn started(rig: &Rig) -> Vec<Seat> {
    let events = rig.events().into_iter().rev();
    let since = events.take_while(|event| !matches!(event, Event::Outage { .. }));
    let mut seats: Vec<Seat> = since
        .filter_map(|event| match event {
            Event::ClockStarted { seat, .. } => Some(seat),
            _ => None,
        })
        .collect();
    seats.reverse();
    seats
}

#[test]
fn a_connection_to_a_dead_server_starts_no_clock() {
    let mut rig = shared();
    adas_server_dies(&mut rig);
    rig.wait(3_000);
    assert_eq!(started(&rig), [Seat::Second]);
    assert_eq!(rig.left(), (9_000, 10_000));
    rig.tell(Input::Elsewhere([None, None]));
    rig.wait(1_000);
    assert_eq!(rig.left(), (9_000, 10_000));
    rig.attach(1, ADA, true, 3);
    rig.wait(1_000);
    assert_eq!(rig.left(), (8_000, 10_000));
}

#[test]
fn the_player_of_a_dead_server_has_a_limited_time_to_find_back() {
    let mut rig = shared();
    adas_server_dies(&mut rig);
    rig.wait(Policy::FIND_BACK_MS.0 - 1);
    assert_eq!(rig.left(), (9_000, 10_000));
    rig.wait(1_001);
    assert_eq!(rig.left(), (8_000, 10_000));
}

#[test]
fn a_player_who_was_away_before_a_server_died_has_the_same_time() {
    let mut rig = shared();
    rig.lose(1);
    its_matches_are_taken_over(&mut rig);
    rig.wait(Policy::FIND_BACK_MS.0 - 1);
    assert_eq!(rig.left(), (9_000, 10_000));
    rig.wait(1_001);
    assert_eq!(rig.left(), (8_000, 10_000));
}

#[test]
fn both_players_of_a_dead_server_find_back_each_for_the_own_clock() {
    let mut rig = shared();
    rig.lose(1);
    rig.lose(2);
    its_matches_are_taken_over(&mut rig);
    let clocks_at = Millis(rig.now + Policy::FIND_BACK_MS.0);
    let now = rig.now;
    let mut rig = share(rig.restarted(now, Origin::Recovered { clocks_at }));
    rig.tell(Input::Elsewhere([Some(9), Some(9)]));
    rig.wait(3_000);
    assert_eq!(started(&rig), []);
    rig.attach(2, BEA, true, 0);
    rig.wait(1_000);
    assert_eq!(started(&rig), [Seat::Second]);
    assert_eq!(rig.left(), (9_000, 10_000));
    rig.attach(1, ADA, true, 0);
    assert_eq!(started(&rig), [Seat::Second, Seat::First]);
    rig.wait(1_000);
    assert_eq!(rig.left(), (8_000, 10_000));
}

#[test]
fn the_opponent_of_a_built_in_bot_is_not_charged_for_a_dead_server() {
    let mut rig = share(Rig::with_timed_bot("nim:3,4,5", Seat::Second, "10s+0s"));
    rig.wait(1_000);
    adas_server_dies(&mut rig);
    rig.wait(3_000);
    assert_eq!(started(&rig), [Seat::Second]);
    assert_eq!(rig.left(), (9_000, 10_000));
    rig.attach(1, ADA, true, 0);
    rig.wait(1_000);
    assert_eq!(rig.left(), (8_000, 10_000));
}
