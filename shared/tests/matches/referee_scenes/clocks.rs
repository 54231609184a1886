//! Clocks: when they run, who pays, and what is given back.

use grundy_shared::event::{EndReason, Event, Outcome, PlayerInfo};
use grundy_shared::ids::{MatchId, Millis, Seat};
use grundy_shared::referee::{Command, Referee};

use super::board::*;

#[test]
fn clocks_run_add_up_and_stop() {
    let mut board = Board::open("nim:3,4", "3m+2s");
    board.events(500, join(BEA));
    assert_eq!(board.left(1_500), (179_000, 180_000));
    assert_eq!(board.referee.deadline(), Some(Millis(60_500)));
    board.events(10_500, make(ADA, 1, "A-1"));
    assert_eq!(board.left(10_500), (172_000, 180_000));
    board.events(69_500, make(BEA, 2, "A-1"));
    assert_eq!(board.left(69_500), (172_000, 123_000));
    board.events(79_500, resign(ADA));
    assert_eq!(board.left(1_000_000), (162_000, 123_000));
    assert_eq!(board.referee.deadline(), None);
}

#[test]
fn a_flag_falls_at_its_moment_and_not_before() {
    let lost = Some((Outcome::Second, EndReason::Time));
    let begun = || {
        let mut board = Board::with_both("nim:3,4", "1s+0s");
        board.events(0, make(ADA, 1, "A-1"));
        board.events(0, make(BEA, 2, "A-1"));
        board
    };
    let mut board = begun();
    board.nothing(999, Command::ClockCheck);
    board.events(1_000, Command::ClockCheck);
    assert_eq!(board.referee.outcome(), lost);
    assert_eq!(board.left(2_000), (0, 1_000));

    // Whatever a player sends after that moment, the flag was first.
    for late in [
        make(ADA, 3, "A-1"),
        make(BEA, 3, "A-1"),
        resign(BEA),
        abort(ADA),
    ] {
        let mut board = begun();
        assert_eq!(board.events(1_000, late).len(), 1);
        assert_eq!(board.referee.outcome(), lost);
    }
    let mut board = begun();
    board.events(999, make(ADA, 3, "A-1"));
    assert_eq!(board.left(999), (1, 1_000));
}

/// As `make`, and the other player is so far away.
fn make_to(lag: u64, who: u128, ply: u32, text: &str) -> Command {
    let mut command = make(who, ply, text);
    if let Command::Move { opponent_lag, .. } = &mut command {
        *opponent_lag = Millis(lag);
    }
    command
}

