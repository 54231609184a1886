//! The laws of a log: every event that the referee could not have written is found, by its number.

use grundy_shared::event::{Clocks, EndReason, Event, Outcome, PlayerInfo, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Ply, Seat, Seq};
use grundy_shared::referee::{BrokenLaw, CLAIM_AFTER_MS, Referee};
use grundy_shared::review::Review;
use grundy_shared::solver::Budget;

fn player(number: u128) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(number),
        name: "Ada".to_owned(),
        bot: false,
    }
}

fn clocks(first: u64, second: u64) -> Option<Clocks> {
    Some(Clocks {
        first_ms: Millis(first),
        second_ms: Millis(second),
        periods: None,
    })
}

fn moved(at: u64, seat: Seat, ply: u32, text: &str, clocks: Option<Clocks>) -> Event {
    Event::Moved {
        at_ms: Millis(at),
        seat,
        ply: Ply(ply),
        move_text: text.to_owned(),
        client_move_id: Some("same".parse().expect("a move id")),
        clocks,
        lag_ms: Millis(0),
        planned: false,
        hints: 0,
    }
}

fn ended(at: u64, outcome: Outcome, reason: EndReason) -> Event {
    Event::Ended {
        at_ms: Millis(at),
        outcome,
        reason,
        next: None,
    }
}

/// A lawful match of 10 s and 1 s a move: both go away, the server too, and the first player wins.
fn log() -> Vec<Event> {
    vec![
        Event::Created {
            at_ms: Millis(0),
            position: "nim:1,2".to_owned(),
            clock: TimeControl::Fischer {
                base_ms: Millis(10_000),
                increment_ms: Millis(1_000),
            },
            creator: player(1),
            seat: Seat::Second,
            rematch_of: None,
            series: None,
            held: false,
            first_move_ms: None,
            first_move_of_both: false,
            tournament: None,
        },
        Event::Joined {
            at_ms: Millis(100),
            seat: Seat::First,
            player: player(2),
        },
        moved(1_100, Seat::First, 1, "B-1", clocks(10_000, 10_000)),
        Event::Presence {
            at_ms: Millis(1_200),
            seat: Seat::Second,
            online: false,
        },
        Event::Outage {
            at_ms: Millis(3_100),
            credited_ms: Millis(1_500),
            held: false,
        },
        moved(4_100, Seat::Second, 2, "A-1", clocks(10_000, 9_500)),
        moved(5_100, Seat::First, 3, "B-1", clocks(10_000, 9_500)),
        ended(5_100, Outcome::First, EndReason::LastMove),
        Event::RematchOffered {
            at_ms: Millis(6_000),
            seat: Seat::Second,
        },
        Event::RematchAccepted {
            at_ms: Millis(7_000),
            rematch: MatchId::from_random(5),
        },
    ]
}

/// The first player's second move bears its own name, so that only the tests of names repeat one.
fn lawful() -> Vec<Event> {
    let mut events = log();
    if let Event::Moved { client_move_id, .. } = &mut events[6] {
        *client_move_id = None;
    }
    events
}

fn first_wrong(events: &[Event]) -> (u64, BrokenLaw) {
    let error = Referee::replay(events).expect_err("an unlawful log");
    (error.seq.0, error.law)
}

#[test]
fn the_lawful_log_is_accepted() {
    let events = lawful();
    let referee = Referee::replay(&events).expect("a lawful log");
    assert_eq!(referee.seq(), Seq(10));
    assert_eq!(
        referee.outcome(),
        Some((Outcome::First, EndReason::LastMove))
    );
}

