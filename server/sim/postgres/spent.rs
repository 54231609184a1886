//! What is used of limits that hold over all servers, by the clock of the database.

use std::collections::BTreeMap;

use grundy_server::store::{Levels, NodeId, Spender, Spendings};

/// What a server held counts for so long after its last report.
const HELD_FOR_MS: u64 = 5_000;
/// Rows that are paid off are removed so late after their last change.
const KEPT_FOR_MS: u64 = 60_000;

/// One limit of one who uses it, in microseconds.
#[derive(Clone, Copy)]
struct Row {
    paid_at: i64,
    changed_ms: u64,
}

/// What all servers have used, and what each holds.
#[derive(Default)]
pub(crate) struct Spent {
    rows: BTreeMap<Spender, Row>,
    held: BTreeMap<NodeId, (u64, Vec<(i64, u32)>)>,
}

fn micros(ms: u64) -> i64 {
    i64::try_from(ms.saturating_mul(1_000)).unwrap_or(i64::MAX)
}

impl Spent {
    /// Adds what a server has used, notes what it holds, and says what all have used and the others hold.
    pub(crate) fn settle(&mut self, node: NodeId, said: &Spendings, now_ms: u64) -> Levels {
        let now = micros(now_ms);
        for (of, time) in &said.spent {
            let row = self.rows.entry(*of).or_insert(Row {
                paid_at: now,
                changed_ms: now_ms,
            });
            row.paid_at = row.paid_at.max(now).saturating_add(*time);
            row.changed_ms = now_ms;
        }
        self.rows
            .retain(|_, row| row.paid_at > now || row.changed_ms + KEPT_FOR_MS > now_ms);
        self.held.insert(node, (now_ms, said.held.clone()));
        let since = said.within.map_or(0, |within| {
            now_ms.saturating_sub(u64::try_from(within.as_millis()).unwrap_or(u64::MAX))
        });
        let levels = self
            .rows
            .iter()
            .filter(|(_, row)| row.changed_ms >= since && row.paid_at > now);
        let others = self
            .held
            .iter()
            .filter(|(id, _)| **id != node && self.is_heard_of(**id, now_ms));
        Levels {
            spent: levels.map(|(of, row)| (*of, row.paid_at - now)).collect(),
            held: others.flat_map(|(_, (_, held))| held.clone()).collect(),
        }
    }

    /// Whether a server has said something within the last seconds.
    pub(crate) fn is_heard_of(&self, node: NodeId, now_ms: u64) -> bool {
        let said = self.held.get(&node);
        said.is_some_and(|(at, _)| at + HELD_FOR_MS > now_ms)
    }
}
