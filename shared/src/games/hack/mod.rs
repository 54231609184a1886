//! Hackenbush: cut an edge, and what is no longer tied to the ground falls. Green edges are cut by both players, blue ones by
//! Left alone, red ones by Right alone.
//!
//! E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways* (1982), chapters 1, 2 and 7.
//!
//! A part is what hangs together without the ground. In a green forest a part stands on one edge, so its value is above 0, and
//! cutting an edge leaves one such part or nothing: the misère rule of tame sums holds. With rings it does not: a ring of four on the
//! ground has value 0 and no move to value 1 that would help.

mod branches;
mod bush;
mod tree;

use std::fmt;

use branches::Branches;
pub use bush::Bush;
use bush::{Colour, Edge, Part};
use tree::Tree;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::{GameFact, MAX_TERMS, PartKind, Terms};
use crate::game::{EndRule, Game, Kind};
use crate::games::heaps::no_parameters;
use crate::games::letters::Letters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationError, Word};
use crate::theory::fusion::Fusion;
use crate::theory::graph::trees_at_ground;
use crate::theory::{CanonicalForm, CanonicalForms, Dyadic, Goal, Meter, MoveList, Stopped};

const EXAMPLE: &str = "hack:0-1-2,0-3";

/// The largest number of edges.
const MAX_EDGES: usize = 200_000;

/// Parts explained one by one.
const SHOWN: usize = 16;

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "hack",
    title: "Hackenbush",
    rule: "Cut one edge: Left, the first player, may cut blue and green edges, Right red and green ones. Whatever is no longer connected to the ground, vertex 0, falls off. The player who makes the last move wins.",
    notation: "hack:0-1-2,0-3 is a stalk of two edges and a stalk of one, both from the ground; 0-1 is a green edge, 0b1 a blue and 0r1 a red one; parallel edges and loops (1-1) are allowed",
    move_notation: "1-2 cuts the green edge between 1 and 2, 0b1 the blue edge between 0 and 1; 1-2_2 cuts the second of parallel edges of the same colour",
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
    method: "green edges only: colon principle and fusion of cycles (bridges and 2-edge-connected blocks), in misere play the rule of tame sums on forests; with blue or red edges: exact numbers on blue-red trees, canonical forms on other graphs; otherwise exhaustive search",
    complexity: "O(edges) for the value of green graphs and of blue-red trees (plus the cost of the digits of their numbers), O(edges log edges) for the winning cuts of green graphs; exponential for cycles with blue or red edges and for misere play",
    limits: "200,000 edges in at most 100,000 paths, vertices up to 999,999,999",
    source: "Berlekamp, Conway, Guy, Winning Ways, 1982, chapters 1, 2 and 7; R. E. Tarjan 1974; J. H. Conway 1976; T. van Roode 2002; L. Georgiadis, G. F. Italiano, E. Kosinas 2021",
    board: BoardKind::Trees,
    read: erased::read::<Hack>,
};

/// The rules of Hackenbush.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Hack;

/// A cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    index: u32,
    edge: Edge,
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Edge { from, to, twin, .. } = self.edge;
        write!(f, "{from}{}{to}", self.edge.colour.letter())?;
        if twin > 1 {
            write!(f, "_{twin}")
        } else {
            Ok(())
        }
    }
}

impl Bush {
    fn cut(&self, index: u32) -> Cut {
        Cut {
            index,
            edge: self.edges[index as usize],
        }
    }

    /// The value of a part that is green or has no ring.
    fn form(
        &self,
        part: Part<'_>,
        forms: &mut CanonicalForms,
        meter: &mut Meter<'_>,
    ) -> Result<Option<CanonicalForm>, Stopped> {
        if self.is_green(part) {
            return forms
                .plain(Dyadic::default(), part.value(), meter)
                .map(Some);
        }
        if part.edges.len() >= part.vertices {
            return Ok(None);
        }
        let tree = Tree::new(self, part);
        let green = |index: &u32| self.edges[*index as usize].colour == Colour::Green;
        let form = match part.edges.iter().any(green) {
            true => tree.form(forms, meter)?,
            false => {
                let number = tree.number(meter)?;
                forms.plain(number, 0, meter)?
            }
        };
        Ok(Some(form))
    }
}

