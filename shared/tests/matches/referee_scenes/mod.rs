//! Scenes at one board: what follows from each command, and why others are refused.

mod board;
mod clocks;

use self::board::*;
use grundy_shared::event::{Clocks, EndReason, Event, Outcome, TimeControl};
use grundy_shared::ids::{MatchId, Millis, Ply, Seat, Seq};
use grundy_shared::notation::heap_name;
use grundy_shared::referee::{
    BrokenLaw, Command, Decision, MOVE_BYTES_MAX, MOVE_OVERHEAD, MOVES_BYTES_MAX,
    POSITION_BYTES_MAX, Referee, Refusal, Rematch, Status, Terms,
};

#[test]
fn a_match_is_opened_joined_played_and_won() {
    let mut board = Board::open("nim:1,2", "none");
    assert_eq!(board.referee.status(), Status::Waiting);
    board.events(5, join(BEA));
    assert_eq!(board.referee.status(), Status::Live);
    assert_eq!(board.referee.seat_of(id(BEA)), Some(Seat::Second));

    board.events(6, make(ADA, 1, "b1"));
    board.events(7, make(BEA, 2, " A - 1 "));
    let last = board.events(8, make(ADA, 3, "B-1"));
    assert_eq!(
        last[1],
        Event::Ended {
            at_ms: Millis(8),
            outcome: Outcome::First,
            reason: EndReason::LastMove,
            next: None,
        }
    );
    assert_eq!(board.referee.status(), Status::Over);
    assert_eq!(board.referee.ply(), Ply(3));
    assert_eq!(board.referee.moves()[1].text, "A-1");
    assert_eq!(board.referee.position().to_string(), "nim:0,0");
}

#[test]
fn the_last_move_loses_where_the_end_rule_says_so() {
    let mut board = Board::with_both("nim:1@misere", "none");
    board.events(1, make(ADA, 1, "A-1"));
    assert_eq!(
        board.referee.outcome(),
        Some((Outcome::Second, EndReason::LastMove))
    );
}

#[test]
fn terms_that_cannot_be_played_are_refused() {
    let create = |position: &str, clock| {
        let terms = Terms {
            position: position.to_owned(),
            clock,
            rematch_of: None,
            series: None,
        };
        Referee::create(terms, player(ADA), Seat::First, Millis(0)).expect_err("bad terms")
    };
    let untimed = TimeControl::Untimed {};
    assert_eq!(create("nim:0,0", untimed).code(), "bad_position");
    assert_eq!(create("nim:3,", untimed).code(), "bad_position");
    for (base, increment) in [
        (0, 0),
        (999, 0),
        (86_400_001, 0),
        (1_000, 3_600_001),
        (u64::MAX, u64::MAX),
    ] {
        let clock = TimeControl::Fischer {
            base_ms: Millis(base),
            increment_ms: Millis(increment),
        };
        assert_eq!(create("nim:3", clock).code(), "out_of_range");
    }
}

#[test]
fn a_seat_is_taken_once_and_by_another() {
    let mut board = Board::open("nim:3,4", "none");
    assert_eq!(board.refusal(1, join(ADA)).code(), "own_match");
    board.events(2, join(BEA));
    assert_eq!(board.refusal(3, join(EVE)), Refusal::SeatTaken);
    // A repeat of a join that succeeded is no harm.
    board.nothing(4, join(BEA));
    // Who created the match hears the same whenever they ask.
    assert_eq!(board.refusal(4, join(ADA)).code(), "own_match");
}

#[test]
fn nothing_is_played_before_both_are_there() {
    let mut board = Board::open("nim:3,4", "3+2");
    assert_eq!(board.refusal(9, make(ADA, 1, "A-1")), Refusal::NotStarted);
    assert_eq!(board.refusal(9, resign(ADA)), Refusal::NotStarted);
    assert_eq!(board.refusal(9, make(BEA, 1, "A-1")), Refusal::NotAPlayer);
    assert_eq!(board.referee.deadline(), None);
    board.nothing(u64::MAX, Command::ClockCheck);
    board.nothing(9, outage(1_000));
    assert_eq!(board.left(1_000_000), (180_000, 180_000));
}

