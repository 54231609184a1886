//! Moves: stored before they are answered, answered once, and in the order of their receipt.

use grundy_shared::event::Event;
use grundy_shared::ids::{Millis, Ply, Seat, Seq};
use grundy_shared::protocol::{ErrorCode, Reply};
use grundy_shared::referee::Command;

use super::rig::*;
use crate::matches::machine::{Act, CommitRefusal, Input, Note, QUEUE_PER_PLAYER, Thought};
use crate::store::{Commit, Guard, MatchRow, Projection};

/// The summary that a commit gives the match.
fn row_of(commit: &Commit) -> MatchRow {
    match &commit.projections[..] {
        [Projection::Match { id, row }] if *id == match_id() => MatchRow::clone(row),
        other => panic!("{other:?}"),
    }
}

#[test]
fn nothing_is_said_before_it_is_stored() {
    let mut rig = Rig::begun("nim:3,4,5", "3+2");
    rig.stores_at_once = false;
    let request = rig.moves(ADA, 1, "A-3");
    assert!(!rig.answers.contains_key(&request));
    assert!(rig.heard.is_empty());
    assert_eq!(rig.machine.ply(), Ply(0));
    rig.store();
    let Answer::Reply(Reply::Accepted { seq, ply, .. }) = rig.answer(request) else {
        panic!("{:?}", rig.answer(request));
    };
    assert_eq!((*seq, *ply), (Seq(3), Ply(1)));
    assert_eq!(rig.heard(1), ["3 moved"]);
    assert_eq!(rig.heard(2), ["3 moved"]);
    assert_eq!(rig.notes, [Note::Moved]);
}

/// How often the rules of the game are applied while something happens.
#[cfg(debug_assertions)]
fn applications(of: impl FnOnce()) -> u64 {
    let before = grundy_shared::Position::plays_on_this_thread();
    of();
    grundy_shared::Position::plays_on_this_thread() - before
}

#[test]
#[cfg(debug_assertions)]
fn the_rules_are_applied_once_for_each_accepted_move() {
    let mut rig = Rig::begun("nim:2,1", "3+2");
    let first = applications(|| {
        let moved = rig.act(1, ADA, named_move(1, "A-1", Some("one")));
        assert_eq!(rig.code(moved), None);
    });
    let repeated = applications(|| {
        let again = rig.act(1, ADA, named_move(1, "a=1", Some("one")));
        assert_eq!(rig.code(again), None);
    });
    let refused = applications(|| {
        for (who, ply, text) in [(BEA, 2, "A-9"), (BEA, 5, "A-1"), (ADA, 2, "A-1")] {
            let refused = rig.moves(who, ply, text);
            assert!(rig.code(refused).is_some());
        }
    });
    assert_eq!((first, repeated, refused), (1, 0, 0));
    // One that waits for the store, and the one that ends the match.
    rig.stores_at_once = false;
    let waiting_and_last = applications(|| {
        rig.moves(BEA, 2, "A-1");
        let last = rig.moves(ADA, 3, "B-1");
        rig.store();
        rig.store();
        assert_eq!(rig.code(last), None);
    });
    assert_eq!(waiting_and_last, 2);
    assert_eq!(rig.kinds().last().map(String::as_str), Some("ended"));
}

#[test]
#[cfg(debug_assertions)]
fn the_rules_are_applied_once_for_the_move_of_a_bot() {
    let mut rig = Rig::with_bot("nim:3,4,5", Seat::First);
    let ply = rig.thinking.expect("the bot is to move");
    let applied = applications(|| rig.tell(thought_of(ply, Thought::Move("A-2".to_owned()))));
    assert_eq!((applied, rig.machine.ply()), (1, Ply(1)));
}

#[test]
fn what_is_stored_is_a_part_of_the_frame_that_is_sent() {
    let mut rig = Rig::begun("nim:3,4,5", "3+2");
    rig.stores_at_once = false;
    rig.moves(ADA, 1, "A-3");
    let commit = rig.in_flight.as_ref().expect("a move is stored");
    let stored = commit.appends[0].events[0].clone();
    assert!(commit.projections.is_empty() && commit.guards.is_empty());
    rig.store();
    let sent = rig.heard[&1][0]["body"].to_string();
    let stored: serde_json::Value = serde_json::from_slice(&stored).expect("JSON");
    assert_eq!(stored.to_string(), sent);
}

