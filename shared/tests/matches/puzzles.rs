//! The puzzles that come with the program, the criteria, and files of puzzles.

use std::collections::{BTreeMap, HashSet};

use crate::review_oracle::Oracle;
use grundy_shared::Position;
use grundy_shared::game::Kind;
use grundy_shared::ids::Seat;
use grundy_shared::practice::Key;
use grundy_shared::puzzle::{
    Collection, Difficulty, FIRST_DAY, MIN_BITS, MIN_MOVES, Puzzle, SECOND_EDITION_DAY, Unfit,
};
use grundy_shared::rated::Family;
use grundy_shared::solver::Budget;
use sha2::{Digest, Sha256};

/// Nodes for each question.
const NODES: u64 = 20_000_000;

fn made(text: &str) -> Result<Puzzle, Unfit> {
    let position = Position::parse(text).expect("a position");
    Puzzle::at(&position, Seat::First, &Budget::nodes(NODES))
}

/// Every number that a puzzle states, by plain recursion where that is small enough.
#[test]
fn the_puzzles_of_the_program_are_won_as_they_say() {
    let edition = Collection::edition();
    let mut compared = 0;
    for (number, puzzle) in edition.numbered() {
        let (position, to_move) = puzzle.position();
        assert_eq!(
            puzzle.legal,
            position.move_count(to_move) as u64,
            "{number}"
        );
        assert!(
            puzzle.legal >= MIN_MOVES && puzzle.bits() >= MIN_BITS,
            "{number}"
        );
        if position.kind() == Kind::Loopy {
            continue;
        }
        if let Some(truth) = Oracle::default().ask(&position, to_move) {
            assert!(truth.won, "puzzle {number}: {}", puzzle.key);
            assert_eq!(
                puzzle.winning, truth.winning,
                "puzzle {number}: {}",
                puzzle.key
            );
            let shortest = if edition.is_replaced(number) { 3 } else { 5 };
            assert!(truth.left >= shortest, "puzzle {number}: {}", puzzle.key);
            compared += 1;
        }
    }
    assert!(
        edition.len() >= 365 && compared * 2 > edition.len(),
        "{compared}"
    );
}

/// Numbers 1 to 600 are known to decks, shared results and servers: they keep their puzzles.
#[test]
fn the_first_edition_never_changes() {
    let edition = Collection::edition();
    let first = edition
        .numbered()
        .filter(|(number, _)| edition.is_replaced(*number));
    let first = Collection::of(first.map(|(_, puzzle)| puzzle.clone()));
    assert_eq!(first.len(), 600);
    let digest: String = Sha256::digest(first.written())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(
        digest,
        "bba5040ff812f9d1921968a7a843ae9903ce1b14c8c6cdae87e8a9218cb601c2"
    );
}

/// What decision 0085 asks of the second edition, as far as it is cheap; the tool that makes it tests the rest with `--check`.
#[test]
fn the_second_edition_meets_stricter_criteria() {
    let edition = Collection::edition();
    let (mut numbers, mut arranged) = (Vec::new(), HashSet::new());
    let (mut families, mut levels) = (BTreeMap::new(), BTreeMap::new());
    for (number, puzzle) in edition.numbered() {
        let (position, to_move) = puzzle.position();
        let is_new = arranged.insert(Key::of(&position.arranged(), to_move));
        if edition.is_replaced(number) {
            continue;
        }
        numbers.push(number);
        assert!(is_new, "puzzle {number} differs in its order only");
        assert!(puzzle.winning * 3 <= puzzle.legal, "puzzle {number}");
        *families.entry(puzzle.family()).or_insert(0) += 1;
        *levels.entry(puzzle.difficulty()).or_insert(0) += 1;
    }
    assert_eq!(numbers, (601..=1_000).collect::<Vec<_>>());
    for family in Family::all() {
        let count = families.get(&family).copied().unwrap_or_default();
        assert!(count >= 3, "{family}: {count}");
    }
    for level in Difficulty::ALL {
        assert!(levels[&level] >= 40, "{levels:?}");
    }
}

/// The solver still makes the same puzzles: one in ten is made again.
#[test]
fn the_criteria_choose_them_again() {
    let edition = Collection::edition();
    for (number, puzzle) in edition.numbered().step_by(10) {
        let (position, to_move) = puzzle.position();
        let again = Puzzle::at(&position, to_move, &Budget::nodes(NODES));
        assert_eq!(again.as_ref(), Ok(puzzle), "puzzle {number}");
    }
}

