//! The marks of a review.

use grundy_shared::review::Mark;

/// The message that says what a mark means.
#[must_use]
pub fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Brilliant => "mark-brilliant",
        Mark::OnlyMove => "mark-only",
        Mark::Trap => "mark-trap",
        Mark::Soft => "mark-soft",
        Mark::Blunder => "mark-blunder",
        Mark::Forced => "mark-forced",
    }
}
