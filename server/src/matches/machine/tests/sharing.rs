//! Several servers with one store: each follows what the others append.

use std::sync::Arc;

use grundy_shared::event::Event;
use grundy_shared::ids::{Millis, Ply, Seat, Seq};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::referee::Command;

use super::rig::*;
use crate::matches::machine::{Act, Input, Policy, rematch_id};

/// Lets the match know that other servers use the same store.
fn share(rig: &mut Rig) {
    rig.machine.policy = Arc::new(Policy {
        shared: true,
        ..*policy()
    });
}

fn ada_moves() -> Command {
    Command::Move {
        player: id(ADA),
        ply: Ply(1),
        client_move_id: None,
        text: "A-3".to_owned(),
        opponent_lag: Millis(0),
        hints: 0,
    }
}

#[test]
fn what_another_server_stored_is_announced_here() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    share(&mut rig);
    rig.write_elsewhere(&ada_moves());
    rig.wait(400);
    rig.look();
    assert_eq!(rig.heard(2), ["3 moved"]);
    // So short a delay costs nothing, and is not given back.
    rig.wait(1_000);
    assert_eq!(rig.left(), (10_000, 8_600));
}

#[test]
fn a_match_that_is_not_shared_does_not_look() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.write_elsewhere(&ada_moves());
    rig.look();
    rig.wait(10_000);
    assert!(rig.heard(2).is_empty());
}

#[test]
fn a_move_that_is_read_late_costs_the_next_player_nothing() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    share(&mut rig);
    rig.write_elsewhere(&ada_moves());
    rig.stores_at_once = false;
    rig.look();
    rig.now += 3_000;
    rig.stores_at_once = true;
    rig.read();
    assert_eq!(rig.left(), (10_000, 10_000));
}

#[test]
fn who_joined_on_another_server_is_no_stranger() {
    let mut rig = Rig::waiting("nim:3,4,5", "none");
    share(&mut rig);
    rig.write_elsewhere(&Command::Join {
        player: player(BEA),
    });
    let abort = rig.act(2, BEA, Act::Abort);
    assert_eq!(rig.code(abort), None);
    let stranger = rig.act(3, 3, Act::Abort);
    assert_eq!(rig.code(stranger), Some(ErrorCode::NotAPlayer));
}

#[test]
fn a_move_that_answers_one_on_another_server_is_lawful() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    share(&mut rig);
    rig.write_elsewhere(&ada_moves());
    let reply = rig.moves(BEA, 2, "B-4");
    assert_eq!(rig.code(reply), None);
}

#[test]
fn a_rematch_that_another_server_stored_is_followed_here() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+1s");
    share(&mut rig);
    rig.act(2, BEA, Act::Resign);
    rig.act(1, ADA, rematch());
    rig.write_elsewhere(&Command::Rematch {
        player: id(BEA),
        new_match: rematch_id(match_id()),
    });
    rig.look();
    let opening = rig.opened.pop().expect("its players go there");
    assert_eq!(opening.id, rematch_id(match_id()));
    assert!(opening.made.is_none());
    assert_eq!(opening.followers.len(), 2);
    assert!(rig.follows.is_empty());
}

#[test]
fn an_offer_of_a_player_on_another_server_stands() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+1s");
    share(&mut rig);
    rig.act(2, BEA, Act::Resign);
    rig.lose(1);
    rig.write_elsewhere(&Command::Rematch {
        player: id(ADA),
        new_match: rematch_id(match_id()),
    });
    rig.look();
    rig.wait(AWAY_MS + ROLL_CALL_MS);
    assert!(matches!(rig.last(), Event::RematchOffered { .. }));
    let accepted = rig.act(2, BEA, rematch());
    assert_eq!(rig.code(accepted), None);
    assert_eq!(rig.opened.len(), 1);
}

fn credits(rig: &Rig) -> Vec<u64> {
    let credit = |event| match event {
        Event::Outage { credited_ms, .. } => Some(credited_ms.0),
        _ => None,
    };
    rig.events().into_iter().filter_map(credit).collect()
}

fn give_back(rig: &mut Rig, away_ms: u64) {
    rig.write_elsewhere(&Command::Outage {
        away_ms: Millis(away_ms),
        hold: false,
    });
}

#[test]
fn a_stall_of_two_servers_is_given_back_once() {
    let mut rig = Rig::begun("nim:3,4,5", "60s+0s");
    share(&mut rig);
    rig.stores_at_once = false;
    rig.moves(ADA, 1, "A-3");
    rig.store_fails(read_only());
    rig.now += 5_000;
    give_back(&mut rig, 4_000);
    rig.tell(Input::Time);
    rig.store();
    rig.read();
    rig.store();
    assert_eq!(credits(&rig), [4_000, 1_000]);
    assert_eq!(rig.left(), (60_000, 60_000));
}

