//! Graphs: vertices, edges and arcs, with what is on them.

use std::collections::{BTreeMap, BTreeSet};

use super::canvas::{Anchor, Canvas, Ink, Point};
use super::layout::{self, EDGES, VERTICES};
use super::part::Part;
use super::writing;

/// Half of a vertex.
const RADIUS: i32 = 18;
/// Left of and above the graph.
const EDGE: i32 = 30;

/// A graph in the order of its vertices' numbers.
#[derive(Default)]
struct Graph {
    vertices: Vec<u64>,
    edges: Vec<(u64, u64)>,
}

/// How a graph is drawn.
#[derive(Clone, Copy)]
struct Style {
    directed: bool,
    /// Edges, and not vertices, are what a move names.
    by_edges: bool,
}

const ARCS: Style = Style {
    directed: true,
    by_edges: false,
};
const LINES: Style = Style {
    directed: false,
    by_edges: false,
};
const CUT: Style = Style {
    directed: false,
    by_edges: true,
};

/// What a vertex looks like, and what is written on it beside its number.
type Look = (Ink, Option<String>);

impl Graph {
    /// Reads paths such as `3-1`, `0-1-2` and `3-1/2`, which is an arc with two ends.
    fn read<'t>(items: impl Iterator<Item = &'t str>) -> Self {
        let mut vertices = BTreeSet::new();
        let mut edges = Vec::new();
        for item in items {
            let steps: Vec<Vec<u64>> = item
                .split('-')
                .map(|step| step.split('/').filter_map(|end| end.parse().ok()).collect())
                .collect();
            vertices.extend(steps.iter().flatten());
            for pair in steps.windows(2) {
                let starts = pair[0].iter();
                edges.extend(starts.flat_map(|from| pair[1].iter().map(|to| (*from, *to))));
            }
        }
        Self {
            vertices: vertices.into_iter().collect(),
            edges,
        }
    }

    /// The edges by the places of their ends in the list of vertices.
    fn indexed(&self) -> Vec<(usize, usize)> {
        let place = |vertex: &u64| self.vertices.binary_search(vertex).ok();
        let edges = self.edges.iter();
        edges
            .filter_map(|(from, to)| Some((place(from)?, place(to)?)))
            .collect()
    }

    fn fits(&self) -> bool {
        self.vertices.len() <= VERTICES && self.edges.len() <= EDGES
    }
}

/// The name of an edge.
pub(super) fn edge(from: u64, to: u64) -> String {
    format!("{}-{}", from.min(to), from.max(to))
}

/// Tokens on the ends of arcs.
pub(super) fn draw_arcs(part: &Part<'_>, canvas: &mut Canvas) {
    let graph = Graph::read(part.parameters());
    let mut tokens: BTreeMap<u64, u64> = BTreeMap::new();
    for node in part.numbers() {
        *tokens.entry(node).or_default() += 1;
    }
    draw(part, &graph, ARCS, canvas, |node| match tokens.get(&node) {
        None => (Ink::Free, None),
        Some(1) => (Ink::Token, None),
        Some(many) => (Ink::Token, Some(format!("×{many}"))),
    });
}

/// A token that leaves a path behind it.
pub(super) fn draw_walk(part: &Part<'_>, canvas: &mut Canvas) {
    // Where the token may be placed: `_`, `_0/2`, with another `_` by the opponent.
    let starts = part.state.trim_start_matches('_');
    let starts: BTreeSet<u64> = starts
        .split('/')
        .filter_map(|start| start.parse().ok())
        .collect();
    let mut path = part.numbers();
    let token = path.pop();
    let mut graph = Graph::read(part.parameters());
    if let Some(token) = token
        && let Err(place) = graph.vertices.binary_search(&token)
    {
        graph.vertices.insert(place, token);
    }
    let visited: BTreeSet<u64> = path.into_iter().collect();
    draw(part, &graph, LINES, canvas, |vertex| {
        let barred = token.is_none() && !starts.is_empty() && !starts.contains(&vertex);
        match vertex {
            _ if Some(vertex) == token => (Ink::Token, None),
            _ if visited.contains(&vertex) || barred => (Ink::Used, None),
            _ => (Ink::Free, None),
        }
    });
}

/// The vertices that can be taken, and the edges between them.
pub(super) fn draw_vertices(part: &Part<'_>, canvas: &mut Canvas) {
    let graph = Graph::read(part.items());
    draw(part, &graph, LINES, canvas, |_| (Ink::Piece, None));
}

/// The elements that can be taken, the larger ones above.
pub(super) fn draw_order(part: &Part<'_>, canvas: &mut Canvas) {
    let mut graph = Graph::read(part.items());
    // Levels lead down, relations up.
    for (from, to) in &mut graph.edges {
        std::mem::swap(from, to);
    }
    draw(part, &graph, ARCS, canvas, |_| (Ink::Piece, None));
}

