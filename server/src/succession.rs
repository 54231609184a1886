//! Taking over the matches of servers that share the store and have stopped or seem dead. The leases of the dead end with that.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::hall::{Hall, Life};
use crate::lifecycle::Lifecycle;
use crate::matches::Matches;
use crate::peers::Peers;
use crate::store::{CommitError, Lease, NodeRow, Store, StoreError};

/// This server as one that takes over from others.
pub struct Succession {
    lease: Lease,
    store: Arc<dyn Store>,
    matches: Arc<Matches>,
    hall: Option<Arc<Hall>>,
    lifecycle: Lifecycle,
    peers: Mutex<Peers>,
    /// The take-over that is under way. This server gives its own heartbeats meanwhile.
    under_way: Mutex<Option<JoinHandle<()>>>,
}

impl Succession {
    /// Nothing was seen of others yet.
    #[must_use]
    pub fn new(
        lease: Lease,
        store: Arc<dyn Store>,
        matches: Arc<Matches>,
        hall: Option<Arc<Hall>>,
        lifecycle: Lifecycle,
    ) -> Arc<Self> {
        Arc::new(Self {
            lease,
            store,
            matches,
            hall,
            lifecycle,
            peers: Mutex::new(Peers::new(lease.node)),
            under_way: Mutex::default(),
        })
    }

    fn peers(&self) -> MutexGuard<'_, Peers> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was seen of others says nothing any more.
    pub fn begin_again(&self) {
        self.peers().begin_again(Instant::now());
    }

    /// Looks at the others after a heartbeat that took so long, and begins to take over from those that seem dead.
    pub async fn look(self: &Arc<Self>, beat_took: Duration) {
        let nodes = match self.store.nodes().await {
            Ok(nodes) => nodes,
            Err(error) => {
                tracing::warn!(%error, "the other servers cannot be looked at");
                return self.begin_again();
            }
        };
        let dead = self.peers().look(Instant::now(), beat_took, &nodes);
        let mut under_way = self
            .under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if !dead.is_empty() && under_way.as_ref().is_none_or(JoinHandle::is_finished) {
            let taking = self.clone().take_over(dead);
            *under_way = Some(self.lifecycle.spawn(taking));
        }
    }

    /// What fails is tried again with a later look.
    async fn take_over(self: Arc<Self>, dead: Vec<NodeRow>) {
        for row in dead {
            match self.take_over_from(row).await {
                Ok(None) => self.peers().settle(row.id),
                Ok(Some(matches)) => {
                    let node = row.id.0;
                    if row.left {
                        tracing::info!(
                            node,
                            matches,
                            "took over the matches of a server that stopped"
                        );
                    } else {
                        tracing::warn!(node, matches, "took over the matches of a dead server");
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
        self.bury(row).await?;
        // First what can be done again if it fails, or if this server dies as well: the other one loses them with the last step.
        let recovered = self.matches.recover(row.id, row.epoch, row.heartbeat);
        if recovered.await? == 0 {
            return Ok(None);
        }
        self.store.take_over(self.lease, row).await.map(Some)
    }
}
