//! Places for the vertices of a graph.

use super::canvas::Point;

/// Vertices and edges that are drawn.
pub(super) const VERTICES: usize = 30;
pub(super) const EDGES: usize = 90;

/// Rounds of moving vertices apart and along edges.
const ROUNDS: u32 = 120;
/// From one level to the next, and between neighbours of a level.
const LEVEL: i32 = 88;
const APART: i32 = 72;

/// Levels from the vertices without arcs, at the bottom, by the longest way to one of them. `None` if the arcs go round. O(vertices × arcs).
pub(super) fn levels(count: usize, arcs: &[(usize, usize)]) -> Option<Vec<Point>> {
    let mut rank = vec![0usize; count];
    for round in 0..=count {
        let mut changed = false;
        for (from, to) in arcs {
            if rank[*from] <= rank[*to] {
                rank[*from] = rank[*to] + 1;
                changed = true;
            }
        }
        match (changed, round == count) {
            (false, _) => break,
            (true, true) => return None,
            (true, false) => {}
        }
    }
    let highest = rank.iter().copied().max().unwrap_or(0);
    let mut on_level = vec![0i32; highest + 1];
    for level in &rank {
        on_level[*level] += 1;
    }
    let widest = on_level.iter().copied().max().unwrap_or(1);
    let mut next = vec![0i32; highest + 1];
    let place = |level: &usize| {
        let at = next[*level];
        next[*level] += 1;
        // Neighbouring levels are shifted against each other, so that an arc does not pass through a vertex between its ends.
        let shift = i32::try_from(level % 2).unwrap_or(0) * APART / 3;
        let left = (widest - on_level[*level]) * APART / 2;
        let down = i32::try_from(highest - level).unwrap_or(0);
        (left + at * APART + shift, down * LEVEL)
    };
    Some(rank.iter().map(place).collect())
}

/// Places at which joined vertices are near and others apart (Fruchterman, Reingold 1991), in a square. The same graph has the same places.
/// O(rounds × vertices²).
pub(super) fn springs(count: usize, edges: &[(usize, usize)]) -> Vec<Point> {
    let turn = std::f64::consts::TAU / count.max(1) as f64;
    let mut places: Vec<(f64, f64)> = (0..count)
        .map(|index| {
            let angle = turn * index as f64;
            (libm::cos(angle), libm::sin(angle))
        })
        .collect();
    let ideal = 2.0 / (count.max(1) as f64).sqrt();
    for round in 0..ROUNDS {
        let warmth = 0.2 * (1.0 - f64::from(round) / f64::from(ROUNDS));
        places = moved(&places, edges, ideal, warmth);
    }
    on_pixels(&places)
}

/// One round.
fn moved(
    places: &[(f64, f64)],
    edges: &[(usize, usize)],
    ideal: f64,
    warmth: f64,
) -> Vec<(f64, f64)> {
    let mut pushed = vec![(0.0, 0.0); places.len()];
    for (one, (x, y)) in places.iter().enumerate() {
        for (other, (u, v)) in places.iter().enumerate() {
            if one != other {
                let (dx, dy) = (x - u, y - v);
                let square = (dx * dx + dy * dy).max(1e-6);
                let force = ideal * ideal / square;
                pushed[one].0 += dx * force;
                pushed[one].1 += dy * force;
            }
        }
        // Parts that nothing joins stay near the middle.
        pushed[one].0 -= 0.3 * x;
        pushed[one].1 -= 0.3 * y;
    }
    for (one, other) in edges {
        let (dx, dy) = (
            places[*one].0 - places[*other].0,
            places[*one].1 - places[*other].1,
        );
        let force = libm::hypot(dx, dy) / ideal;
        pushed[*one].0 -= dx * force;
        pushed[*one].1 -= dy * force;
        pushed[*other].0 += dx * force;
        pushed[*other].1 += dy * force;
    }
    let step = |((x, y), (dx, dy)): (&(f64, f64), (f64, f64))| {
        let long = libm::hypot(dx, dy).max(1e-9);
        let far = long.min(warmth);
        (x + dx / long * far, y + dy / long * far)
    };
    places.iter().zip(pushed).map(step).collect()
}

/// Scales places so that the nearest two are as far apart as fingertips need.
fn on_pixels(places: &[(f64, f64)]) -> Vec<Point> {
    let mut nearest = f64::MAX;
    for (index, (x, y)) in places.iter().enumerate() {
        for (u, v) in &places[..index] {
            nearest = nearest.min(libm::hypot(x - u, y - v));
        }
    }
    let scale = match places.len() {
        0 | 1 => 1.0,
        _ => f64::from(APART) / nearest.max(0.02),
    };
    let left = places.iter().map(|place| place.0).fold(f64::MAX, f64::min);
    let top = places.iter().map(|place| place.1).fold(f64::MAX, f64::min);
    let pixel = |(x, y): &(f64, f64)| {
        let whole = |at: f64| (at * scale).round().clamp(0.0, 4_000.0) as i32;
        (whole(x - left), whole(y - top))
    };
    places.iter().map(pixel).collect()
}
