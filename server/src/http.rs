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

use crate::admission::{Admission, Level};
use crate::host::Asked;
use crate::lifecycle::Lifecycle;
use crate::metrics::Metrics;
use crate::reserve::Reserve;
use crate::store::Store;

/// A store that has not answered for so long is not ready.
const STORE_ANSWERS: Duration = Duration::from_secs(1);

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

/// Whether new work may come: matches are recovered (before that nobody answers), the store takes writes, and the
/// server is neither stopping nor overloaded so much that it refuses analyses.
async fn ready(State(status): State<Status>) -> Response {
    let wait = |why: String| text(StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n"));
    if status.lifecycle.is_draining() {
        return wait("stopping".to_owned());
    }
    if !status.lifecycle.takes_matches() {
        return wait("draining: an operator has new matches refused".to_owned());
    }
    match tokio::time::timeout(STORE_ANSWERS, status.store.ready()).await {
        Ok(Ok(())) if status.admission.level() >= Level::ANALYSIS => {
            wait("overloaded: new work is refused, matches that run go on".to_owned())
        }
        // Running matches go on, so the server stays ready.
        Ok(Ok(())) if status.reserve.is_low() => {
            let bytes = status.reserve.bytes();
            let words = format!(
                "ready; the disk has less than {bytes} bytes free: new matches, guests, chat and tournaments are refused\n"
            );
            text(StatusCode::OK, words)
        }
        Ok(Ok(())) => text(StatusCode::OK, "ready\n"),
        Ok(Err(error)) => wait(error.to_string()),
        Err(_) => wait("the store has not answered within a second".to_owned()),
    }
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
