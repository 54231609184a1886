//! A player's matches together: results, decisions, mistakes, openings, opponents, and how they changed with time.
//!
//! [`Career`] is a fold over reviews: a match is added and can then be forgotten. Its memory has a bound: at most 50,000
//! positions, 10,000 start positions, 10,000 opponents and, for each family of games, 10,000 different shares of winning moves, in
//! all less than 100 MiB, and 100 bytes for each day with a match. What does not fit is counted in [`LeftOut`].
//!
//! [`Career::report`] gives the facts, without words: tables, JSON, CSV and pictures print this one structure.

mod bounded;
mod bucket;
mod calendar;
mod missed;
mod opening;
mod opponent;
mod report;
mod share;
mod svg;
mod tally;
mod theme;

use std::collections::BTreeMap;

pub use bucket::Range;
pub use calendar::{Day, PeriodLength};
pub use missed::MissedPosition;
pub use opening::Opening;
pub use opponent::Opponent;
pub use report::{FamilyRow, LeftOut, Period, Report, SCHEMA};
pub use share::Share;
pub use tally::{Figures, Results};
pub use theme::ThemeRow;

use self::bucket::{Buckets, LEFT_MS, PLIES, USED_MS};
use self::missed::Missed;
use self::opening::Openings;
use self::opponent::Opponents;
use self::tally::Tally;
use self::theme::Themes;
use crate::event::Outcome;
use crate::ids::Seat;
use crate::rated::Family;
use crate::referee::Referee;
use crate::review::{Mark, Review};
use crate::solver::Budget;
use crate::statistics::Accuracy;

/// What is counted for a day.
#[derive(Clone, Copy, Debug, Default)]
struct OfDay {
    matches: u64,
    mistakes: u64,
    accuracy: Accuracy,
}

/// The matches of one player, counted.
#[derive(Clone, Debug)]
pub struct Career {
    families: BTreeMap<Family, Tally>,
    days: BTreeMap<Day, OfDay>,
    plies: Buckets,
    used: Buckets,
    left: Buckets,
    themes: Themes,
    missed: Missed,
    openings: Openings,
    opponents: Opponents,
    /// Matches that do not count: not over, or void.
    uncounted: u64,
    /// Matches with a position that the budget did not suffice for.
    not_solved: u64,
}

impl Default for Career {
    fn default() -> Self {
        Self {
            families: BTreeMap::new(),
            days: BTreeMap::new(),
            plies: Buckets::new(&PLIES),
            used: Buckets::new(&USED_MS),
            left: Buckets::new(&LEFT_MS),
            themes: Themes::default(),
            missed: Missed::new(),
            openings: Openings::new(),
            opponents: Opponents::new(),
            uncounted: 0,
            not_solved: 0,
        }
    }
}

impl Career {
    /// Adds a match in which the player had these seats: one, or both in a match against himself, whose moves count, and whose
    /// result is nobody's. `review` is that of this match, an [outline](Review::outline) or more. A match that is not over or does not count
    /// changes nothing but [`LeftOut::uncounted`].
    ///
    /// Cost: the moves are replayed once. The reasons of at most 16 wins that were given away are looked for to find their themes, each within the
    /// budget.
    pub fn add(&mut self, referee: &Referee, review: &Review, seats: &[Seat], budget: &Budget<'_>) {
        let counts = |outcome: &Outcome| *outcome != Outcome::Void;
        let Some(outcome) = review.outcome.filter(counts) else {
            self.uncounted += 1;
            return;
        };
        self.not_solved += u64::from(review.unknown_positions > 0);
        let theory = review.plies.first().and_then(|start| start.wins);
        self.openings.add(&review.start, theory, outcome, seats);
        self.tally(referee).matches += 1;
        self.day(review).matches += 1;
        if let [seat] = *seats {
            self.tally(referee).results.add(outcome, seat);
            if let Some(opponent) = review.player(seat.other()) {
                self.opponents.add(opponent, outcome, seat);
            }
        }
        for seat in seats {
            let tally = self.tally(referee);
            tally.add_summary(review.summary.of(*seat));
        }
        self.add_moves(referee, review, seats);
        let points = review.turning_points.iter();
        let own = points.filter(|point| seats.contains(&point.seat));
        self.themes.add(own, budget);
    }

    fn tally(&mut self, referee: &Referee) -> &mut Tally {
        let family = Family::of(referee.start());
        self.families.entry(family).or_default()
    }

    fn day(&mut self, review: &Review) -> &mut OfDay {
        self.days.entry(Day::of(review.created_at_ms)).or_default()
    }

    /// Adds the moves of these seats.
    fn add_moves(&mut self, referee: &Referee, review: &Review, seats: &[Seat]) {
        let mut points = review.turning_points.iter().peekable();
        let mut position = referee.start().clone();
        for (pair, played) in review.plies.windows(2).zip(referee.moves()) {
            let [before, made] = pair else { return };
            let seat = Seat::to_move_at(before.ply);
            let point = points.next_if(|point| point.ply == made.ply);
            if seats.contains(&seat) {
                self.missed.add(&position, seat, before, made, point);
                let decision = made.decision().filter(|one| one.winning_share < 1.0);
                let is_mistake = made.mark == Some(Mark::Blunder);
                let tally = self.tally(referee);
                tally.moves += 1;
                tally.mistakes += u64::from(is_mistake);
                tally.unknown_moves += u64::from(before.wins.is_none() || made.wins.is_none());
                if let Some(decision) = decision {
                    tally.add_decision(decision);
                }
                let count = |counts: &mut (Accuracy, u64)| {
                    counts.1 += u64::from(is_mistake);
                    if let Some(decision) = decision {
                        counts.0.count(decision.kept);
                    }
                };
                count(self.plies.of(made.ply.0.into()));
                if let Some(spent) = made.spent_ms {
                    count(self.used.of(spent.0));
                }
                if let Some(left) = made.clock_ms {
                    count(self.left.of(left.0));
                }
                let day = self.day(review);
                let mut counts = (day.accuracy, day.mistakes);
                count(&mut counts);
                (day.accuracy, day.mistakes) = counts;
            }
            let Ok(mv) = position.parse_move(seat, &played.text) else {
                return;
            };
            position = position.play(&mv);
        }
    }
}