/// Hints are in the log of a match on the player's own computer, and a log without them is written as before.
#[test]
fn hints_are_part_of_a_move() {
    let mut events = lawful();
    if let Event::Moved { hints, .. } = &mut events[2] {
        *hints = 2;
    }
    let referee = Referee::replay(&events).expect("a lawful log");
    let hints: Vec<u32> = referee.moves().iter().map(|played| played.hints).collect();
    assert_eq!(hints, [2, 0, 0]);
    let json = serde_json::to_string(&events[2]).expect("JSON");
    assert!(json.ends_with("\"hints\":2}"), "{json}");
    assert_eq!(
        serde_json::from_str::<Event>(&json).ok().as_ref(),
        Some(&events[2])
    );
    let without = serde_json::to_string(&events[5]).expect("JSON");
    assert!(!without.contains("hints"), "{without}");
    let review = Review::of(&referee, &Budget::nodes(100_000));
    let words = review.hints_in_words();
    assert_eq!(words.len(), 1, "{words:?}");
    assert!(
        words[0].ends_with(" asked for 2 hints before move 1."),
        "{words:?}"
    );
    assert!(review.to_string().contains(&words[0]));
}

#[test]
fn a_removed_swapped_or_doubled_event_is_found() {
    let events = lawful();
    for missing in [0, 1, 2, 4, 5, 6, 7, 8] {
        let mut cut = events.clone();
        cut.remove(missing);
        let (seq, _) = first_wrong(&cut);
        assert!(seq as usize > missing, "{missing}: found at {seq}");
    }
    for left in 0..events.len() - 1 {
        let mut swapped = events.clone();
        swapped.swap(left, left + 1);
        assert!(Referee::replay(&swapped).is_err(), "swapped at {left}");
    }
    for twice in 0..events.len() {
        // A clock takes any number of outages within a turn.
        if twice == 4 {
            continue;
        }
        let mut doubled = events.clone();
        doubled.insert(twice, events[twice].clone());
        let (seq, _) = first_wrong(&doubled);
        assert_eq!(seq as usize, twice + 2);
    }
}

#[test]
fn a_log_that_stops_before_the_end_it_brings_is_refused() {
    let events = lawful();
    assert_eq!(
        first_wrong(&events[..7]),
        (
            8,
            BrokenLaw::EndMissing(Outcome::First, EndReason::LastMove)
        )
    );
    assert_eq!(first_wrong(&[]), (1, BrokenLaw::NoBeginning));
    assert_eq!(first_wrong(&events[1..]), (1, BrokenLaw::NoBeginning));
    for whole in [1, 2, 3, 4, 5, 6, 8, 9, 10] {
        assert!(Referee::replay(&events[..whole]).is_ok(), "{whole} events");
    }
}

#[test]
fn a_changed_event_is_found_by_its_number() {
    let wrong = |index: usize, event: Event| {
        let mut events = lawful();
        events[index] = event;
        let (seq, law) = first_wrong(&events);
        assert_eq!(seq as usize, index + 1, "{law}");
        law
    };
    for (outcome, reason) in [
        (Outcome::Second, EndReason::LastMove),
        (Outcome::First, EndReason::Resignation),
        (Outcome::Void, EndReason::Aborted),
        (Outcome::First, EndReason::Time),
    ] {
        assert_eq!(
            wrong(7, ended(5_100, outcome, reason)),
            BrokenLaw::WrongEnd(outcome, reason)
        );
    }
    assert!(matches!(
        wrong(
            5,
            moved(4_100, Seat::Second, 2, "A-2", clocks(10_000, 9_500))
        ),
        BrokenLaw::IllegalMove(..)
    ));
    assert!(matches!(
        wrong(
            5,
            moved(4_100, Seat::Second, 2, "a1", clocks(10_000, 9_500))
        ),
        BrokenLaw::NotCanonical { .. }
    ));
    assert!(matches!(
        wrong(
            5,
            moved(4_100, Seat::First, 2, "A-1", clocks(10_000, 9_500))
        ),
        BrokenLaw::WrongTurn { .. }
    ));
    assert!(matches!(
        wrong(
            5,
            moved(4_100, Seat::Second, 3, "A-1", clocks(10_000, 9_500))
        ),
        BrokenLaw::WrongPly { .. }
    ));
    for other in [None, clocks(10_000, 9_501), clocks(9_999, 9_500)] {
        assert!(matches!(
            wrong(5, moved(4_100, Seat::Second, 2, "A-1", other)),
            BrokenLaw::WrongClocks { .. }
        ));
    }
    assert!(matches!(
        wrong(
            5,
            moved(3_000, Seat::Second, 2, "A-1", clocks(10_000, 9_500))
        ),
        BrokenLaw::TimeBackwards { .. }
    ));
    // With 1.5 s given back, the second player's flag falls at 12.6 s.
    assert_eq!(
        wrong(
            5,
            moved(12_600, Seat::Second, 2, "A-1", clocks(10_000, 1_000))
        ),
        BrokenLaw::EndMissing(Outcome::First, EndReason::Time)
    );
    assert!(matches!(
        wrong(
            6,
            moved(5_100, Seat::First, 3, "B-1", clocks(10_000, 9_500))
        ),
        BrokenLaw::MoveIdTwice(_)
    ));
    let outage = |credited| Event::Outage {
        at_ms: Millis(3_100),
        credited_ms: Millis(credited),
        held: false,
    };
    for credited in [0, 2_001] {
        assert_eq!(
            wrong(4, outage(credited)),
            BrokenLaw::WrongCredit {
                most: Millis(2_000)
            }
        );
    }
}

