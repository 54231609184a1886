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
