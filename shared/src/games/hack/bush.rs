//! The edges of a position, their parts, and how both are read.

use std::fmt;
use std::hash::{Hash, Hasher};

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

    fn is_twin_of(self, other: Self) -> bool {
        let ends = |edge: Self| (edge.from.min(edge.to), edge.from.max(edge.to));
        self.colour == other.colour && ends(self) == ends(other)
    }
}

/// Edges that are all tied to the ground, and their parts, which follow from them.
#[derive(Clone, Debug)]
pub struct Bush {
    pub(super) edges: Vec<Edge>,
    /// The edges, part by part, each part in the order of the edges.
    order: Vec<u32>,
    /// Their ends: the vertices of each part are numbered from 0, the ground, in the order in which its edges name them.
    ends: Vec<(u32, u32)>,
    /// Where each part begins in `order`, and where the last ends; each with how many vertices above the ground come before.
    starts: Vec<(u32, u32)>,
    /// What each seat may cut, in that order; `None` where all is green.
    pub(super) owned: Option<Box<[Vec<u32>; 2]>>,
    pub(super) forest: bool,
}

/// What hangs together without the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'b> {
    /// The indices of the edges.
    pub(super) edges: &'b [u32],
    /// Their ends.
    pub(super) ends: &'b [(u32, u32)],
    /// How many vertices there are, 0, the ground, among them.
    pub(super) vertices: usize,
}

impl PartialEq for Bush {
    fn eq(&self, other: &Self) -> bool {
        self.edges == other.edges
    }
}

impl Eq for Bush {}