#[test]
fn beginnings_that_cannot_be_played_are_refused() {
    let created = |text: &str, base| {
        let mut events = lawful();
        if let Event::Created {
            position, clock, ..
        } = &mut events[0]
        {
            *position = text.to_owned();
            *clock = TimeControl::Fischer {
                base_ms: Millis(base),
                increment_ms: Millis(0),
            };
        }
        first_wrong(&events)
    };
    assert!(matches!(
        created("nim:", 10_000),
        (1, BrokenLaw::BadStart(_))
    ));
    assert!(matches!(
        created("nim:0", 10_000),
        (1, BrokenLaw::BadStart(_))
    ));
    assert!(matches!(
        created("nim:1,2", 999),
        (1, BrokenLaw::BadClock(_))
    ));
}

#[test]
fn an_unlawful_event_leaves_no_trace() {
    let events = lawful();
    for length in 1..events.len() {
        // A prefix may stop between the last move and the end, so it is folded event by event.
        let mut referee = Referee::begin(&events[0]).expect("a lawful beginning");
        for event in &events[1..length] {
            referee.apply(event).expect("a lawful log");
        }
        let before = referee.clone();
        for event in &events {
            if referee.apply(event).is_err() {
                assert_eq!(referee, before);
            } else {
                referee = before.clone();
            }
        }
    }
}

#[test]
fn clocks_are_held_and_started_in_order() {
    let started = |at, seat| Event::ClockStarted {
        at_ms: Millis(at),
        seat,
    };
    let hold = |at| Event::Outage {
        at_ms: Millis(at),
        credited_ms: Millis(0),
        held: true,
    };
    let after = |events: Vec<Event>| {
        let mut log = lawful();
        log.truncate(2);
        log.extend(events);
        Referee::replay(&log).map(|_| ()).map_err(|error| error.law)
    };
    let not_held = |seat| Err(BrokenLaw::NotHeld(seat));
    assert_eq!(
        after(vec![started(200, Seat::First)]),
        not_held(Seat::First)
    );
    assert_eq!(after(vec![hold(200), started(300, Seat::First)]), Ok(()));
    assert_eq!(
        after(vec![hold(200), hold(300)]),
        Err(BrokenLaw::NothingHeld)
    );
    let twice = vec![
        hold(200),
        started(300, Seat::Second),
        started(400, Seat::Second),
    ];
    assert_eq!(after(twice), not_held(Seat::Second));
    // A credit cannot fall into a time in which nothing ran.
    let credit = Event::Outage {
        at_ms: Millis(900),
        credited_ms: Millis(1),
        held: false,
    };
    assert_eq!(
        after(vec![hold(200), credit]),
        Err(BrokenLaw::WrongCredit { most: Millis(0) })
    );
    let mut untimed = lawful();
    if let Event::Created { clock, held, .. } = &mut untimed[0] {
        (*clock, *held) = (TimeControl::Untimed {}, true);
    }
    assert_eq!(first_wrong(&untimed), (1, BrokenLaw::NothingHeld));
}