#[test]
fn an_invitation_can_be_withdrawn_or_expire() {
    let mut board = Board::open("nim:3,4", "none");
    assert_eq!(board.refusal(1, abort(BEA)), Refusal::NotAPlayer);
    board.events(1, abort(ADA));
    assert_eq!(
        board.referee.outcome(),
        Some((Outcome::Void, EndReason::Aborted))
    );
    assert_eq!(board.refusal(2, join(BEA)).code(), "match_over");
    assert_eq!(board.refusal(2, rematch(ADA, 1)), Refusal::NotStarted);

    let mut board = Board::open("nim:3,4", "none");
    board.events(1, Command::Expire);
    assert_eq!(
        board.referee.outcome(),
        Some((Outcome::Void, EndReason::Expired))
    );
    board.nothing(2, Command::Expire);

    // While a clock runs, it ends the match.
    let mut board = Board::with_both("nim:3,4", "3m+2s");
    board.nothing(1, Command::Expire);
}

#[test]
fn a_match_without_clocks_can_expire_while_it_is_played() {
    let mut board = Board::with_both("nim:3,4", "none");
    board.events(1, make(ADA, 1, "A-1"));
    board.events(2, Command::Expire);
    assert_eq!(
        board.referee.outcome(),
        Some((Outcome::Void, EndReason::Expired))
    );
}

#[test]
fn a_position_that_outgrows_a_message_ends_the_match() {
    let huge = |heaps: usize| format!("kayles:{}", vec!["1000000000000000000"; heaps].join(","));
    let (mut referee, mut log) = Referee::create(
        terms(&huge(800), "none"),
        player(ADA),
        Seat::First,
        Millis(0),
    )
    .expect("lawful terms");
    let mut next = join(BEA);
    while referee.outcome().is_none() {
        assert!(referee.position().to_string().len() <= POSITION_BYTES_MAX);
        let Ok(Decision::Events(events)) = referee.handle(Millis(1), &next) else {
            panic!("{next:?}");
        };
        for event in &events {
            referee.apply(event).expect("own events are lawful");
            log.push(event.clone());
        }
        let ply = referee.ply().0;
        let heap = heap_name(ply as usize);
        // The halves of the first heaps stand behind the last.
        let split = match ply {
            0..800 => format!("{heap}-1/499999999999999999,500000000000000000"),
            _ => format!("{heap}-1/249999999999999999,250000000000000000"),
        };
        let who = [ADA, BEA][referee.to_move().index()];
        next = make(who, ply + 1, &split);
    }
    let outgrown = Some((Outcome::Void, EndReason::Outgrown));
    assert_eq!(referee.outcome(), outgrown);
    let length = referee.position().to_string().len();
    assert!(length < POSITION_BYTES_MAX + 64, "{length}");
    assert_eq!(Referee::replay(&log).as_ref(), Ok(&referee));
    log.pop();
    let law = Referee::replay(&log).expect_err("the end is missing").law;
    assert_eq!(
        law,
        BrokenLaw::EndMissing(Outcome::Void, EndReason::Outgrown)
    );

    let refused = Referee::create(
        terms(&huge(820), "none"),
        player(ADA),
        Seat::First,
        Millis(0),
    );
    let code = refused.err().map(|refused| refused.code());
    assert_eq!(code, Some("out_of_range"));
}

#[test]
fn a_move_out_of_turn_or_time_is_refused_with_what_is_due() {
    let mut board = Board::with_both("nim:3,4", "none");
    assert_eq!(
        board.refusal(1, make(BEA, 1, "A-1")),
        Refusal::NotYourTurn {
            to_move: Seat::First
        }
    );
    board.events(1, make(ADA, 1, "A-1"));
    for stale in [0, 1, 3, u32::MAX] {
        assert_eq!(
            board.refusal(2, make(BEA, stale, "A-1")),
            Refusal::StalePly {
                expected: Ply(2),
                got: Ply(stale),
                seq: Seq(3),
            }
        );
    }
    assert_eq!(board.refusal(2, make(EVE, 2, "A-1")), Refusal::NotAPlayer);
}

