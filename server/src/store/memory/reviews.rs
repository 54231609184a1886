//! Reviews in memory.

use std::collections::BTreeMap;

use grundy_shared::ids::MatchId;
use rustc_hash::FxHashMap;

use crate::store::ReviewRow;

/// One review of each match, those stored first first.
#[derive(Debug, Default)]
pub(super) struct Reviews {
    rows: FxHashMap<MatchId, (u64, ReviewRow)>,
    order: BTreeMap<u64, MatchId>,
    bytes: u64,
}

impl Reviews {
    pub(super) fn get(&self, id: MatchId) -> Option<&ReviewRow> {
        self.rows.get(&id).map(|(_, row)| row)
    }

    /// Keeps a review, and drops the oldest while all together have more bytes than this.
    pub(super) fn put(&mut self, id: MatchId, row: ReviewRow, most_bytes: u64) {
        if row.bytes() > most_bytes {
            return;
        }
        self.remove(id);
        let number = self.order.last_key_value().map_or(0, |(last, _)| last + 1);
        self.bytes += row.bytes();
        self.rows.insert(id, (number, row));
        self.order.insert(number, id);
        while self.bytes > most_bytes
            && let Some((_, oldest)) = self.order.first_key_value()
        {
            self.remove(*oldest);
        }
    }

    pub(super) fn remove(&mut self, id: MatchId) {
        if let Some((number, row)) = self.rows.remove(&id) {
            self.order.remove(&number);
            self.bytes -= row.bytes();
        }
    }
}