#[test]
fn a_late_announcement_is_given_back_by_one_server() {
    let mut rig = Rig::begun("nim:3,4,5", "60s+0s");
    share(&mut rig);
    rig.stores_at_once = false;
    rig.moves(ADA, 1, "A-3");
    rig.now += 5_000;
    rig.store();
    assert!(rig.in_flight.is_some(), "the credit is being stored");
    give_back(&mut rig, 5_000);
    rig.store();
    rig.read();
    assert!(rig.in_flight.is_none());
    assert_eq!(credits(&rig), [5_000]);
    assert_eq!(rig.left(), (60_000, 60_000));
}

#[test]
fn a_flag_that_another_server_let_fall_falls_once() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    share(&mut rig);
    rig.stores_at_once = false;
    rig.now += 10_000;
    rig.write_elsewhere(&Command::ClockCheck);
    rig.tell(Input::Time);
    // The store refuses the second fall, and the log tells of the first.
    rig.store();
    rig.read();
    assert_eq!(rig.machine.seq(), Seq(3));
    assert!(rig.in_flight.is_none());
    assert_eq!(rig.heard(1), ["3 ended"]);
}

fn bea_moves() -> Command {
    Command::Move {
        player: id(BEA),
        ply: Ply(2),
        client_move_id: None,
        text: "B-4".to_owned(),
        opponent_lag: Millis(0),
        hints: 0,
    }
}

#[test]
fn a_hint_brings_the_look_forward_and_a_false_one_is_paid_for_once() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    share(&mut rig);
    rig.write_elsewhere(&ada_moves());
    rig.tell(Input::Hint(Seq(3)));
    assert_eq!(rig.heard(2), ["3 moved"]);
    rig.tell(Input::Hint(Seq(u64::MAX)));
    rig.write_elsewhere(&bea_moves());
    rig.tell(Input::Hint(Seq(4)));
    assert_eq!(rig.heard(2), ["3 moved"]);
    rig.wait(200);
    assert_eq!(rig.heard(2), ["3 moved", "4 moved"]);
}

#[test]
fn only_what_another_server_reports_is_read_for_a_hint() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    share(&mut rig);
    rig.write_elsewhere(&ada_moves());
    rig.tell(Input::Hint(Seq(3)));
    assert_eq!(rig.heard(2), ["3 moved"]);
    assert_eq!(rig.hinted, [true]);
    // No hint of this move has come: it may be old when somebody asks.
    rig.write_elsewhere(&bea_moves());
    rig.attach(3, ADA, true, 4);
    assert_eq!(rig.heard(2), ["3 moved", "4 moved"]);
    assert_eq!(rig.hinted, [true, false]);
}

#[test]
fn a_hint_that_comes_while_the_log_is_read_is_heeded() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    share(&mut rig);
    rig.stores_at_once = false;
    rig.tell(Input::Hint(Seq(3)));
    rig.write_elsewhere(&ada_moves());
    rig.tell(Input::Hint(Seq(3)));
    rig.stores_at_once = true;
    // What comes now was read before the move.
    rig.reads_nothing();
    assert_eq!(rig.heard(2), ["3 moved"]);
}

#[test]
fn who_comes_from_another_server_is_answered_after_a_look() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    share(&mut rig);
    rig.write_elsewhere(&ada_moves());
    let resumed = rig.attach(3, ADA, true, 3);
    assert_eq!(rig.code(resumed), None);
    let too_far = rig.attach(4, ADA, true, 9);
    assert_eq!(rig.code(too_far), Some(ErrorCode::OutOfRange));
}

#[test]
fn a_watcher_may_know_that_somebody_has_joined_on_another_server() {
    let mut rig = Rig::waiting("nim:3,4,5", "none");
    share(&mut rig);
    let early = rig.attach(3, 3, false, 0);
    assert_eq!(rig.code(early), Some(ErrorCode::NoSuchMatch));
    rig.write_elsewhere(&Command::Join {
        player: player(BEA),
    });
    let watched = rig.attach(3, 3, false, 0);
    assert_eq!(rig.code(watched), None);
}

/// Whether this request was refused with a time after which it can be repeated.
fn is_put_off(rig: &Rig, request: R) -> bool {
    matches!(rig.answer(request), Answer::Refused(error)
        if error.code == ErrorCode::ServerBusy && error.retry_after_ms.is_some())
}

#[test]
fn a_player_is_put_off_while_the_log_cannot_be_read() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    share(&mut rig);
    rig.stores_at_once = false;
    let resumed = rig.attach(3, ADA, true, 3);
    rig.read_fails(crate::matches::refusal::busy("the store is busy"));
    assert!(is_put_off(&rig, resumed));
}

#[test]
fn a_player_is_put_off_by_a_server_that_stops_and_does_not_know_enough() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    share(&mut rig);
    rig.write_elsewhere(&ada_moves());
    rig.tell(Input::Drain);
    let resumed = rig.attach(3, ADA, true, 3);
    assert!(is_put_off(&rig, resumed));
}

