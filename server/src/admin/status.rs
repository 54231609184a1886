//! How the server is.

use std::time::Duration;

use grundy_shared::ids::Millis;

use super::desk::Desk;
use crate::data;
use crate::operator::{AdminReply, StatusReport};

/// A store that has not answered for so long is not ready.
const STORE_ANSWERS: Duration = Duration::from_secs(1);

impl Desk {
    pub(super) async fn status(&self) -> AdminReply {
        let app = &self.app;
        let store = match tokio::time::timeout(STORE_ANSWERS, app.store.ready()).await {
            Ok(Ok(())) => "ready".to_owned(),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "it has not answered within a second".to_owned(),
        };
        let gauges = app.store.gauges();
        let database = tokio::fs::metadata(data::location(&app.config.current().data)).await;
        AdminReply::Status(Box::new(StatusReport {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            pid: std::process::id(),
            uptime_ms: Millis(u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX)),
            draining: !app.lifecycle.takes_matches(),
            matches: app.matches.open_matches() as u64,
            running: app.matches.running() as u64,
            connections: app.addresses.connections().into(),
            players: app.connections.players() as u64,
            commits_waiting: app.committer.waiting() as u64,
            analyses_waiting: u64::try_from(app.metrics.solver_queue.waiting_in_all()).unwrap_or(0),
            store,
            events: gauges.events,
            database_bytes: database.ok().map(|file| file.len()),
            wal_bytes: gauges.unsettled_bytes.unwrap_or_default(),
            bans: app.bans.that_hold(app.clock.now()).len() as u64,
        }))
    }
}
