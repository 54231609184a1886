//! What the signs of a review mean.

use std::fmt;

use crate::event::Outcome;
use crate::review::{Mark, PlyReview, Review};

impl Mark {
    /// What it says of a move, in a few words.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Brilliant => "the only winning move of three or more, and hard to see",
            Self::OnlyMove => "the only winning move of three or more",
            Self::Trap => "lost, but the best try: at least 4 of 5 replies throw the win back",
            Self::Soft => "lost, and another move was a better try",
            Self::Blunder => "gave away the win or the draw",
            Self::Forced => "the only move",
        }
    }
}

/// The signs of the graph that occur beside the letters of the players, in one line.
pub(super) fn write_signs(review: &Review, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let is_drawn = |ply: &PlyReview| matches!(ply.wins, Some(Outcome::Draw | Outcome::Void));
    let is_open = |ply: &PlyReview| !is_drawn(ply) && (ply.wins.is_none() || ply.left.is_none());
    let drawn = review.plies.iter().any(is_drawn);
    let open = review.plies.iter().any(is_open);
    let signs = match (drawn, open) {
        (false, false) => return Ok(()),
        (true, false) => "=: a draw with best play.",
        (false, true) => "?: not found within the budget.",
        (true, true) => "=: a draw with best play; ?: not found within the budget.",
    };
    writeln!(f, "{signs}")
}

/// The marks that occur, in one line.
pub(super) fn write(review: &Review, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let occurs = |mark: &Mark| review.plies.iter().any(|ply| ply.mark == Some(*mark));
    let marks = Mark::ALL.into_iter().filter(occurs);
    let marks: Vec<String> = marks
        .map(|mark| format!("{mark} {}", mark.meaning()))
        .collect();
    match marks.is_empty() {
        true => Ok(()),
        false => writeln!(f, "Marks: {}.", marks.join("; ")),
    }
}
