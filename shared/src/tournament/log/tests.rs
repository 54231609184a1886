use proptest::prelude::*;

use super::*;

fn seed() -> Seed {
    Seed::new([9; 32])
}

fn created(format: Format, win: u32) -> TournamentEvent {
    TournamentEvent::Created {
        name: "Test".to_owned(),
        format,
        win,
        commitment: seed().commitment(),
    }
}

/// A whole tournament whose results come from `chance`, as its log.
fn played(
    format: Format,
    players: u32,
    mut chance: impl FnMut(u64) -> u64,
) -> Vec<TournamentEvent> {
    let mut log = vec![created(format, 4)];
    for player in 1..=players {
        log.push(TournamentEvent::Entered {
            name: format!("p{player}"),
        });
    }
    log.push(TournamentEvent::EntriesClosed {});
    let mut tournament = Tournament::replay(&log).expect("it fits").expect("created");
    let mut append = |tournament: &mut Tournament, event: TournamentEvent| {
        tournament.apply(&event).expect("it fits");
        log.push(event);
    };
    loop {
        match tournament.next() {
            Ok(Next::Pair(event)) => append(&mut tournament, event),
            Ok(Next::Play(open)) => {
                let pairing = open[chance(open.len() as u64) as usize];
                let first = chance(5) as u32;
                let event = match chance(12) {
                    0 => TournamentEvent::Forfeited {
                        round: pairing.round,
                        board: pairing.board,
                        losers: vec![pairing.game.1],
                        cause: ForfeitCause::Absent,
                    },
                    1 if chance(3) == 0 && tournament.withdrawn.is_empty() => {
                        TournamentEvent::Withdrew {
                            player: pairing.game.0,
                        }
                    }
                    _ => TournamentEvent::Result {
                        round: pairing.round,
                        board: pairing.board,
                        first,
                        second: 4 - first,
                    },
                };
                append(&mut tournament, event);
            }
            Ok(Next::Over) => {
                append(
                    &mut tournament,
                    TournamentEvent::SeedOpened { seed: seed() },
                );
                return log;
            }
            // A small Swiss field may run out of legal pairings.
            Err(TournamentError::Swiss(_)) => {
                append(
                    &mut tournament,
                    TournamentEvent::Cancelled {
                        reason: "no pairing".to_owned(),
                    },
                );
                append(
                    &mut tournament,
                    TournamentEvent::SeedOpened { seed: seed() },
                );
                return log;
            }
            other => panic!("{other:?}"),
        }
    }
}

