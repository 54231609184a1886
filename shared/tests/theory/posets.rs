//! Games on posets: other games as posets, published results, what is refused, and posets too large to be solved.

use crate::board_games::{ends_in_unknown, no_move, solved};
use crate::drawing::Chance;
use crate::notation::refused;
use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, OutcomeClass, Solution, solve};

/// What little work finds.
fn quickly(text: &str) -> Solution {
    let position = Position::parse(text).expect("a poset");
    solve(&position, Seat::First, &Budget::nodes(1 << 14), 10)
}

/// All relations between the squares of a bar with these rows, without the first square, which Chomp forbids.
fn chomp(rows: &[u32]) -> String {
    let mut relations = Vec::new();
    for (row, length) in (0_u32..).zip(rows) {
        for column in 0..*length {
            let square = row * 10 + column;
            relations.push(square.to_string());
            if column > 0 && square > 1 {
                relations.push(format!("{}-{square}", square - 1));
            }
            if row > 0 && square > 10 {
                relations.push(format!("{}-{square}", square - 10));
            }
        }
    }
    relations.retain(|item| item != "0");
    format!("poset:{}", relations.join(","))
}

/// The subsets of so many things, but the empty one and the whole, by inclusion.
fn subsets(things: u32) -> String {
    let whole = (1_u32 << things) - 1;
    let mut relations = Vec::new();
    for set in 1..whole {
        relations.push(set.to_string());
        for thing in 0..things {
            let larger = set | 1 << thing;
            if larger != set && larger != whole {
                relations.push(format!("{set}-{larger}"));
            }
        }
    }
    format!("poset:{}", relations.join(","))
}

#[test]
fn chains_are_nim_and_bars_without_their_corner_are_chomp() {
    for (poset, same) in [
        ("poset:0-1-2,3-4-5-6-7,8", "nim:3,5,1"),
        ("poset:0-1-2-3,10-11-12", "nim:4,3"),
    ] {
        assert_eq!(solved(poset).nim_value, solved(same).nim_value, "{poset}");
    }
    for rows in [&[3, 2][..], &[4, 1, 1], &[3, 3, 2], &[4, 3], &[3, 3, 3]] {
        let bar: Vec<String> = rows.iter().map(u32::to_string).collect();
        for end in ["", "@misere"] {
            let poset = solved(&format!("{}{end}", chomp(rows)));
            let bar = solved(&format!("chomp:{}{end}", bar.join(",")));
            let said = |of: &Solution| (of.outcome, of.nim_value, of.winning_moves_total);
            assert_eq!(said(&poset), said(&bar), "{rows:?}{end}");
        }
    }
}

/// An element of a forest is the edge that ties it to what is below it: green Hackenbush.
#[test]
fn forests_are_trees_of_hackenbush() {
    let mut chance = Chance(0x0b5e_7000_f04e_5701);
    for _ in 0..60 {
        let count = 1 + chance.below(12);
        let mut elements = Vec::new();
        let mut edges = Vec::new();
        for element in 1..=count {
            let below = chance.below(element);
            elements.push(match below {
                0 => element.to_string(),
                _ => format!("{below}-{element}"),
            });
            edges.push(format!("{below}-{element}"));
        }
        let poset = solved(&format!("poset:{}", elements.join(",")));
        let tree = solved(&format!("hack:{}", edges.join(",")));
        assert_eq!(poset.nim_value, tree.nim_value, "{elements:?}");
        assert_eq!(poset.winning_moves_total, tree.winning_moves_total);
    }
}

/// D. Gale, A. Neyman, *Nim-type games* (1982): on the subsets of up to four things, but the empty one and the whole, the second player wins.
#[test]
fn the_second_player_wins_on_proper_subsets() {
    for things in 2..=4 {
        assert_eq!(
            solved(&subsets(things)).outcome,
            OutcomeClass::P,
            "{things}"
        );
    }
}

/// F. Schuh (1952) on the divisors of a number, and any poset with a greatest element: strategy stealing, at any size.
#[test]
fn a_greatest_or_a_least_element_wins() {
    let divisors = |number: u32| {
        let of: Vec<u32> = (2..=number).filter(|d| number.is_multiple_of(*d)).collect();
        let pairs = of.iter().flat_map(|a| of.iter().map(move |b| (a, b)));
        let related = pairs.filter(|(a, b)| a < b && b.is_multiple_of(**a));
        let relations: Vec<String> = related.map(|(a, b)| format!("{a}-{b}")).collect();
        format!("poset:{}", relations.join(","))
    };
    for number in [12, 60, 5_040] {
        for end in ["", "@misere"] {
            let solution = quickly(&format!("{}{end}", divisors(number)));
            assert_eq!(solution.outcome, OutcomeClass::N, "{number}{end}");
        }
    }
    let wide: Vec<String> = (1..=300)
        .map(|upper| format!("0-{upper}-{}", upper + 300))
        .collect();
    let text = format!("poset:{},1-302,2-301", wide.join(","));
    assert_eq!(quickly(&text).outcome, OutcomeClass::N);
    assert_eq!(solved("poset:7@misere").outcome, OutcomeClass::P);
}

#[test]
fn relations_that_follow_from_others_change_nothing() {
    for (longer, shorter) in [
        ("poset:0-1-2-3,0-2,0-3,1-3", "poset:0-1-2-3"),
        ("poset:0-2,1-2,2-3,0-3,1-3,4", "poset:0-2-3,1-2,4"),
    ] {
        let (longer, shorter) = (solved(longer), solved(shorter));
        assert_eq!(longer.nim_value, shorter.nim_value);
        assert_eq!(longer.winning_moves_total, shorter.winning_moves_total);
    }
}

#[test]
fn posets_are_refused_at_the_place() {
    let (bad, range, code) = ("bad_position", "out_of_range", "bad_game_code");
    refused("poset:", bad, 7, 1);
    refused("poset:0-0", bad, 9, 1);
    refused("poset:0-1-2-0", bad, 9, 1);
    refused("poset:3-0,0-1,1-0,1-2", bad, 13, 1);
    refused("poset:0-x", bad, 9, 1);
    refused("poset:0-1,", bad, 11, 1);
    refused("poset:0-1000000000", range, 9, 10);
    refused("poset.2:0", code, 7, 1);
    let large = format!("poset:{}", ["0-1"; 100_001].join("-"));
    refused(&large, range, 7, 400_003);
    let order = "poset:0-1,2";
    no_move(order, Seat::First, "3", 1);
    no_move(order, Seat::First, "0-1", 2);
    no_move(order, Seat::First, "x", 1);
    let printed = Position::parse("poset:0-1-3,0-2-3,4,0").expect("a poset");
    assert_eq!(printed.to_string(), "poset:0-1,1-3,0-2,2-3,4");
}

#[test]
fn large_posets_end_in_unknown() {
    let mut bar = vec![10; 8];
    bar.push(9);
    ends_in_unknown(&chomp(&bar));
}
