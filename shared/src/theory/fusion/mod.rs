//! Values of green Hackenbush: the colon principle on trees and fusion of rings (Berlekamp, Conway, Guy 1982, chapter 7).
//!
//! All vertices of a block without bridges may be fused into one: its edges become loops, each worth 1. What hangs on a
//! bridge is worth one more than what stands above it.
//!
//! What a cut leaves of a block has bridges where the cut edge and another part the block together: all edges that do so two
//! by two are looked at at once, as a necklace.

mod necklaces;
mod stalks;
mod walk;

use necklaces::Necklaces;
use stalks::Stalks;
use walk::Walk;

use crate::theory::{Meter, Stopped};

/// The edges of a necklace and between them the values of its beads, but for the bead that has the foot of the block.
#[derive(Default)]
struct Necklace {
    strings: Vec<u32>,
    beads: Vec<u64>,
}

/// Vertices that lie on cycles together, or one that lies on none, and what stands on them. Vertices have the numbers that the graph was given with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its vertices, the one nearest to the ground first.
    pub vertices: Vec<u32>,
    /// The edges among them.
    pub edges: u64,
    /// The upper ends of the bridges on them, each with the value of the bridge and all above it.
    pub branches: Vec<(u32, u64)>,
    /// The value of everything above its first vertex.
    pub value: u64,
}

/// A connected graph on the ground, evaluated.
#[derive(Debug)]
pub struct Fusion {
    walk: Walk,
    /// The lowest vertex to which an edge leads from each one or from above it.
    lowest: Vec<u32>,
    /// The block of each vertex; a block comes after the one below it.
    block: Vec<u32>,
    /// Of each block: the vertex nearest to the ground. Its edge down is the bridge to the block below.
    feet: Vec<u32>,
    /// Of each block: the value of everything above its foot.
    values: Vec<u64>,
}

impl Fusion {
    /// Evaluates a connected graph of at least one vertex; vertex 0 is the ground. O(vertices + edges).
    #[must_use]
    pub fn new(edges: &[(u32, u32)], vertices: usize) -> Self {
        let walk = Walk::new(edges, vertices);
        let lowest = walk.lowest();
        let mut block = Vec::with_capacity(vertices);
        let mut feet = Vec::new();
        for vertex in 0..walk.vertices() {
            if lowest[vertex as usize] < vertex {
                block.push(block[walk.below(vertex) as usize]);
            } else {
                block.push(feet.len() as u32);
                feet.push(vertex);
            }
        }
        let mut fusion = Self {
            walk,
            lowest,
            block,
            values: vec![0; feet.len()],
            feet,
        };
        for (lower, upper) in &fusion.walk.edges {
            if fusion.block_of(*lower) == fusion.block_of(*upper) {
                fusion.values[fusion.block[*upper as usize] as usize] ^= 1;
            }
        }
        for upper in (1..fusion.feet.len()).rev() {
            let lower = fusion.below(upper);
            fusion.values[lower] ^= fusion.values[upper] + 1;
        }
        fusion
    }

    /// The value of the whole.
    #[must_use]
    pub fn value(&self) -> u64 {
        self.values[0]
    }

    /// The blocks, each after the one below it. O(vertices + edges).
    #[must_use]
    pub fn blocks(&self) -> Vec<Block> {
        let empty = |value: &u64| Block {
            vertices: Vec::new(),
            edges: 0,
            branches: Vec::new(),
            value: *value,
        };
        let mut blocks: Vec<Block> = self.values.iter().map(empty).collect();
        for vertex in 0..self.walk.vertices() {
            let block = &mut blocks[self.block_of(vertex)];
            block.vertices.push(self.walk.given(vertex));
        }
        for (lower, upper) in &self.walk.edges {
            if self.block_of(*lower) == self.block_of(*upper) {
                blocks[self.block_of(*upper)].edges += 1;
            }
        }
        for upper in 1..self.feet.len() {
            let branch = (self.walk.given(self.feet[upper]), self.values[upper] + 1);
            blocks[self.below(upper)].branches.push(branch);
        }
        blocks
    }

