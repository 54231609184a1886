//! One ply in the list of a review.

use grundy_shared::event::Outcome;
use grundy_shared::ids::Seat;
use grundy_shared::review::{Mark, PlyReview, Review};
use grundy_words::Catalogue;

/// Letters of a move that are shown.
const MOVE: usize = 60;

/// One ply.
pub(super) struct Row {
    pub(super) ply: u32,
    /// The seat that moved; empty for the start.
    pub(super) seat: &'static str,
    pub(super) mv: String,
    pub(super) mark: &'static str,
    /// What the mark means; empty without one.
    pub(super) meaning: String,
    /// The seat that holds the win, `draw` or `unknown`.
    pub(super) wins: &'static str,
    pub(super) left: String,
    pub(super) value: String,
    /// How often the player asked for a hint before the move.
    pub(super) hints: u32,
}

impl Row {
    pub(super) fn of(words: &Catalogue, review: &Review, ply: &PlyReview) -> Self {
        let known = |number: Option<u64>| number.map_or("?".to_owned(), |n| n.to_string());
        let value = match (&ply.value, review.misere) {
            (_, true) => "–".to_owned(),
            (Some(number), false) => number.clone(),
            (None, false) => known(ply.nim_value),
        };
        Self {
            ply: ply.ply.0,
            seat: match ply.seat {
                Some(Seat::First) => "first",
                Some(Seat::Second) => "second",
                None => "",
            },
            mv: match &ply.mv {
                Some(mv) => short(mv),
                None => words.say("review-start"),
            },
            mark: ply.mark.map_or("", Mark::as_str),
            meaning: meant(words, review, ply),
            wins: holder(ply.wins),
            left: match ply.wins {
                Some(Outcome::Draw) => "–".to_owned(),
                _ => known(ply.left),
            },
            value,
            hints: ply.hints,
        }
    }
}

/// A move, cut to what a line holds.
pub(super) fn short(mv: &str) -> String {
    match mv.chars().count() > MOVE {
        true => mv.chars().take(MOVE - 1).chain(['…']).collect(),
        false => mv.to_owned(),
    }
}

/// Who holds the win, as a class of the page.
pub(super) fn holder(wins: Option<Outcome>) -> &'static str {
    match wins {
        Some(Outcome::First) => "first",
        Some(Outcome::Second) => "second",
        Some(Outcome::Draw | Outcome::Void) => "draw",
        None => "unknown",
    }
}

/// What the mark of a move means there: the legend has one text for wins and draws that are given away.
fn meant(words: &Catalogue, review: &Review, ply: &PlyReview) -> String {
    let mut turns = review.turning_points.iter();
    match (ply.mark, turns.find(|point| point.ply == ply.ply)) {
        (None, _) => String::new(),
        (Some(Mark::Blunder), Some(point)) if point.drawn => words.say("review-gave-draw"),
        (Some(Mark::Blunder), Some(_)) => words.say("review-gave-win"),
        (Some(mark), _) => meaning(words, mark),
    }
}

/// What a mark means.
pub(super) fn meaning(words: &Catalogue, mark: Mark) -> String {
    words.say(grundy_words::mark(mark))
}
