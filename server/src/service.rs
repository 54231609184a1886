//! The service from the first connection to the last commit, and the order in which it stops.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use tokio::time::{Instant, timeout_at};
use tokio_util::task::TaskTracker;

use crate::addresses::{AddressKey, ConnectionPermit};
use crate::app::App;
use crate::http::{self, Status};
use crate::own_url::OwnUrl;
use crate::page;
use crate::session::socket::Socket;
use crate::transport::Doorway;
use crate::workers::Workers;
use crate::{erasure, session, sweep, transport};

/// Of the time to stop, this much is kept for the matches and the store once the connections are gone.
const LAST_COMMITS: Duration = Duration::from_secs(2);

/// Serves until the server is told to stop; then stops in order: no new connections, the connections, the matches, the
/// log. The last heartbeat is of the moment the stop began, so that nobody is charged for it.
pub async fn serve(app: Arc<App>, doorway: Doorway) {
    let url = OwnUrl::of(&app.config.current(), doorway.tls.is_some());
    let status = http::router(Status {
        store: app.store.clone(),
        metrics: app.metrics.clone(),
        lifecycle: app.lifecycle.clone(),
        admission: app.admission.clone(),
        public_metrics: app.config.current().public_metrics,
        reserve: app.reserve.clone(),
        signs: app.signs.clone(),
    });
    let router = status.merge(page::router(app.clone(), url));
    let admission = app.admission.clone();
    let beside = move || admission.clone().measure_thread();
    let workers = match Workers::start(app.config.current().workers, beside) {
        Ok(workers) => workers,
        Err(error) => {
            return app
                .lifecycle
                .fail(format!("no thread for connections: {error}"));
        }
    };
    app.lifecycle.spawn(sweep::keep_swept(app.clone()));
    app.lifecycle.spawn(erasure::keep_resumed(app.clone()));
    transport::accept(&app, doorway, router, &workers).await;
    wind_up(&app).await;
    drop(workers);
}

/// Serves one connection of a server that runs, in a task that its stop waits for.
pub fn admit<S: Socket + Sync + 'static>(
    app: &Arc<App>,
    socket: S,
    address: AddressKey,
    permit: ConnectionPermit,
) {
    let session = session::serve(app.clone(), socket, address, None, permit);
    drop(app.lifecycle.spawn_on(&app.sessions, session));
}

/// Waits until the last of these tasks has ended, but not longer than this.
async fn all_end(tasks: &TaskTracker, until: Instant) {
    tasks.close();
    if timeout_at(until, tasks.wait()).await.is_err() {
        tracing::warn!(left = tasks.len(), "not every connection has ended");
    }
}

/// Stops in order, once no new connection is accepted: what connections ask for, the matches, the chat, the last commits; then others may take the matches over,
/// and peers have the rest of the time to close.
pub async fn wind_up(app: &Arc<App>) {
    let stopped_at = app.beat();
    let patience =
        Duration::from_millis(app.config.current().times.stop_ms.0).saturating_sub(LAST_COMMITS);
    let until = Instant::now() + patience;
    all_end(&app.sessions, until).await;
    app.matches.stop().await;
    app.chats.stop().await;
    if let Some(hall) = &app.hall {
        hall.stop().await;
    }
    app.note_usage().await;
    app.committer.close().await;
    app.retiring.cancel();
    if let Err(error) = app.store.retire(app.lease, stopped_at).await {
        tracing::warn!(%error, "no last heartbeat");
    }
    all_end(&app.partings, until).await;
    app.store.close().await;
    // Another program changed the files during the stop.
    if let Some(error) = app.store.failed().now_or_never() {
        app.lifecycle.fail(error.to_string());
    }
}
