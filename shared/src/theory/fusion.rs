//! Values of green Hackenbush: the colon principle on trees and fusion of rings (Berlekamp, Conway, Guy 1982, chapter 7).
//!
//! All vertices of a block without bridges may be fused into one: its edges become loops, each worth 1. What hangs on a
//! bridge is worth one more than what stands above it.

use crate::theory::{Meter, Stopped};

/// A connected graph on the ground, evaluated.
#[derive(Debug)]
pub struct Fusion<'g> {
    edges: &'g [(u32, u32)],
    /// What hangs on each vertex from outside, as a value.
    hung: &'g [u64],
    /// The block of each vertex; a block comes after the one below it.
    block: Vec<u32>,
    /// Of each block: the vertex nearest to the ground, and the bridge to it, if any.
    feet: Vec<(u32, Option<u32>)>,
    /// Of each block: the value of everything above its foot.
    values: Vec<u64>,
}

/// The edges at each vertex, one list after the other; a loop is there once.
struct Incidence {
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl Incidence {
    fn new(vertices: usize, edges: &[(u32, u32)]) -> Self {
        let ends = |&(a, b): &(u32, u32)| [Some(a), (a != b).then_some(b)].into_iter().flatten();
        let mut starts = vec![0; vertices + 1];
        for end in edges.iter().flat_map(ends) {
            starts[end as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut lists = vec![0; starts[vertices] as usize];
        for (index, edge) in edges.iter().enumerate() {
            for end in ends(edge) {
                lists[next[end as usize] as usize] = index as u32;
                next[end as usize] += 1;
            }
        }
        Self {
            starts,
            edges: lists,
        }
    }

    fn at(&self, vertex: u32, place: usize) -> Option<u32> {
        let (from, to) = (
            self.starts[vertex as usize],
            self.starts[vertex as usize + 1],
        );
        self.edges[from as usize..to as usize].get(place).copied()
    }
}

impl<'g> Fusion<'g> {
    /// Evaluates a connected graph; vertex 0 is the ground, and `hung` has a value for each vertex. O(vertices + edges).
    #[must_use]
    pub fn new(edges: &'g [(u32, u32)], hung: &'g [u64]) -> Self {
        let Walk {
            order,
            parents,
            low,
        } = depth_first(edges, hung.len());
        let mut block = vec![0; hung.len()];
        let mut feet: Vec<(u32, Option<u32>)> = Vec::new();
        for (number, vertex) in order.iter().enumerate() {
            block[*vertex as usize] = match parents[*vertex as usize] {
                Some((below, _)) if low[*vertex as usize] < number as u32 => block[below as usize],
                parent => {
                    feet.push((*vertex, parent.map(|(_, edge)| edge)));
                    feet.len() as u32 - 1
                }
            };
        }
        let mut fusion = Self {
            edges,
            hung,
            block,
            values: vec![0; feet.len()],
            feet,
        };
        for (a, b) in edges {
            if fusion.block_of(*a) == fusion.block_of(*b) {
                fusion.values[fusion.block[*a as usize] as usize] ^= 1;
            }
        }
        for (vertex, value) in hung.iter().enumerate() {
            fusion.values[fusion.block[vertex] as usize] ^= value;
        }
        for upper in (1..fusion.feet.len()).rev() {
            if let Some(lower) = fusion.below(upper) {
                fusion.values[lower] ^= fusion.values[upper] + 1;
            }
        }
        fusion
    }

    /// The value of the whole.
    #[must_use]
    pub fn value(&self) -> u64 {
        self.values.first().copied().unwrap_or(0)
    }

    fn block_of(&self, vertex: u32) -> usize {
        self.block[vertex as usize] as usize
    }

    /// The block on which this one stands by its bridge.
    fn below(&self, block: usize) -> Option<usize> {
        let (foot, bridge) = self.feet[block];
        let (a, b) = self.edges[bridge? as usize];
        Some(self.block_of(if a == foot { b } else { a }))
    }

    /// The edges whose cutting gives the whole this value, ascending. O(vertices + edges) for what is not on a ring or on one by itself, the vertices of such a ring that
    /// bear something for each of its edges, and the length of its block for every edge of another block.
    pub fn reaching(&self, goal: u64, meter: &mut Meter<'_>) -> Result<Vec<u32>, Stopped> {
        let mut found = Vec::new();
        let mut goals = vec![None; self.feet.len()];
        goals[0] = Some(goal);
        for upper in 1..self.feet.len() {
            let (Some(lower), (_, Some(bridge))) = (self.below(upper), self.feet[upper]) else {
                continue;
            };
            meter.work(1)?;
            let hanging = self.values[upper] + 1;
            let Some(wanted) = goals[lower].map(|goal| self.values[lower] ^ hanging ^ goal) else {
                continue;
            };
            match wanted {
                0 => found.push(bridge),
                _ => goals[upper] = Some(wanted - 1),
            }
        }
        let mut rings: Vec<Vec<u32>> = vec![Vec::new(); self.feet.len()];
        for (index, (a, b)) in self.edges.iter().enumerate() {
            let block = self.block_of(*a);
            if block == self.block_of(*b) && goals[block].is_some() {
                rings[block].push(index as u32);
            }
        }
        let hanging = self.hanging();
        for (block, ring) in rings.iter().enumerate() {
            if let Some(goal) = goals[block].filter(|_| !ring.is_empty()) {
                self.reaching_in(block, ring, &hanging, goal, &mut found, meter)?;
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    /// What hangs on each vertex, by bridges and from outside.
    fn hanging(&self) -> Vec<u64> {
        let mut hanging = self.hung.to_vec();
        for (upper, (foot, bridge)) in self.feet.iter().enumerate() {
            if let Some(bridge) = bridge {
                let (a, b) = self.edges[*bridge as usize];
                hanging[if a == *foot { b } else { a } as usize] ^= self.values[upper] + 1;
            }
        }
        hanging
    }

    /// Adds the edges of one block that bring it to this value: it is evaluated again without each of them.
    fn reaching_in(
        &self,
        block: usize,
        ring: &[u32],
        hanging: &[u64],
        goal: u64,
        found: &mut Vec<u32>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        let foot = self.feet[block].0;
        let mut vertices: Vec<u32> = ring
            .iter()
            .flat_map(|edge| <[u32; 2]>::from(self.edges[*edge as usize]))
            .collect();
        vertices.sort_unstable_by_key(|vertex| (*vertex != foot, *vertex));
        vertices.dedup();
        let place = |vertex: u32| match vertex == foot {
            true => 0,
            false => {
                let others = &vertices[1..];
                1 + others.binary_search(&vertex).map_or(0, |place| place) as u32
            }
        };
        let hung: Vec<u64> = vertices
            .iter()
            .map(|vertex| hanging[*vertex as usize])
            .collect();
        let inside: Vec<(u32, u32)> = ring
            .iter()
            .map(|edge| self.edges[*edge as usize])
            .map(|(a, b)| (place(a), place(b)))
            .collect();
        if let Some(way) = round(&inside, vertices.len()) {
            let cuts = cuts_of_ring(&way, &hung, meter)?;
            let reaching = cuts.into_iter().filter(|(_, value)| *value == goal);
            found.extend(reaching.map(|(index, _)| ring[index]));
            return Ok(());
        }
        let mut rest = inside.clone();
        for (index, edge) in ring.iter().enumerate() {
            let (a, b) = inside[index];
            let value = if a == b {
                self.values[block] ^ 1
            } else {
                meter.work(1 + inside.len() as u64)?;
                rest.clone_from(&inside);
                rest.swap_remove(index);
                Fusion::new(&rest, &hung).value()
            };
            if value == goal {
                found.push(*edge);
            }
        }
        Ok(())
    }
}

/// The way round a block that is one ring: its edges from vertex 0 on, each with the vertex that it leads to.
fn round(edges: &[(u32, u32)], vertices: usize) -> Option<Vec<(usize, u32)>> {
    let mut beside: Vec<Vec<usize>> = vec![Vec::new(); vertices];
    for (index, (a, b)) in edges.iter().enumerate() {
        beside[*a as usize].push(index);
        beside[*b as usize].push(index);
    }
    let plain = |(a, b): &(u32, u32)| a != b;
    if !edges.iter().all(plain) || beside.iter().any(|edges| edges.len() != 2) {
        return None;
    }
    let (mut vertex, mut by) = (0, beside[0][0]);
    let mut way = Vec::with_capacity(edges.len());
    loop {
        let (a, b) = edges[by];
        vertex = if a == vertex { b } else { a };
        way.push((by, vertex));
        if vertex == 0 {
            return Some(way);
        }
        let [one, other] = beside[vertex as usize][..] else {
            return None;
        };
        by = if one == by { other } else { one };
    }
}

/// The value of a ring after each cut, which leaves two stalks at its foot. O(edges) where nothing hangs on it, else that times the vertices on which something does.
fn cuts_of_ring(
    way: &[(usize, u32)],
    hung: &[u64],
    meter: &mut Meter<'_>,
) -> Result<Vec<(usize, u64)>, Stopped> {
    let up = way.iter().map(|(_, vertex)| hung[*vertex as usize]);
    let mut up: Vec<u64> = up.collect();
    // The last edge leads back to the foot.
    let foot = up.pop().unwrap_or(0);
    let one = stalks(&up, meter)?;
    up.reverse();
    let other = stalks(&up, meter)?;
    let values = one.iter().zip(other.iter().rev());
    let cuts = way.iter().zip(values);
    Ok(cuts
        .map(|((edge, _), (one, other))| (*edge, foot ^ one ^ other))
        .collect())
}

/// The values of stalks of every height, from 0 on, with this hanging on their vertices from below.
fn stalks(hung: &[u64], meter: &mut Meter<'_>) -> Result<Vec<u64>, Stopped> {
    let mut laden: Vec<usize> = Vec::new();
    let mut values = vec![0];
    for height in 1..=hung.len() {
        if hung[height - 1] != 0 {
            laden.push(height);
        }
        meter.work(1 + laden.len() as u64 / 8)?;
        // Bare vertices add 1 each.
        let (mut value, mut at) = (0, height);
        for vertex in laden.iter().rev() {
            value = (hung[vertex - 1] ^ (value + (at - vertex) as u64)) + 1;
            at = vertex - 1;
        }
        values.push(value + at as u64);
    }
    Ok(values)
}

/// A depth-first walk from the ground.
struct Walk {
    /// The vertices, in the order in which they were met.
    order: Vec<u32>,
    /// The vertex and the edge by which each was met.
    parents: Vec<Option<(u32, u32)>>,
    /// The earliest number in the order that each vertex, or one above it, touches by another edge.
    low: Vec<u32>,
}

/// Walks without recursion; what bridges are follows from it (Tarjan 1974).
fn depth_first(edges: &[(u32, u32)], vertices: usize) -> Walk {
    const UNSEEN: u32 = u32::MAX;
    let incidence = Incidence::new(vertices, edges);
    let mut number = vec![UNSEEN; vertices];
    let mut low = vec![UNSEEN; vertices];
    let mut parents: Vec<Option<(u32, u32)>> = vec![None; vertices];
    let mut order = Vec::with_capacity(vertices);
    let mut path: Vec<(u32, usize)> = Vec::new();
    if vertices > 0 {
        number[0] = 0;
        low[0] = 0;
        order.push(0);
        path.push((0, 0));
    }
    while let Some((vertex, place)) = path.last_mut() {
        let vertex = *vertex;
        let Some(edge) = incidence.at(vertex, *place) else {
            path.pop();
            if let Some((below, _)) = parents[vertex as usize] {
                low[below as usize] = low[below as usize].min(low[vertex as usize]);
            }
            continue;
        };
        *place += 1;
        if parents[vertex as usize].is_some_and(|(_, by)| by == edge) {
            continue;
        }
        let (a, b) = edges[edge as usize];
        let other = if a == vertex { b } else { a };
        if number[other as usize] == UNSEEN {
            number[other as usize] = order.len() as u32;
            low[other as usize] = order.len() as u32;
            order.push(other);
            parents[other as usize] = Some((vertex, edge));
            path.push((other, 0));
        } else {
            low[vertex as usize] = low[vertex as usize].min(number[other as usize]);
        }
    }
    Walk {
        order,
        parents,
        low,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(vertices: usize, edges: &[(u32, u32)]) -> u64 {
        Fusion::new(edges, &vec![0; vertices]).value()
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

    #[test]
    fn a_hundred_thousand_edges_without_recursion() {
        let stalk: Vec<(u32, u32)> = (0..100_000).map(|v| (v, v + 1)).collect();
        assert_eq!(value(100_001, &stalk), 100_000);
        let ring: Vec<(u32, u32)> = (0..100_001).map(|v| (v, (v + 1) % 100_001)).collect();
        assert_eq!(value(100_001, &ring), 1);
        let mut meter = Meter::new(1 << 20, 1 << 20, &|| false);
        let hung = vec![0; 100_001];
        let found = Fusion::new(&stalk, &hung).reaching(7, &mut meter);
        assert_eq!(found, Ok(vec![7]));
        // Cut in the middle, a ring leaves two stalks that differ by nothing.
        let found = Fusion::new(&ring, &hung[..100_001]).reaching(0, &mut meter);
        assert_eq!(found, Ok(vec![50_000]));
    }

    #[test]
    fn a_ring_with_branches_is_as_every_block() {
        let mut meter = Meter::new(1 << 30, 1 << 30, &|| false);
        let mut seed = 1u64;
        for length in 2..40u32 {
            let hung: Vec<u64> = (0..length)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (seed >> 60).saturating_sub(8)
                })
                .collect();
            let edges: Vec<(u32, u32)> = (0..length).map(|v| (v, (v + 1) % length)).collect();
            for goal in 0..length as u64 + 8 {
                let found = Fusion::new(&edges, &hung).reaching(goal, &mut meter);
                let by_hand = (0..edges.len()).filter(|cut| {
                    let mut rest = edges.clone();
                    rest.remove(*cut);
                    Fusion::new(&rest, &hung).value() == goal
                });
                let by_hand = by_hand.map(|cut| cut as u32).collect();
                assert_eq!(found, Ok(by_hand), "{length} {goal}");
            }
        }
    }
}
