//! Games on graphs: published values, what is refused, and graphs too large to be solved.

use crate::notation::refused;
use grundy_shared::Position;
use grundy_shared::conformance::PlainRecursion;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, OutcomeClass, Solution, solve};

fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn solved(text: &str) -> Solution {
    solve(&parse(text), Seat::First, &Budget::nodes(1 << 22), 10)
}

/// A path of so many edges.
pub(crate) fn path(game: &str, edges: u32) -> String {
    let steps: Vec<String> = (0..edges).map(|v| format!("{v}-{}", v + 1)).collect();
    format!("{game}:{}", steps.join(","))
}

pub(crate) fn ring(game: &str, edges: u32) -> String {
    path(game, edges).replace(&format!("-{edges}"), "-0")
}

/// All edges of a grid.
pub(crate) fn grid(game: &str, rows: u32, columns: u32) -> String {
    let mut edges = Vec::new();
    for at in 0..rows * columns {
        if (at + 1) % columns != 0 {
            edges.push(format!("{at}-{}", at + 1));
        }
        if at + columns < rows * columns {
            edges.push(format!("{at}-{}", at + columns));
        }
    }
    format!("{game}:{}", edges.join(","))
}

#[test]
fn arc_kayles_on_paths_and_rings_is_plain_recursion() {
    let mut judge = PlainRecursion::new();
    for edges in 1..=12 {
        let mut texts = vec![path("arckayles", edges)];
        texts.extend((edges > 2).then(|| ring("arckayles", edges)));
        for text in texts {
            let truth = judge.truth(&parse(&text), 100_000).expect("a small graph");
            assert_eq!(solved(&text).nim_value, Some(truth.value), "{text}");
        }
    }
    // A path of n vertices is a row of n in Dawson's Kayles (T. R. Dawson 1935; Guy, Smith 1956).
    for edges in [34, 51, 500] {
        let row = solved(&format!("dawsonkayles:{}", edges + 1));
        assert_eq!(solved(&path("arckayles", edges)).nim_value, row.nim_value);
    }
}

#[test]
fn graphs_are_refused_at_the_place() {
    let (bad, range, code) = ("bad_position", "out_of_range", "bad_game_code");
    refused("arckayles:0-0", bad, 11, 3);
    refused("arckayles:0-1,2", bad, 15, 1);
    refused("arckayles:0-1,", bad, 15, 1);
    refused("arckayles:0-x", bad, 13, 1);
    refused("arckayles:0-1000000000", range, 13, 10);
    refused("arckayles.2:0-1", code, 11, 1);
}

#[test]
fn moves_that_are_no_moves_are_explained() {
    for (position, typed, column) in [
        ("arckayles:0-1,1-2,3-4", "0-2", 1),
        ("arckayles:0-1,1-2,3-4", "1", 2),
        ("arckayles:0-1,1-2,3-4", "0-1x", 4),
    ] {
        let place = parse(position);
        let error = place.parse_move(Seat::First, typed).expect_err(typed);
        assert_eq!(error.column, Some(column), "{typed}: {error:?}");
        let example = error.example.expect("a legal move");
        assert!(place.parse_move(Seat::First, &example).is_ok());
    }
}

#[test]
fn graphs_too_large_to_solve_end_in_unknown() {
    for text in [grid("arckayles", 100, 100), grid("arckayles", 7, 7)] {
        for end in ["", "@misere"] {
            let solution = solved(&format!("{text}{end}"));
            assert_eq!(solution.outcome, OutcomeClass::Unknown);
            assert!(!solution.exact && solution.legal_moves.is_some());
        }
    }
}
