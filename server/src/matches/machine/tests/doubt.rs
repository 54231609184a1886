//! Players whose server has died, or may have.

use std::sync::Arc;

use grundy_shared::event::Event;
use grundy_shared::ids::{Millis, Seat};
use grundy_shared::referee::Command;

use super::rig::*;
use crate::matches::machine::{Input, Policy};

/// A match of ten seconds for each player, of which the first player is connected to another server.
fn shared() -> Rig {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    rig.machine.policy = Arc::new(Policy {
        shared: true,
        ..*policy()
    });
    rig.lose(1);
    elsewhere(&mut rig, true);
    rig
}

fn elsewhere(rig: &mut Rig, is: bool) {
    rig.tell(Input::Elsewhere([is.then_some(0), None]));
}

/// Ada comes here from a server that was alive last at the beginning of the match, and this shows two seconds later.
fn ada_finds_back(rig: &mut Rig, after: u64) {
    rig.wait(after);
    rig.attach(1, ADA, true, 2);
    elsewhere(rig, false);
    rig.wait(2_000);
    let since = Millis(START);
    rig.tell(Input::FoundBack {
        seat: Seat::First,
        since,
    });
}

impl Rig {
    fn is_over(&self) -> bool {
        matches!(self.last(), Event::Ended { .. })
    }
}

fn credits(rig: &Rig) -> Vec<u64> {
    let credit = |event| match event {
        Event::Outage { credited_ms, .. } => Some(credited_ms.0),
        _ => None,
    };
    rig.events().into_iter().filter_map(credit).collect()
}

#[test]
fn a_player_is_given_the_way_from_a_dead_server_back() {
    let mut rig = shared();
    ada_finds_back(&mut rig, 1_500);
    assert_eq!(credits(&rig), [1_500]);
    // The two seconds since are the player's own.
    assert_eq!(rig.left(), (8_000, 10_000));
}

#[test]
fn a_short_way_is_not_noted() {
    let mut rig = shared();
    ada_finds_back(&mut rig, 60);
    assert!(credits(&rig).is_empty());
}

#[test]
fn who_has_moved_since_is_owed_nothing() {
    let mut rig = shared();
    rig.wait(1_500);
    rig.attach(1, ADA, true, 2);
    elsewhere(&mut rig, false);
    rig.moves(ADA, 1, "A-3");
    rig.tell(Input::FoundBack {
        seat: Seat::First,
        since: Millis(START),
    });
    assert!(credits(&rig).is_empty());
    // Nor does the other player get what is stored after the move.
    let mut rig = shared();
    rig.wait(1_500);
    rig.attach(1, ADA, true, 2);
    rig.stores_at_once = false;
    rig.moves(ADA, 1, "A-3");
    rig.tell(Input::FoundBack {
        seat: Seat::First,
        since: Millis(START),
    });
    rig.store();
    rig.stores_at_once = true;
    rig.wait(1_000);
    assert!(credits(&rig).is_empty());
}

#[test]
fn what_another_server_has_given_back_is_not_given_twice() {
    let mut rig = shared();
    rig.wait(1_500);
    rig.attach(1, ADA, true, 2);
    elsewhere(&mut rig, false);
    rig.write_elsewhere(&Command::Outage {
        away_ms: Millis(1_500),
        hold: true,
    });
    rig.look();
    rig.tell(Input::FoundBack {
        seat: Seat::First,
        since: Millis(START),
    });
    assert_eq!(credits(&rig), [1_500]);
}

#[test]
fn no_flag_falls_here_for_a_player_whose_server_may_be_dead() {
    // It says nothing, and the time is given back once it is known to be dead.
    let mut rig = shared();
    rig.wait(10_000);
    rig.write_elsewhere(&Command::Outage {
        away_ms: Millis(2_200),
        hold: true,
    });
    rig.wait(2_500);
    rig.look();
    assert!(!rig.is_over(), "{:?}", rig.kinds());
    // The player came here a moment ago, and it may show yet that the way took long.
    let mut rig = shared();
    rig.wait(9_500);
    rig.attach(1, ADA, true, 2);
    elsewhere(&mut rig, false);
    rig.wait(1_000);
    assert!(!rig.is_over(), "{:?}", rig.kinds());
    rig.tell(Input::FoundBack {
        seat: Seat::First,
        since: Millis(START + 8_500),
    });
    assert_eq!(credits(&rig), [1_000]);
    rig.wait(500);
    assert!(!rig.is_over(), "{:?}", rig.kinds());
}

#[test]
fn a_flag_falls_here_when_nothing_else_becomes_known() {
    let mut rig = shared();
    rig.wait(12_900);
    assert!(!rig.is_over(), "{:?}", rig.kinds());
    rig.wait(100);
    assert!(rig.is_over(), "{:?}", rig.kinds());
    let mut rig = shared();
    rig.attach(1, ADA, true, 2);
    elsewhere(&mut rig, false);
    rig.wait(10_000);
    assert!(rig.is_over(), "the doubt was long ago");
}