#[test]
fn an_illegal_move_is_refused_with_a_legal_one() {
    let mut board = Board::with_both("nim:3,4", "none");
    for text in [
        "",
        "A-4",
        "A-0",
        "C-1",
        "é-1",
        "A-99999999999999999999",
        "7",
    ] {
        let Refusal::IllegalMove(error) = board.refusal(1, make(ADA, 1, text)) else {
            panic!("{text} should be illegal");
        };
        let example = error.example.expect("there is a legal move");
        assert!(matches!(
            board.referee.handle(Millis(1), &make(ADA, 1, &example)),
            Ok(Decision::Events(_))
        ));
    }
}

#[test]
fn a_repeat_gets_the_first_answer_and_another_content_is_refused() {
    let mut board = Board::with_both("nim:3,4", "3+2");
    board.events(1_000, make_as(ADA, 1, "A-1", "x"));
    let first_answer = Ok(Decision::Repeat {
        seq: Seq(3),
        ply: Ply(1),
        move_text: "A-1".to_owned(),
        clocks: Some(Clocks {
            first_ms: Millis(181_000),
            second_ms: Millis(180_000),
            periods: None,
        }),
    });
    assert_eq!(
        board.decide(2_000, make_as(ADA, 1, "A-1", "x")),
        first_answer
    );
    assert_eq!(
        board.decide(2_000, make_as(ADA, 1, " a1", "x")),
        first_answer
    );
    for (ply, text) in [(1, "A-2"), (2, "A-1"), (3, "A-1"), (1, "nonsense")] {
        assert_eq!(
            board.refusal(2_000, make_as(ADA, ply, text, "x")).code(),
            "idempotency_conflict"
        );
    }
    // The names of the two players are apart.
    board.events(3_000, make_as(BEA, 2, "A-1", "x"));
    // A repeat is answered when the position has changed and the match is over.
    board.events(4_000, resign(ADA));
    assert_eq!(
        board.decide(5_000, make_as(ADA, 1, "a 1", "x")),
        first_answer
    );
    assert_eq!(
        board.refusal(5_000, make(ADA, 3, "A-1")).code(),
        "match_over"
    );
}

#[test]
fn spellings_of_a_repeat_are_seen_through() {
    let mut board = Board::with_both("nim:3,4", "none");
    board.events(0, make_as(ADA, 1, "B-2", "x"));
    for text in ["B-2", "b = 2", "b2", "B=2", "B - 02"] {
        let repeated = board.decide(0, make_as(ADA, 1, text, "x"));
        assert!(matches!(repeated, Ok(Decision::Repeat { .. })), "{text}");
    }
    board.events(0, make(BEA, 2, "A-1"));
    let repeated = board.decide(0, make_as(ADA, 1, "B=2", "x"));
    assert!(matches!(repeated, Ok(Decision::Repeat { .. })));
    board.events(0, make(ADA, 3, "A-1"));
    // It is not the last of Ada's any more, and the match is not replayed to read it: case and spaces are seen through.
    for (text, known) in [
        ("B-2", true),
        (" b - 2", true),
        ("B=2", false),
        ("B-1", false),
    ] {
        let repeated = board.decide(0, make_as(ADA, 1, text, "x"));
        assert_eq!(repeated.is_ok(), known, "{text}: {repeated:?}");
    }
}

#[test]
fn a_match_is_called_off_by_both_and_only_before_the_second_move() {
    let mut board = Board::with_both("nim:3,4", "none");
    board.events(1, make(ADA, 1, "A-1"));
    board.events(2, abort(BEA));
    assert_eq!(board.referee.outcome(), None);
    assert!(board.referee.proposal(Seat::Second).is_some());
    board.events(3, abort(ADA));
    assert_eq!(
        board.referee.outcome(),
        Some((Outcome::Void, EndReason::Aborted))
    );

    let mut board = Board::with_both("nim:3,4", "none");
    board.events(1, make(ADA, 1, "A-1"));
    board.events(2, make(BEA, 2, "A-1"));
    assert_eq!(
        board.refusal(3, abort(ADA)),
        Refusal::TooLate { ply: Ply(2) }
    );
}

