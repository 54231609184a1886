//! Graphs in one form whatever their vertices are called, and their connected pieces.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

/// Rounds of refinement: enough to tell most vertices of small graphs apart.
const ROUNDS: usize = 8;

/// The same graph with vertices numbered from 0 by what is around them, edges sorted; vertices with smaller seeds come
/// first. Edges may have colours. Equal texts mean equal graphs; equal graphs nearly always get equal texts.
/// O((vertices + edges) log).
#[must_use]
pub fn renumbered<C: Copy + Ord + Hash>(
    edges: &[(u32, u32, C)],
    seeds: &[u32],
) -> Vec<(u32, u32, C)> {
    let mut colours: Vec<u64> = seeds.iter().map(|seed| mixed(u64::from(*seed))).collect();
    let salts: Vec<u64> = edges.iter().map(|(_, _, colour)| salt(colour)).collect();
    for _ in 0..ROUNDS.min(seeds.len()) {
        let mut around = vec![0u64; seeds.len()];
        for (&(a, b, _), salt) in edges.iter().zip(&salts) {
            let (a, b) = (a as usize, b as usize);
            around[a] = around[a].wrapping_add(colours[b].wrapping_mul(*salt));
            around[b] = around[b].wrapping_add(colours[a].wrapping_mul(*salt));
        }
        for (colour, around) in colours.iter_mut().zip(around) {
            *colour = mixed(colour.wrapping_mul(3).wrapping_add(mixed(around)));
        }
    }
    let mut order: Vec<u32> = (0..seeds.len() as u32).collect();
    order.sort_unstable_by_key(|v| (seeds[*v as usize], colours[*v as usize], *v));
    let mut numbers = vec![0; seeds.len()];
    for (number, vertex) in order.iter().enumerate() {
        numbers[*vertex as usize] = number as u32;
    }
    let mut renamed: Vec<(u32, u32, C)> = edges
        .iter()
        .map(|(a, b, colour)| (numbers[*a as usize], numbers[*b as usize], *colour))
        .map(|(a, b, colour)| (a.min(b), a.max(b), colour))
        .collect();
    renamed.sort_unstable();
    renamed
}

/// An odd factor for each colour.
fn salt(colour: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    colour.hash(&mut hasher);
    mixed(hasher.finish()) | 1
}

/// Spreads a number over all bits (splitmix, Steele, Lea, Flood 2014).
fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

/// Vertices numbered from 0 in the order in which their names are met.
#[derive(Debug, Default)]
pub struct Numbering {
    numbers: FxHashMap<u32, u32>,
}

impl Numbering {
    /// The number of a vertex with this name.
    pub fn number(&mut self, name: u32) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(name).or_insert(next)
    }

    /// The number of a name met before.
    #[must_use]
    pub fn find(&self, name: u32) -> Option<u32> {
        self.numbers.get(&name).copied()
    }

    /// How many names were met.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether none was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }
}

/// The edges at each vertex.
#[derive(Clone, Debug)]
pub struct Beside {
    /// Where the edges at each vertex begin, and where the last ones end.
    starts: Vec<u32>,
    /// The other end and the number of each edge, one vertex after the other.
    edges: Vec<(u32, u32)>,
}

impl Beside {
    /// Of so many vertices with these edges. O(vertices + edges).
    #[must_use]
    pub fn new(edges: &[(u32, u32)], vertices: usize) -> Self {
        let mut starts = vec![0; vertices + 1];
        for (a, b) in edges {
            starts[*a as usize + 1] += 1;
            starts[*b as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut beside = vec![(0, 0); 2 * edges.len()];
        for (edge, &(a, b)) in (0..).zip(edges) {
            for (end, other) in [(a, b), (b, a)] {
                beside[next[end as usize] as usize] = (other, edge);
                next[end as usize] += 1;
            }
        }
        Self {
            starts,
            edges: beside,
        }
    }

    /// The other end and the number of each edge at a vertex, in the order of the edges; a loop is there twice.
    #[must_use]
    pub fn at(&self, vertex: u32) -> &[(u32, u32)] {
        let vertex = vertex as usize;
        &self.edges[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

/// How many trees with vertex 0 are part of one spanning tree, a connected graph's of least depth: so many sets of edges at
/// least hang together with it. Counted up to `u64::MAX`. O(vertices + edges).
#[must_use]
pub fn trees_at_ground(edges: &[(u32, u32)], vertices: usize) -> u64 {
    let beside = Beside::new(edges, vertices);
    let mut below = vec![None; vertices];
    below[0] = Some(0);
    let mut order: Vec<u32> = vec![0];
    let mut next = 0;
    while let Some(&vertex) = order.get(next) {
        next += 1;
        for (other, _) in beside.at(vertex) {
            if below[*other as usize].is_none() {
                below[*other as usize] = Some(vertex);
                order.push(*other);
            }
        }
    }
    let mut trees = vec![1u64; vertices];
    for vertex in order.iter().skip(1).rev() {
        let with = trees[*vertex as usize].saturating_add(1);
        let below = below[*vertex as usize].unwrap_or(0);
        trees[below as usize] = trees[below as usize].saturating_mul(with);
    }
    trees[0]
}

/// Which vertices are connected (Galler, Fischer 1964; halving of paths).
#[derive(Clone, Debug)]
pub struct Pieces {
    above: Vec<u32>,
}

impl Pieces {
    /// So many vertices, none connected.
    #[must_use]
    pub fn new(vertices: usize) -> Self {
        Self {
            above: (0..vertices as u32).collect(),
        }
    }

    /// The vertex that stands for the piece of this one.
    pub fn find(&mut self, mut vertex: u32) -> u32 {
        while self.above[vertex as usize] != vertex {
            let next = self.above[self.above[vertex as usize] as usize];
            self.above[vertex as usize] = next;
            vertex = next;
        }
        vertex
    }

    /// Connects two vertices; whether they were not connected before.
    pub fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.above[a.max(b) as usize] = a.min(b);
        a != b
    }
}
