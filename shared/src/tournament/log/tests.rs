use proptest::prelude::*;

use super::super::event::Who;
use super::super::fixture::{created, ended, entered, player, rules, seed};
use super::super::report::Report;
use super::super::schedule::ScheduleError;
use super::*;
use crate::event::TimeControl;

/// A whole tournament whose results come from `chance`, as its log.
fn played(
    format: Format,
    players: u32,
    games: u32,
    mut chance: impl FnMut(u64) -> u64,
) -> Vec<TournamentEvent> {
    let mut log = vec![created(format, rules(games))];
    log.extend((1..=players).map(entered));
    log.push(TournamentEvent::EntriesClosed {});
    let mut tournament = Tournament::replay(&log).expect("it fits").expect("created");
    let mut withdrawn = 0;
    loop {
        let event = match tournament.next().expect("it can be paired") {
            Next::Pair(event) => *event,
            Next::Play(open) => {
                let game = open[chance(open.len() as u64) as usize];
                let outcome = [Outcome::First, Outcome::Second, Outcome::Draw][chance(3) as usize];
                match chance(12) {
                    0 => ended(game, Outcome::First, EndReason::NoShow),
                    1 => ended(game, Outcome::Void, EndReason::NoShow),
                    2 if chance(3) == 0 && withdrawn == 0 => {
                        withdrawn = game.players.0;
                        TournamentEvent::Withdrew { player: withdrawn }
                    }
                    _ => ended(game, outcome, EndReason::LastMove),
                }
            }
            Next::Finish => TournamentEvent::SeedOpened { seed: seed() },
            Next::Over => return log,
            other => panic!("{other:?}"),
        };
        tournament.apply(&event).expect("it fits");
        log.push(event);
    }
}

