//! The graph of a position: its arcs, their values, and how they are read.

use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use super::Step;
use crate::fact::{GameFact, Terms};
use crate::games::graphs::{Item, digest, read_items, vertices};
use crate::notation::{NotationCode, NotationError, Word};
use crate::theory::{LoopyValue, Meter, Stopped, loopy, mex};

/// A graph, evaluated where it has no cycle.
#[derive(Debug)]
pub(super) struct Arcs {
    /// As typed, each once; nodes by themselves only where they have no arc.
    pub(super) items: Vec<Item>,
    /// Whether cycles are allowed.
    pub(super) may_loop: bool,
    digest: u64,
    /// The nodes' numbers, ascending; elsewhere nodes are places in this list.
    pub(super) labels: Vec<u32>,
    /// Where the arcs of each node lead, ascending.
    out: Vec<Vec<u32>>,
    /// The Grundy values; of a node that leads to a cycle none.
    pub(super) values: Vec<Option<u64>>,
    /// Whether the misère rule of tame sums holds for a token here.
    pub(super) tame: Vec<bool>,
    /// What the nodes are worth where there are cycles, once somebody asked.
    loopy: OnceLock<Vec<LoopyValue>>,
}

impl PartialEq for Arcs {
    fn eq(&self, other: &Self) -> bool {
        self.may_loop == other.may_loop && self.items == other.items
    }
}

impl Eq for Arcs {}

impl Hash for Arcs {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}

impl Arcs {
    /// The place of the node with this number.
    pub(super) fn node(&self, label: u32) -> Option<u32> {
        self.labels
            .binary_search(&label)
            .ok()
            .map(|node| node as u32)
    }

    /// Where the arcs of a node lead.
    pub(super) fn out(&self, node: u32) -> &[u32] {
        &self.out[node as usize]
    }

    /// The move of a token along an arc.
    pub(super) fn step(&self, token: usize, from: u32, to: u32) -> Step {
        let label = |node: u32| self.labels[node as usize];
        Step {
            token,
            to,
            arc: Item {
                from: label(from),
                to: Some(label(to)),
            },
        }
    }

    /// Whether a cycle can be reached from this node.
    pub(super) fn loops(&self, node: u32) -> bool {
        self.values[node as usize].is_none()
    }

    /// The nim-value of a node from which no cycle can be reached, with those of the nodes to which its arcs lead.
    pub(super) fn valued(&self, node: u32) -> Option<GameFact> {
        let mut options = Terms::default();
        for to in self.out(node) {
            let value = self.values[*to as usize]?;
            options.push(|| self.labels[*to as usize].to_string(), value);
        }
        Some(GameFact::Node {
            node: self.labels[node as usize],
            value: self.values[node as usize]?,
            options,
        })
    }

    /// What every node is worth, in normal play; found at the first question.
    pub(super) fn loopy_values(&self, meter: &mut Meter<'_>) -> Result<&[LoopyValue], Stopped> {
        if let Some(values) = self.loopy.get() {
            return Ok(values);
        }
        let values = loopy::values(&self.out, meter)?;
        Ok(self.loopy.get_or_init(|| values))
    }

    /// Reads arcs and nodes joined by dots. O(arcs log).
    pub(super) fn read(
        text: Word<'_>,
        may_loop: bool,
        example: &str,
    ) -> Result<Self, NotationError> {
        let typed = read_items(text, '.', NotationCode::BadGameCode, example)?;
        let arcs: FxHashSet<u32> = typed
            .iter()
            .filter(|(item, _)| item.to.is_some())
            .flat_map(|(item, _)| [Some(item.from), item.to])
            .flatten()
            .collect();
        let mut met = FxHashSet::default();
        let kept = typed.iter().filter(|(item, _)| {
            (item.to.is_some() || !arcs.contains(&item.from)) && met.insert(*item)
        });
        let kept: Vec<(Item, Word<'_>)> = kept.copied().collect();
        let items: Vec<Item> = kept.iter().map(|(item, _)| *item).collect();
        let labels = vertices(&items);
        let mut graph = Self {
            digest: digest(&items),
            may_loop,
            out: vec![Vec::new(); labels.len()],
            values: vec![None; labels.len()],
            tame: vec![false; labels.len()],
            loopy: OnceLock::new(),
            items,
            labels,
        };
        for item in &graph.items {
            if let (Some(from), Some(to)) =
                (graph.node(item.from), item.to.and_then(|to| graph.node(to)))
            {
                graph.out[from as usize].push(to);
            }
        }
        graph.out.iter_mut().for_each(|out| out.sort_unstable());
        graph.evaluate();
        match graph.cycle().filter(|_| !may_loop) {
            None => Ok(graph),
            Some(cycle) => graph.refuse(&cycle, text, &kept),
        }
    }

    /// Values of all nodes from which no cycle can be reached, each after those that its arcs lead to.
    fn evaluate(&mut self) {
        let mut into: Vec<Vec<u32>> = vec![Vec::new(); self.labels.len()];
        let mut open: Vec<usize> = self.out.iter().map(Vec::len).collect();
        for (from, out) in self.out.iter().enumerate() {
            out.iter()
                .for_each(|to| into[*to as usize].push(from as u32));
        }
        let mut ready: Vec<u32> = (0..self.labels.len() as u32)
            .filter(|node| open[*node as usize] == 0)
            .collect();
        while let Some(node) = ready.pop() {
            self.settle(node);
            for from in &into[node as usize] {
                open[*from as usize] -= 1;
                if open[*from as usize] == 0 {
                    ready.push(*from);
                }
            }
        }
    }

    fn settle(&mut self, node: u32) {
        let followers = || self.out(node).iter().map(|to| *to as usize);
        let options: Vec<u64> = followers().filter_map(|to| self.values[to]).collect();
        let value = mex(&options);
        let quiet = value > 0 || options.is_empty() || options.contains(&1);
        let tame = quiet && followers().all(|to| self.tame[to]);
        self.values[node as usize] = Some(value);
        self.tame[node as usize] = tame;
    }

    /// A cycle, its first node again at the end: from the lowest node that leads to one, always along the lowest such arc.
    fn cycle(&self) -> Option<Vec<u32>> {
        let mut node = (0..self.labels.len() as u32).find(|node| self.loops(*node))?;
        let mut places = vec![None; self.labels.len()];
        let mut path = Vec::new();
        loop {
            if let Some(place) = places[node as usize].replace(path.len()) {
                path.push(node);
                return Some(path.split_off(place));
            }
            path.push(node);
            node = *self.out(node).iter().find(|to| self.loops(**to))?;
        }
    }

    /// Refuses a graph for its cycle, at the arc that closes it.
    fn refuse(
        &self,
        cycle: &[u32],
        text: Word<'_>,
        items: &[(Item, Word<'_>)],
    ) -> Result<Self, NotationError> {
        let labels: Vec<u32> = cycle
            .iter()
            .map(|node| self.labels[*node as usize])
            .collect();
        let closing = Item {
            from: labels[labels.len() - 2],
            to: labels.last().copied(),
        };
        let place = items.iter().find(|(item, _)| *item == closing);
        let place = place.map_or(text, |(_, word)| *word);
        let mut shown: Vec<String> = labels.iter().map(u32::to_string).collect();
        if shown.len() > 8 {
            shown.splice(4..shown.len() - 3, ["...".to_owned()]);
        }
        let message = format!("the arcs form a cycle: {}", shown.join("-"));
        place.refuse(
            NotationCode::BadGameCode,
            message,
            "arcs without a cycle (games with cycles are 'loopy')",
            super::EXAMPLE,
        )
    }
}
