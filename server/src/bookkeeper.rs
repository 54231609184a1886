//! Reports to the other servers on the same store what is used here of limits that hold over all of them, and learns what they have used.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::MissedTickBehavior;

use crate::addresses::Addresses;
use crate::ledger::Ledger;
use crate::lifecycle::Lifecycle;
use crate::store::{NodeId, Store};

/// Between two reports.
const EVERY: Duration = Duration::from_secs(1);

/// Who reports what, and to whom.
pub struct Bookkeeper {
    /// This server.
    pub node: NodeId,
    /// Where servers meet.
    pub store: Arc<dyn Store>,
    /// What is used.
    pub ledger: Arc<Ledger>,
    /// Who is connected.
    pub addresses: Arc<Addresses>,
    /// Says when the server stops.
    pub lifecycle: Lifecycle,
}

impl Bookkeeper {
    /// Reports until the server begins to stop. No request waits for it: while the store does not answer, this server counts alone.
    pub async fn run(self) {
        let draining = self.lifecycle.draining();
        let mut ticks = tokio::time::interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while draining.run_until_cancelled(ticks.tick()).await.is_some() {
            let report = self.ledger.report(self.addresses.held());
            let levels = self.store.settle(self.node, report).await;
            if let Err(error) = &levels {
                tracing::warn!(%error, "limits are counted by this server alone for now");
            }
            self.ledger.settle(levels.ok());
        }
    }
}
