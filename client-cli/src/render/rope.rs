//! The tug-of-war graph of a review as a column of a table, in languages other than English.

use grundy_shared::ids::Seat;
use grundy_shared::review::{PlyReview, Review, Rope};
use grundy_words::{Catalogue, Message};
use unicode_width::UnicodeWidthStr as _;

use super::columns;

/// Columns of a name.
pub(super) const NAME: usize = 16;
/// Columns of a text that no screen limits.
const USUAL_WIDTH: usize = 100;
/// Columns between two columns of a table, and at both ends of the rope.
const AROUND: usize = 4;

/// The graph beside the other columns of a table.
pub(crate) struct RopeColumn {
    rope: Rope,
    heading: String,
}

impl RopeColumn {
    /// As wide as there is room beside columns with these headings and rows; with letters instead of names where the names do not fit.
    pub(crate) fn beside(
        review: &Review,
        (headings, rows): (&[String], &[Vec<String>]),
        width: Option<usize>,
        words: &Catalogue,
    ) -> Self {
        let others = columns(headings, rows);
        let widest = others.lines().map(|line| line.width()).max().unwrap_or(0);
        let room = width.unwrap_or(USUAL_WIDTH);
        let room = room.saturating_sub(widest + AROUND);
        let named = Seat::BOTH.map(|seat| {
            let wins = Message::new("reviewed-wins-now");
            wins.text("name", review.name(seat, NAME)).said(words)
        });
        let needed = named.iter().map(|words| words.width()).max().unwrap_or(0);
        let (titles, needed) = match Rope::least(&review.plies, needed) <= room {
            true => (named, needed),
            false => (["A", "B"].map(str::to_owned), 1),
        };
        let rope = Rope::new(&review.plies, needed, room);
        let heading = format!(" {} ", rope.head(&titles[0], &titles[1]));
        Self { rope, heading }
    }

    /// What stands above it.
    pub(crate) fn heading(&self) -> String {
        self.heading.clone()
    }

    /// The rope after a ply.
    pub(crate) fn cell(&self, ply: &PlyReview) -> String {
        format!("|{}|", self.rope.row(ply))
    }

    /// What its columns stand for, where it is drawn to scale.
    pub(crate) fn scale(&self, words: &Catalogue) -> Option<String> {
        let plies = self.rope.plies_a_column()?;
        let scale = Message::new("reviewed-scale").text("plies", format!("{plies:.1}"));
        Some(scale.said(words))
    }
}
