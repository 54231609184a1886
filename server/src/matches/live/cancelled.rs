//! Games of tournaments that were cancelled. The server ends the running ones after it has stored the cancellation; if it dies in between, or what it has ordered
//! is lost, they are found when they are read from their logs.

use std::sync::Arc;
use std::time::Duration;

use grundy_shared::event::EndReason;
use grundy_shared::ids::TournamentId;

use super::{Input, LiveMatch};

/// After so long, a store that failed is asked again.
const ASK_AGAIN: Duration = Duration::from_secs(1);

impl LiveMatch {
    /// Ends this match, a running game of this tournament, if the tournament was cancelled.
    pub(in crate::matches) fn heed_cancellation(self: &Arc<Self>, id: TournamentId) {
        let live = self.clone();
        // In a task: the match is locked now, or the tournaments have no matches yet.
        self.host.spawn(async move {
            let draining = live.host.lifecycle.draining();
            loop {
                match live.host.tally.is_cancelled(id).await {
                    Ok(true) => {
                        // One that is gone is asked for again when it is read.
                        let _ = live.give(Input::Forfeit(None, EndReason::Cancelled));
                        return;
                    }
                    Ok(false) => return,
                    Err(error) => {
                        tracing::warn!(match_id = %live.id, %error, "it cannot be read whether the tournament was cancelled");
                    }
                }
                let again = tokio::time::sleep(ASK_AGAIN);
                if draining.run_until_cancelled(again).await.is_none() {
                    return;
                }
            }
        });
    }
}