#[test]
fn what_does_not_meet_the_criteria_is_no_puzzle() {
    for (text, unfit) in [
        ("nim:3,5,6", Unfit::NotWon),
        ("nim:3", Unfit::TooEasy),
        ("kayles:2", Unfit::TooEasy),
        ("hack:0b1,0b2,0b3,0b4,0r5", Unfit::TooEasy),
        ("nim:9", Unfit::TooShort),
        (&format!("nim:{}1", "1,".repeat(60)), Unfit::TooLong),
    ] {
        assert_eq!(made(text), Err(unfit), "{text}");
    }
    let large = Position::parse("domineering:....../....../......").expect("a position");
    let starved = Puzzle::at(&large, Seat::First, &Budget::nodes(100));
    assert!(
        matches!(starved, Err(Unfit::NotWon | Unfit::NotCounted)),
        "{starved:?}"
    );
    let puzzle = made("nim:3,5,7").expect("a puzzle");
    assert_eq!((puzzle.winning, puzzle.legal), (3, 15));
    assert_eq!(puzzle.difficulty(), Difficulty::Medium);
    assert_eq!(
        made("nim:3,4,5").map(|puzzle| puzzle.difficulty()),
        Ok(Difficulty::Hard)
    );
}

/// Each day has its puzzle, also before the first and after the last.
#[test]
fn a_day_has_its_puzzle() {
    let puzzles = ["nim:3,5,7", "nim:1,4,6", "nim:3,5,7", "kayles:7,9"];
    let collection = Collection::of(puzzles.map(|text| made(text).expect("a puzzle")));
    assert_eq!(collection.len(), 3);
    let day = |day| collection.of_day(day).map(|(number, _)| number);
    assert_eq!(day(FIRST_DAY), Some(1));
    assert_eq!(day(FIRST_DAY + 2), Some(3));
    assert_eq!(day(FIRST_DAY + 3), Some(1));
    assert_eq!(day(FIRST_DAY - 1), Some(3));
    assert_eq!(day(i64::MIN), None);
    assert_eq!(Collection::default().of_day(FIRST_DAY), None);
    assert_eq!(collection.get(0), None);
    assert_eq!(collection.get(4), None);
}

/// The second edition begins on its day; days before keep their puzzles.
#[test]
fn the_second_edition_has_the_days_from_december_2026() {
    let edition = Collection::edition();
    let day = |day| edition.of_day(day).map(|(number, _)| number);
    assert_eq!(day(FIRST_DAY), Some(1));
    assert_eq!(day(SECOND_EDITION_DAY - 6), Some(329), "2026-11-25");
    assert_eq!(day(SECOND_EDITION_DAY - 1), Some(334));
    assert_eq!(day(SECOND_EDITION_DAY), Some(601));
    assert_eq!(day(SECOND_EDITION_DAY + 399), Some(1_000));
    assert_eq!(day(SECOND_EDITION_DAY + 400), Some(601));
    assert_eq!(day(FIRST_DAY - 1), Some(600));
    assert!(day(i64::MAX).is_some());
    assert_eq!(edition.get(1_001), None);
    assert!(edition.is_replaced(600) && !edition.is_replaced(601));
}

#[test]
fn a_file_of_puzzles_is_read_as_it_was_written_and_errors_name_the_line() {
    let edition = Collection::edition();
    let text = edition.written();
    let again = Collection::read(&text).expect("a file");
    assert_eq!(
        (again.len(), again.written()),
        (edition.len(), text.clone())
    );
    let mut lines: Vec<&str> = text.lines().take(4).collect();
    let read = |lines: &[&str]| {
        let error = Collection::read(&lines.join("\n")).expect_err("refused");
        error.to_string()
    };
    let good = lines[1];
    lines[3] = good;
    assert!(read(&lines).starts_with("line 4: ") && read(&lines).ends_with(" comes twice"));
    for (bad, said) in [
        ("nim:3,5,7", "line 4: expected"),
        ("{}", "line 4: missing field `position`"),
        (
            r#"{"position":"nim:3,,7","theme":"pairs","winning":1,"legal":9}"#,
            "line 4: ",
        ),
        (
            r#"{"position":"nim:3,7","theme":"luck","winning":1,"legal":9}"#,
            "line 4: unknown variant",
        ),
        (
            r#"{"position":"nim:3,7","theme":"pairs","winning":0,"legal":9}"#,
            "line 4: the numbers",
        ),
        (
            r#"{"position":"nim:3,7","theme":"pairs","winning":1,"legal":9,"x":1}"#,
            "line 4: unknown field",
        ),
    ] {
        lines[3] = bad;
        assert!(read(&lines).starts_with(said), "{}", read(&lines));
    }
    assert!(read(&["{\"schema\":\"grundy/puzzles/2\"}"]).starts_with("line 1: no puzzles"));
    assert!(read(&[""]).starts_with("line 1: no puzzles"));
}
