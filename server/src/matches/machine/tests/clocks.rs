//! Flags to the millisecond, and clocks that are held.

use grundy_shared::event::{EndReason, Event, Outcome};
use grundy_shared::ids::{MatchId, Millis, Seat};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::referee::{Command, Decision, Referee};

use super::rig::*;
use crate::matches::machine::{Act, Input, Origin};

fn ended(rig: &Rig) -> Option<(u64, Outcome, EndReason)> {
    match rig.last() {
        Event::Ended {
            at_ms,
            outcome,
            reason,
            ..
        } => Some((at_ms.0, outcome, reason)),
        _ => None,
    }
}

#[test]
fn a_flag_falls_at_its_millisecond() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    rig.moves(ADA, 1, "A-3");
    rig.moves(BEA, 2, "B-1");
    let deadline = rig.now + 10_000;
    assert_eq!(rig.machine.wake_at(), Some(Millis(deadline)));
    rig.now = deadline - 1;
    rig.tell(Input::Time);
    assert_eq!(ended(&rig), None);
    rig.now = deadline;
    rig.tell(Input::Time);
    let on_time = (deadline, Outcome::Second, EndReason::Time);
    assert_eq!(ended(&rig), Some(on_time));
    assert_eq!(rig.machine.wake_at(), None);
}

#[test]
fn every_kind_of_clock_has_its_flag() {
    for (clock, first_move, second_move) in [
        ("10s+2s", 10_000, 10_000),
        ("10s+d3s", 13_000, 13_000),
        ("10s+b3s", 10_000, 10_000),
        ("5s/move", 5_000, 5_000),
        ("1s+2x3s", 7_000, 7_000),
        ("0s+1x3s", 3_000, 3_000),
    ] {
        let mut rig = Rig::begun("nim:3,4,5", clock);
        let deadline = rig.now + first_move;
        assert_eq!(rig.machine.wake_at(), Some(Millis(deadline)), "{clock}");
        rig.now = deadline - 1;
        let moved = rig.moves(ADA, 1, "A-3");
        assert_eq!(rig.code(moved), None, "{clock}");
        let deadline = rig.now + second_move;
        assert_eq!(rig.machine.wake_at(), Some(Millis(deadline)), "{clock}");
        rig.now = deadline - 1;
        rig.tell(Input::Time);
        assert_eq!(ended(&rig), None, "{clock}");
        rig.now = deadline;
        rig.tell(Input::Time);
        // Bea has not moved yet: the match counts for nobody.
        let called_off = (deadline, Outcome::Void, EndReason::NoStart);
        assert_eq!(ended(&rig), Some(called_off), "{clock}");
    }
}

#[test]
fn a_move_received_in_time_is_in_time() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    let deadline = rig.now + 10_000;
    rig.now = deadline + 40;
    // The match was told late.
    let moved = rig.act_at(deadline - 1, 1, ADA, a_move(1, "A-3"));
    assert_eq!(rig.code(moved), None);
    assert_eq!(ended(&rig), None);
}

#[test]
fn a_move_that_waited_for_the_store_beats_the_flag() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    rig.stores_at_once = false;
    let deadline = rig.now + 10_000;
    rig.lose(2);
    rig.now += 6_000;
    rig.tell(Input::Time);
    assert!(rig.in_flight.is_some(), "the absence is noted");
    rig.now = deadline - 1;
    let moved = rig.moves(ADA, 1, "A-3");
    rig.now = deadline + 1_000;
    assert_eq!(rig.machine.wake_at(), None);
    rig.tell(Input::Time);
    rig.store();
    rig.store();
    assert_eq!(rig.code(moved), None);
}

#[test]
fn a_move_received_at_the_deadline_is_too_late() {
    let no_start = (Outcome::Void, EndReason::NoStart);
    for (moves, end) in [
        (0, no_start),
        (1, no_start),
        (2, (Outcome::Second, EndReason::Time)),
    ] {
        let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
        let line = [(ADA, 1, "A-3"), (BEA, 2, "B-1"), (ADA, 3, "B-1")];
        for (player, ply, text) in &line[..moves] {
            rig.moves(*player, *ply, text);
        }
        let late = line[moves];
        let deadline = rig.now + 10_000;
        rig.now = deadline;
        let moved = rig.moves(late.0, late.1, late.2);
        assert_eq!(rig.code(moved), Some(ErrorCode::MatchOver));
        assert_eq!(ended(&rig), Some((deadline, end.0, end.1)));
        let resigned = rig.act(2, BEA, Act::Resign);
        assert_eq!(rig.code(resigned), Some(ErrorCode::MatchOver));
    }
}

/// A rematch with 10 s a player that begins now: Bea moves first.
fn rematch_of(rig: &Rig) -> Rig {
    let own = MatchId::from_random(1);
    let mut referee = rig.machine.referee().clone();
    if referee.outcome().is_none() {
        let resign = Command::Resign { player: id(ADA) };
        let Ok(Decision::Events(ruling)) = referee.handle(Millis(rig.now), &resign) else {
            panic!("it can be resigned");
        };
        referee.accept(ruling).expect("fresh");
    }
    let (referee, events) = referee
        .create_rematch(own, MatchId::from_random(2), Millis(rig.now), true)
        .expect("a finished match");
    Rig::of(referee, &events, Origin::Rematch)
}

#[test]
fn no_clock_of_a_rematch_runs_before_both_players_are_here() {
    let mut rig = rematch_of(&Rig::begun("nim:3,4,5", "10s+0s"));
    rig.attach(2, BEA, true, 0);
    rig.wait(4_000);
    assert_eq!(rig.left(), (10_000, 10_000));
    rig.attach(1, ADA, true, 0);
    assert_eq!(rig.kinds()[2..], ["clock_started", "clock_started"]);
    rig.wait(4_000);
    assert_eq!(rig.left(), (6_000, 10_000));
}

