//! Followers: how they begin, catch up, lag, and are told in portions.

use grundy_shared::ids::Seq;
use grundy_shared::protocol::{ErrorCode, Reply};

use super::rig::*;
use crate::matches::machine::Input;
use crate::matches::outbox::Backlog;

/// Moves that shorten the first heap by one each.
fn play(rig: &mut Rig, from: u32, to: u32) {
    for ply in from..=to {
        let who = if ply % 2 == 1 { ADA } else { BEA };
        let moved = rig.moves(who, ply, "A-1");
        assert_eq!(rig.code(moved), None);
    }
}

/// The rest of the log, as a session reads it for a backlog.
fn read_backlog(rig: &mut Rig, connection: C) -> Backlog {
    let mut backlog = rig.backlogs.remove(&connection).expect("a backlog");
    backlog.after = backlog.upto;
    backlog
}

#[test]
fn who_misses_little_is_live_at_once() {
    let mut rig = Rig::begun("nim:30", "none");
    play(&mut rig, 1, 5);
    rig.attach(9, EVE, false, 4);
    assert_eq!(rig.heard(9), ["5 moved", "6 moved", "7 moved"]);
    assert!(rig.backlogs.is_empty());
    let reply = rig.attach(10, EVE, false, 7);
    assert!(rig.heard(10).is_empty());
    let Answer::Reply(Reply::Attached { seat, snapshot, .. }) = rig.answer(reply) else {
        panic!("{:?}", rig.answer(reply));
    };
    assert_eq!((*seat, snapshot.seq), (None, Seq(7)));
}

#[test]
fn who_asks_for_a_match_twice_hears_it_from_event_1_behind_each_answer() {
    let mut rig = Rig::begun("nim:30", "none");
    rig.attach(9, ADA, true, 1);
    assert_eq!(rig.heard(9), ["2 joined"]);
    let reply = rig.seat(9, ADA);
    let Answer::Reply(Reply::Created { .. }) = rig.answer(reply) else {
        panic!("{:?}", rig.answer(reply));
    };
    assert_eq!(rig.heard(9), ["2 joined", "1 created", "2 joined"]);
    rig.moves(ADA, 1, "A-1");
    assert_eq!(rig.heard(9).last().map(String::as_str), Some("3 moved"));
}

#[test]
fn who_asks_for_a_match_that_goes_to_another_server_has_it_all_the_same() {
    let mut rig = Rig::begun("nim:30", "none");
    rig.tell(Input::Stop);
    let reply = rig.seat(9, ADA);
    assert_eq!(rig.code(reply), None);
    assert!(rig.heard(9).is_empty());
}

#[test]
fn a_backlog_is_read_while_the_match_goes_on_and_nothing_is_left_out() {
    let mut rig = Rig::begun("nim:60", "none");
    play(&mut rig, 1, 20);
    rig.attach(9, EVE, false, 0);
    assert!(rig.heard(9).is_empty());
    assert_eq!(rig.backlogs[&9].upto, Seq(22));
    play(&mut rig, 21, 23);
    rig.tell(Input::Continue);
    let read = read_backlog(&mut rig, 9);
    rig.tell(Input::GoLive(9, read));
    assert_eq!(rig.heard(9), ["23 moved", "24 moved", "25 moved"]);
    play(&mut rig, 24, 24);
    rig.tell(Input::Continue);
    assert_eq!(rig.heard(9).len(), 4);
    // The end of the same backlog, told again, changes nothing.
    rig.tell(Input::GoLive(9, read));
    assert_eq!(rig.heard(9).len(), 4);
}

#[test]
fn a_long_absence_while_reading_means_another_backlog() {
    let mut rig = Rig::begun("nim:60", "none");
    play(&mut rig, 1, 20);
    rig.attach(9, EVE, false, 0);
    play(&mut rig, 21, 40);
    let read = read_backlog(&mut rig, 9);
    rig.tell(Input::GoLive(9, read));
    assert_eq!(rig.backlogs[&9].after, Seq(22));
    assert_eq!(rig.backlogs[&9].upto, Seq(42));
    // The number of the old one counts no more.
    rig.tell(Input::GoLive(9, read));
    assert!(rig.heard(9).is_empty());
}

