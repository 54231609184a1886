//! Explanations that a reader acts on name moves that win.

use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, explain, solve};
use grundy_shared::{Position, conformance::PlainRecursion};

fn lines(position: &str) -> Vec<String> {
    let position: Position = position.parse().expect("a position");
    explain(&position, Seat::First, &Budget::nodes(100_000)).lines
}

/// The heaps that a line such as `  B 4 -> 0    C 6 -> 2` promises to win by.
fn promises(line: &str) -> Vec<(String, u64)> {
    line.split("    ")
        .filter_map(|part| {
            let (from, to) = part.trim().split_once(" -> ")?;
            let to: String = to.chars().take_while(char::is_ascii_digit).collect();
            let from = from.rsplit(": ").next()?;
            Some((from.split(' ').next()?.to_owned(), to.parse().ok()?))
        })
        .collect()
}

#[test]
fn every_repair_that_is_shown_for_nim_wins_in_both_end_rules() {
    let mut recursion = PlainRecursion::new();
    let mut promised = 0;
    for a in 0..5u64 {
        for b in 0..5u64 {
            for c in 0..5u64 {
                for end in ["", "@misere"] {
                    let text = format!("nim:{a},{b},{c}{end}");
                    for (heap, rest) in lines(&text).iter().flat_map(|line| promises(line)) {
                        let position: Position = text.parse().expect("a position");
                        let mv = position.parse_move(Seat::First, &format!("{heap}={rest}"));
                        let after = position.play(&mv.expect("the promise is a legal move"));
                        let truth = recursion.truth(&after, 10_000).expect("small");
                        assert!(truth.lost, "{text}: {heap} -> {rest}");
                        promised += 1;
                    }
                }
            }
        }
    }
    assert!(promised > 100, "repairs were found in the text: {promised}");
}

#[test]
fn the_values_of_components_are_added_up() {
    let text = "nim:3,5+wythoff:1,3+kayles:4";
    let together = lines(text)
        .into_iter()
        .find(|line| line.starts_with("The components together"));
    assert_eq!(
        together.as_deref(),
        Some("The components together: 6 ^ 4 ^ 1 = 3")
    );
    let solution = solve(
        &text.parse().expect("a position"),
        Seat::First,
        &Budget::nodes(100_000),
        0,
    );
    assert_eq!(solution.nim_value, Some(3));
}

#[test]
fn compounds_are_explained_by_their_components() {
    for (position, expected) in [
        (
            "nim:3,5+kayles:4@every",
            "The greatest suspense is 3, odd: won.",
        ),
        (
            "nim:3,3+kayles:4@conjunctive@misere",
            "The least remoteness is 2, even: won.",
        ),
        ("nim:5+nim:3@shortsum@misere", "4 ^ 2 = 6"),
    ] {
        let lines = lines(position);
        assert!(lines.iter().any(|line| line == expected), "{lines:#?}");
        assert!(lines.iter().all(|line| line.is_ascii()), "{lines:#?}");
    }
}