#[test]
fn presence_is_an_event_only_when_it_changes() {
    let mut board = Board::open("nim:3,4", "none");
    let there = |seat, online| Command::Presence { seat, online };
    board.nothing(1, there(Seat::First, true));
    board.nothing(1, there(Seat::Second, false));
    board.events(2, join(BEA));
    assert!(board.referee.online(Seat::Second));
    board.events(3, there(Seat::Second, false));
    board.nothing(4, there(Seat::Second, false));
    assert!(!board.referee.online(Seat::Second));
    board.events(5, there(Seat::Second, true));
    board.events(6, resign(ADA));
    board.nothing(7, there(Seat::First, false));
}

#[test]
fn a_rematch_is_offered_accepted_and_played_with_sides_swapped() {
    let mut board = Board::with_both("nim:3,4", "3+2");
    assert_eq!(board.refusal(1, rematch(ADA, 7)), Refusal::NotOver);
    board.events(1, resign(ADA));
    assert_eq!(board.refusal(2, rematch(EVE, 7)), Refusal::NotAPlayer);
    board.events(2, rematch(ADA, 7));
    board.nothing(3, rematch(ADA, 8));
    assert_eq!(board.referee.rematch(), Rematch::Offered(Seat::First));
    board.events(4, rematch(BEA, 9));
    assert_eq!(
        board.referee.rematch(),
        Rematch::Accepted(MatchId::from_random(9))
    );
    board.nothing(5, rematch(BEA, 10));

    let own_id = MatchId::from_random(1);
    let (next, log) = board
        .referee
        .create_rematch(own_id, MatchId::from_random(2), Millis(6), false)
        .expect("a finished match of two");
    assert_eq!(Referee::replay(&log).as_ref(), Ok(&next));
    assert_eq!(next.status(), Status::Live);
    assert_eq!(next.rematch_of(), Some(own_id));
    assert_eq!(next.seat_of(id(ADA)), Some(Seat::Second));
    assert_eq!(next.start(), board.referee.start());
    assert_eq!(next.clock_control(), board.referee.clock_control());
    assert_eq!(next.deadline(), Some(Millis(60_006)));
}

/// Plays the same move until the match is over, and checks its log.
fn repeat_to_the_end(position: &str, text: &str) -> Referee {
    let (mut referee, mut log) =
        Referee::create(terms(position, "none"), player(ADA), Seat::First, Millis(0))
            .expect("lawful terms");
    let mut next = join(BEA);
    while referee.outcome().is_none() {
        let Ok(Decision::Events(events)) = referee.handle(Millis(0), &next) else {
            panic!("{next:?}");
        };
        for event in &events {
            referee.apply(event).expect("own events are lawful");
            log.push(event.clone());
        }
        let who = [ADA, BEA][referee.to_move().index()];
        next = make(who, referee.ply().0 + 1, text);
    }
    assert_eq!(Referee::replay(&log).as_ref(), Ok(&referee));
    log.pop();
    let law = Referee::replay(&log).expect_err("the end is missing").law;
    assert_eq!(
        law,
        BrokenLaw::EndMissing(Outcome::Void, EndReason::Outgrown)
    );
    referee
}

#[test]
fn a_match_that_would_never_end_is_ended() {
    let referee = repeat_to_the_end("nim:1000000000000000000", "A-1");
    let each = MOVE_OVERHEAD + "A-1".len();
    assert_eq!(referee.ply().0 as usize, MOVES_BYTES_MAX / each + 1);
    let outgrown = Some((Outcome::Void, EndReason::Outgrown));
    assert_eq!(referee.outcome(), outgrown);
}

