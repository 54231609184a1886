//! Maximum matchings, and the vertices that some maximum matching leaves out.
//!
//! J. Edmonds, *Paths, trees, and flowers* (1965): alternating trees from all free vertices, odd rings drawn together.
//! Where the graph is bipartite, J. Hopcroft and R. Karp (1973): many shortest augmenting paths at once.

use std::collections::VecDeque;

use crate::theory::{Meter, Stopped};

const NONE: u32 = u32::MAX;

/// A simple graph some of whose vertices are taken away, with a maximum matching of the rest.
#[derive(Clone, Debug)]
pub struct Matching<'g> {
    out: &'g [Vec<u32>],
    gone: Vec<bool>,
    mate: Vec<u32>,
}

/// A vertex in the alternating forest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Outside,
    /// An even number of edges from a free vertex.
    Even,
    Odd,
}

/// Alternating trees from all free vertices.
struct Forest {
    level: Vec<Level>,
    /// The vertex from which an odd one was reached, and, for an odd one drawn into a ring, the way round it.
    from: Vec<u32>,
    /// The free vertex at the bottom of each tree.
    root: Vec<u32>,
    /// The base of the ring into which each vertex was drawn: itself when in none.
    base: Vec<u32>,
    queue: VecDeque<u32>,
    /// By which search for a common base each vertex was passed last.
    passed: Vec<u32>,
    searches: u32,
}

impl<'g> Matching<'g> {
    /// A maximum matching of the vertices that are not gone. O(edges sqrt(vertices)) where they are bipartite, else
    /// O(edges) for each of at most vertices / 2 augmenting paths; `meter` counts edges.
    pub fn maximum(
        out: &'g [Vec<u32>],
        gone: Vec<bool>,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stopped> {
        let mut matching = Self {
            out,
            mate: vec![NONE; out.len()],
            gone,
        };
        matching.greedy(meter)?;
        if let Some(sides) = matching.sides(meter)? {
            while matching.augment_many(&sides, meter)? {}
        } else {
            while matching.augment_one(meter)? {}
        }
        Ok(matching)
    }

    /// The partner of a vertex.
    #[must_use]
    pub fn mate(&self, vertex: u32) -> Option<u32> {
        Some(self.mate[vertex as usize]).filter(|mate| *mate != NONE)
    }

    /// Which vertices some maximum matching leaves out. O(edges).
    pub fn inessential(&self, meter: &mut Meter<'_>) -> Result<Vec<bool>, Stopped> {
        let (forest, path) = self.search(meter)?;
        debug_assert!(path.is_none(), "a maximum matching has no augmenting path");
        Ok(forest
            .level
            .iter()
            .map(|level| *level == Level::Even)
            .collect())
    }

    /// A maximum matching that leaves out this vertex, if there is one: turned round along the alternating path from a vertex that it
    /// leaves out already. O(edges).
    pub fn leaving_out(&self, vertex: u32, meter: &mut Meter<'_>) -> Result<Self, Stopped> {
        let (forest, _) = self.search(meter)?;
        let mut turned = self.clone();
        if forest.level[vertex as usize] == Level::Even && !self.is_free(vertex) {
            turned.flip(&forest, vertex);
            turned.mate[vertex as usize] = NONE;
        }
        Ok(turned)
    }

    /// The matching left when a vertex that every maximum matching covers is taken away: again a maximum one.
    #[must_use]
    pub fn without_essential(&self, vertex: u32) -> Self {
        let mut rest = self.clone();
        if let Some(mate) = self.mate(vertex) {
            rest.mate[mate as usize] = NONE;
        }
        rest.mate[vertex as usize] = NONE;
        rest.gone[vertex as usize] = true;
        rest
    }

    fn present(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.out.len() as u32).filter(|vertex| !self.gone[*vertex as usize])
    }

    fn neighbours(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let out = self.out[vertex as usize].iter().copied();
        out.filter(|other| !self.gone[*other as usize])
    }

    fn is_free(&self, vertex: u32) -> bool {
        self.mate[vertex as usize] == NONE
    }

