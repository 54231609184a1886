//! Which edges of a block part it two by two.

use super::walk::{NONE, Walk};

/// The necklaces of all blocks.
///
/// A necklace is a greatest set of edges of a block any two of which part it when both are cut. They are the strings of a
/// ring whose beads are blocks: what hangs together without them. Two edges are of one necklace if the same edges span them,
/// or if one is the only one that spans the other: so those of the tree are on one way up, in the order of the ring, and at
/// most one closes it that is not in the tree.
#[derive(Debug)]
pub(super) struct Necklaces {
    /// The vertices whose edge down is the lowest of a necklace.
    firsts: Vec<u32>,
    /// Of each vertex: the next one up whose edge down is in the same necklace.
    next: Vec<u32>,
    /// Of each vertex: the edge that spans its edge down, where it is the only one.
    closing: Vec<u32>,
}

impl Necklaces {
    /// Finds them. O(vertices + edges).
    ///
    /// Of the edges that span the edge down of a vertex, the *meeting* is the highest vertex that is not above the upper end
    /// of any of them. Where two vertices have one meeting, what spans the edge down of the lower one spans that of the upper
    /// one too: it is the same if it is as many (Georgiadis, Italiano, Kosinas 2021).
    pub(super) fn new(walk: &Walk, lowest: &[u32]) -> Self {
        let vertices = walk.vertices() as usize;
        let mut exits = Exits::new(walk);
        let mut spanning = changes(walk);
        let mut meetings = vec![NONE; vertices];
        let mut latest = vec![NONE; vertices];
        let mut is_first = vec![false; vertices];
        let mut next = vec![NONE; vertices];
        let mut closing = vec![NONE; vertices];
        for vertex in (1..walk.vertices()).rev() {
            let at = vertex as usize;
            if lowest[at] == vertex {
                continue;
            }
            let meeting = exits.meeting(vertex, &meetings);
            meetings[at] = meeting;
            if spanning[at] == 1 {
                closing[at] = exits.own[meeting as usize].1;
            }
            is_first[at] = true;
            let above = std::mem::replace(&mut latest[meeting as usize], vertex);
            if above != NONE && spanning[above as usize] == spanning[at] {
                next[at] = above;
                is_first[above as usize] = false;
            }
            exits.add(walk.below(vertex), vertex, lowest);
            spanning[walk.below(vertex) as usize] += spanning[at];
        }
        let firsts = (0..walk.vertices()).filter(|vertex| is_first[*vertex as usize]);
        Self {
            firsts: firsts.collect(),
            next,
            closing,
        }
    }

    /// The lowest vertex of each necklace: its edge down is on it.
    pub(super) fn firsts(&self) -> &[u32] {
        &self.firsts
    }

    /// The vertices whose edges down are on a necklace, upwards from the lowest.
    pub(super) fn upwards(&self, first: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(first), |vertex| some(self.next[*vertex as usize]))
    }

    /// The edge that leads from the highest bead of this necklace to the lowest, if no other does.
    pub(super) fn closing(&self, first: u32) -> Option<u32> {
        some(self.closing[first as usize])
    }
}

fn some(number: u32) -> Option<u32> {
    (number != NONE).then_some(number)
}

/// How many more edges span the edge down of each vertex than those of the vertices on it together.
fn changes(walk: &Walk) -> Vec<i32> {
    let mut changes = vec![0; walk.vertices() as usize];
    for (_, (lower, upper)) in walk.spans() {
        changes[upper as usize] += 1;
        changes[lower as usize] -= 1;
    }
    changes
}

/// By which ways one leaves what stands on each vertex for what is below it, other than by its edge down.
struct Exits {
    /// The edge at the vertex itself, not in the tree, that leads lowest: where to, and its number.
    own: Vec<(u32, u32)>,
    /// The vertex on it that leads lowest.
    lowest: Vec<u32>,
    /// How low all others lead, its own edge among them.
    others: Vec<u32>,
}

impl Exits {
    fn new(walk: &Walk) -> Self {
        let mut own = vec![(NONE, NONE); walk.vertices() as usize];
        for (edge, (lower, upper)) in walk.spans() {
            own[upper as usize] = own[upper as usize].min((lower, edge));
        }
        Self {
            others: own.iter().map(|(lower, _)| *lower).collect(),
            lowest: vec![NONE; own.len()],
            own,
        }
    }

    /// Adds a vertex that stands on another in the same block.
    fn add(&mut self, below: u32, vertex: u32, lowest: &[u32]) {
        let best = &mut self.lowest[below as usize];
        let mut second = vertex;
        if *best == NONE || lowest[vertex as usize] < lowest[*best as usize] {
            second = std::mem::replace(best, vertex);
        }
        if second != NONE {
            let others = &mut self.others[below as usize];
            *others = lowest[second as usize].min(*others);
        }
    }

    /// The meeting of the edges that span a vertex' edge down, the meetings of all vertices above it being known: as long as only
    /// one way leads below the vertex, it is further up. No step up is made twice, for the vertices below begin where it ended.
    fn meeting(&self, vertex: u32, meetings: &[u32]) -> u32 {
        let mut at = vertex as usize;
        while self.others[at] >= vertex {
            at = meetings[self.lowest[at] as usize] as usize;
        }
        at as u32
    }
}
