//! Where the logs end: the writer's memory of the streams it wrote last, bounded.

use grundy_shared::chain::Hash;
use grundy_shared::ids::Seq;
use rustc_hash::FxHashMap;

use crate::store::StreamId;

/// Streams in one generation; two are kept, about 8 MiB.
const GENERATION: usize = 32_768;

/// The end of one log.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    /// The number of the stream in the database.
    pub(super) number: i64,
    /// The number of the last event.
    pub(super) seq: Seq,
    /// Its link of the hash chain.
    pub(super) hash: Hash,
    /// Whether the match is over, so that the end is kept in its row.
    pub(super) over: bool,
}

/// The ends of the logs written last. Two generations make forgetting cheap: when the young one is full, the old one
/// goes, and who was used since stays.
#[derive(Debug, Default)]
pub(super) struct Heads {
    young: FxHashMap<StreamId, Head>,
    old: FxHashMap<StreamId, Head>,
}

impl Heads {
    /// What is remembered of a stream.
    pub(super) fn get(&mut self, id: StreamId) -> Option<Head> {
        if let Some(head) = self.young.get(&id) {
            return Some(*head);
        }
        let head = self.old.remove(&id)?;
        self.set(id, head);
        Some(head)
    }

    /// Remembers.
    pub(super) fn set(&mut self, id: StreamId, head: Head) {
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(id, head);
    }

    /// Forgets a stream that is removed.
    pub(super) fn remove(&mut self, id: StreamId) {
        self.young.remove(&id);
        self.old.remove(&id);
    }

    /// Forgets everything: after a failed transaction memory and database may differ.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}
