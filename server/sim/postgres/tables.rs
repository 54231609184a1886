//! What a database holds: the rows of the store, the numbers of the transactions of each lease, and what servers say to each other there.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grundy_server::store::memory::MemoryStore;
use grundy_server::store::postgres::Lane;
use grundy_server::store::{Duty, Lease, NodeId, NodeRow, Store, StoreError};
use rustc_hash::FxHashMap;

use super::seats::Seats;
use super::spent::Spent;
use crate::disk::at_once;

/// Who does a duty keeps it for so long.
const DUTY_MS: u64 = 10_000;

/// What is in no log.
#[derive(Default)]
struct Rest {
    marks: FxHashMap<(Lease, Lane), u64>,
    duties: FxHashMap<Duty, (NodeId, u64)>,
    seats: Seats,
}

/// The rows of one database.
#[derive(Default)]
pub(crate) struct Tables {
    pub(crate) memory: Arc<MemoryStore>,
    rest: Mutex<Rest>,
    spent: Mutex<Spent>,
    /// Whether a server has found that commits are lacking here: it has ended the leases of all, and none is given any more.
    is_lacking: AtomicBool,
}

impl Tables {
    /// Those whose logs are kept here.
    pub(super) fn over(memory: &Arc<MemoryStore>) -> Self {
        Self {
            memory: memory.clone(),
            ..Self::default()
        }
    }

    fn rest(&self) -> MutexGuard<'_, Rest> {
        self.rest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a lease is good: neither retired, nor taken over, nor enlisted again.
    pub(crate) fn is_good(&self, lease: Lease) -> bool {
        let nodes = at_once(self.memory.nodes()).unwrap_or_default();
        let is_it = |row: &NodeRow| row.id == lease.node && row.epoch == lease.epoch;
        !self.is_lacking() && nodes.iter().any(|row| is_it(row) && !row.left)
    }

    /// Whether servers are kept away, because one has found that commits are lacking.
    pub(crate) fn is_lacking(&self) -> bool {
        self.is_lacking.load(Ordering::Relaxed)
    }

    /// Keeps all servers away, if this life is good here.
    pub(super) fn keep_away(&self, life: Lease) {
        if self.is_good(life) {
            self.is_lacking.store(true, Ordering::Relaxed);
        }
    }

    /// The newest life of a node.
    pub(crate) fn epoch(&self, node: NodeId) -> Option<u64> {
        let nodes = at_once(self.memory.nodes()).unwrap_or_default();
        nodes.iter().find(|row| row.id == node).map(|row| row.epoch)
    }

    /// The number of the last transaction of a lease; 0 before the first.
    pub(super) fn mark(&self, lease: Lease, lane: Lane) -> u64 {
        self.rest()
            .marks
            .get(&(lease, lane))
            .copied()
            .unwrap_or_default()
    }

    /// A transaction of this lease is committed.
    pub(super) fn raise(&self, lease: Lease, lane: Lane) {
        *self.rest().marks.entry((lease, lane)).or_default() += 1;
    }

    /// The nodes. Each transaction of a node that is committed is a sign of its life.
    pub(crate) fn nodes(&self) -> Result<Vec<NodeRow>, StoreError> {
        let rows = at_once(self.memory.nodes())?;
        let signed = rows.into_iter().map(|row| {
            let lease = Lease {
                node: row.id,
                epoch: row.epoch,
            };
            let marks = Lane::ALL.map(|lane| self.mark(lease, lane));
            NodeRow {
                sign: marks.iter().sum(),
                ..row
            }
        });
        Ok(signed.collect())
    }

    /// Takes a duty, or keeps it, unless another server has renewed it a short time ago.
    pub(crate) fn claim(&self, node: NodeId, duty: Duty, now_ms: u64) -> bool {
        let mut rest = self.rest();
        let (holder, renewed) = *rest.duties.entry(duty).or_insert((node, now_ms));
        let mine = holder == node || renewed + DUTY_MS < now_ms;
        if mine {
            rest.duties.insert(duty, (node, now_ms));
        }
        mine
    }

    /// Does something with the seats.
    pub(crate) fn seats<T>(&self, with: impl FnOnce(&mut Seats) -> T) -> T {
        with(&mut self.rest().seats)
    }

    /// Does something with what was used of limits.
    pub(crate) fn spent<T>(&self, with: impl FnOnce(&mut Spent) -> T) -> T {
        with(&mut self.spent.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
