//! Taking over the matches of servers that share the store and have stopped or seem dead. The leases of the dead end with that. With each look at the others, a server also sees
//! whether its own clock has stayed behind.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grundy_shared::ids::Millis;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use crate::bus::signs::Signs;
use crate::clock::{Clock, behind_others};
use crate::hall::{Hall, Life};
use crate::lifecycle::Lifecycle;
use crate::matches::Matches;
use crate::metrics::{ByReason, ClusterMetrics};
use crate::peers::Peers;
use crate::planted;
use crate::store::{CommitError, Lease, NodeRow, Store, StoreError};

/// A look that takes longer says nothing about others.
const LOOK_MOST: Duration = Duration::from_secs(1);

/// A task, of which one runs at a time.
type UnderWay = Mutex<Option<JoinHandle<()>>>;

/// Begins a task unless the last one still runs.
fn begin<F>(under_way: &UnderWay, lifecycle: &Lifecycle, task: impl FnOnce() -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let mut under_way = under_way.lock().unwrap_or_else(PoisonError::into_inner);
    if under_way.as_ref().is_none_or(JoinHandle::is_finished) {
        *under_way = Some(lifecycle.spawn(task()));
    }
}

/// What a take-over needs.
pub struct Services {
    /// The right of this server.
    pub lease: Lease,
    /// Where the rows of all servers are.
    pub store: Arc<dyn Store>,
    /// What is taken over.
    pub matches: Arc<Matches>,
    /// Messages between servers.
    pub hall: Option<Arc<Hall>>,
    /// Whether the server stops.
    pub lifecycle: Lifecycle,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Counts living servers and take-overs.
    pub metrics: ClusterMetrics,
    /// Receives the list of living servers.
    pub signs: Arc<Signs>,
}

/// This server as one that takes over from others.
pub struct Succession {
    services: Services,
    peers: Mutex<Peers>,
    /// The look and the take-over that are under way. This server gives its own heartbeats meanwhile.
    looking: UnderWay,
    under_way: UnderWay,
}

impl std::ops::Deref for Succession {
    type Target = Services;

    fn deref(&self) -> &Services {
        &self.services
    }
}

impl Succession {
    /// Nothing was seen of others yet.
    #[must_use]
    pub fn new(services: Services) -> Arc<Self> {
        Arc::new(Self {
            peers: Mutex::new(Peers::new(services.lease.node)),
            services,
            looking: UnderWay::default(),
            under_way: UnderWay::default(),
        })
    }

    fn peers(&self) -> MutexGuard<'_, Peers> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was seen of others says nothing any more.
    pub fn begin_again(&self) {
        self.peers().begin_again(Instant::now());
    }

    /// Begins to look at the others after a heartbeat that took so long, unless a look is under way, and to take over from those that seem dead.
    pub fn look(self: &Arc<Self>, beat_took: Duration) {
        begin(&self.looking, &self.lifecycle, || {
            self.clone().look_at_others(beat_took)
        });
    }

    async fn look_at_others(self: Arc<Self>, beat_took: Duration) {
        let nodes = match timeout(LOOK_MOST, self.store.nodes()).await {
            Ok(Ok(nodes)) => nodes,
            Ok(Err(error)) => {
                tracing::warn!(%error, "the other servers cannot be looked at");
                return self.begin_again();
            }
            Err(_) => return self.begin_again(),
        };
        if let Some(behind) = self.behind(&nodes).await {
            return self.lifecycle.fail(format!(
                "the clock of this server is {} ms behind that of the database or of another server, as after the process or its machine stood still; start it again. \
                 No player is charged for that time",
                behind.0
            ));
        }
        let now = Instant::now();
        let (dead, living) = {
            let mut peers = self.peers();
            let due = peers.look(now, beat_took, &nodes);
            let due: Vec<(NodeRow, bool)> = due
                .into_iter()
                .map(|row| (row, peers.has_died(row.id)))
                .collect();
            (due, peers.living(now))
        };
        self.metrics.alive.set(living.len() as u64 + 1);
        self.signs.set_living(living);
        if !dead.is_empty() {
            begin(&self.under_way, &self.lifecycle, || {
                self.clone().take_over(dead)
            });
        }
    }

    /// By how much the clock here is behind those that the others go by, if that is too much.
    async fn behind(&self, nodes: &[NodeRow]) -> Option<Millis> {
        if planted::is("keep_a_slow_clock") {
            return None;
        }
        let asked = Instant::now();
        let of_store = match timeout(LOOK_MOST, self.store.time()).await {
            Ok(Ok(time)) => time,
            // With the next look.
            Ok(Err(_)) | Err(_) => None,
        };
        let others = nodes.iter().filter(|row| row.id != self.lease.node);
        let heartbeats = others.filter_map(|row| row.heartbeat);
        behind_others(self.clock.now(), of_store, asked.elapsed(), heartbeats)
    }

    /// Takes over from these servers, each with whether it has died: else it has stopped. What fails is tried again with a later look.
    async fn take_over(self: Arc<Self>, dead: Vec<(NodeRow, bool)>) {
        for (row, has_died) in dead {
            match self.take_over_from(row).await {
                Ok(None) => self.peers().settle(row.id),
                Ok(Some(matches)) => {
                    let node = row.id.0;
                    let reason = if has_died { "dead" } else { "stopped" };
                    self.metrics
                        .takeovers
                        .get_or_create(&ByReason { reason })
                        .inc();
                    if has_died {
                        tracing::warn!(node, matches, "took over the matches of a dead server");
                    } else {
                        tracing::info!(
                            node,
                            matches,
                            "took over the matches of a server that stopped"
                        );
                    }
                }
                Err(error) => tracing::warn!(node = row.id.0, %error, "no take-over"),
            }
        }
    }

    /// Ends what the other server had in the hall. That waits for nobody's matches.
    async fn bury(&self, row: NodeRow) -> Result<(), StoreError> {
        let Some(hall) = &self.hall else {
            return Ok(());
        };
        let dead = Life {
            node: row.id.0,
            epoch: row.epoch,
        };
        hall.bury(dead).await.map_err(|error| match error {
            CommitError::Store(error) => error,
            CommitError::Fenced => StoreError::Fenced,
            error => StoreError::Failed {
                why: error.to_string(),
            },
        })
    }

    /// How many matches were taken over; `None` if the other server has none.
    async fn take_over_from(&self, row: NodeRow) -> Result<Option<u64>, StoreError> {
        // A player whose connection ended with the other server is gone, whatever the seat says.
        if !planted::is("count_dead_seats") {
            self.store.end_life(self.lease, row).await?;
        }
        self.bury(row).await?;
        // First what can be done again if it fails, or if this server dies as well: the other one loses them with the last step.
        let recovered = self.matches.recover(row.id, row.epoch, row.heartbeat);
        if recovered.await? == 0 {
            return Ok(None);
        }
        self.store.take_over(self.lease, row).await.map(Some)
    }
}
