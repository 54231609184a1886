//! Edges that are tied to the ground, growing upwards.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::canvas::{Anchor, Canvas, Ink, Point};
use super::layout::EDGES;
use super::network::join;
use super::part::Part;
use super::writing;

/// From one height to the next, and between neighbours.
const RISE: i32 = 76;
const APART: i32 = 64;
const EDGE: i32 = 36;

/// An edge as it is named in a move.
struct Edge {
    from: u64,
    to: u64,
    ink: Ink,
    name: String,
}

/// Draws the edges above the ground.
pub(super) fn draw(part: &Part<'_>, canvas: &mut Canvas) {
    let edges = read(part);
    if edges.is_empty() || edges.len() > EDGES {
        writing::draw(part, canvas);
        return;
    }
    let tree = Tree::of(&edges);
    let highest = tree.height.values().copied().max().unwrap_or(0);
    let ground = EDGE + highest * RISE;
    let place = |vertex: u64| -> Point {
        let across = tree.across.get(&vertex).copied().unwrap_or(0);
        let up = tree.height.get(&vertex).copied().unwrap_or(0);
        (EDGE + across * APART / 2, ground - up * RISE)
    };
    let mut right = EDGE;
    let mut like: BTreeMap<(u64, u64), i32> = BTreeMap::new();
    for edge in &edges {
        let twin = like
            .entry((edge.from.min(edge.to), edge.from.max(edge.to)))
            .or_default();
        let (mut from, mut to) = (place(edge.from), place(edge.to));
        // The ground is everywhere: an edge stands on it right below its other end.
        if edge.from == 0 {
            from.0 = to.0;
        }
        if edge.to == 0 {
            to.0 = from.0;
        }
        right = right.max(from.0).max(to.0);
        canvas.part(&edge.name, |canvas| {
            join(canvas, Ink::Room, (from, to), *twin);
            join(canvas, edge.ink, (from, to), *twin);
            if from == to {
                // A loop has a handle to point at.
                canvas.disc(edge.ink, (from.0, from.1 - 30), 7);
            }
        });
        *twin += 1;
    }
    canvas.rect(Ink::Used, (8, ground), (right + EDGE - 8, 6), 0);
    for vertex in tree.height.keys().filter(|vertex| **vertex != 0) {
        let (x, y) = place(*vertex);
        canvas.disc(Ink::Used, (x, y), 5);
        canvas.text(
            Ink::Note,
            (x + 8, y - 6),
            Anchor::Start,
            &vertex.to_string(),
        );
    }
}

/// The edges of paths such as `0-1b2`, named as moves name them.
fn read(part: &Part<'_>) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    let mut like: BTreeMap<(u64, u64, char), u32> = BTreeMap::new();
    for item in part.items() {
        let mut from: Option<u64> = None;
        let mut colour = '-';
        for piece in item.split_inclusive(|c: char| !c.is_ascii_digit()) {
            let number = piece.trim_end_matches(|c: char| !c.is_ascii_digit());
            let Ok(to) = number.parse::<u64>() else {
                continue;
            };
            if let Some(from) = from {
                let twin = like
                    .entry((from.min(to), from.max(to), colour))
                    .or_default();
                *twin += 1;
                let ink = match colour {
                    'b' => Ink::Left,
                    'r' => Ink::Right,
                    _ => Ink::Piece,
                };
                let name = match twin {
                    1 => format!("{from}{colour}{to}"),
                    twin => format!("{from}{colour}{to}_{twin}"),
                };
                edges.push(Edge {
                    from,
                    to,
                    ink,
                    name,
                });
            }
            from = Some(to);
            colour = piece.chars().last().unwrap_or('-');
        }
    }
    edges
}

/// Where the vertices are: how high above the ground, and in halves of a place from the left.
struct Tree {
    height: BTreeMap<u64, i32>,
    across: BTreeMap<u64, i32>,
}

impl Tree {
    /// By shortest ways from the ground; each vertex stands over the middle of what grows from it.
    fn of(edges: &[Edge]) -> Self {
        let mut beside: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for edge in edges {
            beside.entry(edge.from).or_default().push(edge.to);
            beside.entry(edge.to).or_default().push(edge.from);
        }
        let mut height = BTreeMap::from([(0, 0)]);
        let mut grows: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        let mut order = Vec::new();
        let mut waiting = VecDeque::from([0]);
        while let Some(vertex) = waiting.pop_front() {
            order.push(vertex);
            let up = height[&vertex] + 1;
            let next: BTreeSet<u64> = beside.get(&vertex).into_iter().flatten().copied().collect();
            for end in next {
                if let Entry::Vacant(free) = height.entry(end) {
                    free.insert(up);
                    grows.entry(vertex).or_default().push(end);
                    waiting.push_back(end);
                }
            }
        }
        Self {
            across: across(&grows, &order),
            height,
        }
    }
}

/// Leaves stand side by side in the order of the tree, and the others over the middle of what they carry. Without recursion: a stalk may be long.
fn across(grows: &BTreeMap<u64, Vec<u64>>, order: &[u64]) -> BTreeMap<u64, i32> {
    let mut across: BTreeMap<u64, i32> = BTreeMap::new();
    let mut next_leaf = 0;
    let mut open = vec![0u64];
    while let Some(vertex) = open.pop() {
        match grows.get(&vertex) {
            Some(ends) => open.extend(ends.iter().rev()),
            None => {
                across.insert(vertex, next_leaf);
                next_leaf += 2;
            }
        }
    }
    for vertex in order.iter().rev() {
        if let Some(ends) = grows.get(vertex) {
            let own = |end: Option<&u64>| end.and_then(|end| across.get(end)).copied().unwrap_or(0);
            let middle = (own(ends.first()) + own(ends.last())) / 2;
            across.insert(*vertex, middle);
        }
    }
    across
}
