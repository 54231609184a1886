//! Series: every game follows on the one before, sides swapped, and the score adds up, whatever happens in the games.

use grundy_shared::event::{EndReason, Event, Outcome, PlayerInfo, Series, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Ply, Seat};
use grundy_shared::referee::{BrokenLaw, Command, Decision, Referee, Refusal, SERIES_MAX, Terms};
use proptest::prelude::*;

const BASE: Millis = Millis(10_000);

fn player(number: u128) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(number),
        name: format!("player {number}"),
        bot: false,
    }
}

/// The first game of a series, begun between players 1 and 2.
fn begun(games: u32) -> (MatchId, Referee) {
    let id = MatchId::from_random(7);
    let terms = Terms {
        position: "nim:1,2".to_owned(),
        clock: TimeControl::Fischer {
            base_ms: BASE,
            increment_ms: Millis(0),
        },
        rematch_of: None,
        series: Series::first(id, games, false).expect("an even number"),
    };
    let created = Referee::create(terms, player(1), Seat::First, Millis(0));
    let (mut referee, _) = created.expect("lawful terms");
    order(&mut referee, 0, &Command::Join { player: player(2) });
    (id, referee)
}

/// Has a command carried out; the last event.
fn order(referee: &mut Referee, at: u64, command: &Command) -> Event {
    let Ok(Decision::Events(ruling)) = referee.handle(Millis(at), command) else {
        panic!("{command:?} leads to nothing");
    };
    let next = ruling
        .iter()
        .find_map(|event| referee.open_next(event).expect("the same rules"));
    let events = referee.accept(ruling).expect("fresh");
    let last = events.last().expect("an event").clone();
    if let Event::Ended { next: said, .. } = &last {
        assert_eq!(next.map(|(id, ..)| id), *said);
        assert_eq!(referee.next_match(), *said);
    }
    last
}

fn seated(referee: &Referee, seat: Seat) -> PlayerId {
    referee.player(seat).expect("both are seated").id
}

/// How a game may go.
#[derive(Clone, Copy, Debug)]
enum Course {
    /// This player, 0 or 1, resigns.
    Resigns(usize),
    /// The first player takes the win.
    Wins,
    /// The second player lets the clock run out after both have moved.
    FlagFalls,
    /// The first player never moves, and the clock runs out.
    Stays,
    /// It is called off.
    Aborted,
}

impl Course {
    fn ends_series(self) -> bool {
        matches!(self, Self::Stays | Self::Aborted)
    }

    /// Plays a game this way, and gives the winner.
    fn play(self, referee: &mut Referee) -> Option<PlayerId> {
        let at = referee.last_at().0;
        let players = [player(1).id, player(2).id];
        let mv = |referee: &mut Referee, ply: u32, text: &str| {
            let command = Command::Move {
                player: seated(referee, Seat::to_move_at(Ply(ply - 1))),
                ply: Ply(ply),
                client_move_id: None,
                text: text.to_owned(),
                opponent_lag: Millis(0),
                hints: 0,
            };
            order(referee, at, &command);
        };
        match self {
            Self::Resigns(who) => {
                let player = players[who];
                order(referee, at, &Command::Resign { player });
                Some(players[1 - who])
            }
            Self::Wins => {
                mv(referee, 1, "B-1");
                mv(referee, 2, "A-1");
                mv(referee, 3, "B-1");
                Some(seated(referee, Seat::First))
            }
            Self::FlagFalls => {
                mv(referee, 1, "B-1");
                mv(referee, 2, "A-1");
                order(referee, at + BASE.0, &Command::ClockCheck);
                Some(seated(referee, Seat::Second))
            }
            Self::Stays => {
                order(referee, at, &Command::StartClock { seat: None });
                order(referee, at + BASE.0, &Command::ClockCheck);
                None
            }
            Self::Aborted => {
                order(referee, at, &Command::Abort { player: players[0] });
                None
            }
        }
    }
}

fn course() -> impl Strategy<Value = Course> {
    prop_oneof![
        8 => (0..2usize).prop_map(Course::Resigns),
        4 => Just(Course::Wins),
        4 => Just(Course::FlagFalls),
        1 => Just(Course::Stays),
        1 => Just(Course::Aborted),
    ]
}

