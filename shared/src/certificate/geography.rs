//! Geography, read from its text: the graph, the vertices that the token has left, and matchings that are checked edge by edge.

use std::collections::{BTreeMap, BTreeSet};

use crate::certificate::Matching;
use crate::certificate::refusal::{Checked, unproved};
use crate::theory::{Meter, Stopped};

/// A position of Geography.
#[derive(Debug)]
pub(crate) struct Walk {
    /// The numbers of the vertices, ascending; elsewhere vertices are places in this list.
    pub(crate) labels: Vec<u32>,
    /// The neighbours of each.
    pub(crate) out: Vec<Vec<u32>>,
    /// Whether the token has left each.
    pub(crate) gone: Vec<bool>,
    /// Where it is, if it is placed.
    pub(crate) token: Option<u32>,
    /// Where it may be placed, if it is not.
    starts: Vec<u32>,
    /// Whether the opponent of the player to move places it.
    is_opponents: bool,
}

impl Walk {
    /// Reads a canonical component `geo.0-1.1-2:0,1`; `None` if it is of another game.
    pub(crate) fn read(component: &str) -> Option<Self> {
        let (graph, path) = component.strip_prefix("geo.")?.split_once(':')?;
        let mut neighbours: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for item in graph.split('.') {
            match item.split_once('-') {
                None => drop(neighbours.entry(item.parse().ok()?).or_default()),
                Some((from, to)) => {
                    let (from, to) = (from.parse().ok()?, to.parse().ok()?);
                    neighbours.entry(from).or_default().insert(to);
                    neighbours.entry(to).or_default().insert(from);
                }
            }
        }
        let labels: Vec<u32> = neighbours.keys().copied().collect();
        let place = |label: u32| labels.binary_search(&label).ok().map(|place| place as u32);
        let out = neighbours
            .values()
            .map(|out| out.iter().copied().filter_map(place).collect());
        let out: Vec<Vec<u32>> = out.collect();
        let mut gone = vec![false; labels.len()];
        let mut token = None;
        let mut starts: Vec<u32> = Vec::new();
        let opened = path.len() - path.trim_start_matches('_').len();
        let allowed = &path[opened..];
        if opened > 0 && allowed.is_empty() {
            starts.extend(0..labels.len() as u32);
        } else if opened > 0 {
            for word in allowed.split('/') {
                starts.push(place(word.parse().ok()?)?);
            }
        }
        for word in path.split(',').filter(|_| opened == 0) {
            let vertex = place(word.parse().ok()?)?;
            if let Some(before) = token.replace(vertex) {
                gone[before as usize] = true;
            }
        }
        Some(Self {
            labels,
            out,
            gone,
            token,
            starts,
            is_opponents: opened == 2,
        })
    }

    /// A vertex where the matching has to leave something out: the token, or a start that the opponent chooses. `None` before the player to
    /// move places the token.
    pub(crate) fn to_leave_out(&self, mut may: impl FnMut(u32) -> bool) -> Option<u32> {
        let starts = self.starts.iter().copied().filter(|_| self.is_opponents);
        self.token.or_else(|| {
            let mut starts = starts;
            starts.find(|start| may(*start))
        })
    }

