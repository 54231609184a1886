//! A depth-first walk from the ground: what the blocks and their necklaces are found with.

use crate::theory::graph::Beside;

/// No edge: by which the ground was met.
pub(super) const NONE: u32 = u32::MAX;

/// A connected graph whose vertices have the numbers in which a depth-first walk from the ground, 0, met them.
///
/// An edge of the tree of the walk leads from a vertex to the one from which it was met; every other edge leads to a
/// vertex on the way down to the ground, and is said to *span* the edges of the tree between its ends (Tarjan 1974).
#[derive(Debug)]
pub(super) struct Walk {
    /// The ends of each edge, the one nearer to the ground first.
    pub(super) edges: Vec<(u32, u32)>,
    /// The vertex and the edge from which each vertex was met.
    parents: Vec<(u32, u32)>,
    /// The number with which each vertex was given.
    given: Vec<u32>,
}

impl Walk {
    /// Walks without recursion. O(vertices + edges).
    pub(super) fn new(edges: &[(u32, u32)], vertices: usize) -> Self {
        let beside = Beside::new(edges, vertices);
        let mut next = vec![0; vertices];
        let mut numbers = vec![NONE; vertices];
        let mut order = Vec::with_capacity(vertices);
        let mut parents = Vec::with_capacity(vertices);
        numbers[0] = 0;
        order.push(0);
        parents.push((0, NONE));
        let mut at = 0;
        loop {
            let vertex = order[at as usize];
            let place = &mut next[vertex as usize];
            let Some((other, edge)) = beside.at(vertex).get(*place).copied() else {
                if at == 0 {
                    break;
                }
                (at, _) = parents[at as usize];
                continue;
            };
            *place += 1;
            if numbers[other as usize] == NONE {
                numbers[other as usize] = order.len() as u32;
                parents.push((at, edge));
                at = order.len() as u32;
                order.push(other);
            }
        }
        let numbered = edges.iter().map(|(a, b)| {
            let (a, b) = (numbers[*a as usize], numbers[*b as usize]);
            (a.min(b), a.max(b))
        });
        Self {
            edges: numbered.collect(),
            parents,
            given: order,
        }
    }

    /// The number with which a vertex was given.
    pub(super) fn given(&self, vertex: u32) -> u32 {
        self.given[vertex as usize]
    }

    pub(super) fn vertices(&self) -> u32 {
        self.parents.len() as u32
    }

    /// The vertex from which this one was met; of the ground, itself.
    pub(super) fn below(&self, vertex: u32) -> u32 {
        self.parents[vertex as usize].0
    }

    /// The edge by which a vertex above the ground was met.
    pub(super) fn edge_down(&self, vertex: u32) -> u32 {
        self.parents[vertex as usize].1
    }

    /// The edges that are not in the tree, each with its ends: the lower and the upper one.
    pub(super) fn spans(&self) -> impl Iterator<Item = (u32, (u32, u32))> {
        let edges = (0..).zip(self.edges.iter().copied());
        edges.filter(|(edge, (_, upper))| self.edge_down(*upper) != *edge)
    }

    /// The least vertex that each one, or one above it in the tree, is joined to by an edge that is not in the tree;
    /// itself, if none is below it: then its edge down is a bridge. O(vertices + edges).
    pub(super) fn lowest(&self) -> Vec<u32> {
        let mut lowest: Vec<u32> = (0..self.vertices()).collect();
        for (_, (lower, upper)) in self.spans() {
            lowest[upper as usize] = lowest[upper as usize].min(lower);
        }
        for vertex in (1..self.vertices()).rev() {
            let below = self.below(vertex) as usize;
            lowest[below] = lowest[below].min(lowest[vertex as usize]);
        }
        lowest
    }
}
