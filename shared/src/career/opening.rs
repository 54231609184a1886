//! Start positions: who won from them, and who wins with best play.

use serde::Serialize;

use super::bounded::{Bounded, TEXT_MAX};
use super::tally::Results;
use crate::event::Outcome;
use crate::ids::Seat;

/// Start positions that are kept.
const OPENINGS_MAX: usize = 10_000;

#[derive(Clone, Debug, Default)]
struct Start {
    first_won: u64,
    second_won: u64,
    drawn: u64,
    as_first: Results,
    as_second: Results,
    theory: Option<Outcome>,
}

/// The start positions of the matches.
#[derive(Clone, Debug)]
pub(super) struct Openings(Bounded<String, Start>);

impl Openings {
    pub(super) fn new() -> Self {
        Self(Bounded::new(OPENINGS_MAX))
    }

    /// Adds a match in which the player had these seats.
    pub(super) fn add(
        &mut self,
        start: &str,
        theory: Option<Outcome>,
        outcome: Outcome,
        seats: &[Seat],
    ) {
        if start.len() > TEXT_MAX {
            self.0.leave_out();
            return;
        }
        let Some(entry) = self.0.entry(start.to_owned()) else {
            return;
        };
        match outcome {
            Outcome::First => entry.first_won += 1,
            Outcome::Second => entry.second_won += 1,
            Outcome::Draw | Outcome::Void => entry.drawn += 1,
        }
        entry.theory = entry.theory.or(theory);
        if let [seat] = *seats {
            entry.of_mut(seat).add(outcome, seat);
        }
    }

    /// Matches from starts that were not kept.
    pub(super) fn left_out(&self) -> u64 {
        self.0.left_out()
    }

    /// The starts, those of the most matches first.
    pub(super) fn rows(&self) -> Vec<Opening> {
        let row = |(start, entry): (&String, &Start)| Opening {
            start: start.clone(),
            matches: entry.first_won + entry.second_won + entry.drawn,
            first_won: entry.first_won,
            second_won: entry.second_won,
            drawn: entry.drawn,
            as_first: entry.as_first,
            as_second: entry.as_second,
            theory: entry.theory,
        };
        let mut rows: Vec<Opening> = self.0.iter().map(row).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.matches));
        rows
    }
}

impl Start {
    fn of_mut(&mut self, seat: Seat) -> &mut Results {
        match seat {
            Seat::First => &mut self.as_first,
            Seat::Second => &mut self.as_second,
        }
    }
}

/// A start position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Opening {
    /// The position, canonical.
    pub start: String,
    /// Matches from it.
    pub matches: u64,
    /// How many of them the first player won.
    pub first_won: u64,
    /// How many the second player won.
    pub second_won: u64,
    /// How many nobody won.
    pub drawn: u64,
    /// Results of the player when moving first.
    pub as_first: Results,
    /// Results of the player when moving second.
    pub as_second: Results,
    /// Who wins with best play; `null` when unknown.
    pub theory: Option<Outcome>,
}
