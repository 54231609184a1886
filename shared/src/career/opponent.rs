//! Head to head: the results against each opponent.

use serde::Serialize;

use super::bounded::Bounded;
use super::tally::Results;
use crate::event::{Outcome, PlayerInfo};
use crate::ids::{PlayerId, Seat};

/// Opponents that are kept.
const OPPONENTS_MAX: usize = 10_000;

/// Who it is. A bot is its name: the bots of matches on one computer have a new id in each.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Who {
    Bot(String),
    Person(PlayerId),
}

#[derive(Clone, Debug, Default)]
struct Score {
    name: String,
    as_first: Results,
    as_second: Results,
}

/// The results against each opponent.
#[derive(Clone, Debug)]
pub(super) struct Opponents(Bounded<Who, Score>);

impl Opponents {
    pub(super) fn new() -> Self {
        Self(Bounded::new(OPPONENTS_MAX))
    }

    /// Adds a match in which the player had this seat.
    pub(super) fn add(&mut self, opponent: &PlayerInfo, outcome: Outcome, seat: Seat) {
        let who = match opponent.bot {
            true => Who::Bot(opponent.name.clone()),
            false => Who::Person(opponent.id),
        };
        let Some(score) = self.0.entry(who) else {
            return;
        };
        score.name.clone_from(&opponent.name);
        let results = match seat {
            Seat::First => &mut score.as_first,
            Seat::Second => &mut score.as_second,
        };
        results.add(outcome, seat);
    }

    /// Matches against opponents that were not kept.
    pub(super) fn left_out(&self) -> u64 {
        self.0.left_out()
    }

    /// The opponents, those of the most matches first.
    pub(super) fn rows(&self) -> Vec<Opponent> {
        let row = |(who, score): (&Who, &Score)| Opponent {
            name: score.name.clone(),
            id: match who {
                Who::Bot(_) => None,
                Who::Person(id) => Some(*id),
            },
            total: score.as_first.plus(score.as_second),
            as_first: score.as_first,
            as_second: score.as_second,
        };
        let mut rows: Vec<Opponent> = self.0.iter().map(row).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.total.matches()));
        rows
    }
}

/// The results against one opponent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Opponent {
    /// The name in the match that was added last.
    pub name: String,
    /// The id; `null` for bots, which are told apart by their names.
    pub id: Option<PlayerId>,
    /// Results of the player in all matches.
    #[serde(flatten)]
    pub total: Results,
    /// Results of the player when moving first.
    pub as_first: Results,
    /// Results of the player when moving second.
    pub as_second: Results,
}