#[test]
fn requests_wait_for_the_commit_in_flight_and_are_answered_in_order() {
    let mut rig = Rig::begun("nim:3,4,5", "3+2");
    rig.stores_at_once = false;
    let first = rig.act(1, ADA, named_move(1, "A-3", Some("one")));
    let again = rig.act(1, ADA, named_move(1, "A-3", Some("one")));
    let answer = rig.moves(BEA, 2, "B-4");
    let early = rig.moves(BEA, 3, "C-1");
    rig.store();
    assert_eq!(rig.code(first), None);
    // The repeat gets the same answer, although it came before the first one was known.
    assert_eq!(
        format!("{:?}", rig.answer(again)),
        format!("{:?}", rig.answer(first))
    );
    assert!(!rig.answers.contains_key(&answer));
    rig.store();
    assert_eq!(rig.code(answer), None);
    assert_eq!(rig.code(early), Some(ErrorCode::NotYourTurn));
    assert_eq!(rig.machine.ply(), Ply(2));
    assert!(rig.in_flight.is_none());
}

#[test]
fn a_move_counts_from_its_receipt_however_long_it_waited() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    rig.stores_at_once = false;
    rig.moves(ADA, 1, "A-3");
    rig.now += 100;
    rig.moves(BEA, 2, "B-4");
    rig.now += 200;
    rig.store();
    rig.now += 100;
    rig.store();
    // Bea had answered after 100 ms; the store took 300.
    let Event::Moved { clocks, .. } = rig.last() else {
        panic!("{:?}", rig.last());
    };
    assert_eq!(clocks.expect("timed").second_ms.0, 9_900);
}

#[test]
fn others_never_make_a_players_move_busy() {
    let mut rig = Rig::begun("nim:3,4,5", "3+2");
    rig.stores_at_once = false;
    rig.moves(ADA, 1, "A-3");
    for stranger in 10..400 {
        rig.attach(stranger, u128::from(stranger), false, 3 - 1);
        rig.join(stranger, u128::from(stranger));
        rig.moves(u128::from(stranger), 1, "A-1");
    }
    let refused = (0..200).map(|_| rig.moves(ADA, 5, "A-1")).last();
    assert_eq!(
        rig.code(refused.expect("many")),
        Some(ErrorCode::ServerBusy)
    );
    let answer = rig.moves(BEA, 2, "B-4");
    rig.store();
    while rig.in_flight.is_some() {
        rig.store();
    }
    assert_eq!(rig.code(answer), None);
    assert_eq!(rig.machine.ply(), Ply(2));
}

#[test]
fn one_player_may_have_a_bounded_number_of_requests_waiting() {
    let mut rig = Rig::begun("nim:3,4,5", "3+2");
    rig.stores_at_once = false;
    rig.moves(ADA, 1, "A-3");
    let waiting: Vec<_> = (0..=QUEUE_PER_PLAYER)
        .map(|_| rig.moves(BEA, 9, "A-1"))
        .collect();
    let (last, waiting) = waiting.split_last().expect("many");
    assert_eq!(rig.code(*last), Some(ErrorCode::ServerBusy));
    assert!(
        waiting
            .iter()
            .all(|request| !rig.answers.contains_key(request))
    );
    rig.store();
    let stale = |request| rig.code(request) == Some(ErrorCode::StalePly);
    assert!(waiting.iter().copied().all(stale));
}

#[test]
fn a_player_need_not_follow_the_match_to_act() {
    let mut rig = Rig::begun("nim:3,4,5", "3+2");
    rig.lose(1);
    let moved = rig.act(9, ADA, a_move(1, "A-3"));
    assert_eq!(rig.code(moved), None);
    let abort = rig.act(9, ADA, Act::Abort);
    assert_eq!(rig.code(abort), None);
    let mut rig = Rig::begun("nim:3,4,5", "3+2");
    rig.lose(1);
    let resigned = rig.act(9, ADA, Act::Resign);
    assert_eq!(rig.code(resigned), None);
    assert_eq!(rig.kinds().last().map(String::as_str), Some("ended"));
    let stranger = rig.act(8, EVE, Act::Resign);
    assert_eq!(rig.code(stranger), Some(ErrorCode::NotAPlayer));
}

