use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// FIDE Handbook C.05, annex 1, as printed: for 3 or 4, 5 or 6, 7 or 8, 9 or 10 and 11 or 12 players.
const BERGER_TABLES: [&[&str]; 5] = [
    &["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    &[
        "1-6 2-5 3-4",
        "6-4 5-3 1-2",
        "2-6 3-1 4-5",
        "6-5 1-4 2-3",
        "3-6 4-2 5-1",
    ],
    &[
        "1-8 2-7 3-6 4-5",
        "8-5 6-4 7-3 1-2",
        "2-8 3-1 4-7 5-6",
        "8-6 7-5 1-4 2-3",
        "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ],
    &[
        "1-10 2-9 3-8 4-7 5-6",
        "10-6 7-5 8-4 9-3 1-2",
        "2-10 3-1 4-9 5-8 6-7",
        "10-7 8-6 9-5 1-4 2-3",
        "3-10 4-2 5-1 6-9 7-8",
        "10-8 9-7 1-6 2-5 3-4",
        "4-10 5-3 6-2 7-1 8-9",
        "10-9 1-8 2-7 3-6 4-5",
        "5-10 6-4 7-3 8-2 9-1",
    ],
    &[
        "1-12 2-11 3-10 4-9 5-8 6-7",
        "12-7 8-6 9-5 10-4 11-3 1-2",
        "2-12 3-1 4-11 5-10 6-9 7-8",
        "12-8 9-7 10-6 11-5 1-4 2-3",
        "3-12 4-2 5-1 6-11 7-10 8-9",
        "12-9 10-8 11-7 1-6 2-5 3-4",
        "4-12 5-3 6-2 7-1 8-11 9-10",
        "12-10 11-9 1-8 2-7 3-6 4-5",
        "5-12 6-4 7-3 8-2 9-1 10-11",
        "12-11 1-10 2-9 3-8 4-7 5-6",
        "6-12 7-5 8-4 9-3 10-2 11-1",
    ],
];

fn printed(round: &Round) -> String {
    let games: Vec<String> = round.iter().map(|(a, b)| format!("{a}-{b}")).collect();
    games.join(" ")
}

#[test]
fn the_printed_berger_tables() {
    for (table, players) in BERGER_TABLES.iter().zip([4, 6, 8, 10, 12]) {
        let rounds = round_robin(players).expect("a schedule");
        let rounds: Vec<String> = rounds.iter().map(printed).collect();
        assert_eq!(rounds, *table, "{players} players");
    }
}

#[test]
fn everybody_meets_everybody_and_sides_are_even() {
    for players in 2..=41 {
        let rounds = round_robin(players).expect("a schedule");
        assert_eq!(rounds.len() as u32, players - 1 + players % 2);
        let mut met = BTreeSet::new();
        let mut firsts = BTreeMap::<u32, i32>::new();
        for round in &rounds {
            let mut busy = BTreeSet::new();
            for (one, two) in round {
                assert!(busy.insert(*one) && busy.insert(*two));
                assert!(met.insert((*one.min(two), *one.max(two))));
                *firsts.entry(*one).or_default() += 1;
                *firsts.entry(*two).or_default() -= 1;
            }
            assert_eq!(round.len() as u32, players / 2);
        }
        assert_eq!(met.len() as u32, players * (players - 1) / 2);
        let uneven = i32::from(players % 2 == 0);
        assert!(firsts.values().all(|balance| balance.abs() == uneven));
    }
}

#[test]
fn the_second_cycle_swaps_sides() {
    for players in 2..=20 {
        let rounds = double_round_robin(players).expect("a schedule");
        let games: Vec<Game> = rounds.iter().flatten().copied().collect();
        let different: BTreeSet<Game> = games.iter().copied().collect();
        assert_eq!(different.len(), games.len());
        assert_eq!(games.len() as u32, players * (players - 1));
        for player in 1..=players {
            let sides: Vec<bool> = games
                .iter()
                .filter(|(one, two)| *one == player || *two == player)
                .map(|(one, _)| *one == player)
                .collect();
            let thrice = sides
                .windows(3)
                .any(|three| three[0] == three[1] && three[1] == three[2]);
            assert!(!thrice, "{players}: {player} {sides:?}");
        }
    }
}

#[test]
fn seeds_of_a_gauntlet_meet_all_others() {
    for players in 2..=12 {
        for seeds in 1..players {
            let rounds = gauntlet(players, seeds).expect("a schedule");
            let mut met = BTreeSet::new();
            for round in &rounds {
                let mut busy = BTreeSet::new();
                for (one, two) in round {
                    assert!(busy.insert(*one) && busy.insert(*two));
                    assert!(met.insert((*one.min(two), *one.max(two))));
                    assert!(one.min(two) <= &seeds && one.max(two) > &seeds);
                }
            }
            assert_eq!(met.len() as u32, seeds * (players - seeds));
        }
    }
    assert!(gauntlet(4, 0).is_err() && gauntlet(4, 4).is_err() && gauntlet(4, 9).is_err());
}

#[test]
fn the_standard_brackets() {
    let slots = |players| knockout_slots(players).expect("a bracket").slots;
    assert_eq!(slots(2), [1, 2]);
    assert_eq!(slots(4), [1, 4, 2, 3]);
    assert_eq!(slots(8), [1, 8, 4, 5, 2, 7, 3, 6]);
    assert_eq!(
        slots(16),
        [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]
    );
    let bracket = knockout_slots(5).expect("a bracket");
    assert_eq!(bracket.slots, slots(8));
    assert_eq!(bracket.byes, [1, 2, 3]);
    for players in 2..=70 {
        let bracket = knockout_slots(players).expect("a bracket");
        // If the better seed always wins, each round pairs the best with the worst that is left.
        let mut left = bracket.slots.clone();
        while left.len() > 1 {
            let sum = left.len() as u32 + 1;
            assert!(left.chunks(2).all(|two| two[0] + two[1] == sum));
            left = left.chunks(2).map(|two| two[0].min(two[1])).collect();
        }
        let absent = bracket
            .slots
            .chunks(2)
            .filter(|two| two[0].max(two[1]) > players);
        let byes: BTreeSet<u32> = absent.map(|two| two[0].min(two[1])).collect();
        assert_eq!(byes.into_iter().collect::<Vec<_>>(), bracket.byes);
    }
}

#[test]
fn bounds_are_answered() {
    assert_eq!(round_robin(0), Err(ScheduleError::TooFewPlayers(0)));
    assert_eq!(round_robin(1), Err(ScheduleError::TooFewPlayers(1)));
    assert_eq!(
        round_robin(10_000),
        Err(ScheduleError::TooManyPlayers(10_000))
    );
    assert!(matches!(
        round_robin(9_999),
        Err(ScheduleError::TooManyGames(..))
    ));
    assert!(round_robin(2_000).is_ok());
    assert!(knockout_slots(u32::MAX).is_err());
}