/// The vertices that can be painted: by both players, by Left alone (`b`) or by Right alone (`r`).
pub(super) fn draw_tints(part: &Part<'_>, canvas: &mut Canvas) {
    let mut tints: BTreeMap<u64, char> = BTreeMap::new();
    let mut plain = Vec::new();
    for item in part.items() {
        for vertex in item.split('-') {
            let number = vertex.trim_end_matches(['b', 'r']);
            let tint = vertex[number.len()..].chars().next();
            if let (Ok(number), Some(tint)) = (number.parse(), tint) {
                tints.insert(number, tint);
            }
        }
        plain.push(item.replace(['b', 'r'], ""));
    }
    let graph = Graph::read(plain.iter().map(String::as_str));
    draw(part, &graph, LINES, canvas, |vertex| {
        match tints.get(&vertex) {
            None => (Ink::Free, None),
            Some('b') => (Ink::Left, Some("b".to_owned())),
            Some(_) => (Ink::Right, Some("r".to_owned())),
        }
    });
}

/// Coins tied to each other and to the ground, vertex 0.
pub(super) fn draw_cuts(part: &Part<'_>, canvas: &mut Canvas) {
    let graph = Graph::read(part.items());
    draw(part, &graph, CUT, canvas, |vertex| match vertex {
        0 => (Ink::Used, None),
        _ => (Ink::Free, None),
    });
}

/// Edges that can be chosen.
pub(super) fn draw_edges(part: &Part<'_>, canvas: &mut Canvas) {
    let graph = Graph::read(part.items());
    draw(part, &graph, CUT, canvas, |_| (Ink::Free, None));
}

fn draw(
    part: &Part<'_>,
    graph: &Graph,
    style: Style,
    canvas: &mut Canvas,
    look: impl Fn(u64) -> Look,
) {
    if !graph.fits() || graph.vertices.is_empty() {
        writing::draw(part, canvas);
        return;
    }
    let edges = graph.indexed();
    let count = graph.vertices.len();
    let levels = match style.directed {
        true => layout::levels(count, &edges),
        false => None,
    };
    let places = levels.unwrap_or_else(|| layout::springs(count, &edges));
    let places: Vec<Point> = places
        .into_iter()
        .map(|(x, y)| (x + EDGE, y + EDGE))
        .collect();
    let mut like: BTreeMap<(usize, usize), i32> = BTreeMap::new();
    for ((from, to), named) in edges.iter().zip(&graph.edges) {
        let twin = like.entry((*from.min(to), *from.max(to))).or_default();
        let ends = (places[*from], places[*to]);
        match style.by_edges {
            true => canvas.part(edge(named.0, named.1), |canvas| {
                join(canvas, Ink::Room, ends, *twin);
                join(canvas, Ink::Piece, ends, *twin);
            }),
            false => join(canvas, Ink::Joint, ends, *twin),
        }
        if style.directed {
            tip(canvas, ends, *twin);
        }
        *twin += 1;
    }
    for (vertex, place) in graph.vertices.iter().zip(places) {
        let (ink, extra) = look(*vertex);
        let draw = |canvas: &mut Canvas| one(canvas, *vertex, place, ink, extra.as_deref());
        match style.by_edges {
            true => draw(canvas),
            false => canvas.part(vertex.to_string(), draw),
        }
    }
}

/// A vertex with its number.
fn one(canvas: &mut Canvas, vertex: u64, (x, y): Point, ink: Ink, extra: Option<&str>) {
    canvas.disc(Ink::Room, (x, y), 22);
    canvas.disc(ink, (x, y), RADIUS);
    let letters = match ink {
        Ink::Free => Ink::Label,
        _ => Ink::Sign,
    };
    canvas.text(letters, (x, y + 6), Anchor::Middle, &vertex.to_string());
    if let Some(extra) = extra {
        canvas.text(Ink::Note, (x + RADIUS + 2, y - 10), Anchor::Start, extra);
    }
}

/// Draws an edge; twins are bent to both sides, and what begins where it ends goes round.
pub(super) fn join(canvas: &mut Canvas, ink: Ink, (from, to): (Point, Point), twin: i32) {
    match bend(from, to, twin) {
        _ if from == to => canvas.disc(Ink::Joint, (from.0, from.1 - 20), 12),
        None => canvas.line(ink, from, to),
        Some(bend) => canvas.curve(ink, from, bend, to),
    }
}

/// The point towards which an edge is bent.
fn bend(from: Point, to: Point, twin: i32) -> Option<Point> {
    if twin == 0 {
        return None;
    }
    let side = if twin % 2 == 1 { 1 } else { -1 };
    let far = side * (twin + 1) / 2 * 56;
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let long = libm::hypot(f64::from(dx), f64::from(dy)).max(1.0);
    let across = |delta: i32| (f64::from(delta) / long * f64::from(far)).round() as i32;
    Some((
        (from.0 + to.0) / 2 - across(dy),
        (from.1 + to.1) / 2 + across(dx),
    ))
}

/// The tip of an arc, at the edge of the vertex where it ends.
fn tip(canvas: &mut Canvas, (from, to): (Point, Point), twin: i32) {
    let from = bend(from, to, twin).unwrap_or(from);
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let long = libm::hypot(dx, dy);
    if long < 1.0 {
        return;
    }
    let (dx, dy) = (dx / long, dy / long);
    let at = |along: f64, across: f64| {
        let x = f64::from(to.0) - dx * along - dy * across;
        let y = f64::from(to.1) - dy * along + dx * across;
        (x.round() as i32, y.round() as i32)
    };
    let edge = f64::from(RADIUS);
    canvas.tip(
        Ink::Used,
        [at(edge, 0.0), at(edge + 12.0, 6.0), at(edge + 12.0, -6.0)],
    );
}
