//! What the server answers to plain HTTP: what it is, whether it lives, whether it is ready, what it counts.
//!
//! Every answer is a line or two of text, so that `curl` is enough. Nothing here changes anything.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, FORWARDED, X_CONTENT_TYPE_OPTIONS};
use axum::http::{Extensions, HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::admission::Admission;
use crate::bus::signs::Signs;
use crate::host::Asked;
use crate::lifecycle::Lifecycle;
use crate::metrics::Metrics;
use crate::peers::CUT_OFF_AFTER;
use crate::reserve::Reserve;
use crate::store::Store;

/// A store that has not answered for so long is not ready.
const STORE_ANSWERS: Duration = Duration::from_secs(1);
/// If another server has reached the database this long after this one last did, the trouble is not the database's.
const OTHERS_GO_ON: Duration = Duration::from_secs(1);

/// What the answers are made from.
#[derive(Clone)]
pub struct Status {
    /// Asked whether it can be written to.
    pub store: Arc<dyn Store>,
    /// Printed.
    pub metrics: Arc<Metrics>,
    /// Asked whether the server is stopping.
    pub lifecycle: Lifecycle,
    /// Asked how much new work is refused.
    pub admission: Arc<Admission>,
    /// Whether `/metrics` answers peers beyond loopback.
    pub public_metrics: bool,
    /// Asked whether the disk is nearly full.
    pub reserve: Arc<Reserve>,
    /// Shows whether other servers reach the database.
    pub signs: Arc<Signs>,
}

impl Status {
    /// Why this server is worse than the others that share its database, if it is. Trouble of the database itself does not count: it affects all of them, and
    /// if all were unready, a proxy would have no server left.
    fn cut_off(&self) -> Option<String> {
        let stored = self.metrics.cluster.heartbeat.last()?;
        let others_go_on = self
            .signs
            .last()
            .is_some_and(|heard| heard.saturating_duration_since(stored) > OTHERS_GO_ON);
        // Without a bus, it is unknown whether others reach it.
        let has_no_bus = self.metrics.bus.connected.get() != Some(1);
        let silent = stored.elapsed();
        (others_go_on || (has_no_bus && silent > CUT_OFF_AFTER)).then(|| {
            let silent = silent.as_millis();
            format!("cut off: this server has not reached the database for {silent} ms")
        })
    }

    fn shares_its_database(&self) -> bool {
        self.metrics.cluster.heartbeat.last().is_some()
    }

    /// Why nothing can be stored here.
    async fn store_fault(&self) -> Option<String> {
        if self.shares_its_database() {
            return self.cut_off();
        }
        match tokio::time::timeout(STORE_ANSWERS, self.store.ready()).await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("the store has not answered within a second".to_owned()),
        }
    }
}

/// The routes. The transport puts `ConnectInfo<SocketAddr>` into each request: who connected.
pub fn router(status: Status) -> Router {
    Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(ready))
        .route("/version", get(version))
        .route("/metrics", get(metrics))
        .with_state(status)
}

fn text(status: StatusCode, body: impl Into<String>) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/plain; charset=utf-8"),
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (status, headers, body.into()).into_response()
}

/// Whether the event loop turns: nothing else is asked, so that trouble of the store restarts nobody.
async fn alive() -> Response {
    text(StatusCode::OK, "alive\n")
}

