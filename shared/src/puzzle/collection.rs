//! Puzzles in a file: a head, and one puzzle in each line, as JSON.

use std::collections::HashSet;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::made::Puzzle;

/// The head of a file.
const SCHEMA: &str = "grundy/puzzles/1";
/// A file holds at most so many puzzles.
const MOST: usize = 100_000;
/// The day of the first puzzle that comes with the program: 2026-01-01, in days since 1970-01-01.
pub const FIRST_DAY: i64 = 20_454;
/// The day of the first puzzle of the second edition: 2026-12-01, in days since 1970-01-01.
pub const SECOND_EDITION_DAY: i64 = 20_788;

/// The puzzles that come with the program. They are never edited, so numbers and past days keep their puzzles.
const EDITIONS: [&str; 2] = [
    include_str!("edition.ndjson"),
    include_str!("edition_2.ndjson"),
];

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    schema: String,
}

/// Puzzles in the order of their numbers, which begin at 1. No position comes twice.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Collection {
    puzzles: Vec<Puzzle>,
    /// How many puzzles, counted from the first, belong to an edition that a later one replaces.
    replaced: usize,
}

/// A file that is no collection of puzzles.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct CollectionError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

impl Collection {
    /// The puzzles that come with the program: the first edition, and after it the second, which replaces it. Reads about 100 kB.
    #[must_use]
    pub fn edition() -> Self {
        let [first, second] = EDITIONS.map(|text| Self::read(text).expect("tests read it").puzzles);
        Self {
            replaced: first.len(),
            puzzles: [first, second].concat(),
        }
    }

    /// Puzzles one after the other; of those with one position, the first.
    #[must_use]
    pub fn of(puzzles: impl IntoIterator<Item = Puzzle>) -> Self {
        let mut known = HashSet::new();
        let puzzles = puzzles.into_iter();
        Self {
            puzzles: puzzles
                .filter(|one| known.insert(one.key.clone()))
                .take(MOST)
                .collect(),
            replaced: 0,
        }
    }

    /// Reads a file. What its lines say of the moves is not compared with the solver.
    ///
    /// # Errors
    /// A line is no puzzle, a position comes twice, or there are more than 100,000.
    pub fn read(text: &str) -> Result<Self, CollectionError> {
        let mut lines = (1..).zip(text.lines());
        let fail = |line, problem: String| CollectionError { line, problem };
        let head = lines.next().map(|(_, head)| head).unwrap_or_default();
        let schema = serde_json::from_str::<Head>(head).map(|head| head.schema);
        if schema.as_deref().ok() != Some(SCHEMA) {
            let expected = format!("no puzzles; the first line is {{\"schema\":\"{SCHEMA}\"}}");
            return Err(fail(1, expected));
        }
        let (mut puzzles, mut known) = (Vec::new(), HashSet::new());
        for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
            let puzzle: Puzzle =
                serde_json::from_str(text).map_err(|error| fail(line, without_place(&error)))?;
            if puzzle.winning == 0 || puzzle.winning > puzzle.legal {
                return Err(fail(line, "the numbers of moves are impossible".to_owned()));
            }
            if !known.insert(puzzle.key.clone()) {
                return Err(fail(line, format!("{} comes twice", puzzle.key)));
            }
            if puzzles.len() == MOST {
                return Err(fail(line, format!("there are more than {MOST} puzzles")));
            }
            puzzles.push(puzzle);
        }
        Ok(Self {
            puzzles,
            replaced: 0,
        })
    }

    /// As a file.
    #[must_use]
    pub fn written(&self) -> String {
        let mut text = format!("{{\"schema\":\"{SCHEMA}\"}}\n");
        for puzzle in &self.puzzles {
            let line = serde_json::to_string(puzzle).expect("no maps");
            writeln!(text, "{line}").expect("writing to a string");
        }
        text
    }

    /// The puzzles with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &Puzzle)> {
        (1..=self.puzzles.len()).zip(&self.puzzles)
    }

    /// The puzzle with this number.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<&Puzzle> {
        self.puzzles.get(number.checked_sub(1)?)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.puzzles.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.puzzles.is_empty()
    }

    /// Whether the puzzle with this number belongs to an edition that a later one replaces. Such puzzles keep their numbers, but new ones are
    /// offered first. Never true in a file.
    #[must_use]
    pub fn is_replaced(&self, number: usize) -> bool {
        (1..=self.replaced).contains(&number)
    }

    /// The puzzle of a day, in days since 1970-01-01: from [`FIRST_DAY`] one after the other, and after the last the first again. From
    /// [`SECOND_EDITION_DAY`] on, the same with the puzzles that are not replaced, if there are any. `None` if there are no puzzles.
    #[must_use]
    pub fn of_day(&self, day: i64) -> Option<(usize, &Puzzle)> {
        let (old, new) = self.puzzles.split_at(self.replaced);
        let (puzzles, first_day, before) = if old.is_empty() {
            (new, FIRST_DAY, 0)
        } else if new.is_empty() || day < SECOND_EDITION_DAY {
            (old, FIRST_DAY, 0)
        } else {
            (new, SECOND_EDITION_DAY, old.len())
        };
        let count = i64::try_from(puzzles.len()).ok()?;
        let place = day.checked_sub(first_day)?.checked_rem_euclid(count)?;
        let place = usize::try_from(place).ok()?;
        Some((before + place + 1, puzzles.get(place)?))
    }
}

/// What is wrong with a line, without the place in it that serde names: the line is known, and a column in JSON helps nobody.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.split_once(" at line ") {
        Some((problem, _)) => problem.to_owned(),
        None => text,
    }
}
