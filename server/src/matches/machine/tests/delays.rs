//! Watchers of a rated match are two moves behind its players.

use grundy_shared::event::Series;
use grundy_shared::ids::{Seat, Seq};
use grundy_shared::protocol::{ErrorCode, Reply};
use grundy_shared::referee::{Referee, Terms};

use super::rig::*;
use crate::matches::machine::{Act, Input, Origin};

/// A rated match of Ada and Bea that has begun: events 1 and 2.
fn rated(position: &str) -> Rig {
    let series = Series {
        id: match_id(),
        game: 1,
        games: 2,
        first_wins: 0,
        second_wins: 0,
        draws: 0,
        rated: true,
    };
    let terms = Terms {
        position: position.to_owned(),
        clock: "3+2".parse().expect("a time control"),
        rematch_of: None,
        series: Some(series),
    };
    let made = Referee::create(
        terms,
        player(ADA),
        Seat::First,
        grundy_shared::ids::Millis(START),
    );
    let (referee, events) = made.expect("lawful terms");
    let mut rig = Rig::of(referee, &events, Origin::Made);
    rig.attach(1, ADA, true, 0);
    rig.join(2, BEA);
    rig.forget();
    rig
}

fn moves(rig: &mut Rig, from: u32, to: u32) {
    for ply in from..=to {
        let who = if ply % 2 == 1 { ADA } else { BEA };
        let moved = rig.moves(who, ply, "A-1");
        assert_eq!(rig.code(moved), None);
    }
    while rig.continues {
        rig.tell(Input::Continue);
    }
}

#[test]
fn watchers_hear_of_a_move_when_two_more_were_made() {
    let mut rig = rated("nim:9");
    rig.attach(9, EVE, false, 2);
    moves(&mut rig, 1, 2);
    assert!(rig.heard(9).is_empty());
    assert_eq!(rig.heard(1), ["3 moved", "4 moved"]);
    moves(&mut rig, 3, 3);
    assert_eq!(rig.heard(9), ["3 moved"]);
    moves(&mut rig, 4, 5);
    assert_eq!(rig.heard(9), ["3 moved", "4 moved", "5 moved"]);
}

#[test]
fn what_happens_between_the_moves_comes_in_its_place_and_all_of_it_at_the_end() {
    let mut rig = rated("nim:9");
    rig.attach(9, EVE, false, 2);
    moves(&mut rig, 1, 1);
    rig.act(1, ADA, Act::Propose(grundy_shared::event::Proposal::Pause));
    moves(&mut rig, 2, 2);
    assert!(rig.heard(9).is_empty());
    rig.act(1, ADA, Act::Resign);
    while rig.continues {
        rig.tell(Input::Continue);
    }
    let all = ["3 moved", "4 proposed", "5 moved", "6 ended"];
    assert_eq!(rig.heard(9), all);
    assert_eq!(rig.heard(1), all);
}

#[test]
fn an_end_by_the_last_move_needs_no_reading() {
    let mut rig = rated("nim:3");
    for watcher in 10..40 {
        rig.attach(watcher, u128::from(watcher), false, 2);
    }
    moves(&mut rig, 1, 2);
    let moved = rig.moves(ADA, 3, "A-1");
    assert_eq!(rig.code(moved), None);
    while rig.continues {
        rig.tell(Input::Continue);
    }
    assert!(rig.backlogs.is_empty());
    for watcher in 10..40 {
        assert_eq!(
            rig.heard(watcher),
            ["3 moved", "4 moved", "5 moved", "6 ended"]
        );
    }
}

#[test]
fn what_a_watcher_is_told_when_it_leaves_is_what_it_may_know() {
    let mut rig = rated("nim:9");
    rig.attach(9, EVE, false, 2);
    moves(&mut rig, 1, 5);
    let left = rig.leave(9);
    let Answer::Reply(Reply::Done { seq, .. }) = rig.answer(left) else {
        panic!("{:?}", rig.answer(left));
    };
    assert_eq!(*seq, Some(Seq(5)));
}

#[test]
fn who_comes_later_sees_the_match_as_the_others_do() {
    let mut rig = rated("nim:9");
    moves(&mut rig, 1, 5);
    // Events 1 to 7; 6 and 7 are kept back.
    let reply = rig.attach(9, EVE, false, 3);
    let Answer::Reply(Reply::Attached { snapshot, .. }) = rig.answer(reply) else {
        panic!("{:?}", rig.answer(reply));
    };
    assert_eq!((snapshot.seq, snapshot.ply.0), (Seq(5), 3));
    assert_eq!(
        (snapshot.position.as_str(), snapshot.to_move),
        ("nim:6", Seat::Second)
    );
    let clocks = snapshot.clocks.expect("a clock");
    assert_eq!(Some(clocks), rig.machine.referee().moves()[2].clocks);
    let early = rig.attach(10, EVE, false, 6);
    assert_eq!(rig.code(early), Some(ErrorCode::OutOfRange));
    moves(&mut rig, 6, 6);
    assert_eq!(rig.heard(9).last().map(String::as_str), Some("6 moved"));
    // The players see all of it.
    let reply = rig.attach(1, ADA, true, 8);
    let Answer::Reply(Reply::Attached { snapshot, .. }) = rig.answer(reply) else {
        panic!("{:?}", rig.answer(reply));
    };
    assert_eq!(snapshot.position, "nim:3");
}

#[test]
fn what_nobody_kept_is_read_from_the_log() {
    let mut rig = rated("nim:9");
    moves(&mut rig, 1, 4);
    for _ in 0..2 {
        rig.act(1, ADA, Act::Propose(grundy_shared::event::Proposal::Pause));
        rig.act(1, ADA, Act::WithdrawProposal);
    }
    // Watches from event 4 on; 5 to 10 happened before.
    rig.attach(9, EVE, false, 4);
    assert!(rig.heard(9).is_empty());
    moves(&mut rig, 5, 5);
    let mut backlog = rig.backlogs.remove(&9).expect("a backlog");
    assert_eq!((backlog.after, backlog.upto), (Seq(4), Seq(5)));
    backlog.after = backlog.upto;
    moves(&mut rig, 6, 6);
    assert!(rig.heard(9).is_empty(), "it still reads");
    rig.tell(Input::GoLive(9, backlog));
    let mut backlog = rig.backlogs.remove(&9).expect("another backlog");
    assert_eq!((backlog.after, backlog.upto), (Seq(5), Seq(10)));
    backlog.after = backlog.upto;
    rig.tell(Input::GoLive(9, backlog));
    moves(&mut rig, 7, 7);
    assert_eq!(rig.heard(9), ["11 moved"]);
}

#[test]
fn a_slow_watcher_catches_up_to_what_it_may_know() {
    let mut rig = rated("nim:9");
    rig.attach(9, EVE, false, 2);
    rig.full.insert(9);
    moves(&mut rig, 1, 5);
    rig.full.clear();
    rig.tell(Input::CatchUp(9));
    assert_eq!(rig.heard(9), ["snapshot"]);
    assert_eq!(rig.heard[&9][0]["body"]["seq"], 5);
    moves(&mut rig, 6, 6);
    assert_eq!(rig.heard(9), ["snapshot", "6 moved"]);
}

#[test]
fn a_casual_match_is_shown_at_once() {
    let mut rig = Rig::begun("nim:9", "3+2");
    rig.attach(9, EVE, false, 2);
    moves(&mut rig, 1, 1);
    assert_eq!(rig.heard(9), ["3 moved"]);
}
