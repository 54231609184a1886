//! The edges of a position, their parts, and how both are read.

use std::fmt;

use rustc_hash::FxHashMap;

use super::{EXAMPLE, MAX_EDGES};
use crate::games::graphs::read_vertex;
use crate::ids::Seat;
use crate::notation::{NotationCode, NotationError, Word};
use crate::theory::graph::{Numbering, Pieces, renumbered};

/// Who may cut an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Colour {
    /// Both players, `-`.
    Green,
    /// Left, who moves first, `b`.
    Blue,
    /// Right, `r`.
    Red,
}

impl Colour {
    /// The colour written so, in either case.
    pub(super) fn read(letter: char) -> Option<Self> {
        match letter {
            '-' => Some(Self::Green),
            'b' | 'B' => Some(Self::Blue),
            'r' | 'R' => Some(Self::Red),
            _ => None,
        }
    }

    pub(super) fn letter(self) -> char {
        match self {
            Self::Green => '-',
            Self::Blue => 'b',
            Self::Red => 'r',
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Green => "green",
            Self::Blue => "blue",
            Self::Red => "red",
        }
    }

    pub(super) fn is_cut_by(self, seat: Seat) -> bool {
        match self {
            Self::Green => true,
            Self::Blue => seat == Seat::First,
            Self::Red => seat == Seat::Second,
        }
    }
}

/// An edge as it is printed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) colour: Colour,
    /// Whether it is printed as the next of a path.
    pub(super) continues: bool,
    /// Which of the edges of its colour between the same vertices it is, from 1.
    pub(super) twin: u32,
}

impl Edge {
    fn new(from: u32, to: u32, colour: Colour) -> Self {
        Self {
            from,
            to,
            colour,
            continues: false,
            twin: 1,
        }
    }
}

/// Edges that are all tied to the ground, and their parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bush {
    pub(super) edges: Vec<Edge>,
    /// The edges, part by part, each part in the order of the edges.
    pub(super) order: Vec<u32>,
    /// Where each part begins in `order`, and where the last ends.
    pub(super) starts: Vec<u32>,
    /// What each seat may cut, in that order; `None` where all is green.
    pub(super) owned: Option<Box<[Vec<u32>; 2]>>,
    pub(super) forest: bool,
}

impl Bush {
    /// Numbers twins and finds the parts. All edges are tied to the ground. O(edges).
    pub(super) fn new(mut edges: Vec<Edge>) -> Self {
        let mut twins: FxHashMap<(u32, u32, Colour), u32> = FxHashMap::default();
        for edge in &mut edges {
            let (low, high) = (edge.from.min(edge.to), edge.from.max(edge.to));
            let twin = twins.entry((low, high, edge.colour)).or_insert(0);
            *twin += 1;
            edge.twin = *twin;
        }
        let mut numbering = Numbering::default();
        let ends: Vec<(u32, u32)> = edges
            .iter()
            .map(|edge| (numbering.number(edge.from), numbering.number(edge.to)))
            .collect();
        let ground = numbering.find(0);
        let mut pieces = Pieces::new(numbering.len());
        let mut forest = edges.len() + 1 == numbering.len() || edges.is_empty();
        for (a, b) in &ends {
            forest &= a != b;
            if Some(*a) != ground && Some(*b) != ground {
                pieces.join(*a, *b);
            }
        }
        // A loop at the ground is a part by itself.
        let mut parts = Numbering::default();
        let loops = numbering.len() as u32..;
        let part_of: Vec<u32> = ends
            .iter()
            .zip(loops)
            .map(
                |(&(a, b), loop_name)| match (Some(a) == ground, Some(b) == ground) {
                    (true, true) => parts.number(loop_name),
                    (true, false) => parts.number(pieces.find(b)),
                    _ => parts.number(pieces.find(a)),
                },
            )
            .collect();
        let mut order: Vec<u32> = (0..edges.len() as u32).collect();
        order.sort_by_key(|index| part_of[*index as usize]);
        let mut starts = vec![0; parts.len() + 1];
        for part in part_of {
            starts[part as usize + 1] += 1;
        }
        for part in 0..parts.len() {
            starts[part + 1] += starts[part];
        }
        let coloured = edges.iter().any(|edge| edge.colour != Colour::Green);
        let owned = coloured.then(|| {
            let by = |seat| {
                let cut = |index: &&u32| edges[**index as usize].colour.is_cut_by(seat);
                order.iter().filter(cut).copied().collect()
            };
            Box::new(Seat::BOTH.map(by))
        });
        Self {
            edges,
            order,
            starts,
            owned,
            forest,
        }
    }

    /// The indices of the edges of each part.
    pub(super) fn parts(&self) -> impl Iterator<Item = &[u32]> {
        self.starts
            .windows(2)
            .map(|ends| &self.order[ends[0] as usize..ends[1] as usize])
    }

    /// The indices of the edges that this seat may cut, part by part.
    pub(super) fn owned(&self, seat: Seat) -> &[u32] {
        match &self.owned {
            None => &self.order,
            Some(owned) => &owned[seat.index()],
        }
    }

    /// Whether all edges of a part are green.
    pub(super) fn is_green(&self, part: &[u32]) -> bool {
        let green = |index: &u32| self.edges[*index as usize].colour == Colour::Green;
        self.owned.is_none() || part.iter().all(green)
    }

    /// The edges of a part with its vertices numbered from 0, the ground, and their number.
    pub(super) fn ends(&self, part: &[u32]) -> (Vec<(u32, u32)>, usize) {
        let mut numbering = Numbering::default();
        numbering.number(0);
        let ends = part.iter().map(|index| {
            let edge = self.edges[*index as usize];
            (numbering.number(edge.from), numbering.number(edge.to))
        });
        let ends = ends.collect();
        (ends, numbering.len())
    }

