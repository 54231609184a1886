//! The tug-of-war graph as a picture: SVG that needs nothing from outside.

use std::fmt::{self, Write as _};

use super::column::cut;
use super::curve::{Curve, CurvePoint};
use super::{PlyReview, Review};
use crate::event::Outcome;
use crate::ids::Seat;
use crate::xml::Escaped;

/// Rows lower than this have no letters.
const LETTERED: f64 = 11.0;
/// Letters of a name and of a move.
const NAME: usize = 14;
const MOVE: usize = 40;

/// Blue and orange are told apart with every kind of colour vision (Okabe, Ito 2008), and so are disc and square.
const STYLE: &str = "\
text{font:12px system-ui,sans-serif;fill:#1b1f24;paint-order:stroke;stroke:#fff;stroke-width:3px}\
.back{fill:#fff}.line{stroke:#0072b2;stroke-width:1.6}.turn{stroke:#9a4100;stroke-width:3;stroke-dasharray:6 4}\
.middle{stroke:#6b7682;stroke-dasharray:3 4}.first{fill:#0072b2}.second{fill:#fff;stroke:#9a4100;stroke-width:2.5}.none{fill:#6b7682}\
@media(prefers-color-scheme:dark){text{fill:#e8ecf0;stroke:#14181d}.back{fill:#14181d}.line{stroke:#56b4e9}.turn{stroke:#e69f00}\
.middle{stroke:#8a949e}.first{fill:#56b4e9}.second{fill:#14181d;stroke:#e69f00}.none{fill:#a7b0ba}}";

/// The words of a picture, as plain text.
#[derive(Clone, Debug)]
pub struct PictureWords {
    /// What the picture shows.
    pub label: String,
    /// That the first player wins, and that the second does.
    pub wins: [String; 2],
    /// What is known after each ply of the review.
    pub plies: Vec<String>,
}

impl Review {
    /// Who holds the win after each ply, and how far it is from the end: a picture without scripts and links, light or dark as the reader's screen is.
    /// A disc on the left half is a win of the first player, a square on the right half one of the second; the closer to the edge, the fewer plies remain. O(plies).
    #[must_use]
    pub fn svg(&self) -> String {
        let [first, second] = Seat::BOTH.map(|seat| self.called(seat));
        self.svg_with(&PictureWords {
            label: format!("Who holds the win after each ply, {first} against {second}"),
            wins: [first, second].map(|name| format!("{name} wins")),
            plies: self.plies.iter().map(|ply| self.told(ply)).collect(),
        })
    }

    /// The same with these words. O(plies).
    #[must_use]
    pub fn svg_with(&self, words: &PictureWords) -> String {
        let mut text = String::new();
        self.write_svg(words, &mut text)
            .expect("writing to a String cannot fail");
        text
    }

    fn write_svg(&self, words: &PictureWords, text: &mut String) -> fmt::Result {
        let curve = Curve::of(&self.plies);
        let (width, height) = (curve.width, curve.height);
        let label = Escaped(&words.label);
        let [first, second] = [0, 1].map(|seat| above_half(&words.wins[seat]));
        writeln!(
            text,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:.0}" width="{width}" height="{height:.0}" role="img" aria-label="{label}">"#
        )?;
        writeln!(text, "<style>{STYLE}</style>")?;
        writeln!(text, r#"<rect class="back" width="100%" height="100%"/>"#)?;
        writeln!(
            text,
            r#"<text x="4" y="16">{}&#9664; {}</text>"#,
            first.0,
            Escaped(&first.1)
        )?;
        writeln!(
            text,
            r#"<text x="{:.0}" y="16" text-anchor="end">{}{} &#9654;</text>"#,
            width - 4.0,
            second.0,
            Escaped(&second.1)
        )?;
        let middle = curve.middle();
        writeln!(
            text,
            r#"<line class="middle" x1="{middle:.0}" x2="{middle:.0}" y1="24" y2="{height:.0}"/>"#
        )?;
        for ends in curve.points.windows(2) {
            let class = match ends[0].wins == ends[1].wins {
                true => "line",
                false => "turn",
            };
            writeln!(
                text,
                r#"<line class="{class}" x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}"/>"#,
                ends[0].x, ends[0].y, ends[1].x, ends[1].y
            )?;
        }
        for ((ply, point), title) in self.plies.iter().zip(&curve.points).zip(&words.plies) {
            write!(text, "<g><title>{}</title>", Escaped(title))?;
            write_point(ply, point, &curve, text)?;
        }
        writeln!(text, "</svg>")
    }

    /// What is known after a ply, in words.
    fn told(&self, ply: &PlyReview) -> String {
        let made = match (&ply.mv, ply.seat) {
            (Some(mv), Some(seat)) => {
                let mark = ply.mark.map_or(String::new(), |mark| format!(" {mark}"));
                let mv = cut(mv, MOVE);
                format!("{}. {} {mv}{mark}: ", ply.ply, self.called(seat))
            }
            _ => "start: ".to_owned(),
        };
        let wins = match ply.wins {
            None => "not known who wins".to_owned(),
            Some(Outcome::First) => format!("{} wins", self.called(Seat::First)),
            Some(Outcome::Second) => format!("{} wins", self.called(Seat::Second)),
            Some(Outcome::Draw | Outcome::Void) => "a draw".to_owned(),
        };
        let left = ply
            .left
            .map_or(String::new(), |left| format!(", {left} left"));
        let value = ply
            .nim_value
            .map_or(String::new(), |value| format!(", nim-value {value}"));
        format!("{made}{wins}{left}{value}")
    }

    /// The player's name, short.
    fn called(&self, seat: Seat) -> String {
        match self.player(seat) {
            Some(player) => cut(&player.name, NAME),
            None => seat.to_string(),
        }
    }
}

/// What stands above one half: the whole of it for who points at it, if it is cut, and as much as fits.
fn above_half(text: &str) -> (String, String) {
    let short = Curve::half(text);
    let whole = match short == text {
        true => String::new(),
        false => format!("<title>{}</title>", Escaped(text)),
    };
    (whole, short)
}

fn write_point(
    ply: &PlyReview,
    point: &CurvePoint,
    curve: &Curve,
    text: &mut String,
) -> fmt::Result {
    let CurvePoint { x, y, size, .. } = *point;
    match ply.wins {
        Some(Outcome::First) => write!(
            text,
            r#"<circle class="first" cx="{x:.1}" cy="{y:.1}" r="{size:.1}"/>"#
        )?,
        Some(Outcome::Second) => write!(
            text,
            r#"<rect class="second" x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}"/>"#,
            x - size,
            y - size,
            2.0 * size,
            2.0 * size
        )?,
        _ => write!(
            text,
            r#"<circle class="none" cx="{x:.1}" cy="{y:.1}" r="{:.1}"/>"#,
            size / 2.0
        )?,
    }
    if curve.row >= LETTERED
        && let Some(mark) = ply.mark
    {
        let (at, anchor) = match x < curve.middle() {
            true => (x + 12.0, "start"),
            false => (x - 12.0, "end"),
        };
        write!(
            text,
            r#"<text x="{at:.1}" y="{:.1}" text-anchor="{anchor}" font-weight="bold">{mark}</text>"#,
            y + 4.0
        )?;
    }
    writeln!(text, "</g>")
}
