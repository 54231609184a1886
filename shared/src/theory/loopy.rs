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
    #[derive(Clone, Copy, PartialEq)]
    enum Label {
        Open,
        Value(u64),
        Endless,
    }
    let mut into: Vec<Vec<u32>> = vec![Vec::new(); out.len()];
    for (from, to) in out.iter().enumerate() {
        to.iter()
            .for_each(|to| into[*to as usize].push(from as u32));
    }
    let mut labels = vec![Label::Open; out.len()];
    let mut value = 0;
    while labels.contains(&Label::Open) {
        meter.work(into.iter().map(|from| 1 + from.len() as u64).sum())?;
        let is_value = |label: Label| matches!(label, Label::Value(_));
        // What leads to this value already, and how many followers without a value do not.
        let mut leads = vec![false; out.len()];
        let mut strange: Vec<usize> = out
            .iter()
            .map(|to| {
                to.iter()
                    .filter(|to| !is_value(labels[**to as usize]))
                    .count()
            })
            .collect();
        let fits = |node: u32, labels: &[Label], leads: &[bool], strange: &[usize]| {
            let node = node as usize;
            labels[node] == Label::Open && !leads[node] && strange[node] == 0
        };
        let mut ready: Vec<u32> = (0..out.len() as u32).collect();
        while let Some(node) = ready.pop() {
            if !fits(node, &labels, &leads, &strange) {
                continue;
            }
            labels[node as usize] = Label::Value(value);
            for before in &into[node as usize] {
                if leads[*before as usize] {
                    continue;
                }
                leads[*before as usize] = true;
                if is_value(labels[*before as usize]) {
                    continue;
                }
                for earlier in &into[*before as usize] {
                    strange[*earlier as usize] -= 1;
                    ready.push(*earlier);
                }
            }
        }
        for (label, leads) in labels.iter_mut().zip(leads) {
            if *label == Label::Open && !leads {
                *label = Label::Endless;
            }
        }
        value += 1;
    }
    let exits = |node: usize| {
        let mut exits: Vec<u64> = out[node]
            .iter()
            .filter_map(|to| match labels[*to as usize] {
                Label::Value(value) => Some(value),
                _ => None,
            })
            .collect();
        exits.sort_unstable();
        exits.dedup();
        exits
    };
    let told = labels.iter().enumerate().map(|(node, label)| match label {
        Label::Value(value) => LoopyValue::Nimber(*value),
        _ => LoopyValue::Endless(exits(node).into()),
    });
    Ok(told.collect())
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