impl Hash for Bush {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.edges.hash(state);
    }
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
        let (ends, vertices) = numbered(&edges);
        Self::in_parts(edges, &ends, vertices)
    }

    /// Finds the parts of edges with these ends, which are numbered: 0 is the ground. O(edges + vertices).
    fn in_parts(edges: Vec<Edge>, ends: &[(u32, u32)], vertices: usize) -> Self {
        const NONE: u32 = u32::MAX;
        let mut pieces = Pieces::new(vertices);
        for (a, b) in ends {
            if *a != 0 && *b != 0 {
                pieces.join(*a, *b);
            }
        }
        // A loop at the ground is a part by itself.
        let mut part_of_piece = vec![NONE; vertices];
        let mut sizes: Vec<u32> = Vec::new();
        let mut part_of = Vec::with_capacity(edges.len());
        for (a, b) in ends {
            let mut of_loop = NONE;
            let above = a.max(b);
            let known = match above {
                0 => &mut of_loop,
                _ => &mut part_of_piece[pieces.find(*above) as usize],
            };
            if *known == NONE {
                *known = sizes.len() as u32;
                sizes.push(0);
            }
            sizes[*known as usize] += 1;
            part_of.push(*known);
        }
        let mut next: Vec<u32> = sizes
            .iter()
            .scan(0, |start, size| {
                Some(std::mem::replace(start, *start + size))
            })
            .collect();
        let mut order = vec![0; edges.len()];
        for (index, part) in part_of.iter().enumerate() {
            let place = &mut next[*part as usize];
            order[*place as usize] = index as u32;
            *place += 1;
        }
        let mut names = Names::new(vertices);
        let mut starts = vec![(0, 0)];
        let mut of_parts = Vec::with_capacity(edges.len());
        for (size, end) in sizes.into_iter().zip(next) {
            let part = &order[(end - size) as usize..end as usize];
            of_parts.extend(part.iter().map(|index| names.of(ends[*index as usize])));
            let (_, before) = starts[starts.len() - 1];
            starts.push((end, before + std::mem::take(&mut names.given)));
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
            forest: edges.len() + 1 == vertices,
            edges,
            order,
            ends: of_parts,
            starts,
            owned,
        }
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        (0..self.part_count()).map(|part| self.nth_part(part))
    }

    pub(super) fn part_count(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn nth_part(&self, part: usize) -> Part<'_> {
        let ((start, before), (end, after)) = (self.starts[part], self.starts[part + 1]);
        let range = start as usize..end as usize;
        Part {
            edges: &self.order[range.clone()],
            ends: &self.ends[range],
            vertices: (after - before) as usize + 1,
        }
    }

    /// The indices of the edges that this seat may cut, part by part.
    pub(super) fn owned(&self, seat: Seat) -> &[u32] {
        match &self.owned {
            None => &self.order,
            Some(owned) => &owned[seat.index()],
        }
    }

    /// Whether all edges of a part are green.
    pub(super) fn is_green(&self, part: Part<'_>) -> bool {
        let green = |index: &u32| self.edges[*index as usize].colour == Colour::Green;
        self.owned.is_none() || part.edges.iter().all(green)
    }

    /// The part as a position of its own, in one form whatever its vertices are called.
    pub(super) fn part(&self, part: Part<'_>) -> Self {
        let mut seeds = vec![1; part.vertices];
        seeds[0] = 0;
        let edges = part.ends.iter().zip(part.edges);
        let edges: Vec<(u32, u32, Colour)> = edges
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
        let (mut ends, vertices) = self.ends_of_all();
        // A loop at the ground ties nothing.
        ends[index] = (0, 0);
        let mut tied = tied(&ends, vertices);
        tied[index] = false;
        let cut = self.edges[index];
        let mut names = Names::new(vertices);
        let mut kept = Vec::with_capacity(self.edges.len());
        let mut kept_ends = Vec::with_capacity(self.edges.len());
        for (index, mut edge) in self.edges.iter().copied().enumerate() {
            if !tied[index] {
                continue;
            }
            edge.continues = edge.continues && tied[index - 1];
            edge.twin -= u32::from(edge.is_twin_of(cut) && edge.twin > cut.twin);
            kept.push(edge);
            kept_ends.push(names.of(ends[index]));
        }
        Self::in_parts(kept, &kept_ends, names.given as usize + 1)
    }

    /// The ends of each edge, in their order, the vertices numbered over all parts; and how many these are.
    fn ends_of_all(&self) -> (Vec<(u32, u32)>, usize) {
        let mut all = vec![(0, 0); self.edges.len()];
        for (part, (_, before)) in self.parts().zip(&self.starts) {
            let number = |vertex: u32| match vertex {
                0 => 0,
                above => before + above,
            };
            for (index, (from, to)) in part.edges.iter().zip(part.ends) {
                all[*index as usize] = (number(*from), number(*to));
            }
        }
        let (_, above) = self.starts[self.starts.len() - 1];
        (all, above as usize + 1)
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
        let (ends, vertices) = numbered(&edges);
        if let Some(loose) = tied(&ends, vertices).iter().position(|tied| !tied) {
            let place = places[loose];
            let message = format!(
                "the edge {} is not connected to the ground, vertex 0",
                place.shown()
            );
            return place.refuse(bad, message, "edges connected to vertex 0", EXAMPLE);
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

/// New numbers for vertices, in the order in which they are met; the ground stays 0.
struct Names {
    numbers: Vec<u32>,
    /// How many have been given.
    given: u32,
}

impl Names {
    fn new(vertices: usize) -> Self {
        Self {
            numbers: vec![0; vertices],
            given: 0,
        }
    }

    /// The new numbers of the ends of an edge.
    fn of(&mut self, (from, to): (u32, u32)) -> (u32, u32) {
        (self.number(from), self.number(to))
    }

    fn number(&mut self, vertex: u32) -> u32 {
        let number = &mut self.numbers[vertex as usize];
        if vertex != 0 && *number == 0 {
            self.given += 1;
            *number = self.given;
        }
        *number
    }
}

/// The ends of edges with their vertices numbered from 0, the ground, and how many these are.
fn numbered(edges: &[Edge]) -> (Vec<(u32, u32)>, usize) {
    let mut numbering = Numbering::default();
    numbering.number(0);
    let ends = edges
        .iter()
        .map(|edge| (numbering.number(edge.from), numbering.number(edge.to)))
        .collect();
    (ends, numbering.len())
}

/// Which edges with these ends are tied to the ground, 0. O(edges).
fn tied(ends: &[(u32, u32)], vertices: usize) -> Vec<bool> {
    let mut pieces = Pieces::new(vertices);
    for (a, b) in ends {
        pieces.join(*a, *b);
    }
    let ground = pieces.find(0);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What is known of a position does not depend on the way to it.
    #[test]
    fn after_cuts_as_if_read() {
        let texts = [
            "0-1-2-3-0,1-1,2-4-2,4b5r6-4,0-7,7-7,0-0,0-8-9,0-8,8-0",
            "0b1,1b2,0r1,0b1-1,2-3-4-2,2-2,2-2,9-0-9-0",
            "5-4-3-2-1-0-6-7-8-9-0,3-8",
        ];
        let read = |text: &str| Bush::read(Word { text, column: 1 }).expect("a bush");
        let mut seed = 1u64;
        for text in texts.repeat(20) {
            let mut bush = read(text);
            while !bush.edges.is_empty() {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                bush = bush.without((seed >> 33) as usize % bush.edges.len());
                let written = bush.to_string();
                assert_eq!(
                    format!("{:?}", read(&written)),
                    format!("{bush:?}"),
                    "{written}"
                );
            }
        }
    }
}