impl Game for Hack {
    type State = Bush;
    type Move = Cut;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Bush), NotationError> {
        no_parameters(parameters, &INFO)?;
        Ok((Self, Bush::read(state)?))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("hack")
    }

    fn write_state(&self, bush: &Bush, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{bush}")
    }

    fn move_count(&self, bush: &Bush, seat: Seat) -> u128 {
        bush.owned(seat).len() as u128
    }

    fn nth_move(&self, bush: &Bush, seat: Seat, n: u128) -> Option<Cut> {
        let place = usize::try_from(n).ok()?;
        bush.owned(seat).get(place).map(|index| bush.cut(*index))
    }

    fn read_move(&self, bush: &Bush, seat: Seat, text: &str) -> Result<Cut, MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let from = letters.number()?;
        let colour = letters.peek().and_then(Colour::read);
        if colour.is_some() {
            letters.skip();
        }
        let to = letters.number()?;
        let mut twin = 1;
        if letters.peek() == Some('_') {
            letters.skip();
            twin = letters.number()?;
        }
        letters.end()?;
        let colour = colour.unwrap_or(Colour::Green);
        let joins = |edge: &&Edge| {
            let ends = (u64::from(edge.from), u64::from(edge.to));
            ends == (from, to) || ends == (to, from)
        };
        let own = |edge: &Edge| edge.colour == colour && u64::from(edge.twin) == twin;
        let found = bush.edges.iter().position(|edge| joins(&edge) && own(edge));
        match found {
            Some(index) if colour.is_cut_by(seat) => Ok(bush.cut(index as u32)),
            Some(_) => {
                let owner = if colour == Colour::Blue {
                    "Left"
                } else {
                    "Right"
                };
                let message = format!("this edge is {}: only {owner} cuts it", colour.name());
                Err(MoveError::at(column, message))
            }
            None => {
                let between: Vec<&Edge> = bush.edges.iter().filter(joins).collect();
                let like = between.iter().filter(|edge| edge.colour == colour).count();
                let message = match (&between[..], like) {
                    ([], _) => format!("there is no edge from {from} to {to}"),
                    ([other, ..], 0) => format!(
                        "the edge from {from} to {to} is {}: it is written {from}{}{to}",
                        other.colour.name(),
                        other.colour.letter()
                    ),
                    (_, 1) => format!("there is one such edge only from {from} to {to}"),
                    _ => format!("there are {like} such edges from {from} to {to}"),
                };
                Err(MoveError::at(column, message))
            }
        }
    }

    fn play(&self, bush: &Bush, cut: &Cut) -> Bush {
        bush.without(cut.index as usize)
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

    fn kind(&self, bush: &Bush) -> Kind {
        match bush.owned {
            None => Kind::Impartial,
            Some(_) => Kind::Partizan,
        }
    }

    fn parts(&self, bush: &Bush) -> Vec<Bush> {
        bush.parts().map(|part| bush.part(part)).collect()
    }

    fn values(&self, bush: &Bush, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        meter.work(bush.edges.len() as u64)?;
        let value = |part: Part<'_>| bush.is_green(part).then(|| part.value());
        Ok(bush.parts().map(value).collect())
    }

    fn forms(
        &self,
        bush: &Bush,
        forms: &mut CanonicalForms,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<CanonicalForm>>, Stopped> {
        meter.work(bush.edges.len() as u64)?;
        let mut all = Vec::new();
        for part in bush.parts() {
            all.push(bush.form(part, forms, meter)?);
        }
        Ok(all)
    }

    fn keeps_values(&self, bush: &Bush) -> bool {
        self.kind(bush) == Kind::Impartial
    }

    fn method(&self) -> &'static str {
        "colon principle and fusion"
    }

    fn is_tame(&self, bush: &Bush) -> bool {
        bush.forest && bush.owned.is_none()
    }

    fn free_choices(&self, bush: &Bush) -> usize {
        bush.parts().map(Part::free_choices).sum()
    }

    fn bytes(&self, bush: &Bush) -> u64 {
        bush.edges.len() as u64 * 32
    }

    fn replies(
        &self,
        bush: &Bush,
        part: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Cut>>, Stopped> {
        if matches!(goal, Goal::MisereLoss(_)) && !self.is_tame(bush) {
            return Ok(None);
        }
        let goal = goal.of_one_part();
        let part = bush.nth_part(part);
        meter.work(part.edges.len() as u64)?;
        let found = Fusion::new(part.ends, part.vertices).reaching(goal, meter)?;
        let mut replies = MoveList::default();
        for place in found {
            replies.push(want, || bush.cut(part.edges[place as usize]));
        }
        Ok(Some(replies))
    }

    fn part_kind(&self) -> PartKind {
        PartKind::Bush
    }

    fn part_name(&self, bush: &Bush, part: usize) -> String {
        bush.cut(bush.nth_part(part).edges[0]).to_string()
    }

    fn facts(&self, bush: &Bush, end: EndRule, meter: &mut Meter<'_>) -> Vec<GameFact> {
        match Branches::of(bush, meter) {
            Some(branches) => branches.facts(),
            // In misere play cycles may not be fused.
            None if bush.owned.is_some() || end.is_misere() => Vec::new(),
            None => bush.fused(meter).unwrap_or_default(),
        }
    }

    fn changes(&self, bush: &Bush, cut: &Cut, _: EndRule, meter: &mut Meter<'_>) -> Vec<GameFact> {
        let branches = Branches::of(bush, meter);
        let change = branches.and_then(|branches| branches.cut(cut.edge.from, cut.edge.to));
        change.into_iter().collect()
    }

    fn explain(&self, bush: &Bush, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        if bush.owned.is_some() {
            return bush.explain_coloured(meter);
        }
        let mut lines = vec!["The value of a branch is one more than the value of what stands on it; branches at one vertex are added by xor;".to_owned()];
        lines.push("the vertices of a cycle may be fused: an odd cycle counts as one edge, an even one as none.".to_owned());
        if meter.work(bush.edges.len() as u64).is_err() {
            return lines;
        }
        let mut xor = 0;
        for (index, part) in bush.parts().enumerate() {
            let value = part.value();
            xor ^= value;
            if index < SHOWN {
                lines.push(bush.line(part, &value.to_string()));
            }
        }
        lines.extend(bush.more_parts());
        lines.push(format!("  XOR of the values: {xor}"));
        if end.is_misere() {
            lines.push(match bush.forest {
                true => "Misere play, and no cycles: while a value is above 1, aim for xor 0; if your cut leaves none above 1, leave xor 1.".to_owned(),
                false => "Misere play: cycles may not be fused, so only an exhaustive search decides.".to_owned(),
            });
        }
        lines
    }
}

impl Bush {
    /// The values of the parts that have a method; what they come to is told where all components are known.
    fn explain_coloured(&self, meter: &mut Meter<'_>) -> Vec<String> {
        let mut lines = vec![
            "A number says by how many moves Left, who owns blue, is ahead; a negative number, by how many Right is.".to_owned(),
            "The value of a blue edge is 1; with something of value x on it, (x+n)/2^(n-1), where n is the least number from 1 with".to_owned(),
            "x+n > 1; a red edge the same with all signs changed. {a|b}: Left may bring the part to a, Right to b.".to_owned(),
        ];
        let mut forms = CanonicalForms::default();
        for part in self.parts().take(SHOWN) {
            let value = match self.form(part, &mut forms, meter) {
                Ok(Some(form)) => forms.shown(form),
                _ => "computed from its moves".to_owned(),
            };
            lines.push(self.line(part, &value));
        }
        lines.extend(self.more_parts());
        lines
    }

    /// Cycles of green parts, made one vertex each, and the vertices on which several branches stand: those nearest to the ground, part by part.
    fn fused(&self, meter: &mut Meter<'_>) -> Result<Vec<GameFact>, Stopped> {
        meter.work(self.edges.len() as u64)?;
        let mut facts = Vec::new();
        for part in self.parts() {
            let mut labels = vec![0; part.vertices];
            for ((a, b), index) in part.ends.iter().zip(part.edges) {
                let Edge { from, to, .. } = self.edges[*index as usize];
                labels[*a as usize] = from;
                labels[*b as usize] = to;
            }
            let label = |vertex: &u32| labels[*vertex as usize];
            for block in Fusion::new(part.ends, part.vertices).blocks() {
                if facts.len() == branches::SHOWN {
                    return Ok(facts);
                }
                let mut branches = Terms::default();
                for (upper, value) in &block.branches {
                    branches.push(|| label(upper).to_string(), *value);
                }
                let xor = block.value;
                match (block.edges, branches.total) {
                    (0, 0 | 1) => {}
                    (0, _) => facts.push(GameFact::Vertex {
                        vertex: label(&block.vertices[0]),
                        branches,
                        xor,
                    }),
                    (edges, _) => facts.push(GameFact::Fused {
                        vertices_total: block.vertices.len() as u64,
                        vertices: block.vertices.iter().take(MAX_TERMS).map(label).collect(),
                        edges,
                        branches,
                        xor,
                    }),
                }
            }
        }
        Ok(facts)
    }

    fn line(&self, part: Part<'_>, value: &str) -> String {
        format!(
            "  from {:<9} {:<28} value {value}",
            self.cut(part.edges[0]).to_string(),
            part.shape()
        )
    }

    fn more_parts(&self) -> Option<String> {
        let count = self.part_count();
        (count > SHOWN).then(|| format!("  and {} more parts", count - SHOWN))
    }
}

impl Part<'_> {
    /// The value of a green part.
    fn value(self) -> u64 {
        Fusion::new(self.ends, self.vertices).value()
    }

    /// How many edges there are at each vertex; a loop counts twice.
    fn degrees(self) -> Vec<u32> {
        let mut degrees = vec![0; self.vertices];
        for (a, b) in self.ends {
            degrees[*a as usize] += 1;
            degrees[*b as usize] += 1;
        }
        degrees
    }

    /// The edges beside a spanning tree and those of the tree that end in the air may be cut in any order; all but a
    /// tree at the ground may be cut away.
    fn free_choices(self) -> usize {
        let degrees = self.degrees();
        let tips = degrees.iter().skip(1).filter(|degree| **degree == 1);
        let free = self.edges.len() + 1 - self.vertices + tips.count();
        free.max(trees_at_ground(self.ends, self.vertices).ilog2() as usize)
    }

    /// What it looks like, in words.
    fn shape(self) -> String {
        let count = self.edges.len();
        match count + 1 - self.vertices {
            0 if self.degrees().iter().all(|degree| *degree <= 2) => {
                format!("stalk, height {count}")
            }
            0 => format!("tree, {count} edges"),
            1 => format!("{count} edges with a cycle"),
            rings => format!("{count} edges with {rings} cycles"),
        }
    }
}