#[test]
fn moves_that_outgrow_a_message_end_the_match() {
    // From each heap one may be taken, then two, then four ...
    let heaps = vec!["fib:99999/1"; 1_300].join("+");
    let start = format!("{heaps}@every");
    let take = |counters: u32| {
        let steps = (1..=1_300).map(|number| format!("{number}.A-{counters}"));
        steps.collect::<Vec<_>>().join(",")
    };
    let (mut referee, _) =
        Referee::create(terms(&start, "none"), player(ADA), Seat::First, Millis(0))
            .expect("lawful terms");
    let mut next = join(BEA);
    for counters in (0..16).map(|doubled| 1 << doubled) {
        let Ok(Decision::Events(events)) = referee.handle(Millis(0), &next) else {
            panic!("{next:?}");
        };
        for event in &events {
            referee.apply(event).expect("own events are lawful");
        }
        if referee.outcome().is_some() {
            break;
        }
        let who = [ADA, BEA][referee.to_move().index()];
        next = make(who, referee.ply().0 + 1, &take(counters));
    }
    let outgrown = Some((Outcome::Void, EndReason::Outgrown));
    assert_eq!(referee.outcome(), outgrown);
    // The last move was one that a message holds.
    let last = referee.moves().last().expect("a move");
    assert!(last.text.len() <= MOVE_BYTES_MAX, "{}", last.text.len());

    let refused = Referee::create(
        terms(&start.replace("/1", ""), "none"),
        player(ADA),
        Seat::First,
        Millis(0),
    );
    let refused = refused.expect_err("too long moves");
    assert_eq!(refused.code(), "out_of_range");
    assert!(refused.to_string().contains("15360"), "{refused}");
}

#[test]
fn an_offer_is_withdrawn_by_the_one_who_made_it_and_can_be_made_again() {
    let mut board = Board::with_both("nim:3,4", "3+2");
    let withdraw = |who| Command::WithdrawRematch { player: id(who) };
    assert_eq!(board.refusal(1, withdraw(ADA)), Refusal::NotOver);
    board.events(1, resign(ADA));
    assert_eq!(board.refusal(2, withdraw(EVE)), Refusal::NotAPlayer);
    board.nothing(2, withdraw(ADA));
    board.events(3, rematch(ADA, 7));
    board.nothing(4, withdraw(BEA));
    board.events(5, withdraw(ADA));
    assert_eq!(board.referee.rematch(), Rematch::None);
    // Now it is the other's offer, and not an acceptance.
    board.events(6, rematch(BEA, 8));
    assert_eq!(board.referee.rematch(), Rematch::Offered(Seat::Second));
    board.events(7, rematch(ADA, 9));
    board.nothing(8, withdraw(BEA));
    assert_eq!(
        board.referee.rematch(),
        Rematch::Accepted(MatchId::from_random(9))
    );
}

#[test]
fn offers_that_are_withdrawn_again_and_again_come_to_an_end() {
    let mut board = Board::with_both("nim:3,4", "3+2");
    board.events(1, resign(ADA));
    for _ in 0..16 {
        board.events(2, rematch(ADA, 7));
        board.events(2, Command::WithdrawRematch { player: id(ADA) });
    }
    assert_eq!(board.refusal(3, rematch(BEA, 7)), Refusal::TooManyOffers);
}

#[test]
fn an_operator_ends_a_match_at_any_time_and_its_series_with_it() {
    let end = |outcome| Command::EndByOperator { outcome };
    let mut board = Board::open("nim:1,2", "10s+1s");
    // Nobody can have won before both players are seated.
    for outcome in [Outcome::First, Outcome::Draw] {
        assert_eq!(
            board.referee.handle(Millis(3), &end(outcome)),
            Err(Refusal::NotStarted)
        );
    }
    board.events(5, join(BEA));
    board.events(6, end(Outcome::Second));
    let ended = (Outcome::Second, EndReason::Operator);
    assert_eq!(board.referee.outcome(), Some(ended));
    assert_eq!(board.referee.next_in_series(ended.0, ended.1), None);
    let again = board.referee.handle(Millis(7), &end(Outcome::Void));
    assert_eq!(
        again,
        Err(Refusal::MatchOver {
            outcome: ended.0,
            reason: ended.1
        })
    );

    let mut board = Board::open("nim:1,2", "none");
    board.events(3, end(Outcome::Void));
    assert_eq!(
        board.referee.outcome(),
        Some((Outcome::Void, EndReason::Operator))
    );

    // A flag that had fallen before the order is the end.
    let mut board = Board::with_both("nim:1,2", "10s+1s");
    board.events(1, make(ADA, 1, "b1"));
    board.events(2, make(BEA, 2, "A-1"));
    board.events(200_000, end(Outcome::Void));
    assert_eq!(
        board.referee.outcome(),
        Some((Outcome::Second, EndReason::Time))
    );
}
