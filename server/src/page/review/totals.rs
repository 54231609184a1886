//! What a player made of the match, in numbers.

use grundy_shared::ids::Seat;
use grundy_shared::review::{Mark, Review};
use grundy_words::{Catalogue, Value};

/// The figures of one player.
pub(super) struct Totals {
    pub(super) name: String,
    pub(super) kept: String,
    pub(super) bits: String,
    /// How often each mark was given, in the order of [`Mark::ALL`].
    pub(super) marks: Vec<u32>,
}

impl Totals {
    pub(super) fn of(words: &Catalogue, review: &Review, seat: Seat, name: &str) -> Self {
        let summary = review.summary.of(seat);
        let of = |part: &str, whole: &str| {
            let variables = [("part", Value::Text(part)), ("whole", Value::Text(whole))];
            words.with("review-of", &variables)
        };
        let bits = of(
            &format!("{:.1}", summary.bits_found),
            &format!("{:.1}", summary.bits_offered),
        );
        let share = match summary.bits_offered > 0.0 {
            true => format!(
                " ({:.0}%)",
                100.0 * summary.bits_found / summary.bits_offered
            ),
            false => String::new(),
        };
        Self {
            name: name.to_owned(),
            kept: of(&summary.kept.to_string(), &summary.chances.to_string()),
            bits: format!("{bits}{share}"),
            marks: Mark::ALL.map(|mark| summary.marks.of(mark)).to_vec(),
        }
    }
}
