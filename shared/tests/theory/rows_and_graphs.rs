//! Rows, graphs and boards: large ones within a small budget, published values, and where misère play needs care.

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, OutcomeClass, Solution, explain, solve};

fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{:.60}: {error:?}", text))
}

fn solved(text: &str) -> Solution {
    solve(&parse(text), Seat::First, &Budget::nodes(1 << 24), 10)
}

#[test]
fn large_rows_and_graphs_take_little_work() {
    let row = "HTTHHTHTTT".repeat(10_000);
    for game in ["flip.1.2", "flip.2", "ruler", "ruler.5"] {
        let solution = solved(&format!("{game}:{row}"));
        assert!(solution.exact && solution.nim_value.is_some(), "{game}");
        assert!(solution.winning_moves_total.is_some(), "{game}");
    }
    assert!(solved(&format!("flip.1.2.3:{row}")).nim_value.is_some());
    let stalk: Vec<String> = (0..=100_000).map(|vertex| vertex.to_string()).collect();
    let stalk = solved(&format!("hack:{}", stalk.join("-")));
    assert_eq!(
        (stalk.nim_value, stalk.winning_moves_total),
        (Some(100_000), Some(1))
    );
    let ladders: Vec<String> = (0..10_000)
        .map(|n| n * 4 + 1)
        .map(|v| format!("0-{v}-{}-{}-{}-{v},{v}-{}", v + 1, v + 2, v + 3, v + 2))
        .collect();
    let ladders = solved(&format!("hack:{}", ladders.join(",")));
    assert_eq!(
        (ladders.nim_value, ladders.winning_moves_total),
        (Some(0), Some(0))
    );
    let arcs: Vec<String> = (1..=50_000)
        .flat_map(|v| [format!("{v}-{}", v - 1), format!("{v}-{}", v / 2)])
        .collect();
    assert!(solved(&format!("dag.{}:50000,49999", arcs.join("."))).exact);
    let grid: Vec<String> = (0..50_000)
        .flat_map(|v| [(v, v + 1), (v, v + 250)])
        .filter(|(a, b)| *b < 50_000 && (b - a > 1 || b % 250 != 0))
        .map(|(a, b)| format!("{a}-{b}"))
        .collect();
    let grid = solved(&format!("geo.{}:7", grid.join(".")));
    assert_eq!(grid.outcome, OutcomeClass::N);
    assert!(grid.winning_moves_total.is_some());
    let strings = solved("prefix.1000000000000000000:01,1100");
    assert!(strings.exact && strings.nim_value.is_some());
}

/// What a table does not reach is told by theorems: two rows, strategy stealing, and lines as rows of Dawson's Kayles.
#[test]
fn large_boards_are_told_by_theorems() {
    for (text, outcome, winning) in [
        ("chomp:5000,4999", OutcomeClass::P, None),
        ("chomp:5000,4000", OutcomeClass::N, Some("1:4002")),
        ("chomp:3000,3000", OutcomeClass::N, Some("2:3000")),
        (
            "chomp:1000000000000000000,999999999999999998",
            OutcomeClass::N,
            Some("1:1000000000000000000"),
        ),
    ] {
        let solution = solved(text);
        assert_eq!(solution.outcome, outcome, "{text}");
        let moves: Vec<&str> = solution
            .winning_moves
            .iter()
            .map(|mv| mv.mv.as_str())
            .collect();
        assert_eq!(moves, Vec::from_iter(winning), "{text}");
        let total = solution.winning_moves_total;
        assert_eq!(total, Some(moves.len() as u64), "{text}");
    }
    let rectangle = "chomp:5000,5000,5000";
    assert_eq!(solved(rectangle).outcome, OutcomeClass::N);
    let why = explain(&parse(rectangle), Seat::First, &Budget::nodes(1 << 24)).to_string();
    assert!(!why.contains("has an answer"), "{why}");
    for line in [2, 3, 35, 1_001, 2_000, 100_000] {
        let row = solved(&format!("cram:{}", ".".repeat(line)));
        let heap = solved(&format!("dawsonkayles:{line}"));
        assert_eq!(row.nim_value, heap.nim_value, "{line}");
        assert!(
            row.nim_value.is_some() && row.winning_moves_total.is_some(),
            "{line}"
        );
        let column = solved(&format!("cram:{}", vec!["."; line].join("/")));
        assert_eq!(column.nim_value, row.nim_value, "{line}");
        assert_eq!(
            column.winning_moves_total, row.winning_moves_total,
            "{line}"
        );
    }
}

#[test]
fn a_board_is_as_large_as_its_squares() {
    let board =
        |rows: usize, columns: usize| format!("cram:{}", vec!["x".repeat(columns); rows].join("/"));
    for (rows, columns) in [(316, 316), (50_001, 1), (1, 100_000), (100_000, 1)] {
        assert!(
            Position::parse(&board(rows, columns)).is_ok(),
            "{rows} x {columns}"
        );
    }
    assert!(Position::parse(&board(100_001, 1)).is_err());
    assert!(Position::parse(&board(317, 316)).is_err());
}

#[test]
fn small_boards_have_the_published_values() {
    for (text, value) in [
        ("cram:../..", 0),
        ("cram:.../.../...", 0),
        ("cram:....", 2),
        ("cram:....../......", 0),
        ("chomp:3,1,1", 0),
        ("nodekayles:0-1,1-2,2-3,3-4,4-5,5-6,6-7,7-8", 3),
        ("hack:0-1-2-3,0-4-5,4-6-7,0-8-9-10-8", 5),
    ] {
        let solution = solved(text);
        if value == 0 {
            assert_eq!(solution.outcome, OutcomeClass::P, "{text}");
        } else {
            assert_eq!(solution.outcome, OutcomeClass::N, "{text}");
        }
    }
    assert_eq!(
        solved("hack:0-1-2-3,0-4-5,4-6-7,0-8-9-10-8").nim_value,
        Some(5)
    );
    // One board of Notakto is won in misere play, two are lost (Plambeck, Whitehead 2013).
    assert_eq!(solved("notakto:.........@misere").outcome, OutcomeClass::N);
    assert_eq!(
        solved("notakto:........./.........@misere").outcome,
        OutcomeClass::P
    );
}

#[test]
fn rings_break_the_misere_rule_and_trees_keep_it() {
    let ring = solved("hack:0-1-2-3-0@misere");
    assert_eq!(
        (ring.outcome, ring.method.as_str()),
        (OutcomeClass::P, "exhaustive search")
    );
    let tree = solved("hack:0-1-2,1-3,0-4@misere");
    assert!(tree.method.contains("tame"), "{}", tree.method);
}

#[test]
fn explanations_are_short_and_plain() {
    for text in [
        "flip.1.2:TTHTH",
        "ruler.5:THTTTTTH@misere",
        "dag.3-1.3-2.2-0:3,2",
        "prefix.3:01",
        "hack:0-1-2-3,0-4-5,4-6-7,0-8-9-10-8",
        "hack:0-1-2-0@misere",
        "geo.0-1.1-2.2-3.1-4:0",
        "geo.0-1.1-2:_",
        "nodekayles:0-1,1-2,3",
        "cram:..../....",
        "chomp:4,4,4,4",
        "notakto:x...x....",
        "treblecross:........",
    ] {
        let explanation = explain(&parse(text), Seat::First, &Budget::nodes(1 << 20));
        assert!(
            (2..=40).contains(&explanation.lines.len()),
            "{text}: {explanation}"
        );
        assert!(explanation.to_string().is_ascii(), "{explanation}");
    }
}