/// Whether new clients may come: matches are recovered (before that, requests are not answered), the server is neither stopping nor so overloaded that it
/// refuses analyses, and its store accepts writes. A server that shares its database is ready unless it is worse than the others.
async fn ready(State(status): State<Status>) -> Response {
    let wait = |why: String| text(StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n"));
    if status.lifecycle.is_draining() {
        return wait("stopping".to_owned());
    }
    if !status.lifecycle.takes_matches() {
        return wait("draining: an operator has new matches refused".to_owned());
    }
    if let Some(why) = status.store_fault().await {
        return wait(why);
    }
    // If all servers are overloaded, none is worse than the others.
    if !status.admission.is_ready() && !status.signs.all_are_overloaded() {
        return wait("overloaded: new work is refused, running matches go on".to_owned());
    }
    if status.reserve.is_low() {
        // Running matches go on, so the server stays ready.
        let bytes = status.reserve.bytes();
        let words = format!(
            "ready; the disk has less than {bytes} bytes free: new matches, guests, chat and tournaments are refused\n"
        );
        return text(StatusCode::OK, words);
    }
    text(StatusCode::OK, "ready\n")
}

async fn version() -> Response {
    axum::Json(serde_json::json!({
        "name": "grundy-server",
        "version": env!("CARGO_PKG_VERSION"),
        "protocol": grundy_shared::protocol::VERSION,
    }))
    .into_response()
}

async fn metrics(State(status): State<Status>, request: Request) -> Response {
    if !status.public_metrics && !is_local(request.extensions(), request.headers()) {
        return text(
            StatusCode::FORBIDDEN,
            "metrics are for this machine only, at localhost or its own address; public_metrics = true opens them\n",
        );
    }
    let mut response = text(
        StatusCode::OK,
        status.metrics.render(&status.store.gauges()),
    );
    response.headers_mut().insert(
        CONTENT_TYPE,
        axum::http::HeaderValue::from_static(
            "application/openmetrics-text; version=1.0.0; charset=utf-8",
        ),
    );
    response
}

/// Whether the request began on this machine. A proxy here speaks for somebody elsewhere: it says so, or it passes on the name that was asked for.
fn is_local(extensions: &Extensions, headers: &HeaderMap) -> bool {
    let forwarded = headers.contains_key(FORWARDED) || headers.contains_key("x-forwarded-for");
    let peer = extensions.get::<ConnectInfo<SocketAddr>>();
    let is_here = peer.is_some_and(|peer| peer.0.ip().to_canonical().is_loopback());
    is_here && !forwarded && extensions.get() == Some(&Asked::Itself)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::SystemChance;
    use crate::config::Config;
    use crate::store::committer::Committer;
    use crate::store::memory::MemoryStore;
    use crate::store::{Lease, NodeId};
    use axum::body::{Body, to_bytes};
    use tower::ServiceExt;

    fn status() -> Status {
        let store = Arc::new(MemoryStore::new());
        let metrics = Arc::<Metrics>::default();
        let lease = Lease {
            node: NodeId::ONLY,
            epoch: 1,
        };
        let (committer, _) = Committer::new(store.clone(), lease);
        let overload = Config::default().overload;
        let chance = Arc::new(SystemChance);
        Status {
            admission: Admission::new(&overload, committer, metrics.clone(), chance),
            store,
            metrics,
            lifecycle: Lifecycle::new(),
            public_metrics: false,
            reserve: Arc::default(),
            signs: Arc::default(),
        }
    }

    async fn ask(status: &Status, request: axum::http::request::Builder) -> (u16, String) {
        let request = request.body(Body::empty()).expect("a request");
        let response = router(status.clone()).oneshot(request).await;
        let response = response.expect("a router always answers");
        let code = response.status().as_u16();
        let body = to_bytes(response.into_body(), 1 << 20)
            .await
            .expect("a body");
        (code, String::from_utf8(body.into()).expect("text"))
    }

    fn from(peer: [u8; 4], path: &str) -> axum::http::request::Builder {
        let peer = ConnectInfo(SocketAddr::from((peer, 5_000)));
        axum::http::Request::get(path)
            .extension(peer)
            .extension(Asked::Itself)
    }

    #[tokio::test]
    async fn readiness_follows_the_store_and_the_stop() {
        let status = status();
        let readyz = || axum::http::Request::get("/readyz");
        assert_eq!(ask(&status, readyz()).await, (200, "ready\n".to_owned()));
        status.store.close().await;
        assert_eq!(ask(&status, readyz()).await.0, 503);
        let status = self::status();
        status.lifecycle.drain();
        assert_eq!(ask(&status, readyz()).await, (503, "stopping\n".to_owned()));
        let healthz = axum::http::Request::get("/healthz");
        assert_eq!(ask(&status, healthz).await.0, 200);
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_shares_its_database_is_ready_unless_it_is_worse_than_the_others() {
        let readyz = || axum::http::Request::get("/readyz");
        let second = Duration::from_secs(1);
        let other = NodeId(7);
        for (has_bus, others_beat, ready) in [
            // The database stalls for all of them.
            (true, false, true),
            // Unknown, until the clients are sent away as well.
            (false, false, false),
            // Only this server is cut off.
            (true, true, false),
        ] {
            let status = status();
            status.metrics.cluster.heartbeat.note();
            status.metrics.bus.connected.set(has_bus.into());
            status.signs.set_living(vec![other]);
            // The store cannot say what is wrong with a database that all of them use.
            status.store.close().await;
            status.signs.hear(other, false);
            for _ in 0..4 {
                tokio::time::advance(second / 2).await;
                if others_beat {
                    status.signs.hear(other, false);
                }
            }
            let at_first = !others_beat;
            assert_eq!(ask(&status, readyz()).await.0 == 200, at_first, "after 2 s");
            tokio::time::advance(5 * second).await;
            let (code, body) = ask(&status, readyz()).await;
            assert_eq!(code == 200, ready, "{body}");
            status.metrics.cluster.heartbeat.note();
            assert_eq!(ask(&status, readyz()).await.0, 200);
            status.lifecycle.drain();
            assert_eq!(ask(&status, readyz()).await.0, 503);
        }
    }

    #[tokio::test]
    async fn metrics_are_for_this_machine() {
        let mut status = status();
        let (code, body) = ask(&status, from([127, 0, 0, 1], "/metrics")).await;
        assert_eq!(code, 200);
        assert!(body.contains("grundy_build_info"), "{body}");
        assert_eq!(ask(&status, from([192, 0, 2, 1], "/metrics")).await.0, 403);
        let nobody = axum::http::Request::get("/metrics");
        assert_eq!(ask(&status, nobody).await.0, 403);
        let proxied = from([127, 0, 0, 1], "/metrics").header("x-forwarded-for", "192.0.2.1");
        assert_eq!(ask(&status, proxied).await.0, 403);
        for other in [Asked::Named, Asked::Unnamed] {
            let by_name = from([127, 0, 0, 1], "/metrics").extension(other);
            assert_eq!(ask(&status, by_name).await.0, 403, "{other:?}");
        }
        status.public_metrics = true;
        assert_eq!(ask(&status, from([192, 0, 2, 1], "/metrics")).await.0, 200);
    }

    #[tokio::test]
    async fn what_is_not_there_is_said_to_be() {
        let get = axum::http::Request::get("/x");
        assert_eq!(ask(&status(), get).await.0, 404);
        let post = axum::http::Request::post("/healthz");
        assert_eq!(ask(&status(), post).await.0, 405);
    }
}
