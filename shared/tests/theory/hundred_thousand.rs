//! Positions from which not many more than 100,000 can be reached: nothing that the notation promises of them may be missing.

use grundy_shared::Position;
use grundy_shared::game::Kind;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, OutcomeClass, Solution, solve};

fn solved(text: &str) -> Solution {
    let position = Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    solve(&position, Seat::First, &Budget::nodes(u64::MAX), 3)
}

/// Everything is there, and one winning move is a winning move.
fn check(text: &str) {
    let solution = solved(text);
    let position = Position::parse(text).expect("it was read before");
    assert!(solution.exact, "{text}");
    assert!(solution.winning_moves_total.is_some(), "{text}");
    let drawn = solution.outcome == OutcomeClass::D;
    assert!(drawn || solution.remoteness.is_some(), "{text}");
    let valued = position.kind() == Kind::Impartial && !position.end_rule().is_misere();
    assert_eq!(solution.nim_value.is_some(), valued, "{text}");
    if let (OutcomeClass::N, Some(winning)) = (solution.outcome, solution.winning_moves.first()) {
        let after = solved(&winning.to);
        assert_eq!(after.outcome, OutcomeClass::P, "{} of {text}", winning.mv);
        assert!(solution.remoteness <= after.remoteness.map(|plies| plies + 1));
    }
}

#[test]
fn compounds_of_large_components_are_told_in_full() {
    for compound in [
        "every",
        "selective",
        "conjunctive",
        "shortsum",
        "shortselective",
    ] {
        for ending in ["", "@misere"] {
            check(&format!("nim:50+nim:49@{compound}{ending}"));
            check(&format!("nim:9,9+wythoff:4,6+kayles:3@{compound}{ending}"));
        }
    }
}

#[test]
fn misere_sums_of_heaps_in_disguise_are_told_in_full() {
    for text in [
        "chomp:90000@misere",
        "chomp:200,1,1,1,1+nim:3@misere",
        "stairs:20,10,15+nim:3@misere",
        "silver:12,25,40+bash.3:5@misere",
        "moore.2:25,30+nim:3,1@misere",
        "moore.1:9,7,8+stairs:3,3@misere",
    ] {
        check(text);
    }
}

/// Each of their positions has hundreds of moves, or tens of thousands.
#[test]
fn long_bars_are_told_in_full() {
    let tall = format!("chomp:{}", ["2"; 400].join(","));
    for bar in ["chomp:463,70", "chomp:556,79", "chomp:30000,2", &tall] {
        check(bar);
        check(&format!("{bar}@misere"));
    }
}

/// A long ring falls into two stalks, whose sums are tame: it is not searched to the end.
#[test]
fn long_rings_are_told_in_full() {
    for length in [150, 301] {
        let ring: Vec<String> = (0..length)
            .map(|v| format!("{v}-{}", (v + 1) % length))
            .collect();
        for ending in ["", "@misere"] {
            let solution = solved(&format!("hack:{}{ending}", ring.join(",")));
            assert!(solution.exact && solution.winning_moves_total.is_some());
        }
    }
}

/// Of staircases too large for any search the misère rule decides, beside tame parts.
#[test]
fn giant_misere_sums_need_no_search() {
    let giant = 100_000_000_000_000_000u64;
    for (text, outcome) in [
        (
            format!("stairs:{giant},7,{giant}+nim:2,2@misere"),
            OutcomeClass::P,
        ),
        (
            format!("stairs:{giant},7,3+nim:{}@misere", giant ^ 3),
            OutcomeClass::P,
        ),
        (format!("stairs:1,{giant}+silver:1@misere"), OutcomeClass::N),
        (format!("stairs:1,{giant}@misere"), OutcomeClass::P),
        (
            format!("silver:5,{giant}+nim:{}@misere", giant - 6),
            OutcomeClass::P,
        ),
        (format!("chomp:{giant},1+nim:1@misere"), OutcomeClass::N),
    ] {
        let solution = solved(&text);
        assert_eq!(solution.outcome, outcome, "{text}");
        for winning in &solution.winning_moves {
            assert_eq!(
                solved(&winning.to).outcome,
                OutcomeClass::P,
                "{}",
                winning.to
            );
        }
    }
}