fn format() -> impl Strategy<Value = Format> {
    prop_oneof![
        Just(Format::RoundRobin {}),
        Just(Format::DoubleRoundRobin {}),
        Just(Format::Gauntlet { seeds: 2 }),
        Just(Format::Swiss { rounds: 4 }),
        Just(Format::Knockout {}),
        Just(Format::Ladder { rounds: 6 }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    /// Wherever the log is cut, reading it again gives what is missing, and the rest of the log fits exactly once.
    #[test]
    fn a_tournament_resumes_anywhere(
        format in format(),
        players in 3u32..10,
        games in prop_oneof![Just(1u32), Just(2), Just(4)],
        number: u64,
    ) {
        let draws = Seed::new([3; 32]).draw("test", number);
        let mut turn = 0;
        let log = played(format, players, games, |bound| {
            turn += 1;
            draws.below(bound, turn)
        });
        let mut whole = Tournament::created(&log[0]).expect("created");
        let mut planned = None;
        for (place, event) in log.iter().enumerate().skip(1) {
            planned = whole.games_planned();
            let resumed = Tournament::replay(&log[..place]).expect("it fits").expect("created");
            prop_assert_eq!(&resumed, &whole);
            let before = whole.next();
            whole.apply(event).expect("it fits");
            // The same event again is refused.
            prop_assert!(whole.clone().apply(event).is_err());
            if let (TournamentEvent::RoundPaired { .. }, Ok(Next::Pair(due))) = (event, before) {
                prop_assert_eq!(&*due, event);
            }
            let dated = super::super::Dated { at_ms: Millis(7), event: event.clone() };
            let read: super::super::Dated = serde_json::from_str(&dated.to_json()).expect("an event");
            prop_assert_eq!(read, dated);
        }
        prop_assert!(whole.is_over());
        prop_assert!(whole.apply(&log[1]).is_err());
        let counted = log.iter().filter(|event| matches!(event, TournamentEvent::GameEnded { .. }));
        prop_assert_eq!(counted.count() as u64, whole.games_ended());
        let nobody_left = !log.iter().any(|event| matches!(event, TournamentEvent::Withdrew { .. }));
        prop_assert_eq!(whole.games_planned(), Some(whole.games_ended()));
        // Before the last event.
        let planned = planned.expect("it has begun");
        match format {
            _ if !nobody_left => {}
            // Played again.
            Format::Knockout {} => prop_assert!(whole.games_ended() >= planned),
            // Everybody who may still meet may have met before.
            Format::Swiss { .. } => prop_assert!(whole.games_ended() <= planned),
            _ => prop_assert_eq!(whole.games_ended(), planned),
        }
        let report = Report::of(&whole);
        prop_assert_eq!(report.rows.len() as u32, players);
        prop_assert!(report.rows.is_sorted_by_key(|row| row.rank));
        if format == (Format::Knockout {}) && nobody_left {
            prop_assert_eq!(report.rows.iter().filter(|row| row.rank == 1).count(), 1);
        }
    }
}

fn three_players() -> Tournament {
    let mut log = vec![created(Format::RoundRobin {}, rules(2))];
    log.extend((1..=3).map(entered));
    Tournament::replay(&log).expect("it fits").expect("created")
}

#[test]
fn events_that_do_not_fit_say_why() {
    let mut open = three_players();
    assert_eq!(
        open.apply(&entered(1)),
        Err(TournamentError::EnteredTwice("p1".to_owned()))
    );
    let game = |round, board, game| OpenGame {
        round,
        board,
        game,
        players: (1, 2),
        start: 0,
    };
    let won = |open| ended(open, Outcome::First, EndReason::LastMove);
    assert_eq!(
        open.apply(&won(game(1, 1, 1))),
        Err(TournamentError::NoSuchBoard { round: 1, board: 1 })
    );
    open.apply(&TournamentEvent::EntriesClosed {})
        .expect("it fits");
    assert_eq!(open.apply(&entered(4)), Err(TournamentError::EntriesClosed));
    assert_eq!(
        open.apply(&TournamentEvent::RoundPaired {
            round: 1,
            pairs: vec![(3, 2)],
            byes: vec![]
        }),
        Err(TournamentError::WrongPairing(1))
    );
    open.apply(&TournamentEvent::Paused {}).expect("it fits");
    assert_eq!(open.next(), Ok(Next::Paused));
    open.apply(&TournamentEvent::Resumed {}).expect("it fits");
    let Ok(Next::Pair(due)) = open.next() else {
        panic!("{:?}", open.next());
    };
    open.apply(&due).expect("it fits");
    assert_eq!(
        open.apply(&won(game(1, 1, 2))),
        Err(TournamentError::WrongGame {
            expected: 1,
            got: 2
        })
    );
    assert_eq!(
        open.apply(&won(game(2, 1, 1))),
        Err(TournamentError::WrongRound {
            expected: 1,
            got: 2
        })
    );
    open.apply(&won(game(1, 1, 1))).expect("it fits");
    assert_eq!(
        open.apply(&won(game(1, 1, 1))),
        Err(TournamentError::ResultTwice {
            round: 1,
            board: 1,
            game: 1
        })
    );
    open.apply(&won(game(1, 1, 2))).expect("it fits");
    assert_eq!(open.table().rounds(), 1);
    let opened = |seed| TournamentEvent::SeedOpened { seed };
    assert_eq!(open.apply(&opened(seed())), Err(TournamentError::NotOver));
    open.apply(&TournamentEvent::Cancelled {
        reason: "rain".to_owned(),
    })
    .expect("it fits");
    assert_eq!(
        open.apply(&opened(Seed::new([1; 32]))),
        Err(TournamentError::WrongSeed)
    );
    open.apply(&opened(seed())).expect("it fits");
    assert_eq!(open.apply(&entered(4)), Err(TournamentError::Over));
}

#[test]
fn a_level_knockout_is_played_again_until_the_better_seed_goes_on() {
    let mut log = vec![created(Format::Knockout {}, rules(2))];
    log.extend((1..=2).map(entered));
    log.push(TournamentEvent::EntriesClosed {});
    let mut cup = Tournament::replay(&log).expect("it fits").expect("created");
    let Ok(Next::Pair(due)) = cup.next() else {
        panic!("{:?}", cup.next());
    };
    cup.apply(&due).expect("it fits");
    let mut games = 0;
    while let Ok(Next::Play(open)) = cup.next() {
        // Whoever moves first wins: each pair of games is level.
        games += 1;
        assert_eq!(open[0].game, games);
        cup.apply(&ended(open[0], Outcome::First, EndReason::LastMove))
            .expect("it fits");
    }
    assert_eq!(games, 2 * (1 + MAX_REPLAYS));
    assert_eq!(cup.next(), Ok(Next::Finish));
    let report = Report::of(&cup);
    assert_eq!((report.rows[0].player, report.rows[0].rank), (1, 1));
    assert_eq!((report.rows[1].player, report.rows[1].rank), (2, 2));
}

#[test]
fn a_ladder_takes_players_while_it_runs_and_ranks_by_rating() {
    let mut log = vec![created(Format::Ladder { rounds: 20 }, rules(2))];
    log.extend((1..=3).map(entered));
    log.push(TournamentEvent::EntriesClosed {});
    let mut ladder = Tournament::replay(&log).expect("it fits").expect("created");
    let mut late = false;
    loop {
        let event = match ladder.next().expect("paired") {
            Next::Pair(event) => *event,
            // The player with the larger number wins everything.
            Next::Play(open) => match open[0].players {
                (one, two) if one > two => ended(open[0], Outcome::First, EndReason::LastMove),
                _ => ended(open[0], Outcome::Second, EndReason::LastMove),
            },
            _ => break,
        };
        ladder.apply(&event).expect("it fits");
        if ladder.table().rounds() == 5 && !late {
            late = true;
            ladder.apply(&entered(4)).expect("a ladder is open");
        }
    }
    let order: Vec<u32> = Report::of(&ladder)
        .rows
        .iter()
        .map(|row| row.player)
        .collect();
    assert_eq!(order, [4, 3, 2, 1]);
}

#[test]
fn a_tournament_that_cannot_be_is_refused() {
    let refused = |event: &TournamentEvent| Tournament::created(event).expect_err("refused");
    for games in [0, 3, 1_002] {
        let event = created(Format::Knockout {}, rules(games));
        assert_eq!(refused(&event), TournamentError::BadGames(games));
    }
    for rounds in [0, 100] {
        let event = created(Format::Swiss { rounds }, rules(2));
        assert_eq!(refused(&event), TournamentError::BadRounds(rounds));
    }
    let mut big = created(Format::Swiss { rounds: 9 }, rules(2));
    if let TournamentEvent::Created { admission, .. } = &mut big {
        admission.most = 10_000;
    }
    assert_eq!(refused(&big), TournamentError::BadMost(10_000));
    let mut untimed = created(Format::Swiss { rounds: 9 }, rules(2));
    if let TournamentEvent::Created { rules, .. } = &mut untimed {
        rules.clock = TimeControl::Untimed {};
    }
    assert_eq!(refused(&untimed), TournamentError::NoClock);
    let mut lonely = Tournament::created(&created(Format::Knockout {}, rules(2))).expect("created");
    lonely.apply(&entered(1)).expect("it fits");
    let before = lonely.clone();
    let refused = lonely.apply(&TournamentEvent::EntriesClosed {});
    assert_eq!(
        refused,
        Err(TournamentError::Schedule(ScheduleError::TooFewPlayers(1)))
    );
    assert_eq!(lonely, before);
    assert_eq!(Tournament::replay(&[]), Ok(None));
}

#[test]
fn an_admission_names_whom_it_does_not_take() {
    let people = Admission {
        who: Who::People,
        most: 2,
        names: vec!["p1".to_owned(), "p2".to_owned()],
    };
    assert_eq!(people.admits(&player(1), 0), Ok(()));
    assert_eq!(
        people.admits(&player(2), 0),
        Err(TournamentError::WrongKind("people"))
    );
    assert_eq!(
        people.admits(&player(3), 0),
        Err(TournamentError::NotAdmitted("p3".to_owned()))
    );
    assert_eq!(people.admits(&player(1), 2), Err(TournamentError::Full(2)));
}

/// Pairings that were forfeited can come again, so that a Swiss tournament has more rounds than there are other players.
#[test]
fn games_that_were_played_are_never_more_than_those_planned() {
    let draws = Seed::new([3; 32]).draw("test", 15_611_941_645_704_113_645);
    let mut turn = 0;
    let log = played(Format::Swiss { rounds: 4 }, 4, 1, |bound| {
        turn += 1;
        draws.below(bound, turn)
    });
    let cup = Tournament::replay(&log).expect("it fits").expect("created");
    assert_eq!((cup.table().rounds(), cup.games_ended()), (4, 8));
    assert_eq!(cup.games_planned(), Some(8));
}

/// A tournament of four in which player 4 withdraws in the first round, until its second round is to be paired.
fn withdrawn_in_the_first_round(format: Format) -> (Tournament, TournamentEvent) {
    let mut log = vec![created(format, rules(2))];
    log.extend((1..=4).map(entered));
    log.push(TournamentEvent::EntriesClosed {});
    let mut tournament = Tournament::replay(&log).expect("it fits").expect("created");
    let mut withdraws = Some(TournamentEvent::Withdrew { player: 4 });
    loop {
        let event = match tournament.next().expect("it can be paired") {
            Next::Pair(event) if tournament.table().rounds() == 1 => return (tournament, *event),
            Next::Pair(event) => *event,
            Next::Play(open) => withdraws
                .take()
                .unwrap_or_else(|| ended(open[0], Outcome::First, EndReason::LastMove)),
            other => panic!("{other:?}"),
        };
        tournament.apply(&event).expect("it fits");
    }
}

#[test]
fn whoever_would_meet_a_withdrawn_player_has_a_bye() {
    for format in [
        Format::RoundRobin {},
        Format::DoubleRoundRobin {},
        Format::Gauntlet { seeds: 2 },
    ] {
        let (mut tournament, event) = withdrawn_in_the_first_round(format);
        let TournamentEvent::RoundPaired { pairs, byes, .. } = &event else {
            panic!("{event:?}");
        };
        assert_eq!((pairs.len(), byes.len()), (1, 1), "{format:?}");
        let (one, two) = pairs[0];
        assert!(![one, two, 4].contains(&byes[0]), "{event:?}");
        // Logs from before say nothing of the bye, and stay readable.
        let before = TournamentEvent::RoundPaired {
            round: 2,
            pairs: pairs.clone(),
            byes: Vec::new(),
        };
        tournament.clone().apply(&before).expect("it was so once");
        let wrong = TournamentEvent::RoundPaired {
            round: 2,
            pairs: Vec::new(),
            byes: byes.clone(),
        };
        assert!(tournament.clone().apply(&wrong).is_err());
        tournament.apply(&event).expect("it fits");
    }
}