    /// The part as a position of its own, in one form whatever its vertices are called.
    pub(super) fn part(&self, part: &[u32]) -> Self {
        let (ends, vertices) = self.ends(part);
        let mut seeds = vec![1; vertices];
        seeds[0] = 0;
        let edges: Vec<(u32, u32, Colour)> = ends
            .iter()
            .zip(part)
            .map(|((a, b), index)| (*a, *b, self.edges[*index as usize].colour))
            .collect();
        let edges = renumbered(&edges, &seeds).into_iter();
        Self::new(
            edges
                .map(|(from, to, colour)| Edge::new(from, to, colour))
                .collect(),
        )
    }

    /// The position after an edge is cut: what is not tied to the ground any more falls. O(edges).
    pub(super) fn without(&self, index: usize) -> Self {
        let mut edges = self.edges.clone();
        edges.remove(index);
        if let Some(next) = edges.get_mut(index) {
            next.continues = false;
        }
        let tied = tied(&edges);
        let mut kept = Vec::with_capacity(edges.len());
        for (index, mut edge) in edges.into_iter().enumerate() {
            edge.continues &= index > 0 && tied[index - 1];
            if tied[index] {
                kept.push(edge);
            }
        }
        Self::new(kept)
    }

    /// Reads paths joined by commas, or `_`.
    pub(super) fn read(state: Word<'_>) -> Result<Self, NotationError> {
        let bad = NotationCode::BadPosition;
        if state.text == "_" {
            return Ok(Self::new(Vec::new()));
        }
        let edges = |byte: &u8| matches!(byte, b'-' | b'b' | b'r');
        if state.text.bytes().filter(edges).count() > MAX_EDGES {
            let message = format!("too many edges: {MAX_EDGES} are the limit");
            let expected = format!("at most {MAX_EDGES} edges");
            return state.refuse(NotationCode::OutOfRange, message, expected, EXAMPLE);
        }
        let mut edges = Vec::new();
        let mut places = Vec::new();
        for path in state.split(',') {
            read_path(path, &mut edges, &mut places)?;
        }
        if let Some(loose) = tied(&edges).iter().position(|tied| !tied) {
            let place = places[loose];
            let message = format!(
                "the edge {} is not tied to the ground, vertex 0",
                place.shown()
            );
            return place.refuse(bad, message, "edges that lead to 0 by others", EXAMPLE);
        }
        Ok(Self::new(edges))
    }
}

impl fmt::Display for Bush {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.edges.is_empty() {
            return f.write_str("_");
        }
        for (index, edge) in self.edges.iter().enumerate() {
            let Edge { from, to, .. } = edge;
            let letter = edge.colour.letter();
            match (edge.continues, index) {
                (true, _) => write!(f, "{letter}{to}")?,
                (false, 0) => write!(f, "{from}{letter}{to}")?,
                (false, _) => write!(f, ",{from}{letter}{to}")?,
            }
        }
        Ok(())
    }
}

/// Which of these edges are tied to the ground. O(edges).
fn tied(edges: &[Edge]) -> Vec<bool> {
    let mut numbering = Numbering::default();
    let ground = numbering.number(0);
    let ends: Vec<(u32, u32)> = edges
        .iter()
        .map(|edge| (numbering.number(edge.from), numbering.number(edge.to)))
        .collect();
    let mut pieces = Pieces::new(numbering.len());
    for (a, b) in &ends {
        pieces.join(*a, *b);
    }
    let ground = pieces.find(ground);
    ends.iter()
        .map(|(a, _)| pieces.find(*a) == ground)
        .collect()
}

/// Reads a path such as `0b1r2-3`: its edges, each with its place.
fn read_path<'t>(
    path: Word<'t>,
    edges: &mut Vec<Edge>,
    places: &mut Vec<Word<'t>>,
) -> Result<(), NotationError> {
    const EXPECTED: &str = "edges such as 0-1, 0b1 (blue) or 0r1 (red), joined in paths 0-1-2 and by commas, or _ for none";
    let bad = NotationCode::BadPosition;
    let text = path.text;
    let letters = text.as_bytes();
    let strange = |at: &usize| {
        let after_number = *at > 0 && letters[at - 1].is_ascii_digit();
        after_number && letters[*at].is_ascii_alphabetic() && !matches!(letters[*at], b'b' | b'r')
    };
    if let Some(at) = (0..letters.len()).find(strange) {
        let wrong = path.part(at, at + 1);
        let message = format!(
            "'{}' is no colour: edges are - (green), b (blue) or r (red)",
            wrong.text
        );
        return wrong.refuse(bad, message, EXPECTED, EXAMPLE);
    }
    let mut joints = text
        .match_indices(['-', 'b', 'r'])
        .map(|(at, _)| at)
        .peekable();
    let Some(first) = joints.peek() else {
        let message = match text {
            "" => "an edge is missing".to_owned(),
            _ => format!("'{}' is a vertex: an edge joins two", path.shown()),
        };
        return path.refuse(bad, message, EXPECTED, EXAMPLE);
    };
    let mut start = 0;
    let mut from = read_vertex(path.part(0, *first), bad, EXAMPLE)?;
    let mut continues = false;
    while let Some(at) = joints.next() {
        let end = joints.peek().copied().unwrap_or(text.len());
        let to = read_vertex(path.part(at + 1, end), bad, EXAMPLE)?;
        let colour = text[at..].chars().next().and_then(Colour::read);
        edges.push(Edge {
            continues,
            ..Edge::new(from, to, colour.unwrap_or(Colour::Green))
        });
        places.push(path.part(start, end));
        (start, from, continues) = (at + 1, to, true);
    }
    Ok(())
}