    fn block_of(&self, vertex: u32) -> usize {
        self.block[vertex as usize] as usize
    }

    /// The block on which one other than the first stands by its bridge.
    fn below(&self, block: usize) -> usize {
        self.block_of(self.walk.below(self.feet[block]))
    }

    /// The edges whose cutting gives the whole this value, ascending. O(vertices + edges · log edges).
    pub fn reaching(&self, goal: u64, meter: &mut Meter<'_>) -> Result<Vec<u32>, Stopped> {
        meter.work(u64::from(self.walk.vertices()) / 4)?;
        let mut found = Vec::new();
        let mut goals = vec![None; self.feet.len()];
        goals[0] = Some(goal);
        for upper in 1..self.feet.len() {
            let lower = self.below(upper);
            let hanging = self.values[upper] + 1;
            let Some(wanted) = goals[lower].map(|goal| self.values[lower] ^ hanging ^ goal) else {
                continue;
            };
            match wanted {
                0 => found.push(self.walk.edge_down(self.feet[upper])),
                _ => goals[upper] = Some(wanted - 1),
            }
        }
        self.reaching_in_blocks(&goals, &mut found, meter)?;
        found.sort_unstable();
        Ok(found)
    }

    /// Adds the edges that bring their block to its goal. Without an edge of no necklace a block has one edge less; without a string
    /// of one, its beads are on two stalks that stand on the bead with the foot.
    fn reaching_in_blocks(
        &self,
        goals: &[Option<u64>],
        found: &mut Vec<u32>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        meter.work(self.walk.edges.len() as u64 / 4)?;
        let necklaces = Necklaces::new(&self.walk, &self.lowest);
        let above = self.above();
        let mut necklace = Necklace::default();
        let mut stalks = Stalks::default();
        let (mut up, mut down) = (Vec::new(), Vec::new());
        let mut closing = vec![false; self.walk.edges.len()];
        for first in necklaces.firsts() {
            if let Some(last) = necklaces.closing(*first) {
                closing[last as usize] = true;
            }
            let block = self.block_of(*first);
            let Some(goal) = goals[block] else {
                continue;
            };
            self.read(&necklaces, *first, &above, &mut necklace);
            let Necklace { strings, beads } = &necklace;
            let all = self.values[block] ^ (strings.len() as u64 & 1);
            let foot = beads.iter().fold(all, |value, bead| value ^ bead);
            stalks.cut(beads.iter().copied(), &mut up, meter)?;
            stalks.cut(beads.iter().rev().copied(), &mut down, meter)?;
            let cuts = strings.iter().zip(up.iter().zip(down.iter().rev()));
            let reaching = cuts.filter(|(_, (up, down))| foot ^ *up ^ *down == goal);
            found.extend(reaching.map(|(edge, _)| *edge));
        }
        let others = self.walk.spans();
        let others = others.filter(|(edge, _)| !closing[*edge as usize]);
        let reaching = others.filter(|(_, (_, upper))| {
            let block = self.block_of(*upper);
            goals[block] == Some(self.values[block] ^ 1)
        });
        found.extend(reaching.map(|(edge, _)| edge));
        Ok(())
    }

    /// Reads one necklace from its lowest string up; `above` is what [`Fusion::above`] tells.
    fn read(&self, necklaces: &Necklaces, first: u32, above: &[u64], necklace: &mut Necklace) {
        let Necklace { strings, beads } = necklace;
        strings.clear();
        beads.clear();
        let mut at = first;
        for next in necklaces.upwards(first) {
            strings.push(self.walk.edge_down(next));
            if next != at {
                // The string between them is no part of the bead.
                beads.push(above[at as usize] ^ above[next as usize] ^ 1);
            }
            at = next;
        }
        if let Some(last) = necklaces.closing(first) {
            strings.push(last);
            // Two strings are no part of it.
            beads.push(above[at as usize]);
        }
    }