    fn marry(&mut self, a: u32, b: u32) {
        self.mate[a as usize] = b;
        self.mate[b as usize] = a;
    }

    fn greedy(&mut self, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        for vertex in 0..self.out.len() as u32 {
            meter.work(1 + self.out[vertex as usize].len() as u64 / 8)?;
            if self.gone[vertex as usize] || !self.is_free(vertex) {
                continue;
            }
            let partner = self.neighbours(vertex).find(|other| self.is_free(*other));
            if let Some(partner) = partner {
                self.marry(vertex, partner);
            }
        }
        Ok(())
    }

    /// On which side each vertex is, when the graph is bipartite.
    fn sides(&self, meter: &mut Meter<'_>) -> Result<Option<Vec<bool>>, Stopped> {
        let mut side: Vec<Option<bool>> = vec![None; self.out.len()];
        let mut queue = VecDeque::new();
        for root in self.present() {
            if side[root as usize].is_some() {
                continue;
            }
            side[root as usize] = Some(false);
            queue.push_back((root, false));
            while let Some((vertex, here)) = queue.pop_front() {
                meter.work(1 + self.out[vertex as usize].len() as u64 / 8)?;
                for other in self.neighbours(vertex) {
                    match side[other as usize] {
                        None => {
                            side[other as usize] = Some(!here);
                            queue.push_back((other, !here));
                        }
                        Some(there) if there == here => return Ok(None),
                        Some(_) => {}
                    }
                }
            }
        }
        Ok(Some(
            side.into_iter().map(|side| side == Some(true)).collect(),
        ))
    }

    /// One phase of Hopcroft and Karp: layers from the free vertices of one side, then disjoint shortest paths.
    fn augment_many(&mut self, sides: &[bool], meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        let mut layer = vec![NONE; self.out.len()];
        let mut queue: VecDeque<u32> = self
            .present()
            .filter(|v| !sides[*v as usize] && self.is_free(*v))
            .collect();
        let roots: Vec<u32> = queue.iter().copied().collect();
        roots.iter().for_each(|root| layer[*root as usize] = 0);
        let mut reached = false;
        while let Some(vertex) = queue.pop_front() {
            meter.work(1 + self.out[vertex as usize].len() as u64 / 8)?;
            for other in self.neighbours(vertex) {
                match self.mate(other) {
                    None => reached = true,
                    Some(next) if layer[next as usize] == NONE => {
                        layer[next as usize] = layer[vertex as usize] + 1;
                        queue.push_back(next);
                    }
                    Some(_) => {}
                }
            }
        }
        if !reached {
            return Ok(false);
        }
        let mut next_edge = vec![0; self.out.len()];
        for root in roots {
            self.augment_along_layers(root, &mut layer, &mut next_edge, meter)?;
        }
        Ok(true)
    }

    /// Depth first along the layers; every edge is looked at once in a phase.
    fn augment_along_layers(
        &mut self,
        root: u32,
        layer: &mut [u32],
        next_edge: &mut [usize],
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        let mut path: Vec<(u32, u32)> = Vec::new();
        let mut vertex = root;
        loop {
            meter.work(1)?;
            let Some(&other) = self.out[vertex as usize].get(next_edge[vertex as usize]) else {
                layer[vertex as usize] = NONE;
                let Some((before, _)) = path.pop() else {
                    return Ok(());
                };
                vertex = before;
                continue;
            };
            next_edge[vertex as usize] += 1;
            if self.gone[other as usize] {
                continue;
            }
            match self.mate(other) {
                None => {
                    path.push((vertex, other));
                    path.iter().for_each(|(a, b)| self.marry(*a, *b));
                    return Ok(());
                }
                Some(next)
                    if layer[next as usize] != NONE
                        && layer[next as usize] == layer[vertex as usize] + 1 =>
                {
                    path.push((vertex, other));
                    vertex = next;
                }
                Some(_) => {}
            }
        }
    }

