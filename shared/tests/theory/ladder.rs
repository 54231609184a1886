//! The pairings of a ladder: nobody meets the same opponent twice in a row where another choice exists.

use grundy_shared::event::{EndReason, Outcome, PlayerInfo, TimeControl};
use grundy_shared::ids::{Millis, PlayerId, TournamentId};
use grundy_shared::tournament::{
    Admission, Edition, Format, Next, Rules, Seed, Starts, Tournament, TournamentEvent, Who,
    match_of_game,
};
use proptest::prelude::*;

fn player(number: u32) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(u128::from(number)),
        name: format!("p{number}"),
        bot: true,
    }
}

fn ladder(players: u32, rounds: u32) -> Tournament {
    let mut log = vec![TournamentEvent::Created {
        name: "Ladder".to_owned(),
        organiser: player(0),
        format: Format::Ladder { rounds },
        rules: Rules {
            games: 2,
            clock: TimeControl::Fischer {
                base_ms: Millis(60_000),
                increment_ms: Millis(0),
            },
            starts: Starts::List {
                positions: vec!["nim:3,5,7".to_owned()],
            },
            start_ms: Millis(10_000),
            away_ms: Millis(10_000),
        },
        admission: Admission {
            who: Who::Both,
            most: 64,
            names: Vec::new(),
        },
        starts_at_ms: None,
        commitment: Seed::new([9; 32]).commitment(),
        tie_breaks: Edition::default(),
    }];
    log.extend((1..=players).map(|number| TournamentEvent::Entered {
        player: player(number),
    }));
    log.push(TournamentEvent::EntriesClosed {});
    let ladder = Tournament::replay(&log).expect("it fits");
    ladder.expect("created")
}

/// Plays the ladder to its end; the pairs of each round, the smaller number first.
fn rounds(mut ladder: Tournament, mut first_wins: impl FnMut() -> bool) -> Vec<Vec<(u32, u32)>> {
    let id = TournamentId::from_random(1);
    let mut rounds = Vec::new();
    loop {
        match ladder.next().expect("paired") {
            Next::Pair(event) => {
                if let TournamentEvent::RoundPaired { pairs, .. } = &*event {
                    let sorted = pairs.iter().map(|(a, b)| (*a.min(b), *a.max(b)));
                    rounds.push(sorted.collect());
                }
                ladder.apply(&event).expect("it fits");
            }
            Next::Play(open) => {
                let open = open[0];
                let outcome = match first_wins() {
                    true => Outcome::First,
                    false => Outcome::Second,
                };
                let ended = TournamentEvent::GameEnded {
                    round: open.round,
                    board: open.board,
                    game: open.game,
                    match_id: match_of_game(id, open.round, open.board, open.game),
                    outcome,
                    reason: EndReason::LastMove,
                    head: "0".repeat(64),
                };
                ladder.apply(&ended).expect("it fits");
            }
            _ => return rounds,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nobody_meets_the_same_opponent_twice_in_a_row(
        players in 3u32..12,
        wins in proptest::collection::vec(any::<bool>(), 64),
    ) {
        let mut wins = wins.into_iter().cycle();
        let rounds = rounds(ladder(players, 12), || wins.next().expect("a cycle"));
        prop_assert_eq!(rounds.len(), 12);
        for two in rounds.windows(2) {
            prop_assert_eq!(two[1].len(), players as usize / 2);
            let again: Vec<_> = two[1].iter().filter(|pair| two[0].contains(pair)).collect();
            prop_assert!(again.is_empty(), "{:?} again, {:?}", again, rounds);
        }
    }
}

#[test]
fn two_players_have_no_other_choice() {
    let rounds = rounds(ladder(2, 4), || true);
    assert_eq!(rounds, vec![vec![(1, 2)]; 4]);
}

#[test]
fn level_players_meet_neighbours_and_then_change_partners() {
    // Everybody stays level: each pair of games is 1-1.
    let mut first = false;
    let rounds = rounds(ladder(4, 3), || {
        first = !first;
        first
    });
    assert_eq!(rounds[0], [(1, 2), (3, 4)]);
    assert_eq!(rounds[1], [(1, 3), (2, 4)]);
    assert_eq!(rounds[2], [(1, 2), (3, 4)]);
}