    /// Of each vertex: what it and those above it in its block bear, and 1 for each edge of the block that ends at them and comes
    /// from below.
    fn above(&self) -> Vec<u64> {
        let mut above = vec![0; self.block.len()];
        for (lower, upper) in &self.walk.edges {
            if self.block_of(*lower) == self.block_of(*upper) {
                above[*upper as usize] ^= 1;
            }
        }
        for vertex in (1..self.walk.vertices()).rev() {
            let block = self.block_of(vertex);
            let hanging = match self.feet[block] == vertex {
                true => self.values[block] + 1,
                false => above[vertex as usize],
            };
            above[self.walk.below(vertex) as usize] ^= hanging;
        }
        above
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::theory::graph::Numbering;
    use crate::theory::mex;

    fn value(vertices: usize, edges: &[(u32, u32)]) -> u64 {
        Fusion::new(edges, vertices).value()
    }

    #[test]
    fn stalks_trees_and_rings() {
        assert_eq!(value(1, &[]), 0);
        assert_eq!(value(4, &[(0, 1), (1, 2), (2, 3)]), 3);
        assert_eq!(value(4, &[(0, 1), (1, 2), (1, 3), (3, 3)]), 4);
        assert_eq!(value(3, &[(0, 1), (1, 2), (2, 0)]), 1);
        assert_eq!(value(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]), 0);
        assert_eq!(value(2, &[(0, 1), (1, 0), (1, 1)]), 1);
    }