fn lag_of(event: &Event) -> u64 {
    match event {
        Event::Moved { lag_ms, .. } => lag_ms.0,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_flag_waits_for_the_network_and_not_for_longer_than_is_kept_for_it() {
    // A tenth of a short clock.
    let mut board = Board::with_both("nim:3,4", "5s+0s");
    let moved = board.events(1_000, make_to(800, ADA, 1, "A-1"));
    assert_eq!(lag_of(&moved[0]), 500);
    assert_eq!(board.left(1_500), (4_000, 5_000));
    assert_eq!(board.left(1_501), (4_000, 4_999));
    assert_eq!(board.referee.deadline(), Some(Millis(6_500)));
    board.nothing(6_499, Command::ClockCheck);
    board.events(6_500, Command::ClockCheck);
    let called_off = Some((Outcome::Void, EndReason::NoStart));
    assert_eq!(board.referee.outcome(), called_off);
}

#[test]
fn what_was_not_needed_of_the_time_for_the_network_is_kept() {
    let mut board = Board::with_both("nim:9,9", "3m+0s");
    // 1,000 ms are kept: 700 are used, 100 come back.
    let moved = board.events(0, make_to(900, ADA, 1, "A-1"));
    assert_eq!(lag_of(&moved[0]), 900);
    board.events(700, make(BEA, 2, "A-1"));
    assert_eq!(board.left(700), (180_000, 180_000));
    let moved = board.events(700, make_to(900, ADA, 3, "A-1"));
    assert_eq!(lag_of(&moved[0]), 400);
    // An outage in that time is given back once.
    board.events(1_000, outage(300));
    board.events(1_500, make(BEA, 4, "A-1"));
    assert_eq!(board.left(1_500), (180_000, 179_900));
}

#[test]
fn nobody_waits_for_the_network_after_the_end_or_without_a_clock() {
    let mut board = Board::with_both("nim:1", "3m+0s");
    let ended = board.events(1_000, make_to(80, ADA, 1, "A-1"));
    assert_eq!((ended.len(), lag_of(&ended[0])), (2, 0));
    let mut board = Board::with_both("nim:3", "none");
    let moved = board.events(1_000, make_to(80, ADA, 1, "A-1"));
    assert_eq!(lag_of(&moved[0]), 0);
    let mut log = board.log;
    if let Some(Event::Moved { lag_ms, .. }) = log.last_mut() {
        *lag_ms = Millis(1);
    }
    let broken = Referee::replay(&log).expect_err("there is no clock");
    assert!(broken.to_string().contains("network"), "{broken}");
}

#[test]
fn a_match_that_nobody_begins_is_called_off_and_counts_for_nobody() {
    let no_start = Some((Outcome::Void, EndReason::NoStart));
    for (clock, limit) in [("3m+2s", 60_000), ("30s/move", 30_000), ("5s+0s", 5_000)] {
        let mut board = Board::with_both("nim:3,4", clock);
        assert_eq!(board.referee.first_move_limit(), Some(Millis(limit)));
        board.nothing(limit - 1, Command::ClockCheck);
        board.events(limit, Command::ClockCheck);
        assert_eq!(board.referee.outcome(), no_start, "{clock}");
        // A move that comes after that moment comes too late.
        let mut board = Board::with_both("nim:3,4", clock);
        board.events(limit, make(ADA, 1, "A-1"));
        assert_eq!(board.referee.outcome(), no_start, "{clock}");
        // The match does not count either if the second player never moves.
        let mut board = Board::with_both("nim:3,4", clock);
        board.events(10, make(ADA, 1, "A-1"));
        assert_eq!(board.referee.first_move_limit(), Some(Millis(limit)));
        board.nothing(limit + 9, Command::ClockCheck);
        board.events(limit + 10, Command::ClockCheck);
        assert_eq!(board.referee.outcome(), no_start, "{clock}");
        // A player who has moved can lose.
        let mut board = Board::with_both("nim:3,4", clock);
        board.events(10, make(ADA, 1, "A-1"));
        board.events(20, make(BEA, 2, "A-1"));
        assert_eq!(board.referee.first_move_limit(), None);
        board.events(10_000_000, Command::ClockCheck);
        let lost = Some((Outcome::Second, EndReason::Time));
        assert_eq!(board.referee.outcome(), lost, "{clock}");
    }
}

#[test]
fn in_a_log_of_an_earlier_server_only_the_first_player_has_that_limit() {
    let mut board = Board::with_both("nim:3,4", "3m+2s");
    board.events(10, make(ADA, 1, "A-1"));
    let mut log = board.log;
    let Some(Event::Created {
        first_move_of_both, ..
    }) = log.first_mut()
    else {
        panic!("a match begins with 'created'");
    };
    assert!(std::mem::take(first_move_of_both));
    let mut referee = Referee::replay(&log).expect("a lawful log");
    assert_eq!(referee.first_move_limit(), None);
    let ended = |outcome, reason| Event::Ended {
        at_ms: Millis(10 + 180_000),
        outcome,
        reason,
        next: None,
    };
    let called_off = ended(Outcome::Void, EndReason::NoStart);
    referee.apply(&called_off).expect_err("not by that rule");
    let lost = ended(Outcome::First, EndReason::Time);
    referee.apply(&lost).expect("the flag has fallen");
}

#[test]
fn there_is_time_for_the_first_move_where_nobody_waits_for_it() {
    for clock in ["none", "3d/move", "60m+0s"] {
        let board = Board::with_both("nim:3,4", clock);
        assert_eq!(board.referee.first_move_limit(), None, "{clock}");
    }
    let bot = Command::Join {
        player: PlayerInfo {
            bot: true,
            ..player(BEA)
        },
    };
    let mut board = Board::open("nim:3,4", "3m+2s");
    board.events(0, bot);
    assert_eq!(board.referee.deadline(), Some(Millis(180_000)));
    // Clocks that are held wait with it; then the whole time is there.
    let mut board = held_rematch();
    board.nothing(500_000, Command::ClockCheck);
    board.events(500_000, Command::StartClock { seat: None });
    let limit = board.referee.first_move_limit().expect("two people");
    let until = Millis(500_000).plus(limit);
    assert_eq!(board.referee.deadline(), Some(until));
}

#[test]
fn time_never_goes_backwards() {
    let mut board = Board::with_both("nim:3,4", "3+2");
    board.events(10_000, make(ADA, 1, "A-1"));
    let events = board.events(4_000, make(BEA, 2, "A-1"));
    assert_eq!(events[0].at(), Millis(10_000));
    assert_eq!(board.left(4_000), (172_000, 182_000));
}

#[test]
fn an_outage_is_given_back_to_the_running_clock_alone() {
    let mut board = Board::with_both("nim:3,4", "60s+0s");
    board.events(10_000, make(ADA, 1, "A-1"));
    // Away from 30 s to 100 s: the flag would have fallen at 70 s.
    board.events(100_000, outage(70_000));
    assert_eq!(board.left(100_000), (50_000, 40_000));
    board.nothing(100_000, Command::ClockCheck);
    // Never more than has passed in this turn.
    board.events(105_000, outage(1_000_000));
    assert_eq!(board.left(105_000), (50_000, 60_000));
    board.nothing(105_000, outage(1_000_000));
    assert_eq!(board.referee.deadline(), Some(Millis(165_000)));

    Board::with_both("nim:3,4", "none").nothing(100_000, outage(70_000));
}

#[test]
fn a_held_clock_stands_still_until_it_is_started() {
    let mut board = held_rematch();
    assert_eq!(board.referee.deadline(), None);
    assert_eq!(board.left(500_000), (10_000, 10_000));
    board.nothing(500_000, Command::ClockCheck);
    board.events(500_000, start_clock(Some(Seat::First)));
    assert_eq!(board.referee.deadline(), Some(Millis(510_000)));
    assert_eq!(board.left(502_000), (8_000, 10_000));
    board.nothing(502_000, start_clock(Some(Seat::First)));
    // The other's stands still also in the other's turn.
    board.events(503_000, make(BEA, 1, "A-1"));
    assert_eq!(board.left(600_000), (8_000, 10_000));
    assert_eq!(board.referee.deadline(), None);
    // A move costs nothing then, and starts the clock for the next turn.
    board.events(700_000, make(ADA, 2, "B-1"));
    assert_eq!(board.left(701_000), (7_000, 11_000));
    board.events(702_000, make(BEA, 3, "A-1"));
    assert_eq!(board.left(705_000), (7_000, 8_000));
}

#[test]
fn an_outage_may_hold_both_clocks_and_a_second_one_charges_nobody() {
    let mut board = Board::with_both("nim:3,4,5", "10s+1s");
    let outage = |away, hold| Command::Outage {
        away_ms: Millis(away),
        hold,
    };
    board.events(6_000, outage(4_000, true));
    assert_eq!(board.left(90_000), (8_000, 10_000));
    // The second outage: nothing has run since.
    board.nothing(60_000, outage(50_000, true));
    board.events(61_000, start_clock(Some(Seat::First)));
    assert_eq!(board.left(62_000), (7_000, 10_000));
    // The third: one clock has been running, and both are held again.
    board.events(65_000, outage(3_000, true));
    assert!(
        Seat::BOTH
            .into_iter()
            .all(|seat| board.referee.is_held(seat))
    );
    assert_eq!(board.left(90_000), (7_000, 10_000));
    let both = board.events(91_000, start_clock(None));
    assert_eq!(both.len(), 2);
    board.events(92_000, resign(ADA));
    board.nothing(93_000, start_clock(None));
}

#[test]
fn nothing_is_held_without_a_clock() {
    let mut board = Board::with_both("nim:3,4,5", "none");
    board.nothing(
        1_000,
        Command::Outage {
            away_ms: Millis(900),
            hold: true,
        },
    );
    board.nothing(1_000, start_clock(None));
    board.events(2_000, resign(ADA));
    let (rematch, log) = board
        .referee
        .create_rematch(
            MatchId::from_random(1),
            MatchId::from_random(2),
            Millis(3_000),
            true,
        )
        .expect("a finished match of two");
    assert_eq!(Referee::replay(&log), Ok(rematch));
}
