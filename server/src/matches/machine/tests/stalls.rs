//! A store that cannot write: requests are refused, and the time is given back once.

use grundy_shared::event::Event;
use grundy_shared::ids::Millis;
use grundy_shared::protocol::{ErrorBody, ErrorCode};

use super::rig::*;
use crate::matches::machine::{Act, CommitRefusal, Input};

fn credits(rig: &Rig) -> Vec<u64> {
    let credit = |event| match event {
        Event::Outage { credited_ms, .. } => Some(credited_ms.0),
        _ => None,
    };
    rig.events().into_iter().filter_map(credit).collect()
}

#[test]
fn what_is_owed_is_known_until_it_is_stored() {
    let mut rig = Rig::begun("nim:3,4,5", "60s+0s");
    assert_eq!(rig.machine.owes_since(), None);
    rig.stores_at_once = false;
    rig.now += 1_000;
    let received = Some(Millis(rig.now));
    rig.moves(ADA, 1, "A-3");
    rig.now += 4_000;
    assert_eq!(rig.machine.owes_since(), received);
    // It is announced now, and the credit is being stored.
    rig.store();
    assert_eq!(rig.machine.owes_since(), received);
    rig.store_fails(read_only());
    assert_eq!(rig.machine.owes_since(), received);
    rig.now += 2_000;
    rig.tell(Input::Time);
    rig.store();
    assert_eq!(rig.machine.owes_since(), None);
    assert_eq!(credits(&rig), [6_000]);
}

#[test]
fn what_could_not_be_given_back_is_owed_whatever_the_reason() {
    let why = || ErrorBody::new(ErrorCode::Internal, "it failed");
    let failures: [fn(&mut Rig, ErrorBody); 2] = [
        |rig, why| rig.store_fails(CommitRefusal::Failed(why)),
        |rig, why| {
            rig.store_fails(CommitRefusal::Conflict);
            rig.read_fails(why);
        },
    ];
    for fail in failures {
        let mut rig = Rig::begun("nim:3,4,5", "60s+0s");
        rig.stores_at_once = false;
        let received = Some(Millis(rig.now));
        rig.moves(ADA, 1, "A-3");
        rig.now += 4_000;
        rig.store();
        fail(&mut rig, why());
        assert_eq!(rig.machine.owes_since(), received);
        rig.now += 100;
        rig.moves(BEA, 2, "B-4");
        rig.store();
        rig.store();
        assert_eq!(credits(&rig), [4_100]);
        assert_eq!(rig.left(), (60_000, 60_000));
    }
}

#[test]
fn without_clocks_nothing_is_owed() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.stores_at_once = false;
    rig.moves(ADA, 1, "A-3");
    assert_eq!(rig.machine.owes_since(), None);
}

#[test]
fn a_stall_is_refused_and_given_back_once() {
    let mut rig = Rig::begun("nim:3,4,5", "60s+0s");
    rig.stores_at_once = false;
    rig.now += 1_000;
    let refused = rig.moves(ADA, 1, "A-3");
    rig.store_fails(read_only());
    assert_eq!(rig.code(refused), Some(ErrorCode::ReadOnly));
    rig.now += 10_000;
    // The credit is tried first, and fails too: so does what waits for it.
    let again = rig.moves(ADA, 1, "A-3");
    rig.store_fails(read_only());
    assert_eq!(rig.code(again), Some(ErrorCode::ReadOnly));
    rig.now += 5_000;
    let last = rig.moves(ADA, 1, "A-3");
    rig.store();
    rig.store();
    assert_eq!(rig.code(last), None);
    assert_eq!(credits(&rig), [15_000]);
    assert_eq!(rig.left(), (59_000, 60_000));
    rig.now += 3_000;
    rig.moves(BEA, 2, "B-4");
    rig.store();
    assert_eq!(credits(&rig), [15_000]);
}

#[test]
fn a_stall_is_not_forgotten_over_a_request_that_comes_with_the_refused_one() {
    let mut rig = Rig::begun("nim:3,4,5", "60s+0s");
    rig.stores_at_once = false;
    rig.now += 1_000;
    let (refused, illegal) = (rig.act(2, BEA, Act::Resign), rig.moves(ADA, 1, "A-9"));
    rig.store_fails(read_only());
    assert_eq!(rig.code(refused), Some(ErrorCode::ReadOnly));
    assert_eq!(rig.code(illegal), Some(ErrorCode::IllegalMove));
    rig.now += 10_000;
    rig.moves(ADA, 1, "A-3");
    rig.store();
    rig.store();
    assert_eq!(credits(&rig), [10_000]);
    assert_eq!(rig.left(), (59_000, 60_000));
}