#[test]
fn more_players_than_can_wait_for_a_look_are_put_off() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    share(&mut rig);
    rig.stores_at_once = false;
    let requests: Vec<R> = (0..=64)
        .map(|more| rig.attach(3 + more, ADA, true, 9))
        .collect();
    let (last, waiting) = requests.split_last().expect("some");
    assert!(is_put_off(&rig, *last));
    rig.stores_at_once = true;
    rig.reads_nothing();
    assert!(
        waiting
            .iter()
            .all(|request| rig.code(*request) == Some(ErrorCode::OutOfRange))
    );
}

#[test]
fn a_player_is_answered_after_a_look_also_while_the_store_refuses_to_write() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    share(&mut rig);
    rig.stores_at_once = false;
    rig.moves(ADA, 1, "A-3");
    rig.store_fails(read_only());
    rig.write_elsewhere(&ada_moves());
    rig.stores_at_once = true;
    let resumed = rig.attach(3, ADA, true, 3);
    assert_eq!(rig.code(resumed), None);
}

#[test]
fn a_player_who_comes_while_the_log_is_read_is_answered_after_the_next_look() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    share(&mut rig);
    rig.stores_at_once = false;
    rig.tell(Input::Hint(Seq(3)));
    rig.write_elsewhere(&ada_moves());
    let resumed = rig.attach(3, ADA, true, 3);
    rig.stores_at_once = true;
    // It was read before the move.
    rig.reads_nothing();
    assert_eq!(rig.code(resumed), None);
}

#[test]
fn a_move_is_stored_before_the_log_is_read_for_more_strangers() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    share(&mut rig);
    rig.stores_at_once = false;
    let first = rig.attach(3, 3, false, 99);
    let second = rig.attach(4, 4, false, 99);
    let moved = rig.moves(ADA, 1, "A-3");
    rig.reads_nothing();
    assert_eq!(rig.code(first), Some(ErrorCode::OutOfRange));
    rig.store();
    assert_eq!(rig.code(moved), None);
    rig.reads_nothing();
    assert_eq!(rig.code(second), Some(ErrorCode::OutOfRange));
}

#[test]
fn a_look_that_fails_is_made_again() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    share(&mut rig);
    rig.write_elsewhere(&ada_moves());
    rig.stores_at_once = false;
    rig.look();
    rig.read_fails(crate::matches::refusal::busy("the store is busy"));
    rig.stores_at_once = true;
    rig.wait(1_000);
    assert_eq!(rig.heard(2), ["3 moved"]);
}

#[test]
fn a_match_of_which_nothing_is_heard_asks_for_nothing() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    share(&mut rig);
    assert_eq!(rig.machine.wake_at(), None);
}

fn online(rig: &Rig) -> Vec<bool> {
    let presence = |event| match event {
        Event::Presence { online, .. } => Some(online),
        _ => None,
    };
    rig.events().into_iter().filter_map(presence).collect()
}

#[test]
fn a_player_who_is_connected_elsewhere_is_not_missed_until_that_is_over() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    share(&mut rig);
    rig.lose(2);
    rig.tell(Input::Elsewhere([None, Some(1)]));
    rig.wait(AWAY_MS * 10);
    assert!(online(&rig).is_empty());
    rig.tell(Input::Elsewhere([None, None]));
    rig.wait(AWAY_MS - 1);
    assert!(online(&rig).is_empty());
    rig.wait(1);
    assert_eq!(online(&rig), [false]);
}

#[test]
fn a_newer_connection_elsewhere_supersedes_and_an_older_one_does_not() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    share(&mut rig);
    let (taken, _) = rig.machine.taken(Seat::Second);
    // The player came here while the other server was being asked.
    rig.tell(Input::Elsewhere([None, Some(taken - 1)]));
    assert!(rig.machine.is_connected(Seat::Second));
    rig.tell(Input::Elsewhere([None, Some(taken)]));
    assert_eq!(rig.heard(2), ["superseded"]);
    assert!(!rig.machine.is_connected(Seat::Second));
    assert!(rig.machine.is_elsewhere(Seat::Second));
    rig.wait(AWAY_MS * 10);
    assert!(online(&rig).is_empty());
}

#[test]
fn an_invitation_whose_creator_is_connected_elsewhere_lasts() {
    let mut rig = Rig::waiting("nim:3,4,5", "none");
    share(&mut rig);
    rig.lose(1);
    rig.tell(Input::Elsewhere([Some(1), None]));
    let patience = policy().invitation_away_ms.0;
    rig.wait(patience + 1);
    assert!(
        !rig.kinds().contains(&"ended".to_owned()),
        "{:?}",
        rig.kinds()
    );
    rig.tell(Input::Elsewhere([None, None]));
    rig.wait(patience + 1);
    assert!(rig.kinds().contains(&"ended".to_owned()));
}
