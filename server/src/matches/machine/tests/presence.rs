//! Who is here, as the log shows it.

use grundy_shared::event::Event;
use grundy_shared::ids::{Millis, Seat};

use super::rig::*;
use crate::matches::machine::{Input, Origin};

fn presences(rig: &Rig) -> Vec<(u64, Seat, bool)> {
    let presence = |event| match event {
        Event::Presence {
            at_ms,
            seat,
            online,
        } => Some((at_ms.0, seat, online)),
        _ => None,
    };
    rig.events().into_iter().filter_map(presence).collect()
}

#[test]
fn an_absence_is_noted_once_it_has_lasted_and_a_return_at_once() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    let left = rig.now;
    rig.lose(2);
    rig.wait(AWAY_MS - 1);
    assert!(presences(&rig).is_empty());
    rig.wait(1);
    let away = (left + AWAY_MS, Seat::Second, false);
    assert_eq!(presences(&rig), [away]);
    rig.wait(60_000);
    rig.attach(5, BEA, true, 3);
    assert_eq!(
        presences(&rig),
        [away, (left + AWAY_MS + 60_000, Seat::Second, true)]
    );
    assert!(rig.machine.is_connected(Seat::Second));
}

#[test]
fn a_short_absence_is_not_noted() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    for _ in 0..100 {
        rig.lose(2);
        rig.wait(AWAY_MS - 1);
        rig.attach(2, BEA, true, 2);
    }
    assert!(presences(&rig).is_empty());
}

#[test]
fn the_patience_doubles_until_the_player_moves() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    let mut patience = Vec::new();
    let measure = |rig: &mut Rig| {
        let left = rig.now;
        rig.lose(1);
        rig.wait(AWAY_MS << 8);
        rig.attach(1, ADA, true, 2);
        let noted = presences(rig);
        let (at, ..) = noted[noted.len() - 2];
        (at - left) / AWAY_MS
    };
    for _ in 0..9 {
        patience.push(measure(&mut rig));
    }
    assert_eq!(patience, [1, 2, 4, 8, 16, 32, 64, 128, 128]);
    rig.moves(ADA, 1, "A-3");
    assert_eq!(measure(&mut rig), 1);
}

#[test]
fn a_newer_connection_takes_the_seat_and_nobody_is_absent() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.attach(7, BEA, true, 2);
    assert_eq!(rig.heard(2), ["superseded"]);
    assert!(!rig.follows.contains_key(&2));
    rig.lose(2);
    rig.wait(10 * AWAY_MS);
    assert!(presences(&rig).is_empty());
}

#[test]
fn a_server_that_stops_does_not_say_that_everybody_left() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    rig.tell(Input::Drain);
    rig.lose(1);
    rig.lose(2);
    assert_eq!(rig.machine.wake_at(), None);
    rig.now += 100_000;
    rig.tell(Input::Time);
    assert_eq!(rig.kinds().len(), 2);
    // What a player asks for is still done.
    rig.now = START + 1_000;
    let moved = rig.moves(ADA, 1, "A-3");
    assert_eq!(rig.code(moved), None);
}

#[test]
fn after_a_start_players_have_a_while_to_come() {
    let rig = Rig::begun("nim:3,4,5", "none");
    let at = rig.now + 1_000;
    let clocks_at = Millis(at);
    let mut rig = rig.restarted(at, Origin::Recovered { clocks_at });
    rig.wait(ROLL_CALL_MS - 1);
    assert!(presences(&rig).is_empty());
    rig.attach(1, ADA, true, 2);
    rig.wait(1);
    assert_eq!(presences(&rig), [(at + ROLL_CALL_MS, Seat::Second, false)]);
}

#[test]
fn what_could_not_be_noted_is_tried_again_later() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.stores_at_once = false;
    rig.lose(2);
    rig.wait(AWAY_MS);
    rig.store_fails(read_only());
    assert_eq!(rig.machine.wake_at(), Some(Millis(rig.now + 1_000)));
    rig.stores_at_once = true;
    rig.wait(1_000);
    assert_eq!(presences(&rig).len(), 1);
}