    /// A generator (D. Knuth's MMIX) of numbers below a bound.
    fn numbers(mut seed: u64) -> impl FnMut(u64) -> u64 {
        move |below| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        }
    }

    /// What is still tied to the ground of those edges whose bit is set.
    fn tied(edges: &[(u32, u32)], set: u64) -> u64 {
        let mut reached = 1u64;
        let mut tied = 0;
        loop {
            let before = tied;
            for (place, (a, b)) in edges.iter().enumerate() {
                if set >> place & 1 == 1 && (reached >> a | reached >> b) & 1 == 1 {
                    reached |= 1 << a | 1 << b;
                    tied |= 1 << place;
                }
            }
            if tied == before {
                return tied;
            }
        }
    }

    /// The value by all lines of play.
    fn by_moves(edges: &[(u32, u32)], set: u64, known: &mut HashMap<u64, u64>) -> u64 {
        if let Some(value) = known.get(&set) {
            return *value;
        }
        let cuts = (0..edges.len()).filter(|place| set >> place & 1 == 1);
        let values: Vec<u64> = cuts
            .map(|place| by_moves(edges, tied(edges, set & !(1 << place)), known))
            .collect();
        known.insert(set, mex(&values));
        mex(&values)
    }

    /// The value of those edges alone.
    fn value_of(edges: &[(u32, u32)], set: u64) -> u64 {
        let mut names = Numbering::default();
        names.number(0);
        let kept = (0..edges.len()).filter(|place| set >> place & 1 == 1);
        let kept: Vec<(u32, u32)> = kept
            .map(|place| (names.number(edges[place].0), names.number(edges[place].1)))
            .collect();
        value(names.len(), &kept)
    }

    /// Compares the cuts that reach each value with what `after` says of the rest.
    fn assert_cuts(edges: &[(u32, u32)], vertices: usize, mut after: impl FnMut(u64) -> u64) {
        let mut meter = Meter::new(1 << 30, 1 << 30, &|| false);
        let all = (1u64 << edges.len()) - 1;
        let cut = |place: usize| tied(edges, all & !(1 << place));
        let values: Vec<u64> = (0..edges.len()).map(|place| after(cut(place))).collect();
        let fusion = Fusion::new(edges, vertices);
        for goal in 0..=edges.len() as u64 {
            let reaching = (0..).zip(&values).filter(|(_, value)| **value == goal);
            let reaching: Vec<u32> = reaching.map(|(place, _)| place).collect();
            assert_eq!(
                fusion.reaching(goal, &mut meter),
                Ok(reaching),
                "{edges:?} {goal}"
            );
        }
    }

    /// Edges of which each new vertex has one, and others anywhere: parallel ones and loops.
    fn graph(vertices: u64, others: u64, mut number: impl FnMut(u64) -> u64) -> Vec<(u32, u32)> {
        let mut edges: Vec<(u32, u32)> = (1..vertices)
            .map(|vertex| (number(vertex) as u32, vertex as u32))
            .collect();
        for _ in 0..others {
            edges.push((number(vertices) as u32, number(vertices) as u32));
        }
        for place in (1..edges.len()).rev() {
            edges.swap(place, number(place as u64 + 1) as usize);
        }
        edges
    }

    #[test]
    fn cuts_as_all_lines_of_play_tell() {
        let mut number = numbers(1);
        for _ in 0..300 {
            let (vertices, others) = (1 + number(6), number(5));
            let edges = graph(vertices, others, &mut number);
            let mut known = HashMap::default();
            let all = (1u64 << edges.len()) - 1;
            assert_eq!(
                value(vertices as usize, &edges),
                by_moves(&edges, all, &mut known)
            );
            assert_cuts(&edges, vertices as usize, |set| {
                by_moves(&edges, set, &mut known)
            });
        }
    }

    #[test]
    fn cuts_as_the_value_of_the_rest_tells() {
        let mut number = numbers(2);
        for round in 0..2_000 {
            let (vertices, others) = (1 + number(30), number(2 + round % 12));
            let edges = graph(vertices, others, &mut number);
            assert_cuts(&edges, vertices as usize, |set| value_of(&edges, set));
        }
    }

    /// Rings through rings, with stalks, tell of long necklaces whose beads are not bare.
    #[test]
    fn cuts_of_rings_in_rings() {
        let mut number = numbers(3);
        for _ in 0..500 {
            let mut edges = vec![(0, 0)];
            let mut vertices = 1;
            while edges.len() < 30 {
                let (from, to) = (number(vertices) as u32, number(vertices) as u32);
                let length = 1 + number(9) as u32;
                let ends = number(3) > 0;
                let mut at = from;
                for step in 1..=length {
                    let next = match step == length && ends {
                        true => to,
                        false => vertices as u32,
                    };
                    vertices = vertices.max(u64::from(next) + 1);
                    edges.push((at, next));
                    at = next;
                }
            }
            assert_cuts(&edges, vertices as usize, |set| value_of(&edges, set));
        }
    }

    #[test]
    fn a_hundred_thousand_edges_without_recursion() {
        const LENGTH: u32 = 100_000;
        let mut meter = Meter::new(1 << 20, 1 << 20, &|| false);
        let stalk: Vec<(u32, u32)> = (0..LENGTH).map(|v| (v, v + 1)).collect();
        assert_eq!(value(100_001, &stalk), 100_000);
        let found = Fusion::new(&stalk, 100_001).reaching(7, &mut meter);
        assert_eq!(found, Ok(vec![7]));
        let ring: Vec<(u32, u32)> = (0..=LENGTH).map(|v| (v, (v + 1) % (LENGTH + 1))).collect();
        assert_eq!(value(100_001, &ring), 1);
        // Cut in the middle, a ring leaves two stalks that differ by nothing.
        let found = Fusion::new(&ring, 100_001).reaching(0, &mut meter);
        assert_eq!(found, Ok(vec![50_000]));
        // A ladder whose rungs keep all but its ends whole: each other cut takes one edge from a block.
        let (left, right) = (|v| 2 * v, |v| 2 * v + 1);
        let rails = (0..LENGTH).flat_map(|v| [(left(v), left(v + 1)), (right(v), right(v + 1))]);
        let rungs = (0..=LENGTH).map(|v| (left(v), right(v)));
        let ladder: Vec<(u32, u32)> = rails.chain(rungs).collect();
        let fusion = Fusion::new(&ladder, 2 * LENGTH as usize + 2);
        assert_eq!(fusion.value(), 1);
        let found = fusion.reaching(0, &mut meter).expect("work is left");
        assert!(found.len() > LENGTH as usize);
        assert_eq!(found.last(), Some(&(3 * LENGTH)));
    }
}
