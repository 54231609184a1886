//! Values of loopy impartial games (C. A. B. Smith 1966; A. S. Fraenkel, Y. Perl 1975; A. S. Fraenkel, Y. Yesha 1986).
//!
//! A node has the value i where it leads to all smaller ones and not to i, and whatever else it leads to leads back to i. A node that
//! gets no value this way is endless: of it only the values that it leads to count.

use crate::theory::{Meter, Stopped};

/// What a token on a node is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoopyValue {
    /// As a heap of so many.
    Nimber(u64),
    /// Play may go on for ever; the values that one move leads to, ascending.
    Endless(Box<[u64]>),
}

/// What a sum of such values is for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopyOutcome {
    /// He wins.
    Won,
    /// He loses.
    Lost,
    /// Neither can force an end.
    Drawn,
}

/// The outcome of parts side by side, in normal play. One endless part is won by the move to the value of the others, if it
/// has one; two are never brought to an end.
pub fn outcome<'v>(values: impl IntoIterator<Item = &'v LoopyValue>) -> LoopyOutcome {
    let (mut xor, mut endless) = (0, None);
    for value in values {
        match (value, endless) {
            (LoopyValue::Nimber(value), _) => xor ^= value,
            (LoopyValue::Endless(_), Some(_)) => return LoopyOutcome::Drawn,
            (LoopyValue::Endless(exits), None) => endless = Some(exits),
        }
    }
    match endless {
        None if xor == 0 => LoopyOutcome::Lost,
        None => LoopyOutcome::Won,
        Some(exits) if exits.contains(&xor) => LoopyOutcome::Won,
        Some(_) => LoopyOutcome::Drawn,
    }
}

/// The values of all nodes of a graph, given where the arcs of each lead. O(arcs) for each value that occurs, of which there are
/// at most about the root of twice the arcs.
pub fn values(out: &[Vec<u32>], meter: &mut Meter<'_>) -> Result<Vec<LoopyValue>, Stopped> {
    let mut labels = Labels::new(out);
    let mut value = 0;
    while labels.of.contains(&Label::Open) {
        meter.work(labels.into.iter().map(|from| 1 + from.len() as u64).sum())?;
        labels.give(value);
        value += 1;
    }
    let exits = |node: usize| {
        let values = out[node].iter().filter_map(|to| labels.value(*to));
        let mut exits: Vec<u64> = values.collect();
        exits.sort_unstable();
        exits.dedup();
        exits
    };
    let told = labels.of.iter().enumerate();
    let told = told.map(|(node, label)| match label {
        Label::Value(value) => LoopyValue::Nimber(*value),
        Label::Open | Label::Endless => LoopyValue::Endless(exits(node).into()),
    });
    Ok(told.collect())
}

/// What is known of a node.
#[derive(Clone, Copy, PartialEq)]
enum Label {
    Open,
    Value(u64),
    Endless,
}

/// A graph whose nodes get their labels value by value, from 0 on.
struct Labels<'g> {
    out: &'g [Vec<u32>],
    /// Where the arcs that lead to each node come from.
    into: Vec<Vec<u32>>,
    of: Vec<Label>,
}

impl<'g> Labels<'g> {
    fn new(out: &'g [Vec<u32>]) -> Self {
        let mut into = vec![Vec::new(); out.len()];
        for (from, to) in (0..).zip(out) {
            to.iter().for_each(|to| into[*to as usize].push(from));
        }
        let of = vec![Label::Open; out.len()];
        Self { out, into, of }
    }

    fn value(&self, node: u32) -> Option<u64> {
        match self.of[node as usize] {
            Label::Value(value) => Some(value),
            Label::Open | Label::Endless => None,
        }
    }

    /// Finds the nodes of this value, all smaller ones being given. An open node that does not lead to it then is endless.
    fn give(&mut self, value: u64) {
        // What leads to this value already, and how many followers without a value do not.
        let mut leads = vec![false; self.out.len()];
        let strange = |to: &Vec<u32>| to.iter().filter(|to| self.value(**to).is_none()).count();
        let mut strange: Vec<usize> = self.out.iter().map(strange).collect();
        let mut ready: Vec<u32> = (0..self.out.len() as u32).collect();
        while let Some(node) = ready.pop() {
            let node = node as usize;
            if self.of[node] != Label::Open || leads[node] || strange[node] > 0 {
                continue;
            }
            self.of[node] = Label::Value(value);
            for before in &self.into[node] {
                if std::mem::replace(&mut leads[*before as usize], true)
                    || self.value(*before).is_some()
                {
                    continue;
                }
                for earlier in &self.into[*before as usize] {
                    strange[*earlier as usize] -= 1;
                    ready.push(*earlier);
                }
            }
        }
        for (label, leads) in self.of.iter_mut().zip(leads) {
            if *label == Label::Open && !leads {
                *label = Label::Endless;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Three tokens on one graph, by going over all triples until nothing changes.
    fn by_hand(out: &[Vec<u32>]) -> Vec<LoopyOutcome> {
        let nodes = out.len();
        let triple = |n: usize| [n / nodes / nodes, n / nodes % nodes, n % nodes];
        let after = |n: usize| {
            let tokens = triple(n);
            let mut after = Vec::new();
            for moved in 0..3 {
                for to in &out[tokens[moved]] {
                    let mut tokens = tokens;
                    tokens[moved] = *to as usize;
                    after.push((tokens[0] * nodes + tokens[1]) * nodes + tokens[2]);
                }
            }
            after
        };
        let mut found = vec![LoopyOutcome::Drawn; nodes * nodes * nodes];
        loop {
            let before = found.clone();
            for (n, found) in found.iter_mut().enumerate() {
                let after = after(n);
                if after.iter().any(|to| before[*to] == LoopyOutcome::Lost) {
                    *found = LoopyOutcome::Won;
                } else if after.iter().all(|to| before[*to] == LoopyOutcome::Won) {
                    *found = LoopyOutcome::Lost;
                }
            }
            if found == before {
                return found;
            }
        }
    }

    proptest! {
        #[test]
        fn sums_of_three_are_what_all_lines_of_play_give(
            nodes in 1_usize..6,
            arcs in proptest::collection::btree_set((0_u32..6, 0_u32..6), 0..14),
        ) {
            let mut out = vec![Vec::new(); nodes];
            for (from, to) in arcs {
                if (from as usize) < nodes && (to as usize) < nodes {
                    out[from as usize].push(to);
                }
            }
            let values = values(&out, &mut Meter::new(1 << 20, 1 << 20, &|| false)).expect("small");
            for (n, truth) in by_hand(&out).into_iter().enumerate() {
                let tokens = [n / nodes / nodes, n / nodes % nodes, n % nodes];
                let parts = tokens.iter().map(|node| &values[*node]);
                prop_assert_eq!(outcome(parts), truth, "{:?} {:?}", out, tokens);
            }
        }
    }
}