proptest! {
    #[test]
    fn every_game_follows_on_the_one_before(
        games in (1..=4u32).prop_map(|pairs| 2 * pairs),
        courses in prop::collection::vec(course(), 8),
    ) {
        let (id, mut referee) = begun(games);
        let mut wins = [0u32; 2];
        let mut ids = vec![id];
        for (game, course) in (1..).zip(courses) {
            let series = referee.series().expect("a series");
            prop_assert_eq!((series.game, series.games, series.id), (game, games, id));
            let first = usize::from(game % 2 == 0);
            prop_assert_eq!(seated(&referee, Seat::First), player(first as u128 + 1).id);
            prop_assert_eq!([series.first_wins, series.second_wins], [wins[first], wins[1 - first]]);
            // The clocks of the first game run from its begin, and those of the others wait.
            let course = match course {
                Course::Stays if game == 1 => Course::Aborted,
                other => other,
            };
            let before = referee.clone();
            let winner = course.play(&mut referee);
            if let Some(winner) = winner {
                wins[usize::from(winner == player(2).id)] += 1;
            }
            let goes_on = game < games && !course.ends_series();
            prop_assert_eq!(referee.next_match().is_some(), goes_on, "{:?}", course);
            if !goes_on {
                break;
            }
            let (outcome, reason) = referee.outcome().expect("it is over");
            let end = Event::Ended { at_ms: referee.last_at(), outcome, reason, next: None };
            let opened = referee.open_next(&end).expect("the same rules");
            let (next, opened, log) = opened.expect("a game follows");
            prop_assert!(!ids.contains(&next));
            ids.push(next);
            prop_assert_eq!(Referee::replay(&log), Ok(opened.clone()));
            prop_assert_eq!(opened.start(), before.start());
            prop_assert!(opened.is_held(Seat::First) && opened.is_held(Seat::Second));
            referee = opened;
        }
    }
}

#[test]
fn a_series_has_an_even_number_of_games() {
    let id = MatchId::from_random(7);
    assert_eq!(Series::first(id, 1, false), Ok(None));
    for games in [0, 3, 7, SERIES_MAX + 1, SERIES_MAX + 2, u32::MAX] {
        let refused = Series::first(id, games, false).expect_err("no such series");
        assert_eq!(refused, Refusal::BadSeries { games });
        assert!(refused.to_string().contains("even number from 2 to 1000"));
    }
    assert!(Series::first(id, SERIES_MAX, false).is_ok_and(|series| series.is_some()));
}

#[test]
fn an_end_that_names_another_next_game_is_no_end() {
    let (_, referee) = begun(2);
    let end = |next| Event::Ended {
        at_ms: Millis(1),
        outcome: Outcome::First,
        reason: EndReason::Resignation,
        next,
    };
    let lawful = referee.open_next(&end(None)).expect("the same rules");
    let (expected, ..) = lawful.expect("a game follows");
    for wrong in [None, Some(MatchId::from_random(8))] {
        let refused = referee.clone().apply(&end(wrong)).expect_err("unlawful");
        let expected = Some(expected);
        assert_eq!(refused.law, BrokenLaw::WrongNext { expected });
    }
    assert_eq!(referee.clone().apply(&end(Some(expected))), Ok(()));
}

#[test]
fn a_place_that_no_series_has_is_refused_in_a_log() {
    let (_, referee) = begun(4);
    let good = referee.series().expect("a series");
    let wrong = [
        Series { game: 0, ..good },
        Series { game: 5, ..good },
        Series { games: 3, ..good },
        Series {
            games: SERIES_MAX + 2,
            ..good
        },
        // More results than games before this one.
        Series {
            first_wins: 1,
            ..good
        },
        Series {
            draws: u32::MAX,
            second_wins: 1,
            ..good
        },
    ];
    for series in wrong {
        let created = Event::Created {
            at_ms: Millis(0),
            position: "nim:1,2".to_owned(),
            clock: TimeControl::Untimed {},
            creator: player(1),
            seat: Seat::First,
            rematch_of: None,
            series: Some(series),
            held: false,
            first_move_ms: None,
            first_move_of_both: false,
            tournament: None,
        };
        let refused = Referee::begin(&created).expect_err("unlawful");
        assert_eq!(refused.law, BrokenLaw::BadSeries, "{series:?}");
    }
}
