//! Red-blue-green Hackenbush against plain recursion, alone and beside other games, in both end rules.

use crate::drawing::{Chance, drawn, grounded, value};
use grundy_shared::Position;
use grundy_shared::conformance::{PlainRecursion, check_notation};
use grundy_shared::game::Kind;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, OutcomeClass, solve};

/// Random positions in each end rule.
const POSITIONS: usize = 1_000;
const MOST: usize = 2_000;

fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// Edges of the three colours, tied to the ground; with rings or without.
pub(crate) fn coloured(chance: &mut Chance, most: u64) -> String {
    let colours: &[u8] = [&b"br"[..], b"br-", b"b-", b"r--b"][chance.below(4) as usize];
    let edges: Vec<String> = grounded(chance, most)
        .iter()
        .map(|edge| {
            let colour = colours[chance.below(colours.len() as u64) as usize];
            edge.replace('-', &char::from(colour).to_string())
        })
        .collect();
    format!("hack:{}", edges.join(","))
}

fn outcome(first_lost: bool, second_lost: bool) -> OutcomeClass {
    match (first_lost, second_lost) {
        (true, true) => OutcomeClass::P,
        (false, false) => OutcomeClass::N,
        (false, true) => OutcomeClass::L,
        (true, false) => OutcomeClass::R,
    }
}

/// Compares everything that `solve` says with plain recursion, for both players to move; `false` when the position is too large for it.
pub(crate) fn agrees(position: &Position, judge: &mut PlainRecursion, most: usize) -> bool {
    if judge.met() > most {
        *judge = PlainRecursion::new();
    }
    let mut truths = Vec::new();
    for seat in Seat::BOTH {
        match judge.truth_for(position, seat, most) {
            Some(truth) => truths.push(truth),
            None => return false,
        }
    }
    for (seat, truth) in Seat::BOTH.into_iter().zip(&truths) {
        let solution = solve(position, seat, &Budget::nodes(1 << 34), 1_000_000);
        let expected = outcome(truths[0].lost, truths[1].lost);
        assert_eq!(solution.outcome, expected, "{position}");
        assert_eq!(solution.remoteness, Some(truth.remoteness), "{position}");
        let coloured = position.kind() == Kind::Partizan;
        assert!(!coloured || solution.nim_value.is_none(), "{position}");
        let mut winning = Vec::new();
        for mv in position.moves(seat) {
            let after = position.play(&mv);
            let next = judge.truth_for(&after, seat.other(), usize::MAX);
            if next.is_some_and(|truth| truth.lost) {
                winning.push((mv.to_string(), after.to_string()));
            }
        }
        let total = Some(winning.len() as u64);
        assert_eq!(solution.winning_moves_total, total, "{position} {seat}");
        let listed = solution.winning_moves.into_iter();
        let listed: Vec<_> = listed.map(|winning| (winning.mv, winning.to)).collect();
        assert_eq!(listed, winning, "{position} {seat}");
    }
    true
}

fn check_random(seed: u64, draw: impl Fn(&mut Chance) -> String) {
    let mut chance = Chance(seed);
    for ending in ["", "@misere"] {
        let mut judge = PlainRecursion::new();
        let mut checked = 0;
        while checked < POSITIONS {
            let position = parse(&format!("{}{ending}", draw(&mut chance)));
            check_notation(&position).unwrap_or_else(|fault| panic!("{fault}"));
            checked += usize::from(agrees(&position, &mut judge, MOST));
        }
    }
}

#[test]
fn random_positions_agree_with_plain_recursion() {
    check_random(0x1234_5678_9abc_def1, |chance| coloured(chance, 7));
}

#[test]
fn random_sums_with_other_games_agree_with_plain_recursion() {
    check_random(0x0bad_cafe_1234_5679, |chance| {
        let other = match chance.below(6) {
            0 => coloured(chance, 4),
            1 => format!("value:{}", value(chance, 1)),
            2 => format!("nim:{},{}", chance.below(4), chance.below(3)),
            3 => format!("kayles:{}", chance.below(5)),
            _ => {
                let names = ["chomp", "cram", "notakto", "nodekayles", "prefix"];
                let name = names[chance.below(5) as usize];
                drawn(name, chance).expect("these are drawn")
            }
        };
        let own = coloured(chance, 5);
        match chance.below(2) {
            0 => format!("{own}+{other}"),
            _ => format!("{other}+{own}"),
        }
    });
}

#[test]
fn random_values_and_their_sums_agree_with_plain_recursion() {
    check_random(0x5eed_0f2a_11ce_b0b5, |chance| {
        let mut values = vec![format!("value:{}", value(chance, 3))];
        if chance.below(2) == 0 {
            values.push(format!("value:{}", value(chance, 1)));
        }
        values.join("+")
    });
}
