//! Signs of life of a server that starts: it has a lease, and takes up what it had. Others are not to take it for dead meanwhile.

use std::sync::Arc;

use grundy_shared::ids::Millis;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::lifecycle::Lifecycle;
use crate::peers::BEAT_EVERY;
use crate::store::{Lease, Store};

/// They go on until this is dropped.
pub(crate) struct FirstSigns {
    _guard: DropGuard,
}

impl FirstSigns {
    /// Begins to give signs, which move no moment of the last heartbeat: what is credited at this start counts from that.
    pub(crate) fn begin(store: Arc<dyn Store>, lease: Lease, lifecycle: &Lifecycle) -> Self {
        let enough = CancellationToken::new();
        let until = enough.clone();
        drop(lifecycle.spawn(async move {
            let mut beats = tokio::time::interval(BEAT_EVERY);
            beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
            while until.run_until_cancelled(beats.tick()).await.is_some() {
                if let Err(error) = store.heartbeat(lease, Millis(0)).await {
                    tracing::warn!(%error, "no heartbeat");
                }
            }
        }));
        Self {
            _guard: enough.drop_guard(),
        }
    }
}