#[test]
fn an_offer_is_withdrawn_by_who_made_it() {
    let withdrawn = |seat| Event::RematchWithdrawn {
        at_ms: Millis(6_500),
        seat,
    };
    let mut log = lawful();
    log.insert(9, withdrawn(Seat::First));
    assert_eq!(first_wrong(&log), (10, BrokenLaw::NoOffer));
    log[9] = withdrawn(Seat::Second);
    // What was withdrawn cannot be accepted.
    assert_eq!(first_wrong(&log), (11, BrokenLaw::NoOffer));
    log.pop();
    assert!(Referee::replay(&log).is_ok());
    // Only the other player can decline it.
    let declined = |seat| Event::RematchDeclined {
        at_ms: Millis(6_500),
        seat,
    };
    log[9] = declined(Seat::Second);
    assert_eq!(first_wrong(&log), (10, BrokenLaw::NoOffer));
    log[9] = declined(Seat::First);
    assert!(Referee::replay(&log).is_ok());
}

/// A log up to the first move, after which the clocks are held so that nobody loses on time, and then these absences and returns before a claim
/// at that moment; the law that it breaks. Times count from the beginning.
fn abandoned(
    moves: usize,
    presences: &[(u64, Seat, bool)],
    at: u64,
    outcome: Outcome,
) -> Result<(), BrokenLaw> {
    let log = lawful();
    let moved = |event: &&Event| matches!(event, Event::Moved { .. });
    let first_move = log.iter().position(|event| moved(&event)).expect("a move");
    let mut log: Vec<Event> = log[..first_move + moves].to_vec();
    let began = log.last().expect("events").at().0;
    log.push(Event::Outage {
        at_ms: Millis(began),
        credited_ms: Millis(0),
        held: true,
    });
    for (at, seat, online) in presences {
        log.push(Event::Presence {
            at_ms: Millis(began + at),
            seat: *seat,
            online: *online,
        });
    }
    log.push(Event::Ended {
        at_ms: Millis(began + at),
        outcome,
        reason: EndReason::Abandoned,
        next: None,
    });
    Referee::replay(&log).map(|_| ()).map_err(|error| error.law)
}

#[test]
fn a_match_is_abandoned_only_by_one_who_was_away_for_long_enough() {
    let wrong = |outcome| Err(BrokenLaw::WrongEnd(outcome, EndReason::Abandoned));
    let patience = CLAIM_AFTER_MS.0;
    let gone = [(5, Seat::First, false)];
    for outcome in [Outcome::Second, Outcome::Void] {
        assert_eq!(abandoned(0, &gone, 5 + patience, outcome), Ok(()));
        let early = abandoned(0, &gone, 4 + patience, outcome);
        assert_eq!(early, wrong(outcome));
        // In the turn of the one who is here nobody is kept waiting.
        let in_own_turn = abandoned(1, &gone, 5 + patience, outcome);
        assert_eq!(in_own_turn, wrong(outcome));
    }
    for outcome in [Outcome::First, Outcome::Draw] {
        assert_eq!(abandoned(0, &gone, 5 + patience, outcome), wrong(outcome));
    }
}

#[test]
fn a_claimant_was_here_all_the_time() {
    let patience = CLAIM_AFTER_MS.0;
    let wrong = Err(BrokenLaw::WrongEnd(Outcome::Second, EndReason::Abandoned));
    let both = [(5, Seat::First, false), (6, Seat::Second, false)];
    let claimed = |presences: &[_], at| abandoned(0, presences, at, Outcome::Second);
    assert_eq!(claimed(&both, 6 + patience), wrong);
    let back = [both[0], both[1], (70_000, Seat::Second, true)];
    assert_eq!(claimed(&back, 69_999 + patience), wrong);
    assert_eq!(claimed(&back, 70_000 + patience), Ok(()));
}
