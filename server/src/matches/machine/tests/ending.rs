//! Matches that come to nothing, and when a match needs nobody any more.

use grundy_shared::event::{EndReason, Event};
use grundy_shared::ids::Millis;
use grundy_shared::protocol::{ErrorCode, Reply};

use super::rig::*;
use crate::matches::machine::{Act, Input, Note, Origin};

fn reason(rig: &Rig) -> Option<EndReason> {
    match rig.last() {
        Event::Ended { reason, .. } => Some(reason),
        _ => None,
    }
}

#[test]
fn an_invitation_expires() {
    let mut rig = Rig::waiting("nim:3,4,5", "none");
    rig.wait(JOIN_CODE_MS - 1);
    assert_eq!(reason(&rig), None);
    rig.wait(1);
    assert_eq!(reason(&rig), Some(EndReason::Expired));
    let late = rig.join(2, BEA);
    assert_eq!(rig.code(late), Some(ErrorCode::NoSuchCode));
}

#[test]
fn an_invitation_ends_an_hour_after_its_creator_has_left() {
    let mut rig = Rig::waiting("nim:3,4,5", "none");
    rig.wait(2 * INVITATION_AWAY_MS);
    rig.lose(1);
    rig.wait(INVITATION_AWAY_MS - 1);
    // Who comes back in time keeps it.
    rig.attach(2, ADA, true, 0);
    rig.wait(2 * INVITATION_AWAY_MS);
    assert_eq!(reason(&rig), None);
    rig.leave(2);
    rig.wait(INVITATION_AWAY_MS - 1);
    assert_eq!(reason(&rig), None);
    rig.wait(1);
    assert_eq!(reason(&rig), Some(EndReason::Expired));
}

#[test]
fn a_restart_begins_the_hour_again_and_the_code_still_ends_it() {
    let rig = Rig::waiting("nim:3,4,5", "none");
    let at = rig.now + INVITATION_AWAY_MS - 1;
    let origin = Origin::Recovered {
        clocks_at: Millis(at),
    };
    let mut rig = rig.restarted(at, origin);
    rig.wait(INVITATION_AWAY_MS - 1);
    assert_eq!(reason(&rig), None);
    rig.wait(1);
    assert_eq!(reason(&rig), Some(EndReason::Expired));
}

#[test]
fn an_invitation_of_a_player_with_a_password_lasts_as_long_as_its_code() {
    let mut rig = Rig::waiting("nim:3,4,5", "none");
    rig.machine.lasts = true;
    rig.lose(1);
    rig.wait(JOIN_CODE_MS - 1);
    assert_eq!(reason(&rig), None);
    rig.wait(1);
    assert_eq!(reason(&rig), Some(EndReason::Expired));
}

#[test]
fn a_match_without_clocks_that_both_have_left_expires() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.lose(1);
    rig.lose(2);
    rig.wait(AWAY_MS);
    let left = rig.now;
    rig.wait(ABANDONED_MS - 1);
    assert_eq!(reason(&rig), None);
    rig.wait(1);
    assert_eq!(reason(&rig), Some(EndReason::Expired));
    assert_eq!(rig.last().at(), Millis(left + ABANDONED_MS));
}

#[test]
fn one_player_who_stays_keeps_a_match_alive() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.lose(2);
    rig.wait(2 * ABANDONED_MS);
    assert_eq!(reason(&rig), None);
}

#[test]
fn the_end_is_noted_once_and_the_match_is_done_when_all_have_left() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.attach(9, EVE, false, 0);
    rig.act(2, BEA, Act::Resign);
    assert_eq!(rig.notes, [Note::Ended(EndReason::Resignation)]);
    rig.lose(1);
    let left = rig.leave(2);
    assert!(matches!(
        rig.answer(left),
        Answer::Reply(Reply::Done { .. })
    ));
    assert!(!rig.done);
    rig.lose(9);
    assert!(rig.done);
    assert_eq!(rig.machine.wake_at(), None);
    // Somebody comes while the driver lets it go.
    rig.done = false;
    rig.attach(4, EVE, false, 0);
    assert!(!rig.done);
    rig.lose(4);
    assert!(rig.done);
}

#[test]
fn a_match_that_goes_on_is_never_done() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.lose(1);
    rig.lose(2);
    rig.wait(AWAY_MS);
    assert!(!rig.done);
}

#[test]
fn what_waits_when_the_server_stops_is_carried_out_and_what_comes_later_refused() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.stores_at_once = false;
    let first = rig.moves(ADA, 1, "A-3");
    let second = rig.moves(BEA, 2, "B-4");
    rig.tell(Input::Drain);
    rig.tell(Input::Stop);
    assert!(!rig.done);
    let late = rig.moves(ADA, 3, "C-5");
    assert_eq!(rig.code(late), Some(ErrorCode::ShuttingDown));
    let late = rig.attach(8, EVE, false, 0);
    assert_eq!(rig.code(late), Some(ErrorCode::ShuttingDown));
    rig.store();
    assert!(!rig.done);
    rig.store();
    assert_eq!((rig.code(first), rig.code(second)), (None, None));
    assert!(rig.done);
}

#[test]
fn watchers_have_heard_everything_when_the_match_is_done() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    for watcher in 10..60 {
        rig.attach(watcher, u128::from(watcher), false, 2);
    }
    rig.forget();
    rig.moves(ADA, 1, "A-3");
    rig.tell(Input::Stop);
    for watcher in 10..60 {
        assert_eq!(rig.heard(watcher), ["3 moved"]);
    }
    assert!(rig.done);
}
