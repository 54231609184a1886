//! Progress in the deck, for each game family.

use std::collections::BTreeMap;

use grundy_shared::rated::Family;
use serde::Serialize;

use super::deck::{Deck, Tries};
use super::schedule::Day;

/// The figures of some exercises.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(crate) struct Figures {
    /// How many there are.
    pub(crate) exercises: u64,
    /// How many were never tried.
    pub(crate) new: u64,
    /// How many are due, the new ones among them.
    pub(crate) due: u64,
    /// How the tries went.
    pub(crate) tries: Tries,
    /// The share of the exercises that were tried which the player is expected to solve today at once or after hints, from 0 to 1;
    /// `null` if none was tried. One that was last tried today without success counts as not solved.
    pub(crate) expected_recall: Option<f64>,
    /// The days until the first exercise is due: 0 for today; `null` without exercises.
    pub(crate) next_due_in_days: Option<u32>,
}

/// The figures of a family.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct OfFamily {
    /// Its name.
    pub(crate) family: &'static str,
    /// Its figures.
    #[serde(flatten)]
    pub(crate) figures: Figures,
}

/// Progress in all exercises.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Progress {
    /// Always `grundy/learn-progress/1`.
    pub(crate) schema: &'static str,
    /// The families that have exercises, in the order of their names.
    pub(crate) families: Vec<OfFamily>,
    /// All of them.
    pub(crate) total: Figures,
}

impl Progress {
    /// The progress on this day.
    pub(crate) fn of(deck: &Deck, today: Day) -> Self {
        let mut families: BTreeMap<&'static str, Sum> = BTreeMap::new();
        let mut total = Sum::default();
        for card in &deck.cards {
            let Some(exercise) = card.exercise() else {
                continue;
            };
            let own = families.entry(Family::name(exercise.family)).or_default();
            for sum in [own, &mut total] {
                let figures = &mut sum.figures;
                figures.exercises += 1;
                figures.new += u64::from(card.is_new());
                figures.due += u64::from(card.is_due(today));
                figures.tries.add_all(card.tries);
                sum.recall += card.recall(today);
                let wait = card.due_day.map_or(0, |due| due.since(today));
                let next = figures.next_due_in_days.get_or_insert(wait);
                *next = wait.min(*next);
            }
        }
        Self {
            schema: "grundy/learn-progress/1",
            families: families
                .into_iter()
                .map(|(family, sum)| OfFamily {
                    family,
                    figures: sum.figures(),
                })
                .collect(),
            total: total.figures(),
        }
    }
}

/// Figures while they are summed up.
#[derive(Default)]
struct Sum {
    figures: Figures,
    recall: f64,
}

impl Sum {
    fn figures(self) -> Figures {
        let tried = self.figures.exercises - self.figures.new;
        Figures {
            expected_recall: (tried > 0).then(|| self.recall / tried as f64),
            ..self.figures
        }
    }
}
