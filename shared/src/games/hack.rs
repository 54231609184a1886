//! Green Hackenbush: cut an edge, and what is no longer tied to the ground falls.
//!
//! E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways* (1982), chapter 7.
//!
//! A part is what hangs together without the ground. In a forest a part stands on one edge, so its value is above 0, and
//! cutting an edge leaves one such part or nothing: the misère rule of tame sums holds. With rings it does not: a ring of four on the
//! ground has value 0 and no move to value 1 that would help.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::erased;
use crate::game::{EndRule, Game};
use crate::games::GameInfo;
use crate::games::graphs::read_vertex;
use crate::games::heaps::Letters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word};
use crate::theory::fusion::Fusion;
use crate::theory::graph::{Numbering, Pieces, renumbered};
use crate::theory::{Goal, Meter, Replies, Stopped};

const EXAMPLE: &str = "hack:0-1-2,0-3";

/// The largest number of edges.
const MAX_EDGES: usize = 200_000;

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "hack",
    title: "Green Hackenbush",
    rule: "Cut an edge; whatever is no longer tied to the ground, vertex 0, falls. Whoever cuts the last edge wins.",
    notation: "hack:0-1-2,0-3 is a stalk of two edges and one of one edge; parallel edges and loops (1-1) are allowed",
    move_notation: "1-2 cuts the edge from 1 to 2, 1-2_2 the second of parallel edges",
    examples: &[
        EXAMPLE,
        "hack:0-1,1-2,2-3,0-4,4-5",
        "hack:0-1,1-2,2-3,3-1",
        "hack:0-1,0-1,1-1",
        "hack:0-1-2-3-0",
        "hack:0-0,0-1-2-1",
        "hack:2-1-0,3-1,3-4,4-1",
    ],
    example_move: "1-2",
    method: "colon principle and fusion of rings by bridges and 2-edge-connected blocks; misere play by the rule of tame sums on forests, else by exhaustive search",
    complexity: "O(edges) for the value; for the winning cuts on rings O(length of the block) an edge",
    limits: "200,000 edges, vertices up to 999,999,999; green edges only",
    source: "Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 7; R. E. Tarjan 1974",
    read: erased::read::<Hack>,
};

/// The rules of green Hackenbush.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Hack;

/// An edge as it is printed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Edge {
    from: u32,
    to: u32,
    /// Whether it is printed as the next of a path.
    continues: bool,
    /// Which of the edges between the same vertices it is, from 1.
    twin: u32,
}

/// Edges that are all tied to the ground, and their parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bush {
    edges: Vec<Edge>,
    /// The edges, part by part, each part in the order of the edges.
    order: Vec<u32>,
    /// Where each part begins in `order`, and where the last ends.
    starts: Vec<u32>,
    forest: bool,
}

/// A cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    index: u32,
    edge: Edge,
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Edge { from, to, twin, .. } = self.edge;
        write!(f, "{from}-{to}")?;
        if twin > 1 {
            write!(f, "_{twin}")
        } else {
            Ok(())
        }
    }
}

