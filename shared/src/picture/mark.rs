//! What a picture says of the parts of a board beside the position: what a move there comes to, and where it leads.

use std::fmt::{self, Write as _};

use super::canvas::{Form, Point, Shape};
use crate::xml::Escaped;

/// What a move comes to for the player who makes it. Each has a shape of its own, so that nothing depends on colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sign {
    /// It loses: a hollow square.
    Loses,
    /// It is not known: a question mark.
    Unknown,
    /// Neither player can then force a win: two lines.
    Draws,
    /// It wins: a filled disc.
    Wins,
}

/// A mark on a part of the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// What a move there comes to.
    pub sign: Sign,
    /// The address that the part leads to.
    pub link: String,
    /// What the link is called.
    pub name: String,
}

/// The radius of the ground of a mark.
const GROUND: i32 = 10;
/// How far inside the corner of a square the middle of a mark is.
const INSIDE: i32 = 12;

impl Mark {
    /// Writes the link that begins before the part.
    pub(super) fn open(&self, text: &mut String) -> fmt::Result {
        // The moves are listed beside the picture as well: the keyboard need not go through every part.
        write!(
            text,
            r#"<a href="{}" tabindex="-1" aria-label="{}">"#,
            Escaped(&self.link),
            Escaped(&self.name)
        )
    }

    /// Writes the sign at its place.
    pub(super) fn draw(&self, (x, y): Point, text: &mut String) -> fmt::Result {
        write!(
            text,
            r#"<circle class="ground" cx="{x}" cy="{y}" r="{GROUND}"/>"#
        )?;
        match self.sign {
            Sign::Wins => write!(text, r#"<circle class="mark" cx="{x}" cy="{y}" r="6"/>"#),
            Sign::Loses => write!(
                text,
                r#"<rect class="hollow" x="{}" y="{}" width="10" height="10"/>"#,
                x - 5,
                y - 5
            ),
            Sign::Draws => write!(
                text,
                r#"<path class="hollow" d="M{} {}h10m0 5h-10"/>"#,
                x - 5,
                y - 2
            ),
            Sign::Unknown => write!(
                text,
                r#"<text class="unknown" x="{x}" y="{}" text-anchor="middle">?</text>"#,
                y + 6
            ),
        }
    }
}

impl Shape {
    /// Where a mark on this shape stands: at the upper right of what has an inside, else in the middle. `None` for a text.
    pub(super) fn corner(&self) -> Option<Point> {
        match &self.form {
            Form::Disc { at: (x, y), radius } => {
                // Seven tenths of the radius, which is on the rim.
                let aside = radius * 7 / 10;
                Some((x + aside, y - aside))
            }
            Form::Rect {
                at: (x, y),
                size: (width, height),
                ..
            } => {
                let aside = |side: &i32| INSIDE.min(side / 2);
                Some((x + width - aside(width), y + aside(height)))
            }
            Form::Line { from, to } => Some(((from.0 + to.0) / 2, (from.1 + to.1) / 2)),
            Form::Curve { from, bend, to } => Some((
                (from.0 + 2 * bend.0 + to.0) / 4,
                (from.1 + 2 * bend.1 + to.1) / 4,
            )),
            Form::Tip { corners: [a, b, c] } => {
                Some(((a.0 + b.0 + c.0) / 3, (a.1 + b.1 + c.1) / 3))
            }
            Form::Text { .. } => None,
        }
    }
}
