//! The branches of green trees, vertex by vertex: what an explanation shows of the colon principle.

use rustc_hash::FxHashMap;

use super::bush::Bush;
use crate::fact::{AtVertex, GameFact, Terms};
use crate::theory::Meter;

/// Vertices that are shown.
pub(super) const SHOWN: usize = 8;

/// A green forest by the names of its vertices.
pub(super) struct Branches {
    /// What stands on each vertex, in the order of the edges.
    above: FxHashMap<u32, Vec<u32>>,
    below: FxHashMap<u32, u32>,
    /// Each after the one below it; the ground first.
    order: Vec<u32>,
    /// The xor of the branches on each vertex.
    values: FxHashMap<u32, u64>,
}

impl Branches {
    /// Of a forest without blue and red edges; `None` for others, and if it is too large for the meter. O(edges).
    pub(super) fn of(bush: &Bush, meter: &mut Meter<'_>) -> Option<Self> {
        if !bush.forest || bush.owned.is_some() {
            return None;
        }
        meter.work(bush.edges.len() as u64).ok()?;
        let mut beside: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for edge in &bush.edges {
            beside.entry(edge.from).or_default().push(edge.to);
            beside.entry(edge.to).or_default().push(edge.from);
        }
        let mut branches = Self {
            above: FxHashMap::default(),
            below: FxHashMap::default(),
            order: vec![0],
            values: FxHashMap::default(),
        };
        let mut next = 0;
        while let Some(&vertex) = branches.order.get(next) {
            next += 1;
            let below = branches.below.get(&vertex).copied();
            let mut upper = beside.remove(&vertex).unwrap_or_default();
            upper.retain(|other| Some(*other) != below);
            for other in &upper {
                branches.below.insert(*other, vertex);
                branches.order.push(*other);
            }
            branches.above.insert(vertex, upper);
        }
        for vertex in branches.order.iter().rev() {
            let all = branches.above[vertex].iter();
            let xor = all.fold(0, |xor, upper| xor ^ (branches.values[upper] + 1));
            branches.values.insert(*vertex, xor);
        }
        Some(branches)
    }

    /// The vertices above the ground on which several branches stand, those nearest to the ground; otherwise the first on which one does.
    pub(super) fn facts(&self) -> Vec<GameFact> {
        let above = |least: usize| {
            let vertices = self.order.iter().skip(1);
            vertices.filter(move |vertex| self.above[vertex].len() >= least)
        };
        let forks: Vec<&u32> = above(2).take(SHOWN).collect();
        let shown = match forks.is_empty() {
            true => above(1).take(1).collect(),
            false => forks,
        };
        shown
            .into_iter()
            .map(|vertex| {
                let mut branches = Terms::default();
                for upper in &self.above[vertex] {
                    branches.push(|| upper.to_string(), self.values[upper] + 1);
                }
                GameFact::Vertex {
                    vertex: *vertex,
                    branches,
                    xor: self.values[vertex],
                }
            })
            .collect()
    }

    /// What the cut of the edge between these vertices changes, from its lower end to the ground.
    pub(super) fn cut(&self, a: u32, b: u32) -> Option<GameFact> {
        let upper = if self.below.get(&a) == Some(&b) { a } else { b };
        let mut vertex = *self.below.get(&upper)?;
        let (mut gone, mut come) = (self.values[&upper] + 1, None);
        let (mut chain, mut chain_total) = (Vec::new(), 0);
        loop {
            let before = self.values[&vertex];
            let after = before ^ gone ^ come.unwrap_or(0);
            chain_total += 1;
            if chain.len() < SHOWN {
                chain.push(AtVertex {
                    vertex,
                    before,
                    after,
                });
            }
            let Some(below) = self.below.get(&vertex) else {
                break;
            };
            (gone, come) = (before + 1, Some(after + 1));
            vertex = *below;
        }
        Some(GameFact::Cut { chain, chain_total })
    }
}
