//! The history of a rating as a picture.

use std::fmt::Write as _;

/// The size of the picture, and where the curve is in it.
const WIDTH: i64 = 640;
const HEIGHT: i64 = 220;
const LEFT: i64 = 72;
const TOP: i64 = 16;
const BOTTOM: i64 = 190;
const RIGHT: i64 = 624;
/// Rating points that the picture shows at least.
const SPAN: i64 = 100;

/// A rating after a pair, and its deviation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Point {
    pub(super) rating: i64,
    pub(super) deviation: i64,
}

/// The curve of these ratings, the oldest first, with a band of two deviations around it; `None` if there is none. Numbers only, so that it needs no translation;
/// `label` says what it is.
pub(super) fn of(points: &[Point], label: &str) -> Option<String> {
    let low = points
        .iter()
        .map(|one| one.rating - 2 * one.deviation)
        .min()?;
    let high = points
        .iter()
        .map(|one| one.rating + 2 * one.deviation)
        .max()?;
    let room = (SPAN - (high - low)).max(0) / 2 + 10;
    let (low, high) = (low - room, high + room);
    let steps = (points.len() as i64 - 1).max(1);
    let x = |index: usize| LEFT + index as i64 * (RIGHT - LEFT) / steps;
    let y = |rating: i64| {
        let rating = rating.clamp(low, high);
        BOTTOM - (rating - low) * (BOTTOM - TOP) / (high - low)
    };
    let mut svg = String::new();
    let mut write = |text: std::fmt::Arguments<'_>| {
        svg.write_fmt(text)
            .expect("writing to a String cannot fail");
    };
    write(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{}">"#,
        escaped(label)
    ));
    for rating in [low, (low + high) / 2, high] {
        let y = y(rating);
        write(format_args!(
            r#"<line class="grid" x1="{LEFT}" y1="{y}" x2="{RIGHT}" y2="{y}"/><text x="{}" y="{}" text-anchor="end">{rating}</text>"#,
            LEFT - 8,
            y + 5
        ));
    }
    let edge = |(index, point): (usize, &Point), deviations: i64| {
        format!(
            "{},{}",
            x(index),
            y(point.rating + deviations * point.deviation)
        )
    };
    let above = points.iter().enumerate().map(|one| edge(one, 2));
    let below = points.iter().enumerate().rev().map(|one| edge(one, -2));
    let around: Vec<String> = above.chain(below).collect();
    write(format_args!(
        r#"<polygon class="around" points="{}"/>"#,
        around.join(" ")
    ));
    let corners: Vec<String> = points
        .iter()
        .enumerate()
        .map(|(index, point)| format!("{},{}", x(index), y(point.rating)))
        .collect();
    write(format_args!(
        r#"<polyline class="curve" points="{}"/>"#,
        corners.join(" ")
    ));
    if let Some((index, last)) = points.iter().enumerate().next_back() {
        write(format_args!(
            r#"<circle class="now" cx="{}" cy="{}" r="6"/>"#,
            x(index),
            y(last.rating)
        ));
    }
    for (index, number) in [(0, 1), (points.len() - 1, points.len())] {
        let anchor = if index == 0 { "start" } else { "end" };
        write(format_args!(
            r#"<text x="{}" y="{}" text-anchor="{anchor}">{number}</text>"#,
            x(index),
            BOTTOM + 22
        ));
        if points.len() == 1 {
            break;
        }
    }
    write(format_args!("</svg>"));
    Some(svg)
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(rating: i64) -> Point {
        Point {
            rating,
            deviation: 100,
        }
    }

    #[test]
    fn a_curve_stays_inside_its_picture() {
        assert_eq!(of(&[], ""), None);
        for ratings in [vec![1500], vec![1500, 1500], vec![900, 2400, 1500]] {
            let points: Vec<Point> = ratings.iter().copied().map(point).collect();
            let svg = of(&points, "<b>\"&").expect("a curve");
            assert!(svg.contains("aria-label=\"&lt;b>&quot;&amp;\""), "{svg}");
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