#[test]
fn what_a_credit_waits_for_the_store_is_given_back_too() {
    let mut rig = Rig::begun("nim:3,4,5", "60s+0s");
    rig.stores_at_once = false;
    rig.now += 1_000;
    rig.moves(ADA, 1, "A-3");
    rig.store_fails(read_only());
    rig.now += 10_000;
    rig.tell(Input::Time);
    rig.now += 4_000;
    rig.store();
    rig.store();
    assert_eq!(credits(&rig), [10_000, 4_000]);
    assert_eq!(rig.left(), (59_000, 60_000));
    rig.now += 1_000;
    rig.tell(Input::Time);
    assert_eq!(credits(&rig), [10_000, 4_000]);
    assert_eq!(rig.left(), (58_000, 60_000));
}

#[test]
fn a_stall_costs_nothing_on_every_kind_of_clock() {
    for (clock, left) in [
        ("60s+2s", 61_000),
        ("60s+d3s", 63_000),
        ("60s+b3s", 60_000),
        ("20s/move", 20_000),
        ("60s+2x3s", 59_000),
        ("0s+3x20s", 20_000),
    ] {
        let mut rig = Rig::begun("nim:3,4,5", clock);
        rig.stores_at_once = false;
        rig.now += 1_000;
        rig.moves(ADA, 1, "A-3");
        rig.store_fails(read_only());
        rig.now += 15_000;
        let last = rig.moves(ADA, 1, "A-3");
        rig.store();
        rig.store();
        assert_eq!(rig.code(last), None, "{clock}");
        assert_eq!(credits(&rig), [15_000], "{clock}");
        assert_eq!(rig.left().0, left, "{clock}");
    }
}

#[test]
fn every_request_that_waits_for_a_stalled_store_is_refused() {
    let mut rig = Rig::begun("nim:3,4,5", "60s+0s");
    rig.stores_at_once = false;
    let requests = [
        rig.moves(ADA, 1, "A-3"),
        rig.act(2, BEA, Act::Resign),
        rig.act(1, ADA, Act::Abort),
    ];
    rig.now += 100;
    while rig.in_flight.is_some() {
        rig.store_fails(read_only());
    }
    for request in requests {
        assert_eq!(rig.code(request), Some(ErrorCode::ReadOnly));
    }
}

#[test]
fn no_flag_falls_during_a_stall_and_the_clock_goes_on_after_it_unasked() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    rig.stores_at_once = false;
    rig.now += 4_000;
    rig.moves(ADA, 1, "A-3");
    rig.store_fails(read_only());
    // Nobody asks again; the store is tried every second.
    for _ in 0..30 {
        rig.wait(1_000);
        if rig.in_flight.is_some() {
            rig.store_fails(read_only());
        }
    }
    rig.stores_at_once = true;
    rig.wait(1_100);
    assert_eq!(credits(&rig).len(), 1);
    assert!(
        rig.left().0 <= 6_000 && rig.left().0 >= 4_900,
        "{:?}",
        rig.left()
    );
    rig.wait(10_000);
    assert_eq!(rig.kinds().last().map(String::as_str), Some("ended"));
}

#[test]
fn without_a_clock_nothing_is_given_back() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.stores_at_once = false;
    rig.moves(ADA, 1, "A-3");
    rig.store_fails(read_only());
    rig.now += 10_000;
    let again = rig.moves(ADA, 1, "A-3");
    rig.store();
    assert_eq!(rig.code(again), None);
    assert!(credits(&rig).is_empty());
}

#[test]
fn what_is_announced_late_costs_the_other_player_nothing() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    rig.stores_at_once = false;
    rig.moves(ADA, 1, "A-3");
    rig.now += 12_000;
    // Bea's flag would have fallen while nobody could tell her of the move.
    rig.store();
    rig.store();
    assert_eq!(credits(&rig), [12_000]);
    assert_eq!(rig.left(), (10_000, 10_000));
    rig.now += 499;
    rig.moves(BEA, 2, "B-4");
    rig.store();
    assert_eq!(credits(&rig), [12_000]);
    assert_eq!(rig.left(), (10_000, 9_501));
}

#[test]
fn half_a_second_is_no_delay() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    rig.stores_at_once = false;
    rig.moves(ADA, 1, "A-3");
    rig.now += 499;
    rig.store();
    assert!(rig.in_flight.is_none());
    assert!(credits(&rig).is_empty());
}
