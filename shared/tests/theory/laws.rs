//! The laws of every registered game, against plain recursion: the loop is over the registry, so a new game is checked at once.

use std::hash::{BuildHasher, Hasher, RandomState};

use crate::drawing::{Chance, number, random_component};
use crate::partizan;
use grundy_shared::conformance::{Law, PlainRecursion, check_notation, walked};
use grundy_shared::game::Kind;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, OutcomeClass, solve};
use grundy_shared::theory::compound::Compound;
use grundy_shared::{Move, Position};

/// Random positions of each game in each end rule, where `GRUNDY_POSITIONS` does not say how many.
const POSITIONS: usize = 400;
/// Positions met in plain recursion before one is passed over as too large.
const MOST: usize = 5_000;
/// Random lines of play from each example of a game.
const WALKS: usize = 20;

fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// Compares everything that `solve` says with plain recursion; `false` when the position is too large for it.
///
/// Plain recursion does not end where positions come again: those are judged in loopy.rs.
fn agrees(position: &Position, judge: &mut PlainRecursion, most: usize) -> bool {
    match position.kind() {
        Kind::Loopy => return true,
        Kind::Partizan => return partizan::agrees(position, judge, most),
        Kind::Impartial => {}
    }
    if judge.met() > most {
        *judge = PlainRecursion::new();
    }
    let Some(truth) = judge.truth(position, most) else {
        return false;
    };
    let solution = solve(position, Seat::First, &Budget::nodes(1 << 34), 1_000_000);
    let outcome = if truth.lost {
        OutcomeClass::P
    } else {
        OutcomeClass::N
    };
    assert_eq!(solution.outcome, outcome, "{position}");
    assert!(solution.exact, "{position}");
    let value = (!position.end_rule().is_misere()).then_some(truth.value);
    assert_eq!(solution.nim_value, value, "{position}");
    assert_eq!(solution.remoteness, Some(truth.remoteness), "{position}");
    let moves: Vec<Move> = position.moves(Seat::First).collect();
    assert_eq!(solution.legal_moves, Some(moves.len() as u64), "{position}");
    let mut winning = Vec::new();
    for mv in &moves {
        let after = position.play(mv);
        if judge
            .truth(&after, usize::MAX)
            .is_some_and(|truth| truth.lost)
        {
            winning.push((mv.to_string(), after.to_string()));
        }
    }
    assert_eq!(
        solution.winning_moves_total,
        Some(winning.len() as u64),
        "{position}"
    );
    let listed = solution
        .winning_moves
        .into_iter()
        .map(|winning| (winning.mv, winning.to));
    assert_eq!(listed.collect::<Vec<_>>(), winning, "{position}");
    true
}

/// How many random positions of a kind are checked in each end rule, and how large they may be.
struct Sampling {
    positions: usize,
    /// Positions met in plain recursion.
    most: usize,
    legal_moves: u128,
}

#[expect(
    clippy::disallowed_methods,
    reason = "each run of the tests looks at other positions; the seed is told"
)]
pub(crate) fn any_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

fn check_random(name: &str, draw: impl Fn(&mut Chance) -> Option<String>) {
    let sampling = Sampling {
        positions: number("GRUNDY_POSITIONS").map_or(POSITIONS, |count| count as usize),
        most: MOST,
        legal_moves: 200,
    };
    check_sampled(name, &sampling, draw);
}

fn check_sampled(name: &str, sampling: &Sampling, draw: impl Fn(&mut Chance) -> Option<String>) {
    let seed = number("GRUNDY_SEED").unwrap_or_else(any_seed);
    println!("{name}, to draw the same again: GRUNDY_SEED={seed}");
    let mut chance = Chance(seed.max(1));
    for ending in ["", "@misere"] {
        let mut judge = PlainRecursion::new();
        let mut checked = 0;
        let mut drawn = 0;
        while checked < sampling.positions {
            drawn += 1;
            assert!(
                drawn < sampling.positions * 20,
                "{name}: too few positions can be judged"
            );
            let Some(text) = draw(&mut chance) else {
                continue;
            };
            let position = parse(&format!("{text}{ending}"));
            if position.move_count(Seat::First) > sampling.legal_moves {
                continue;
            }
            check_notation(&position).unwrap_or_else(|fault| panic!("{fault}"));
            checked += usize::from(agrees(&position, &mut judge, sampling.most));
        }
    }
}

#[test]
fn every_sample_keeps_the_laws() {
    for info in REGISTRY {
        let first = parse(info.examples[0]);
        first
            .parse_move(Seat::First, info.example_move)
            .unwrap_or_else(|error| panic!("{}: {error}", info.name));
        for sample in info.examples {
            for ending in ["", "@misere"] {
                let position = parse(&format!("{sample}{ending}"));
                check_notation(&position).unwrap_or_else(|fault| panic!("{fault}"));
                assert!(
                    agrees(&position, &mut PlainRecursion::new(), MOST),
                    "{position} is too large for a sample"
                );
            }
        }
    }
}

