//! The history of a rating as a curve.

use std::fmt::{self, Write as _};

use super::frame::{Chart, file, inline};

/// The size of the picture, and where the curve is in it.
const WIDTH: i64 = 640;
const HEIGHT: i64 = 220;
const LEFT: i64 = 72;
const TOP: i64 = 16;
const BOTTOM: i64 = 190;
const RIGHT: i64 = 624;
/// Rating points that the picture shows at least.
const SPAN: i64 = 100;
/// Ratings and deviations are drawn up to this; no rating of a server is near it.
const MOST: i64 = 100_000;

/// A rating after a pair, and its deviation, in rating points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HistoryPoint {
    /// The rating.
    pub rating: i64,
    /// Its deviation; the band around the curve is two of them wide on each side.
    pub deviation: i64,
}

/// The curve of a rating, with a band of two deviations around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RatingHistory {
    points: Vec<HistoryPoint>,
    low: i64,
    high: i64,
}

impl RatingHistory {
    /// Of these ratings, the oldest first; `None` if there is none. O(points).
    #[must_use]
    pub fn of(points: &[HistoryPoint]) -> Option<Self> {
        let points: Vec<HistoryPoint> = points
            .iter()
            .map(|point| HistoryPoint {
                rating: point.rating.clamp(-MOST, MOST),
                deviation: point.deviation.clamp(0, MOST),
            })
            .collect();
        let low = points.iter().map(|one| one.rating - 2 * one.deviation);
        let high = points.iter().map(|one| one.rating + 2 * one.deviation);
        let (low, high) = (low.min()?, high.max()?);
        let room = (SPAN - (high - low)).max(0) / 2 + 10;
        Some(Self {
            points,
            low: low - room,
            high: high + room,
        })
    }

    /// As one file. O(points).
    #[must_use]
    pub fn svg(&self, label: &str) -> String {
        file(self, label)
    }

    /// As part of a page. O(points).
    #[must_use]
    pub fn inline_svg(&self, label: &str) -> String {
        inline(self, label)
    }

    fn x(&self, index: usize) -> i64 {
        let steps = (self.points.len() as i64 - 1).max(1);
        LEFT + index as i64 * (RIGHT - LEFT) / steps
    }

    fn y(&self, rating: i64) -> i64 {
        let rating = rating.clamp(self.low, self.high);
        BOTTOM - (rating - self.low) * (BOTTOM - TOP) / (self.high - self.low)
    }
}

impl Chart for RatingHistory {
    const CLASS: &'static str = "history";

    fn size(&self) -> (i64, i64) {
        (WIDTH, HEIGHT)
    }

    fn draw(&self, text: &mut String) -> fmt::Result {
        for rating in [self.low, self.low.midpoint(self.high), self.high] {
            let y = self.y(rating);
            write!(
                text,
                r#"<line class="grid" x1="{LEFT}" y1="{y}" x2="{RIGHT}" y2="{y}"/><text x="{}" y="{}" text-anchor="end">{rating}</text>"#,
                LEFT - 8,
                y + 5
            )?;
        }
        let points = || self.points.iter().enumerate();
        let edge = |(index, point): (usize, &HistoryPoint), deviations: i64| {
            let rating = point.rating + deviations * point.deviation;
            format!("{},{}", self.x(index), self.y(rating))
        };
        let above = points().map(|one| edge(one, 2));
        let below = points().rev().map(|one| edge(one, -2));
        let around: Vec<String> = above.chain(below).collect();
        let corners: Vec<String> = points().map(|one| edge(one, 0)).collect();
        write!(
            text,
            r#"<polygon class="around" points="{}"/><polyline class="curve" points="{}"/>"#,
            around.join(" "),
            corners.join(" ")
        )?;
        let last = self.points.len() - 1;
        write!(
            text,
            r#"<circle class="now" cx="{}" cy="{}" r="6"/>"#,
            self.x(last),
            self.y(self.points[last].rating)
        )?;
        // The number of the first pair, and of the last.
        for (index, anchor) in [(0, "start"), (last, "end")] {
            write!(
                text,
                r#"<text x="{}" y="{}" text-anchor="{anchor}">{}</text>"#,
                self.x(index),
                BOTTOM + 22,
                index + 1
            )?;
            if last == 0 {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_stays_inside_its_picture() {
        assert_eq!(RatingHistory::of(&[]), None);
        for ratings in [
            vec![1500],
            vec![1500, 1500],
            vec![900, 2400, 1500],
            vec![i64::MAX, i64::MIN],
        ] {
            let point = |rating| HistoryPoint {
                rating,
                deviation: 100,
            };
            let points: Vec<HistoryPoint> = ratings.iter().copied().map(point).collect();
            let svg = RatingHistory::of(&points).expect("a curve").svg("<b>\"&");
            assert!(!svg.contains("<b>"), "{svg}");
            let curve = svg.split("points=\"").nth(2).expect("a polyline");
            let curve = curve.split('"').next().expect("its corners");
            assert_eq!(curve.split(' ').count(), ratings.len());
            for corner in curve.split(' ') {
                let (x, y) = corner.split_once(',').expect("two numbers");
                let (x, y): (i64, i64) = (x.parse().expect("x"), y.parse().expect("y"));
                assert!((LEFT..=RIGHT).contains(&x) && (TOP..=BOTTOM).contains(&y));
            }
        }
    }
}
