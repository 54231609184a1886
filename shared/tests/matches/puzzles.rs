//! The puzzles that come with the program, the criteria, and files of puzzles.

use crate::review_oracle::Oracle;
use grundy_shared::Position;
use grundy_shared::game::Kind;
use grundy_shared::ids::Seat;
use grundy_shared::puzzle::{
    Collection, Difficulty, FIRST_DAY, MIN_BITS, MIN_MOVES, Puzzle, Unfit,
};
use grundy_shared::solver::Budget;

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
            assert!(truth.left >= 3, "puzzle {number}: {}", puzzle.key);
            compared += 1;
        }
    }
    assert!(
        edition.len() >= 365 && compared * 2 > edition.len(),
        "{compared}"
    );
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

#[test]
fn a_file_of_puzzles_is_read_as_it_was_written_and_errors_name_the_line() {
    let edition = Collection::edition();
    let text = edition.written();
    assert_eq!(Collection::read(&text).as_ref(), Ok(&edition));
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