/// Checks a law on the examples of every game and on what comes of them in random play; gives how many claims were compared.
fn compared(law: Law) -> usize {
    let mut compared = 0;
    for info in REGISTRY {
        let mut chance = Chance(0x5851_f42d_4c95_7f2d);
        let mut judge = PlainRecursion::new();
        for example in info.examples {
            let start = parse(example);
            let walks = if law == Law::Ending { 0 } else { WALKS };
            let mut positions: Vec<Position> =
                walked(&start, walks, &mut |bound| chance.below(bound))
                    .into_iter()
                    .collect();
            positions.push(start);
            for position in positions {
                let checked = law.check(&position, &mut judge, MOST * 4);
                compared += checked.unwrap_or_else(|fault| panic!("{fault}"));
            }
        }
    }
    compared
}

#[test]
fn law_5_every_line_of_play_is_finite() {
    assert!(compared(Law::Ending) > 10_000);
}

#[test]
fn law_6_parts_are_the_whole() {
    assert!(compared(Law::Parts) > 2_000);
}

#[test]
fn law_7_values_are_right() {
    assert!(compared(Law::Values) > 1_000);
}

#[test]
fn law_8_the_tame_keep_the_conditions() {
    assert!(compared(Law::Tameness) > 500);
}

#[test]
fn law_9_replies_are_the_moves_that_reach_the_goal() {
    assert!(compared(Law::Replies) > 5_000);
}

#[test]
fn law_10_closed_forms_agree_with_recursion() {
    assert!(compared(Law::ClosedForms) > 500);
}

/// A quarter of the games: the quarters run beside each other. `GRUNDY_GAMES` names the only games to look at, with commas between.
fn check_games(quarter: usize) {
    let only = std::env::var("GRUNDY_GAMES").ok();
    let is_wanted = |name: &str| {
        only.as_ref()
            .is_none_or(|only| only.split(',').any(|one| one == name))
    };
    for info in REGISTRY.iter().skip(quarter).step_by(4) {
        if !is_wanted(info.name) {
            continue;
        }
        check_random(info.name, |chance| {
            let largest = [2, 4, 7, 10][chance.below(4) as usize];
            random_component(info, chance, largest)
        });
    }
}

#[test]
fn random_positions_of_the_first_quarter_of_games_agree_with_plain_recursion() {
    check_games(0);
}

#[test]
fn random_positions_of_the_second_quarter_of_games_agree_with_plain_recursion() {
    check_games(1);
}

#[test]
fn random_positions_of_the_third_quarter_of_games_agree_with_plain_recursion() {
    check_games(2);
}

#[test]
fn random_positions_of_the_last_quarter_of_games_agree_with_plain_recursion() {
    check_games(3);
}

#[test]
fn random_sums_of_all_games_agree_with_plain_recursion() {
    check_random("sums", |chance| {
        let mut parts = Vec::new();
        for _ in 0..2 + chance.below(2) {
            let info = REGISTRY[chance.below(REGISTRY.len() as u64) as usize];
            parts.push(random_component(info, chance, 3)?);
        }
        Some(parts.join("+"))
    });
}

/// One to three random components of any games, played together in this way: many small ones, and some larger.
fn check_compound(compound: Compound) {
    let word = compound.word();
    let small = (2_000, 120, 40);
    let larger = (20, 3_000, 150);
    for (positions, most, legal_moves) in [small, larger] {
        let sampling = Sampling {
            positions,
            most,
            legal_moves,
        };
        check_sampled(word, &sampling, |chance| {
            let mut parts = Vec::new();
            for _ in 0..1 + chance.below(2) + chance.below(2) {
                let info = REGISTRY[chance.below(REGISTRY.len() as u64) as usize];
                let part = random_component(info, chance, 3)?;
                // Loopy components stand in sums only.
                parts.push(Some(part).filter(|part| parse(part).kind() == Kind::Impartial)?);
            }
            Some(format!("{}@{word}", parts.join("+")))
        });
    }
}

#[test]
fn random_compounds_every_agree_with_plain_recursion() {
    check_compound(Compound::Every);
}

#[test]
fn random_compounds_selective_agree_with_plain_recursion() {
    check_compound(Compound::Selective);
}

#[test]
fn random_compounds_conjunctive_agree_with_plain_recursion() {
    check_compound(Compound::Conjunctive);
}

#[test]
fn random_compounds_shortsum_agree_with_plain_recursion() {
    check_compound(Compound::ShortSum);
}

#[test]
fn random_compounds_shortselective_agree_with_plain_recursion() {
    check_compound(Compound::ShortSelective);
}