fn format() -> impl Strategy<Value = Format> {
    prop_oneof![
        Just(Format::RoundRobin {}),
        Just(Format::DoubleRoundRobin {}),
        Just(Format::Gauntlet { seeds: 2 }),
        Just(Format::Swiss {
            rounds: 4,
            colours: false
        }),
        Just(Format::Knockout {}),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Wherever the log is cut, reading it again gives what is missing, and the rest of the log fits exactly once.
    #[test]
    fn a_tournament_resumes_anywhere(format in format(), players in 3u32..10, number: u64) {
        let draws = Seed::new([3; 32]).draw("test", number);
        let mut turn = 0;
        let log = played(format, players, |bound| {
            turn += 1;
            draws.below(bound, turn)
        });
        let mut whole = Tournament::created(&log[0]).expect("created");
        for (place, event) in log.iter().enumerate().skip(1) {
            let resumed = Tournament::replay(&log[..place]).expect("it fits").expect("created");
            prop_assert_eq!(&resumed, &whole);
            let before = whole.next();
            whole.apply(event).expect("it fits");
            // The same event again: a result is refused; only a level game of a knockout is played again.
            if let TournamentEvent::Result { first, second, .. } = event
                && (first != second || format != (Format::Knockout {}))
            {
                prop_assert!(whole.clone().apply(event).is_err());
            }
            if let (TournamentEvent::RoundPaired { .. }, Ok(Next::Pair(due))) = (event, before) {
                prop_assert_eq!(&due, event);
            }
            let text = serde_json::to_string(event).expect("JSON");
            prop_assert_eq!(&serde_json::from_str::<TournamentEvent>(&text).expect("an event"), event);
        }
        prop_assert!(whole.apply(&log[1]).is_err());
        if format == (Format::RoundRobin {}) && whole.withdrawn.is_empty() {
            let games = log.iter().filter(|event| {
                matches!(event, TournamentEvent::Result { .. } | TournamentEvent::Forfeited { .. })
            });
            prop_assert_eq!(games.count() as u32, players * (players - 1) / 2);
        }
        if format == (Format::Knockout {}) && whole.withdrawn.is_empty() {
            let lost = whole.table().numbers().filter(|player| {
                whole.table().row(*player).iter().any(|entry| {
                    entry.opponent().is_some() && entry.points(HalfPoints(4)).0 < 2
                })
            });
            prop_assert_eq!(lost.count() as u32, players - 1);
        }
    }
}

fn three_players() -> Tournament {
    let mut log = vec![created(Format::RoundRobin {}, 2)];
    log.extend(["a", "b", "c"].map(|name| TournamentEvent::Entered {
        name: name.to_owned(),
    }));
    Tournament::replay(&log).expect("it fits").expect("created")
}

#[test]
fn events_that_do_not_fit_say_why() {
    let mut open = three_players();
    let enter = |name: &str| TournamentEvent::Entered {
        name: name.to_owned(),
    };
    assert_eq!(
        open.apply(&enter("a")),
        Err(TournamentError::EnteredTwice("a".to_owned()))
    );
    let result = |round, board, first, second| TournamentEvent::Result {
        round,
        board,
        first,
        second,
    };
    assert_eq!(
        open.apply(&result(1, 1, 2, 0)),
        Err(TournamentError::NoSuchBoard { round: 1, board: 1 })
    );
    open.apply(&TournamentEvent::EntriesClosed {})
        .expect("it fits");
    assert_eq!(open.apply(&enter("d")), Err(TournamentError::EntriesClosed));
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
    open.apply(&TournamentEvent::Continued {}).expect("it fits");
    let Ok(Next::Pair(due)) = open.next() else {
        panic!("{:?}", open.next());
    };
    open.apply(&due).expect("it fits");
    assert_eq!(
        open.apply(&result(1, 1, 2, 1)),
        Err(TournamentError::BadResult {
            first: 2,
            second: 1
        })
    );
    assert_eq!(
        open.apply(&result(2, 1, 2, 0)),
        Err(TournamentError::WrongRound {
            expected: 1,
            got: 2
        })
    );
    assert_eq!(
        open.apply(&result(1, 2, 2, 0)),
        Err(TournamentError::NoSuchBoard { round: 1, board: 2 })
    );
    open.apply(&result(1, 1, 2, 0)).expect("it fits");
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
    assert_eq!(open.apply(&enter("d")), Err(TournamentError::Over));
}

#[test]
fn a_tournament_that_cannot_be_is_refused() {
    assert_eq!(
        Tournament::created(&created(Format::Knockout {}, 3)),
        Err(TournamentError::BadWin(3))
    );
    let swiss = Format::Swiss {
        rounds: 0,
        colours: true,
    };
    assert_eq!(
        Tournament::created(&created(swiss, 2)),
        Err(TournamentError::BadRounds(0))
    );
    let mut lonely = Tournament::created(&created(Format::Knockout {}, 2)).expect("created");
    lonely
        .apply(&TournamentEvent::Entered {
            name: "a".to_owned(),
        })
        .expect("it fits");
    let before = lonely.clone();
    let refused = lonely.apply(&TournamentEvent::EntriesClosed {});
    assert_eq!(
        refused,
        Err(TournamentError::Schedule(ScheduleError::TooFewPlayers(1)))
    );
    assert_eq!(lonely, before);
    assert_eq!(Tournament::replay(&[]), Ok(None));
}
