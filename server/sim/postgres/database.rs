//! The database program: whether it runs, what it holds, and who is connected.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use grundy_server::store::memory::MemoryStore;
use grundy_server::store::postgres::Lane;
use grundy_server::store::{Lease, NodeId};
use rustc_hash::FxHashMap;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::fault::Trouble;
use super::locks::Locks;
use super::tables::Tables;
use crate::world::World;

/// What a transaction has done, to be done again elsewhere.
pub(crate) type Change = Arc<dyn Fn(&Tables) + Send + Sync>;

/// Whether somebody can connect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Door {
    Open,
    /// The program does not run, or does not serve yet.
    Down,
    /// Others have all connections.
    Full,
}

/// A transaction that is committed.
struct Logged {
    at_ms: u64,
    change: Change,
}

/// What a server has noted beside itself of what it has acknowledged: the numbers of the last transactions of one life.
pub(super) type Noted = (Lease, FxHashMap<Lane, u64>);

struct State {
    door: Door,
    /// What servers reach.
    tables: Arc<Tables>,
    log: Vec<Logged>,
    /// Cancelled when all connections end.
    sessions: CancellationToken,
    /// Transactions whose COMMIT has arrived may be lost: the program is killed, not stopped.
    crashes: bool,
    disk_full: bool,
    pools: Vec<Weak<Semaphore>>,
    noted: BTreeMap<NodeId, Noted>,
    /// What a reader sees that trusts an old copy, and how much of the log it has.
    stale: Option<(Arc<Tables>, usize)>,
}

/// The database of a world with several servers.
pub(crate) struct Database {
    state: Mutex<State>,
    /// With everything that was ever acknowledged.
    pub(crate) primary: Arc<Tables>,
    pub(super) locks: Locks,
    /// Transactions whose COMMIT is on its way or has no answer yet.
    pub(super) committing: AtomicU64,
    /// What the program does goes on when servers die.
    pub(super) at_work: TaskTracker,
}

impl Database {
    pub(crate) fn over(memory: &Arc<MemoryStore>) -> Self {
        let primary = Arc::new(Tables::over(memory));
        Self {
            state: Mutex::new(State {
                door: Door::Open,
                tables: primary.clone(),
                log: Vec::new(),
                sessions: CancellationToken::new(),
                crashes: false,
                disk_full: false,
                pools: Vec::new(),
                noted: BTreeMap::new(),
                stale: None,
            }),
            primary,
            locks: Locks::default(),
            committing: AtomicU64::new(0),
            at_work: TaskTracker::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What servers reach at the moment.
    pub(super) fn tables(&self) -> Arc<Tables> {
        self.state().tables.clone()
    }

    /// Whether what servers reach has everything that was ever acknowledged.
    pub(crate) fn is_primary(&self) -> bool {
        Arc::ptr_eq(&self.tables(), &self.primary)
    }

    /// Begins a session.
    pub(super) fn connect(&self) -> Result<CancellationToken, Trouble> {
        let state = self.state();
        match state.door {
            Door::Open => Ok(state.sessions.child_token()),
            Door::Down => Err(Trouble::Lost),
            Door::Full => Err(Trouble::Busy("too many connections")),
        }
    }

    /// Notes for copies what was done here.
    pub(crate) fn log(&self, world: &World, change: Change) {
        // A server alone has no copies.
        if world.plan.nodes == 1 {
            return;
        }
        let at_ms = world.now_ms();
        self.state().log.push(Logged { at_ms, change });
    }

    /// Waits for a moment at which an end of all sessions leaves somebody in doubt; not for long.
    pub(super) async fn doubtful_moment(&self) {
        for _ in 0..500 {
            if self.committing.load(Ordering::Relaxed) > 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    pub(super) fn is_disk_full(&self) -> bool {
        self.state().disk_full
    }

    pub(super) fn fill_disk(&self, full: bool) {
        self.state().disk_full = full;
    }

    /// Whether a COMMIT that has arrived may be lost with its session.
    pub(super) fn crashes(&self) -> bool {
        self.state().crashes
    }

    /// All sessions end. Until [`Database::serve`] nobody can connect: because it does not run, or because others have all connections.
    pub(super) fn shut(&self, crashes: bool, by_others: bool) {
        let mut state = self.state();
        state.door = if by_others { Door::Full } else { Door::Down };
        state.crashes = crashes;
        let sessions = std::mem::take(&mut state.sessions);
        drop(state);
        sessions.cancel();
    }

    pub(super) fn serve(&self) {
        self.state().door = Door::Open;
    }

    /// The connections with which a server reads.
    pub(super) fn add_pool(&self, pool: &Arc<Semaphore>) {
        let mut state = self.state();
        state.pools.retain(|pool| pool.strong_count() > 0);
        state.pools.push(Arc::downgrade(pool));
    }

    pub(super) fn pools(&self) -> Vec<Arc<Semaphore>> {
        let state = self.state();
        state.pools.iter().filter_map(Weak::upgrade).collect()
    }

    /// A server notes what it has acknowledged.
    pub(super) fn note(&self, node: NodeId, noted: Noted) {
        self.state().noted.insert(node, noted);
    }

    pub(super) fn noted(&self, node: NodeId) -> Option<Noted> {
        self.state().noted.get(&node).cloned()
    }

    /// A copy that lacks what was committed in this time, if one of these servers has acknowledged something of that.
    pub(super) fn standby_behind(
        &self,
        world: &World,
        behind: Duration,
        nodes: &[NodeId],
    ) -> Option<Arc<Tables>> {
        let behind = u64::try_from(behind.as_millis()).unwrap_or(u64::MAX);
        let until = world.now_ms().saturating_sub(behind);
        let standby = Arc::new(Tables::default());
        let state = self.state();
        let copied = state.log.iter().take_while(|logged| logged.at_ms <= until);
        copied.for_each(|logged| (logged.change)(&standby));
        let lacks = |node: &NodeId| {
            let noted = state.noted.get(node);
            noted.is_some_and(|(lease, marks)| {
                let mut marks = marks.iter();
                marks.any(|(lane, mark)| standby.mark(*lease, *lane) < *mark)
            })
        };
        nodes.iter().any(lacks).then_some(standby)
    }

    /// From now on servers that connect reach these tables.
    pub(super) fn lead_to(&self, tables: Arc<Tables>) {
        self.state().tables = tables;
    }

    /// The tables as they were some seconds ago.
    pub(super) fn stale(&self, world: &World) -> Arc<Tables> {
        const BEHIND_MS: u64 = 3_000;
        let until = world.now_ms().saturating_sub(BEHIND_MS);
        let state = &mut *self.state();
        let (tables, known) = state.stale.get_or_insert_default();
        let copied = state.log[*known..]
            .iter()
            .take_while(|logged| logged.at_ms <= until);
        for logged in copied {
            (logged.change)(tables);
            *known += 1;
        }
        tables.clone()
    }
}