impl Bush {
    /// Numbers twins and finds the parts. All edges are tied to the ground. O(edges).
    fn new(mut edges: Vec<Edge>) -> Self {
        let mut twins: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for edge in &mut edges {
            let pair = (edge.from.min(edge.to), edge.from.max(edge.to));
            let twin = twins.entry(pair).or_insert(0);
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
        Self {
            edges,
            order,
            starts,
            forest,
        }
    }

    /// The indices of the edges of each part.
    fn parts(&self) -> impl Iterator<Item = &[u32]> {
        self.starts
            .windows(2)
            .map(|ends| &self.order[ends[0] as usize..ends[1] as usize])
    }

    fn cut(&self, index: u32) -> Cut {
        Cut {
            index,
            edge: self.edges[index as usize],
        }
    }

    /// The edges of a part with its vertices numbered from 0, the ground, and their number.
    fn ends(&self, part: &[u32]) -> (Vec<(u32, u32)>, usize) {
        let mut numbering = Numbering::default();
        numbering.number(0);
        let ends = part.iter().map(|index| {
            let edge = self.edges[*index as usize];
            (numbering.number(edge.from), numbering.number(edge.to))
        });
        let ends = ends.collect();
        (ends, numbering.len())
    }

    fn value(&self, part: &[u32]) -> u64 {
        let (edges, vertices) = self.ends(part);
        Fusion::new(&edges, &vec![0; vertices]).value()
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

impl Game for Hack {
    type State = Bush;
    type Move = Cut;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Bush), NotationError> {
        if let Some(word) = parameters {
            let message = "hack has no parameters";
            return word.refuse(
                NotationCode::BadGameCode,
                message,
                "a colon and the edges",
                EXAMPLE,
            );
        }
        Ok((Self, read_bush(state)?))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("hack")
    }

    fn write_state(&self, bush: &Bush, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if bush.edges.is_empty() {
            return f.write_str("_");
        }
        for (index, edge) in bush.edges.iter().enumerate() {
            match (edge.continues, index) {
                (true, _) => write!(f, "-{}", edge.to)?,
                (false, 0) => write!(f, "{}-{}", edge.from, edge.to)?,
                (false, _) => write!(f, ",{}-{}", edge.from, edge.to)?,
            }
        }
        Ok(())
    }

    fn move_count(&self, bush: &Bush, _: Seat) -> u128 {
        bush.edges.len() as u128
    }

    fn nth_move(&self, bush: &Bush, _: Seat, n: u128) -> Option<Cut> {
        let place = usize::try_from(n).ok()?;
        bush.order.get(place).map(|index| bush.cut(*index))
    }

    fn read_move(&self, bush: &Bush, _: Seat, text: &str) -> Result<Cut, MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let from = letters.number()?;
        if letters.peek() == Some('-') {
            letters.skip();
        }
        let to = letters.number()?;
        let mut twin = 1;
        if letters.peek() == Some('_') {
            letters.skip();
            twin = letters.number()?;
        }
        if letters.peek().is_some() {
            return Err(MoveError::at(letters.column(), "the move should end here"));
        }
        let joins = |edge: &Edge| {
            let ends = (u64::from(edge.from), u64::from(edge.to));
            ends == (from, to) || ends == (to, from)
        };
        let mut edges = bush.edges.iter();
        match edges.position(|edge| joins(edge) && u64::from(edge.twin) == twin) {
            Some(index) => Ok(bush.cut(index as u32)),
            None => {
                let message = match bush.edges.iter().filter(|edge| joins(edge)).count() {
                    0 => format!("there is no edge from {from} to {to}"),
                    1 => format!("there is one edge only from {from} to {to}"),
                    count => format!("there are {count} edges from {from} to {to}"),
                };
                Err(MoveError::at(column, message))
            }
        }
    }

    fn play(&self, bush: &Bush, cut: &Cut) -> Bush {
        let mut edges = bush.edges.clone();
        edges.remove(cut.index as usize);
        if let Some(next) = edges.get_mut(cut.index as usize) {
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
        Bush::new(kept)
    }

    fn describe(&self, bush: &Bush) -> String {
        const SHOWN: usize = 40;
        let shown: Vec<String> = (0..bush.edges.len().min(SHOWN))
            .map(|index| bush.cut(index as u32).to_string())
            .collect();
        let more = match bush.edges.len() > SHOWN {
            true => format!(" and {} more", bush.edges.len() - SHOWN),
            false => String::new(),
        };
        match bush.edges.len() {
            0 => "no edges".to_owned(),
            1 => format!("edge {}", shown[0]),
            _ => format!("edges {}{more}", shown.join(", ")),
        }
    }

    fn describe_move(&self, bush: &Bush, cut: &Cut, prefix: &str) -> String {
        let fallen = bush.edges.len() - 1 - self.play(bush, cut).edges.len();
        match fallen {
            0 => format!("cut {prefix}{cut}"),
            1 => format!("cut {prefix}{cut}, and one edge fell"),
            _ => format!("cut {prefix}{cut}, and {fallen} edges fell"),
        }
    }

    fn parts(&self, bush: &Bush) -> Vec<Bush> {
        let part = |part: &[u32]| {
            let (edges, vertices) = bush.ends(part);
            let mut seeds = vec![1; vertices];
            seeds[0] = 0;
            let edges = renumbered(&edges, &seeds).into_iter();
            Bush::new(
                edges
                    .map(|(from, to)| Edge {
                        from,
                        to,
                        continues: false,
                        twin: 1,
                    })
                    .collect(),
            )
        };
        bush.parts().map(part).collect()
    }

    fn values(&self, bush: &Bush, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        meter.work(bush.edges.len() as u64)?;
        Ok(bush.parts().map(|part| Some(bush.value(part))).collect())
    }

    fn method(&self) -> &'static str {
        "colon principle and fusion"
    }

    fn is_tame(&self, bush: &Bush) -> bool {
        bush.forest
    }

    fn bytes(&self, bush: &Bush) -> u64 {
        bush.edges.len() as u64 * 24
    }

    fn replies(
        &self,
        bush: &Bush,
        part: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Replies<Cut>>, Stopped> {
        if matches!(goal, Goal::MisereLoss(_)) && !self.is_tame(bush) {
            return Ok(None);
        }
        let goal = goal.of_one_part();
        let part = &bush.order[bush.starts[part] as usize..bush.starts[part + 1] as usize];
        meter.work(part.len() as u64)?;
        let (edges, vertices) = bush.ends(part);
        let hung = vec![0; vertices];
        let found = Fusion::new(&edges, &hung).reaching(goal, meter)?;
        let mut replies = Replies::default();
        for place in found {
            replies.push(want, || bush.cut(part[place as usize]));
        }
        Ok(Some(replies))
    }

    fn explain(&self, bush: &Bush, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        const SHOWN: usize = 16;
        let mut lines = vec!["A branch is worth one more than what stands on it; branches at one vertex are added by xor;".to_owned()];
        lines.push("the vertices of a ring may be drawn into one: an odd ring counts as one edge, an even one as none.".to_owned());
        if meter.work(bush.edges.len() as u64).is_err() {
            return lines;
        }
        let mut xor = 0;
        for (index, part) in bush.parts().enumerate() {
            let value = bush.value(part);
            xor ^= value;
            if index < SHOWN {
                lines.push(format!(
                    "  from {:<9} {:<28} value {value}",
                    bush.cut(part[0]).to_string(),
                    bush.shape(part)
                ));
            }
        }
        let count = bush.starts.len() - 1;
        if count > SHOWN {
            lines.push(format!("  and {} more parts", count - SHOWN));
        }
        lines.push(format!("  XOR of the values: {xor}"));
        if end.is_misere() {
            lines.push(match bush.forest {
                true => "Misere play, and no rings: while a value is above 1 aim at xor 0; where your cut leaves none above 1, leave xor 1.".to_owned(),
                false => "Misere play: rings may not be drawn together then; only a search of all lines of play decides.".to_owned(),
            });
        }
        lines
    }
}

impl Bush {
    /// What a part looks like, in words.
    fn shape(&self, part: &[u32]) -> String {
        let (edges, vertices) = self.ends(part);
        let rings = edges.len() + 1 - vertices;
        let mut degrees = vec![0; vertices];
        for (a, b) in &edges {
            degrees[*a as usize] += 1;
            degrees[*b as usize] += 1;
        }
        let count = edges.len();
        match rings {
            0 if degrees.iter().all(|degree| *degree <= 2) => format!("stalk, height {count}"),
            0 => format!("tree, {count} edges"),
            1 => format!("{count} edges with a ring"),
            _ => format!("{count} edges with {rings} rings"),
        }
    }
}

fn read_bush(state: Word<'_>) -> Result<Bush, NotationError> {
    const EXPECTED: &str = "edges such as 0-1, joined in paths 0-1-2 and by commas, or _ for none";
    let bad = NotationCode::BadPosition;
    if state.text == "_" {
        return Ok(Bush::new(Vec::new()));
    }
    if let Some(at) = state.text.find(['b', 'r']) {
        let message = "coloured edges are not played yet: only green ones, written with -";
        return state
            .part(at, at + 1)
            .refuse(bad, message, EXPECTED, EXAMPLE);
    }
    if state.text.bytes().filter(|byte| *byte == b'-').count() > MAX_EDGES {
        let message = format!("too many edges: {MAX_EDGES} are the limit");
        let expected = format!("at most {MAX_EDGES} edges");
        return state.refuse(NotationCode::OutOfRange, message, expected, EXAMPLE);
    }
    let mut edges = Vec::new();
    let mut places = Vec::new();
    for path in state.split(',') {
        let mut from: Option<(u32, Word<'_>)> = None;
        let mut continues = false;
        for word in path.split('-') {
            let to = read_vertex(word, bad, EXAMPLE)?;
            if let Some((from, first)) = from {
                edges.push(Edge {
                    from,
                    to,
                    continues,
                    twin: 1,
                });
                let start = first.column - state.column;
                places.push(state.part(start, word.column - state.column + word.text.len()));
                continues = true;
            }
            from = Some((to, word));
        }
        if !continues {
            let message = format!("'{}' is a vertex: an edge joins two", path.shown());
            return path.refuse(bad, message, EXPECTED, EXAMPLE);
        }
    }
    if let Some(loose) = tied(&edges).iter().position(|tied| !tied) {
        let place = places[loose];
        let message = format!(
            "the edge {} is not tied to the ground, vertex 0",
            place.shown()
        );
        return place.refuse(bad, message, "edges that lead to 0 by others", EXAMPLE);
    }
    Ok(Bush::new(edges))
}
