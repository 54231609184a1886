//! Removes guests who never played and matches that came to nothing, in small batches while the store is idle.

use std::sync::Arc;
use std::time::Duration;

use grundy_shared::ids::Millis;
use tokio::time::MissedTickBehavior;

use crate::app::App;
use crate::metrics::ByKind;
use crate::store::{Duty, Removal, StoreError, Unneeded};

/// Between two batches.
const SWEEP_EVERY: Duration = Duration::from_secs(2);

/// Removes a batch every two seconds until the server stops. Of servers that share a store, one does it. It does not know who is connected to the others: a guest
/// who is, and has played nothing for as long as guests are kept, is signed out.
pub async fn keep_swept(app: Arc<App>) {
    let draining = app.lifecycle.draining();
    let mut turns = tokio::time::interval(SWEEP_EVERY);
    turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while draining.run_until_cancelled(turns.tick()).await.is_some() {
        if app.committer.waiting() > 0 || app.store.gauges().waiting > 0 {
            continue;
        }
        match app.store.claim(app.lease, Duty::Sweep).await {
            Ok(true) => {}
            Ok(false) => continue,
            Err(error) => {
                tracing::warn!(%error, "it is not known who removes what nobody needs");
                continue;
            }
        }
        match sweep(&app).await {
            Ok(removed) if removed.is_empty() => {}
            Ok(removed) => tracing::info!(
                matches = removed.matches.len(),
                guests = removed.guests.len(),
                "removed what nobody needed"
            ),
            Err(StoreError::Closed) => return,
            Err(error) => tracing::warn!(%error, "nothing could be removed"),
        }
    }
}

/// Removes one batch; what was removed.
///
/// # Errors
/// The store could not read or write.
pub async fn sweep(app: &App) -> Result<Removal, StoreError> {
    let (now, kept) = (app.clock.now(), app.config.current().storage.clone());
    let before = |keep: Millis| match keep {
        Millis(0) => Millis(0),
        keep => Millis(now.0.saturating_sub(keep.0)),
    };
    let unneeded = Unneeded {
        matches_before: before(kept.keep_void_matches_ms),
        guests_before: before(kept.keep_unused_guests_ms),
    };
    let mut wanted = app.store.removable(unneeded).await?;
    // Who follows a match still sees it.
    wanted.matches.retain(|id| app.matches.get(*id).is_none());
    app.connections.hold_absent(&mut wanted.guests);
    // What is on its way to the store may need them.
    let is_busy = app.committer.waiting() > 0;
    let removed = match wanted.is_empty() || is_busy {
        true => Ok(Removal::default()),
        false => app.store.remove(app.lease, wanted, unneeded).await,
    };
    app.connections.let_go();
    let removed = removed?;
    for (kind, count) in [
        ("match", removed.matches.len()),
        ("guest", removed.guests.len()),
    ] {
        let removals = app.metrics.removed.get_or_create(&ByKind { kind });
        removals.inc_by(count as u64);
    }
    Ok(removed)
}