    /// Checks that the player to move loses. The matching is maximum. Where the token is placed, the matching leaves it out; where the opponent places it, a vertex on
    /// which it may be placed. Where the player to move places it, every maximum matching covers all vertices on which it may be placed: the matching leaves out
    /// nothing, or they are in the barrier or in even pieces. (A maximum matching leaves out as many vertices as there are more odd pieces than barred
    /// vertices; so it matches each barred vertex with an odd piece, and covers the even pieces.)
    pub(super) fn check_lost(&self, matching: &Matching, meter: &mut Meter<'_>) -> Checked<()> {
        const PLACE: &str = "proof.matching";
        let covered = self.covered(&matching.pairs, meter)?;
        let present = self.gone.iter().filter(|gone| !**gone).count();
        let left_out = present - 2 * matching.pairs.len();
        match self.token {
            Some(token) if covered[token as usize] => {
                return unproved(PLACE, "the matching covers the token");
            }
            None if self.is_opponents
                && self.starts.iter().all(|start| covered[*start as usize]) =>
            {
                return unproved(
                    PLACE,
                    "the matching covers every vertex on which the opponent may place the token",
                );
            }
            _ => {}
        }
        let mut barred = vec![false; self.labels.len()];
        for (index, label) in matching.barrier.iter().enumerate() {
            let place = format!("{PLACE}.barrier[{index}]");
            let vertex = self.vertex(*label, &place)?;
            if std::mem::replace(&mut barred[vertex as usize], true) {
                return unproved(place, format!("vertex {label} is listed twice"));
            }
        }
        let (odd, in_odd) = self.odd_pieces(&barred, meter)?;
        let places = self.token.is_none() && !self.is_opponents;
        if places && left_out > 0 && self.starts.iter().any(|start| in_odd[*start as usize]) {
            return unproved(
                PLACE,
                "the matching leaves out a vertex, and the token may be placed in an odd component beyond the barrier",
            );
        }
        // No matching leaves out fewer vertices than the odd pieces beyond the barrier (Berge 1958).
        if left_out + matching.barrier.len() > odd {
            let message = format!(
                "the matching leaves out {left_out} vertices and the barrier of {} leaves {odd} odd components, which does not prove that the matching is maximum",
                matching.barrier.len()
            );
            return unproved(PLACE, message);
        }
        Ok(())
    }

    /// Which vertices these edges cover; each is an edge, and no vertex is covered twice.
    fn covered(&self, pairs: &[(u32, u32)], meter: &mut Meter<'_>) -> Checked<Vec<bool>> {
        let mut covered = vec![false; self.labels.len()];
        for (index, (a, b)) in pairs.iter().enumerate() {
            let place = format!("proof.matching.pairs[{index}]");
            let (from, to) = (self.vertex(*a, &place)?, self.vertex(*b, &place)?);
            meter.work(1)?;
            if self.out[from as usize].binary_search(&to).is_err() {
                return unproved(place, format!("there is no edge from {a} to {b}"));
            }
            for (vertex, label) in [(from, a), (to, b)] {
                if std::mem::replace(&mut covered[vertex as usize], true) {
                    return unproved(place, format!("vertex {label} is matched twice"));
                }
            }
        }
        Ok(covered)
    }

    /// A vertex that the token has not left, by its number.
    fn vertex(&self, label: u32, place: &str) -> Checked<u32> {
        match self.labels.binary_search(&label) {
            Ok(vertex) if !self.gone[vertex] => Ok(vertex as u32),
            Ok(_) => unproved(place, format!("the token has left vertex {label}")),
            Err(_) => unproved(place, format!("there is no vertex {label}")),
        }
    }

    /// How many connected pieces have an odd number of vertices, without those that are barred; and which vertices are in one.
    fn odd_pieces(
        &self,
        barred: &[bool],
        meter: &mut Meter<'_>,
    ) -> Result<(usize, Vec<bool>), Stopped> {
        let mut open: Vec<bool> = self
            .gone
            .iter()
            .zip(barred)
            .map(|(gone, barred)| !gone && !barred)
            .collect();
        let mut odd = 0;
        let mut in_odd = vec![false; open.len()];
        for root in 0..open.len() {
            if !std::mem::replace(&mut open[root], false) {
                continue;
            }
            let mut piece = Vec::new();
            let mut stack = vec![root as u32];
            while let Some(vertex) = stack.pop() {
                piece.push(vertex);
                meter.work(1)?;
                for next in &self.out[vertex as usize] {
                    if std::mem::replace(&mut open[*next as usize], false) {
                        stack.push(*next);
                    }
                }
            }
            odd += piece.len() % 2;
            if piece.len() % 2 == 1 {
                piece
                    .iter()
                    .for_each(|vertex| in_odd[*vertex as usize] = true);
            }
        }
        Ok((odd, in_odd))
    }
}
