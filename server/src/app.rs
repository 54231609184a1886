//! What every session shares, how it is put together at a start, and what runs beside the sessions.

use std::sync::Arc;
use std::time::Duration;

use grundy_shared::ids::Millis;
use tokio::time::MissedTickBehavior;
use tokio_util::task::TaskTracker;

use crate::accounts::Accounts;
use crate::addresses::{AddressKey, Addresses};
use crate::analysis::reviews::Reviews;
use crate::analysis::{Analysis, Bounds};
use crate::chance::Chance;
use crate::clock::Clock;
use crate::config::{Config, Solver};
use crate::lifecycle::Lifecycle;
use crate::matches::{Matches, Services};
use crate::metrics::Metrics;
use crate::planted;
use crate::store::committer::Committer;
use crate::store::{self, Lease, NodeId, Store, StoreError};
use crate::tournaments::{self, Tournaments};

/// Between two heartbeats; an outage is credited from the last one.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// Between two looks at what addresses are remembered.
const TIDY_EVERY: u32 = 60;

/// What a server depends on; a simulation passes its own.
pub struct Dependencies {
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Chance.
    pub chance: Arc<dyn Chance>,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// Whether the server stops, and how its tasks begin.
    pub lifecycle: Lifecycle,
    /// How the solver runs.
    pub solver: SolverMode,
}

/// How the solver runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverMode {
    /// On threads, each job for a bounded processor time.
    OnThreads,
    /// Between other tasks, each job in one go, bounded in positions and memory only: repeatable.
    Inline,
}

/// What every session shares.
pub struct App {
    /// What the operator has set.
    pub config: Arc<Config>,
    /// The log.
    pub store: Arc<dyn Store>,
    /// The way to write to it.
    pub committer: Committer,
    /// The right to.
    pub lease: Lease,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Chance.
    pub chance: Arc<dyn Chance>,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// Whether the server stops.
    pub lifecycle: Lifecycle,
    /// The matches.
    pub matches: Arc<Matches>,
    /// The tournaments.
    pub tournaments: Arc<Tournaments>,
    /// What is told to players outside their matches.
    pub accounts: Arc<Accounts>,
    /// Reviews asked for lately.
    pub reviews: Arc<Reviews>,
    /// What each address may do.
    pub addresses: Arc<Addresses>,
    /// The tasks of connections.
    pub(crate) sessions: TaskTracker,
}

/// Why the server could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The log could not be taken up.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The solver has no threads.
    #[error("no thread for the solver: {0}")]
    Threads(#[from] std::io::Error),
}

impl App {
    /// Takes up every match that is not over; whoever is away since the last heartbeat gets that time back. Ready when it returns.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn start(
        config: Config,
        store: Arc<dyn Store>,
        dependencies: Dependencies,
    ) -> Result<Arc<Self>, StartError> {
        let Dependencies {
            clock,
            chance,
            metrics,
            lifecycle,
            solver,
        } = dependencies;
        let config = Arc::new(config);
        let (bounds, waiting) = (bounds(&config.solver), metrics.solver_queue.clone());
        let analysis = match solver {
            SolverMode::OnThreads => Analysis::start(bounds, waiting)?,
            SolverMode::Inline => Analysis::inline(bounds, waiting, lifecycle.clone()),
        };
        let last_heartbeat = store::last_heartbeat(&*store, NodeId::ONLY).await?;
        let lease = store.enlist(NodeId::ONLY, clock.now()).await?;
        let (committer, commits) = Committer::new(store.clone(), lease);
        lifecycle.spawn(commits.run());
        let accounts = Accounts::new(clock.clone(), chance.clone());
        let tournaments = Tournaments::recover(tournaments::Services {
            config: config.clone(),
            store: store.clone(),
            committer: committer.clone(),
            clock: clock.clone(),
            chance: chance.clone(),
            lifecycle: lifecycle.clone(),
        });
        // Before the matches: one that ends while it is taken up counts.
        let tournaments = tournaments.await?;
        let matches = Matches::new(Services {
            herald: accounts.clone(),
            config: config.clone(),
            store: store.clone(),
            committer: committer.clone(),
            clock: clock.clone(),
            chance: chance.clone(),
            metrics: metrics.clone(),
            analysis,
            lifecycle: lifecycle.clone(),
            tally: tournaments.clone(),
        });
        let recovered = matches.recover(lease.node, last_heartbeat).await?;
        tracing::info!(matches = recovered, "recovered");
        lifecycle.spawn(matches.clone().keep_time());
        tournaments.begin(&matches);
        lifecycle.spawn(tournaments.clone().keep_time());
        lifecycle.spawn(accounts.clone().keep_time(lifecycle.clone()));
        let app = Arc::new(Self {
            addresses: Arc::new(Addresses::new(&config.limits)),
            reviews: Arc::default(),
            accounts,
            config,
            store,
            committer,
            lease,
            clock,
            chance,
            metrics,
            lifecycle,
            matches,
            tournaments,
            sessions: TaskTracker::new(),
        });
        app.store.heartbeat(lease, app.clock.now()).await?;
        app.lifecycle.spawn(app.clone().keep_alive());
        app.lifecycle.spawn(app.clone().watch_store());
        Ok(app)
    }

    /// Writes a heartbeat each second until the server begins to stop.
    async fn keep_alive(self: Arc<Self>) {
        let draining = self.lifecycle.draining();
        let mut beats = tokio::time::interval(HEARTBEAT);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut until_tidy = TIDY_EVERY;
        while draining.run_until_cancelled(beats.tick()).await.is_some() {
            if let Err(error) = self.store.heartbeat(self.lease, self.beat()).await {
                tracing::warn!(%error, "no heartbeat");
            }
            until_tidy -= 1;
            if until_tidy == 0 {
                until_tidy = TIDY_EVERY;
                self.addresses.tidy();
            }
        }
    }

    /// The moment of a heartbeat.
    fn beat(&self) -> Millis {
        match planted::is("heartbeat_ahead") {
            true => self.clock.now().plus(Millis(20_000)),
            false => self.clock.now(),
        }
    }

    /// A server whose log has failed must not go on half alive.
    async fn watch_store(self: Arc<Self>) {
        let draining = self.lifecycle.draining();
        if let Some(error) = draining.run_until_cancelled(self.store.failed()).await {
            self.lifecycle.fail(error.to_string());
        }
    }

    /// When a client at this address is to come back after a stop.
    #[must_use]
    pub fn reconnect_after(&self, address: AddressKey) -> Millis {
        self.addresses
            .reconnect_after(address, |bound| self.chance.below(bound))
    }
}

fn bounds(solver: &Solver) -> Bounds {
    Bounds {
        threads: solver.threads as usize,
        queue: solver.queue as usize,
        cpu: Duration::from_millis(solver.cpu_ms.0),
        memory_bytes: solver.memory_bytes,
        nodes: solver.nodes,
    }
}