#[test]
fn a_watcher_that_is_too_slow_gets_a_snapshot_when_it_has_room() {
    let mut rig = Rig::begun("nim:30", "none");
    rig.attach(9, EVE, false, 2);
    rig.full.insert(9);
    play(&mut rig, 1, 3);
    while rig.continues {
        rig.continues = false;
        rig.tell(Input::Continue);
    }
    rig.full.clear();
    play(&mut rig, 4, 4);
    while rig.continues {
        rig.continues = false;
        rig.tell(Input::Continue);
    }
    assert!(rig.heard(9).is_empty(), "no event behind a gap");
    rig.tell(Input::CatchUp(9));
    assert_eq!(rig.heard(9), ["snapshot"]);
    assert_eq!(rig.heard[&9][0]["body"]["seq"], 6);
    play(&mut rig, 5, 5);
    rig.tell(Input::Continue);
    assert_eq!(rig.heard(9), ["snapshot", "7 moved"]);
}

#[test]
fn a_snapshot_that_does_not_fit_comes_later() {
    let mut rig = Rig::begun("nim:30", "none");
    rig.attach(9, EVE, false, 2);
    rig.full.insert(9);
    play(&mut rig, 1, 1);
    rig.tell(Input::Continue);
    rig.tell(Input::CatchUp(9));
    assert!(rig.heard(9).is_empty());
    rig.full.clear();
    rig.tell(Input::CatchUp(9));
    assert_eq!(rig.heard(9), ["snapshot"]);
    rig.tell(Input::CatchUp(9));
    assert_eq!(rig.heard(9), ["snapshot"]);
}

#[test]
fn players_are_told_before_watchers_and_those_in_portions() {
    let mut rig = Rig::begun("nim:30", "none");
    for watcher in 10..50 {
        rig.attach(watcher, u128::from(watcher), false, 2);
    }
    rig.forget();
    play(&mut rig, 1, 1);
    assert_eq!((rig.heard(1).len(), rig.heard(2).len()), (1, 1));
    let heard = |rig: &Rig| {
        (10..50)
            .filter(|watcher| !rig.heard(*watcher).is_empty())
            .count()
    };
    assert_eq!(heard(&rig), 0);
    let mut counts = Vec::new();
    while std::mem::take(&mut rig.continues) {
        rig.tell(Input::Continue);
        counts.push(heard(&rig));
    }
    assert!(
        counts.windows(2).all(|pair| pair[1] - pair[0] <= 6),
        "{counts:?}"
    );
    assert_eq!(counts.last(), Some(&40));
}

#[test]
fn a_match_that_waits_is_shown_to_its_creator_alone() {
    let mut rig = Rig::waiting("nim:3,4,5", "none");
    for seated in [true, false] {
        let refused = rig.attach(9, EVE, seated, 0);
        assert_eq!(rig.code(refused), Some(ErrorCode::NoSuchMatch));
    }
    assert!(!rig.follows.contains_key(&9));
}

#[test]
fn the_creator_of_a_match_that_waits_finds_the_join_code() {
    let mut rig = Rig::waiting("nim:3,4,5", "none");
    let code = |rig: &Rig, request| match rig.answer(request) {
        Answer::Reply(Reply::Attached {
            code,
            expires_at_ms,
            ..
        }) => code.zip(*expires_at_ms),
        other => panic!("{other:?}"),
    };
    let resumed = rig.attach(4, ADA, true, 1);
    assert_eq!(code(&rig, resumed), rig.machine.invitation());
    assert!(rig.machine.invitation().is_some());
    rig.join(2, BEA);
    let resumed = rig.attach(5, ADA, true, 2);
    assert_eq!(code(&rig, resumed), None);
    assert_eq!(rig.machine.invitation(), None);
}

#[test]
fn who_has_no_seat_cannot_resume() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    let refused = rig.attach(9, EVE, true, 0);
    assert_eq!(rig.code(refused), Some(ErrorCode::NotAPlayer));
    let refused = rig.attach(9, EVE, false, 3);
    assert_eq!(rig.code(refused), Some(ErrorCode::OutOfRange));
}

#[test]
fn who_plays_in_a_match_is_sent_to_resume_it() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    let refused = rig.attach(9, BEA, false, 0);
    let Answer::Refused(error) = rig.answer(refused) else {
        panic!("{:?}", rig.answer(refused));
    };
    assert_eq!(error.code, ErrorCode::OwnMatch);
    assert!(error.message.contains("`resume`"), "{}", error.message);
    // Her seat is still hers at the other connection.
    assert!(rig.follows.contains_key(&2));
}

#[test]
fn leaving_is_answered_also_by_who_does_not_follow() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.attach(9, EVE, false, 2);
    let left = rig.leave(9);
    assert_eq!(rig.code(left), None);
    assert!(!rig.follows.contains_key(&9));
    play(&mut rig, 1, 1);
    rig.tell(Input::Continue);
    assert!(rig.heard(9).is_empty());
    let again = rig.leave(9);
    assert_eq!(rig.code(again), None);
}