    /// One augmenting path in any graph; `false` when there is none.
    fn augment_one(&mut self, meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        let (forest, path) = self.search(meter)?;
        let Some((a, b)) = path else {
            return Ok(false);
        };
        for end in [a, b] {
            self.flip(&forest, end);
        }
        self.marry(a, b);
        Ok(true)
    }

    /// Turns the alternating path from an even vertex down to its root round, leaving the vertex free.
    fn flip(&mut self, forest: &Forest, even: u32) {
        let mut odd = self.mate[even as usize];
        while odd != NONE {
            let below = forest.from[odd as usize];
            let next = self.mate[below as usize];
            self.marry(odd, below);
            odd = next;
        }
    }

    /// Grows alternating trees from all free vertices, until an edge joins two of them or nothing grows any more.
    fn search(&self, meter: &mut Meter<'_>) -> Result<(Forest, Option<(u32, u32)>), Stopped> {
        let mut forest = Forest::new(self.out.len());
        for root in self.present().filter(|vertex| self.is_free(*vertex)) {
            forest.level[root as usize] = Level::Even;
            forest.root[root as usize] = root;
            forest.queue.push_back(root);
        }
        while let Some(vertex) = forest.queue.pop_front() {
            meter.work(1 + self.out[vertex as usize].len() as u64 / 4)?;
            for other in self.neighbours(vertex) {
                if self.mate[vertex as usize] == other || forest.find(vertex) == forest.find(other)
                {
                    continue;
                }
                match forest.level[other as usize] {
                    Level::Outside => {
                        let mate = self.mate[other as usize];
                        forest.level[other as usize] = Level::Odd;
                        forest.from[other as usize] = vertex;
                        forest.level[mate as usize] = Level::Even;
                        let root = forest.root[vertex as usize];
                        forest.root[other as usize] = root;
                        forest.root[mate as usize] = root;
                        forest.queue.push_back(mate);
                    }
                    Level::Even if forest.root[vertex as usize] != forest.root[other as usize] => {
                        return Ok((forest, Some((vertex, other))));
                    }
                    Level::Even => forest.draw_together(vertex, other, &self.mate, meter)?,
                    Level::Odd => {}
                }
            }
        }
        Ok((forest, None))
    }
}

impl Forest {
    fn new(vertices: usize) -> Self {
        Self {
            level: vec![Level::Outside; vertices],
            from: vec![NONE; vertices],
            root: vec![NONE; vertices],
            base: (0..vertices as u32).collect(),
            queue: VecDeque::new(),
            passed: vec![0; vertices],
            searches: 0,
        }
    }

    /// The base of the ring that a vertex is in, or itself.
    fn find(&mut self, mut vertex: u32) -> u32 {
        while self.base[vertex as usize] != vertex {
            let next = self.base[self.base[vertex as usize] as usize];
            self.base[vertex as usize] = next;
            vertex = next;
        }
        vertex
    }

    /// The base two even steps further down, `None` at the root.
    fn below(&mut self, base: u32, mate: &[u32]) -> Option<u32> {
        let odd = mate[base as usize];
        (odd != NONE).then(|| self.find(self.from[odd as usize]))
    }

    /// An edge joins two even vertices of one tree: the ring that it closes becomes one even vertex.
    fn draw_together(
        &mut self,
        a: u32,
        b: u32,
        mate: &[u32],
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        let base = self.common_base(a, b, mate, meter)?;
        // The way leads through rings drawn before, so bases change at its end only.
        let mut drawn = Vec::new();
        for (mut vertex, mut beyond) in [(a, b), (b, a)] {
            while self.find(vertex) != base {
                meter.work(1)?;
                let odd = mate[vertex as usize];
                drawn.extend([self.find(vertex), self.find(odd)]);
                if self.level[odd as usize] == Level::Odd {
                    self.level[odd as usize] = Level::Even;
                    self.queue.push_back(odd);
                }
                self.from[vertex as usize] = beyond;
                beyond = odd;
                vertex = self.from[odd as usize];
            }
        }
        for inner in drawn {
            self.base[inner as usize] = base;
        }
        Ok(())
    }