#[test]
fn the_clocks_of_a_rematch_wait_ten_seconds_at_most() {
    let mut rig = rematch_of(&Rig::begun("nim:3,4,5", "10s+0s"));
    rig.attach(2, BEA, true, 0);
    let began = rig.now;
    assert_eq!(rig.machine.wake_at(), Some(Millis(began + 10_000)));
    rig.wait(9_999);
    assert_eq!(rig.left(), (10_000, 10_000));
    rig.wait(1);
    rig.wait(2_500);
    assert_eq!(rig.left(), (7_500, 10_000));
}

#[test]
fn a_move_in_a_held_rematch_does_not_start_the_clock_of_who_is_not_here() {
    let mut rig = rematch_of(&Rig::begun("nim:3,4,5", "10s+0s"));
    rig.attach(2, BEA, true, 0);
    rig.wait(3_000);
    rig.moves(BEA, 1, "A-3");
    rig.wait(6_000);
    assert_eq!(rig.left(), (10_000, 10_000));
    rig.wait(3_000);
    assert_eq!(rig.left(), (10_000, 8_000));
}

#[test]
fn a_restart_does_not_start_a_clock_of_a_rematch_before_both_players_are_here() {
    let mut rig = rematch_of(&Rig::begun("nim:3,4,5", "10s+0s"));
    let began = rig.now;
    rig.wait(1_000);
    let at = rig.now + 1_000;
    let clocks_at = Millis(at + 4_000);
    let mut rig = rig.restarted(at, Origin::Recovered { clocks_at });
    rig.attach(2, BEA, true, 2);
    rig.wait(began + 9_999 - at);
    assert_eq!(rig.left(), (10_000, 10_000));
    rig.wait(1);
    rig.wait(2_000);
    assert_eq!(rig.left(), (8_000, 10_000));
}

/// The server was away for a minute; 8 s after the start the clocks run in any case.
fn after_outage(rig: Rig) -> Rig {
    let at = rig.now + 60_000;
    let mut referee = Referee::replay(&rig.events()).expect("a lawful log");
    let outage = Command::Outage {
        away_ms: Millis(60_000),
        hold: true,
    };
    let mut log = rig.log.clone();
    if let Ok(Decision::Events(ruling)) = referee.handle(Millis(at), &outage) {
        let events = referee.accept(ruling).expect("fresh");
        log.extend(events.iter().map(|event| event.to_json().into()));
    }
    let mut rig = rig;
    rig.log = log;
    let clocks_at = Millis(at + 8_000);
    rig.restarted(at, Origin::Recovered { clocks_at })
}

#[test]
fn after_a_restart_a_clock_starts_when_its_player_is_back() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    rig.wait(2_000);
    let mut rig = after_outage(rig);
    rig.wait(3_000);
    rig.attach(2, BEA, true, 2);
    rig.wait(2_000);
    // Bea is back; it is Ada's turn.
    assert_eq!(rig.left(), (8_000, 10_000));
    rig.attach(1, ADA, true, 2);
    rig.wait(1_000);
    assert_eq!(rig.left(), (7_000, 10_000));
}

#[test]
fn after_a_restart_the_clocks_wait_no_longer_than_the_longest_delay() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    rig.wait(2_000);
    let mut rig = after_outage(rig);
    rig.wait(8_000);
    assert_eq!(rig.left(), (8_000, 10_000));
    rig.wait(1_000);
    assert_eq!(rig.left(), (7_000, 10_000));
    rig.wait(7_000);
    assert_eq!(ended(&rig).map(|end| end.2), Some(EndReason::NoStart));
}

#[test]
fn a_second_restart_charges_nobody() {
    let mut rig = Rig::begun("nim:3,4,5", "10s+0s");
    rig.wait(2_000);
    let mut rig = after_outage(rig);
    rig.wait(5_000);
    let mut rig = after_outage(rig);
    assert_eq!(rig.left(), (8_000, 10_000));
    rig.wait(7_999);
    assert_eq!(rig.left(), (8_000, 10_000));
    rig.attach(1, ADA, true, 2);
    rig.wait(500);
    let rig = after_outage(rig);
    assert_eq!(rig.left(), (7_500, 10_000));
    assert!(
        Seat::BOTH
            .into_iter()
            .all(|seat| rig.machine.referee().is_held(seat))
    );
}

#[test]
fn a_snapshot_says_that_the_clock_is_held() {
    let rig = rematch_of(&Rig::begun("nim:3,4,5", "10s+0s"));
    assert!(rig.machine.snapshot(Millis(rig.now)).held);
    let rig = Rig::begun("nim:3,4,5", "10s+0s");
    assert!(!rig.machine.snapshot(Millis(rig.now)).held);
}

#[test]
fn a_match_that_was_made_slowly_begins_with_full_clocks() {
    // As after `create` with a bot, when the store took its time.
    let begun = Rig::begun("nim:3,4,5", "10s+0s");
    let referee = Referee::replay(&begun.events()).expect("a lawful log");
    let mut rig = Rig::of(referee, &begun.events(), Origin::Asked);
    rig.now += 3_000;
    let mut rig = rig.restarted(begun.now + 3_000, Origin::Made);
    assert_eq!(rig.left(), (10_000, 10_000));
    rig.wait(1_000);
    assert_eq!(rig.left(), (9_000, 10_000));
}
