//! Refuses new matches, and waits for those that run.

use std::time::Duration;

use grundy_shared::protocol::ErrorBody;

use super::desk::Desk;
use crate::audit::{Actor, Change};
use crate::matches::refusal;
use crate::operator::{AdminReply, DrainAsk};

/// How often to look whether a match still runs.
const LOOK_EVERY: Duration = Duration::from_millis(200);

impl Desk {
    pub(super) async fn drain(&self, by: Actor, ask: DrainAsk) -> Result<AdminReply, ErrorBody> {
        let change = Change::Drain {
            deadline_ms: ask.deadline.millis(),
        };
        let effect = async {
            self.app.lifecycle.take_matches(false);
            Ok("new matches are refused".to_owned())
        };
        self.change(by, change, ask.reason, Vec::new(), effect)
            .await?;
        let stopping = self.app.lifecycle.draining();
        let waited = tokio::time::timeout(ask.deadline.duration(), self.wait_until_idle());
        match stopping.run_until_cancelled(waited).await {
            None => Err(refusal::shutting_down()),
            Some(_) if self.app.lifecycle.takes_matches() => Ok(AdminReply::Done {
                message: "`undrain` has ended the drain: new matches are accepted".to_owned(),
            }),
            Some(_) => Ok(AdminReply::Drained {
                running: self.app.matches.running() as u64,
            }),
        }
    }

    /// Waits until no match runs, or new ones are accepted again.
    async fn wait_until_idle(&self) {
        let mut looks = tokio::time::interval(LOOK_EVERY);
        loop {
            looks.tick().await;
            if self.app.lifecycle.takes_matches() || self.app.matches.running() == 0 {
                return;
            }
        }
    }

    pub(super) async fn undrain(&self, by: Actor) -> Result<AdminReply, ErrorBody> {
        let effect = async {
            self.app.lifecycle.take_matches(true);
            Ok("new matches are accepted".to_owned())
        };
        let message = self
            .change(by, Change::Undrain {}, None, Vec::new(), effect)
            .await?;
        Ok(AdminReply::Done { message })
    }
}