    /// Where the ways down from two vertices meet, one step on each in turn.
    fn common_base(
        &mut self,
        a: u32,
        b: u32,
        mate: &[u32],
        meter: &mut Meter<'_>,
    ) -> Result<u32, Stopped> {
        self.searches += 1;
        let (mut here, mut there) = (Some(self.find(a)), Some(self.find(b)));
        loop {
            meter.work(1)?;
            if let Some(base) = here {
                if self.passed[base as usize] == self.searches {
                    return Ok(base);
                }
                self.passed[base as usize] = self.searches;
                here = self.below(base, mate);
            }
            std::mem::swap(&mut here, &mut there);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(vertices: usize, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let mut out = vec![Vec::new(); vertices];
        for (a, b) in edges {
            out[*a as usize].push(*b);
            out[*b as usize].push(*a);
        }
        out
    }

    fn pairs(matching: &Matching<'_>) -> usize {
        matching.mate.iter().filter(|mate| **mate != NONE).count() / 2
    }

    /// The size of a maximum matching, by trying everything.
    fn tried(edges: &[(u32, u32)], used: u32) -> usize {
        let Some(((a, b), rest)) = edges.split_first() else {
            return 0;
        };
        let both = 1 << a | 1 << b;
        let without = tried(rest, used);
        match used & both {
            0 => without.max(1 + tried(rest, used | both)),
            _ => without,
        }
    }

    #[test]
    fn random_graphs_agree_with_trying_everything() {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut chance = |bound: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) % bound
        };
        let mut meter = Meter::new(1 << 40, 1 << 30, &|| false);
        for _ in 0..3_000 {
            let vertices = 2 + chance(8);
            let sparse = 2 + chance(4);
            let bipartite = chance(3) == 0;
            let mut edges = Vec::new();
            for a in 0..vertices as u32 {
                for b in a + 1..vertices as u32 {
                    if chance(sparse) == 0 && (!bipartite || (a + b) % 2 == 1) {
                        edges.push((a, b));
                    }
                }
            }
            let out = graph(vertices as usize, &edges);
            let gone = vec![false; vertices as usize];
            let matching = Matching::maximum(&out, gone, &mut meter).expect("a large budget");
            assert_eq!(pairs(&matching), tried(&edges, 0), "{edges:?}");
            let inessential = matching.inessential(&mut meter).expect("a large budget");
            for vertex in 0..vertices as u32 {
                let left_out = tried(&edges, 1 << vertex) == pairs(&matching);
                assert_eq!(
                    inessential[vertex as usize], left_out,
                    "{vertex} in {edges:?}"
                );
                if !left_out {
                    let rest = matching.without_essential(vertex);
                    let inessential = rest.inessential(&mut meter).expect("a large budget");
                    for other in (0..vertices as u32).filter(|other| *other != vertex) {
                        let left_out = tried(&edges, 1 << vertex | 1 << other) == pairs(&rest);
                        assert_eq!(
                            inessential[other as usize], left_out,
                            "{vertex}, {other} in {edges:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn large_graphs_take_little_work() {
        let mut meter = Meter::new(4_000_000, 1 << 30, &|| false);
        let grid: Vec<(u32, u32)> = (0..50_000)
            .flat_map(|v| [(v, v + 1), (v, v + 250)])
            .filter(|(a, b)| *b < 50_000 && (b - a > 1 || b % 250 != 0))
            .collect();
        let out = graph(50_000, &grid);
        let matching = Matching::maximum(&out, vec![false; 50_000], &mut meter).expect("bipartite");
        assert_eq!(pairs(&matching), 25_000);
        let ring: Vec<(u32, u32)> = (0..2_001)
            .flat_map(|v| [(v, (v + 1) % 2_001), (v, (v + 2) % 2_001)])
            .collect();
        let out = graph(2_001, &ring);
        let matching = Matching::maximum(&out, vec![false; 2_001], &mut meter).expect("general");
        assert_eq!(pairs(&matching), 1_000);
        let inessential = matching.inessential(&mut meter).expect("general");
        assert!(inessential.iter().all(|vertex| *vertex));
    }
}
