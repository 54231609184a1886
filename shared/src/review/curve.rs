//! The tug-of-war graph of a review, as places: who holds the win after each ply, and how far it is from the end.

use super::PlyReview;
use super::column::cut;
use crate::event::Outcome;
use crate::ids::Ply;

/// The width of the graph, in pixels.
const WIDTH: f64 = 360.0;
/// From the edge to a win that is brought home.
const MARGIN: f64 = 24.0;
/// From the middle to the point of a win of the greatest length.
const INNER: f64 = 6.0;
/// Height of a row; in long matches less.
const ROW: f64 = 26.0;
/// Height of all rows together, at most.
const ROWS: f64 = 8_000.0;
/// Above the first row.
const HEAD: f64 = 44.0;

/// Columns of a terminal that fit into half the width beside the arrow, in the letters of the graph: wide capitals, and Chinese ones.
const HALF: usize = 20;

/// The graph: rows are plies. On the left half the first player holds the win, on the right half the second; the closer to the edge, the fewer plies
/// remain. Whose length is not known stands next to the middle, and who holds no win in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// Pixels from left to right.
    pub width: f64,
    /// Pixels from top to bottom.
    pub height: f64,
    /// Pixels of a row.
    pub row: f64,
    /// One for each ply.
    pub points: Vec<CurvePoint>,
}

/// A ply on the graph.
#[derive(Clone, PartialEq, Debug)]
pub struct CurvePoint {
    /// Its number.
    pub ply: Ply,
    /// Who holds the win after it.
    pub wins: Option<Outcome>,
    /// Pixels from the left.
    pub x: f64,
    /// Pixels from the top.
    pub y: f64,
    /// Half the width of its sign, in pixels.
    pub size: f64,
}

impl Curve {
    /// A name or a few words, so short that they fit above one half of the graph.
    #[must_use]
    pub fn half(text: &str) -> String {
        cut(text, HALF)
    }

    /// The graph of these plies. O(plies).
    #[must_use]
    pub fn of(plies: &[PlyReview]) -> Self {
        let row = ROW.min(ROWS / plies.len().max(1) as f64);
        let longest = plies.iter().filter_map(|ply| ply.left).max().unwrap_or(0);
        let points = plies.iter().zip(0u32..).map(|(ply, at)| CurvePoint {
            ply: ply.ply,
            wins: ply.wins,
            x: place(ply, longest),
            y: HEAD - ROW / 2.0 + row * (f64::from(at) + 0.5),
            size: (row / 4.5).min(6.0),
        });
        Self {
            width: WIDTH,
            height: HEAD + row * plies.len() as f64,
            row,
            points: points.collect(),
        }
    }

    /// Pixels from the left to the middle.
    #[must_use]
    pub fn middle(&self) -> f64 {
        self.width / 2.0
    }
}

/// Where a ply stands: the first player's wins on the left.
fn place(ply: &PlyReview, longest: u64) -> f64 {
    let half = WIDTH / 2.0;
    let room = half - MARGIN - INNER;
    let from_edge = match ply.left {
        Some(left) => MARGIN + room * (left as f64 / longest.max(1) as f64),
        None => half - INNER,
    };
    match ply.wins {
        Some(Outcome::First) => from_edge,
        Some(Outcome::Second) => WIDTH - from_edge,
        _ => half,
    }
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr as _;

    use super::*;

    /// Pixels of the widest letters of a name, by columns: `W` and Chinese letters in 12 pixels, and what stands beside a name.
    const COLUMN: f64 = 8.0;
    const BESIDE: f64 = 20.0;

    #[test]
    fn names_of_any_length_fit_above_their_half() {
        for name in [
            "Ada",
            &"W".repeat(32),
            &"\u{68cb}".repeat(32),
            &"a b".repeat(10),
        ] {
            let short = Curve::half(name);
            let pixels = short.width() as f64 * COLUMN + BESIDE;
            assert!(pixels <= WIDTH / 2.0, "{short}: {pixels}");
            assert_eq!(short == name, name.width() <= HALF, "{short}");
        }
    }
}
