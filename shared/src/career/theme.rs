//! Mistakes by the idea that would have won.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::position::Position;
use crate::practice::Theme;
use crate::review::TurningPoint;
use crate::solver::{Budget, reasons};

/// Mistakes of one match whose themes are looked for: the first ones.
const IN_A_MATCH: usize = 16;

/// Mistakes by theme.
#[derive(Clone, Debug, Default)]
pub(super) struct Themes {
    mistakes: BTreeMap<Theme, u64>,
    left_out: u64,
}

impl Themes {
    /// Adds the mistakes of a match.
    pub(super) fn add<'p>(
        &mut self,
        points: impl Iterator<Item = &'p TurningPoint>,
        budget: &Budget<'_>,
    ) {
        for (place, point) in points.enumerate() {
            let theme = (place < IN_A_MATCH).then(|| theme(point, budget));
            match theme.flatten() {
                Some(theme) => *self.mistakes.entry(theme).or_default() += 1,
                None => self.left_out += 1,
            }
        }
    }

    /// Mistakes without a theme.
    pub(super) fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The themes, those of the most mistakes first.
    pub(super) fn rows(&self) -> Vec<ThemeRow> {
        let row = |(theme, mistakes): (&Theme, &u64)| ThemeRow {
            theme: *theme,
            mistakes: *mistakes,
        };
        let mut rows: Vec<ThemeRow> = self.mistakes.iter().map(row).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.mistakes));
        rows
    }
}

/// The theme of a win that was given away. A draw has none, and neither has a position whose text is too long for a review.
fn theme(point: &TurningPoint, budget: &Budget<'_>) -> Option<Theme> {
    let text = point.position.as_ref().filter(|_| !point.drawn)?;
    let position = Position::parse(text).ok()?;
    let found;
    let why = match &point.why {
        Some(why) => why,
        None => {
            found = reasons(&position, point.seat, &[], budget);
            &found
        }
    };
    Some(Theme::of(&position, why))
}

/// The mistakes of one theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ThemeRow {
    /// The idea that would have won.
    pub theme: Theme,
    /// Wins that were given away.
    pub mistakes: u64,
}