#[test]
fn a_conflict_is_read_and_decided_again() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.stores_at_once = false;
    rig.write_elsewhere(&Command::Move {
        player: id(ADA),
        ply: Ply(1),
        client_move_id: "one".parse().ok(),
        text: "A-3".to_owned(),
        opponent_lag: Millis(0),
        hints: 0,
    });
    // The same move reached another server before.
    let again = rig.act(1, ADA, named_move(1, "A-3", Some("one")));
    let other = rig.act(1, ADA, named_move(1, "B-1", Some("two")));
    rig.store();
    assert_eq!(rig.reading, Some(Seq(2)));
    assert!(rig.notes.contains(&Note::Conflict));
    rig.read();
    assert_eq!(rig.heard(2), ["3 moved"]);
    let Answer::Reply(Reply::Accepted { seq, .. }) = rig.answer(again) else {
        panic!("{:?}", rig.answer(again));
    };
    assert_eq!(*seq, Seq(3));
    assert_eq!(rig.code(other), Some(ErrorCode::StalePly));
    // And the match goes on from there.
    rig.moves(BEA, 2, "B-4");
    rig.store();
    assert_eq!(rig.machine.ply(), Ply(2));
}

#[test]
fn conflicts_without_end_are_given_up() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.stores_at_once = false;
    let request = rig.moves(ADA, 1, "A-3");
    for _ in 0..20 {
        if rig.in_flight.is_some() {
            rig.store_fails(CommitRefusal::Conflict);
        } else if rig.reading.is_some() {
            rig.read();
        }
    }
    assert_eq!(rig.code(request), Some(ErrorCode::ServerBusy));
    assert!(rig.in_flight.is_none() && rig.reading.is_none());
}

#[test]
fn a_log_that_contradicts_the_rules_puts_the_match_aside() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.stores_at_once = false;
    rig.log
        .push(r#"{"type":"moved","at_ms":1000001,"seat":"second","ply":1,"move":"A-1"}"#.into());
    let asked = rig.moves(ADA, 1, "A-3");
    let waits = rig.moves(BEA, 2, "B-4");
    rig.store();
    rig.read();
    for request in [asked, waits] {
        assert_eq!(rig.code(request), Some(ErrorCode::Internal));
    }
    assert!(rig.notes.contains(&Note::Damaged));
    assert!(rig.follows.is_empty());
    let later = rig.moves(ADA, 1, "A-3");
    assert_eq!(rig.code(later), Some(ErrorCode::Internal));
    assert_eq!(rig.machine.wake_at(), None);
    rig.tell(Input::Time);
}

#[test]
fn a_seat_is_taken_once() {
    let mut rig = Rig::waiting("nim:3,4,5", "none");
    rig.stores_at_once = false;
    let first = rig.join(2, BEA);
    let again = rig.join(2, BEA);
    let late = rig.join(3, EVE);
    let moves_early = rig.moves(BEA, 1, "A-3");
    rig.store();
    assert_eq!(rig.code(first), None);
    assert_eq!(rig.code(again), None);
    assert_eq!(rig.code(late), Some(ErrorCode::SeatTaken));
    assert_eq!(rig.code(moves_early), Some(ErrorCode::NotYourTurn));
    assert_eq!(
        rig.notes
            .iter()
            .filter(|note| matches!(note, Note::Joined(..)))
            .count(),
        1
    );
    assert_eq!(&rig.heard(2)[..2], ["1 created", "2 joined"]);
    assert_eq!(rig.heard(1), ["1 created", "2 joined"]);
    let own = rig.join(1, ADA);
    assert_eq!(rig.code(own), Some(ErrorCode::OwnMatch));
}

#[test]
fn a_join_says_who_needs_room_and_what_the_summary_is() {
    let mut rig = Rig::waiting("nim:3,4,5", "none");
    rig.stores_at_once = false;
    let request = rig.join(2, BEA);
    let commit = rig.in_flight.clone().expect("stored");
    let room = Guard::OpenMatches {
        of: Some(id(BEA)),
        at_most: 20,
    };
    assert_eq!(commit.guards, [room]);
    let row = row_of(&commit);
    assert_eq!(row.second.map(|player| player.id), Some(id(BEA)));
    let full = grundy_shared::protocol::ErrorBody::new(ErrorCode::TooMany, "too many");
    rig.store_fails(CommitRefusal::Full(full));
    assert_eq!(rig.code(request), Some(ErrorCode::TooMany));
    assert_eq!(rig.machine.referee().seat_of(id(BEA)), None);
    rig.stores_at_once = true;
    let again = rig.join(2, BEA);
    assert_eq!(rig.code(again), None);
}

#[test]
fn the_summary_with_the_end_is_that_of_the_state_after_it() {
    let mut rig = Rig::begun("nim:1", "none");
    rig.stores_at_once = false;
    rig.moves(ADA, 1, "A-1");
    let row = row_of(rig.in_flight.as_ref().expect("stored"));
    rig.store();
    let referee = rig.machine.referee();
    let expected = MatchRow::of(referee, Some(referee.last_at()));
    assert_eq!(row, expected);
}
