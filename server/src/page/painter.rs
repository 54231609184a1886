//! Pages are painted on a thread of their own, which gives way to those that serve matches: however many pages are read, moves come first.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};
use std::thread;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::Next;
use axum::response::Response;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt as _, StreamExt as _};
use tokio::runtime::Builder;
use tokio::sync::{mpsc, oneshot};

use super::matches::RECORD;
use super::plain;

/// Pages on their way to the thread.
const ON_THE_WAY: usize = 256;
/// Pages that the thread has begun: most of them wait for the store or for the solver.
const BEGUN: usize = 256;
/// How far the thread gives way to others, as `nice` counts.
const NICENESS: i32 = 10;
/// The largest page, in bytes.
const PAGE_MAX: usize = 16 << 20;

type Errand = BoxFuture<'static, ()>;

/// The way to the thread, which begins with the first page and ends when nobody has a way any more.
#[derive(Clone, Default)]
pub(super) struct Painter(Arc<OnceLock<Option<mpsc::Sender<Errand>>>>);

impl Painter {
    /// The way to the thread; `None` if the system had no thread to give.
    fn way(&self) -> Option<&mpsc::Sender<Errand>> {
        self.0.get_or_init(start).as_ref()
    }
}

/// Has a page painted by the thread, compressed and all. If there is no such thread, it is painted here.
pub(super) async fn paint(
    State(painter): State<Painter>,
    request: Request,
    next: Next,
) -> Response {
    let Some(way) = painter.way() else {
        return next.run(request).await;
    };
    let (mut answer, answered) = oneshot::channel();
    let errand = Box::pin(async move {
        // A page that fails is no reason to paint no other.
        let made = AssertUnwindSafe(whole(request, next)).catch_unwind();
        tokio::select! {
            biased;
            made = made => drop(answer.send(made.unwrap_or_else(|_| failed()))),
            // The reader has gone.
            () = answer.closed() => {}
        }
    });
    // With too many on their way, the errand is dropped, and its answer with it.
    drop(way.try_send(errand));
    answered.await.unwrap_or_else(|_| {
        let words = "the server is busy; try again\n";
        plain::text(StatusCode::SERVICE_UNAVAILABLE, words)
    })
}

/// The answer where a page could not be made.
fn failed() -> Response {
    let words = "the page could not be made\n";
    plain::text(StatusCode::INTERNAL_SERVER_ERROR, words)
}

/// The answer with its body, so that nothing of it is made on another thread; a record is sent as it is read.
async fn whole(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let kind = response.headers().get(CONTENT_TYPE);
    if kind.is_some_and(|kind| *kind == RECORD) {
        return response;
    }
    let (head, body) = response.into_parts();
    match to_bytes(body, PAGE_MAX).await {
        Ok(bytes) => Response::from_parts(head, Body::from(bytes)),
        Err(_) => failed(),
    }
}

/// Starts the thread.
fn start() -> Option<mpsc::Sender<Errand>> {
    let (errands, mut taken) = mpsc::channel::<Errand>(ON_THE_WAY);
    let runtime = Builder::new_current_thread().enable_all().build().ok()?;
    let paint = move || {
        lower_priority();
        runtime.block_on(async move {
            let mut running = FuturesUnordered::new();
            loop {
                tokio::select! {
                    biased;
                    errand = taken.recv(), if running.len() < BEGUN => match errand {
                        Some(errand) => running.push(errand),
                        // Who waits for a page has a way, so nothing runs any more.
                        None => return,
                    },
                    Some(()) = running.next() => {}
                }
            }
        });
    };
    let started = thread::Builder::new()
        .name("painter".to_owned())
        .spawn(paint);
    started.is_ok().then_some(errands)
}

/// On Linux this lowers the calling thread alone; elsewhere it would slow the whole server.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::debug!(%error, "pages are painted at normal priority");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{SyncSender, sync_channel};

    use axum::Router;
    use axum::middleware::from_fn_with_state;
    use axum::routing::get;
    use tower::ServiceExt as _;

    use super::*;

    /// Pages: one that names its thread, one that fails, and one that is never ready and says when it is given up.
    fn pages(given_up: SyncSender<()>) -> Router {
        struct Tells(SyncSender<()>);
        impl Drop for Tells {
            fn drop(&mut self) {
                let _ = self.0.send(());
            }
        }
        let here = || async { thread::current().name().unwrap_or_default().to_owned() };
        let fails = || async {
            let planted = "planted".parse::<u8>();
            planted.expect("it is no number").to_string()
        };
        let waits = move || {
            let tells = Tells(given_up.clone());
            async move {
                std::future::pending::<()>().await;
                drop(tells);
            }
        };
        Router::new()
            .route("/", get(here))
            .route("/fails", get(fails))
            .route("/waits", get(waits))
            .route_layer(from_fn_with_state(Painter::default(), paint))
    }

    async fn read(pages: &Router, path: &str) -> (StatusCode, String) {
        let request = Request::get(path).body(Body::empty()).expect("a request");
        let response = pages.clone().oneshot(request).await.expect("an answer");
        let status = response.status();
        let bytes = to_bytes(response.into_body(), 1_000).await.expect("a body");
        (status, String::from_utf8(bytes.to_vec()).expect("UTF-8"))
    }

    #[tokio::test]
    async fn pages_are_painted_elsewhere_and_one_that_fails_harms_no_other() {
        let (given_up, _) = sync_channel(1);
        let pages = pages(given_up);
        let painted = (StatusCode::OK, "painter".to_owned());
        assert_eq!(read(&pages, "/").await, painted);
        assert_eq!(
            read(&pages, "/fails").await.0,
            StatusCode::INTERNAL_SERVER_ERROR
        );
        assert_eq!(read(&pages, "/").await, painted);
    }

    #[tokio::test]
    async fn a_page_is_given_up_with_its_reader() {
        let (given_up, gives_up) = sync_channel(1);
        let pages = pages(given_up);
        let mut reading = Box::pin(read(&pages, "/waits"));
        assert!(futures::poll!(&mut reading).is_pending());
        // The thread has begun once it has answered another reader.
        read(&pages, "/").await;
        drop(reading);
        read(&pages, "/").await;
        assert_eq!(gives_up.recv(), Ok(()));
    }

    #[tokio::test]
    async fn too_many_pages_are_refused_and_room_comes_back() {
        let (given_up, _) = sync_channel(ON_THE_WAY + BEGUN + 2);
        let pages = pages(given_up);
        let mut waiting = FuturesUnordered::new();
        let busy = loop {
            waiting.push(Box::pin(read(&pages, "/waits")));
            assert!(waiting.len() <= ON_THE_WAY + BEGUN + 2, "there is no bound");
            // Gives the thread time to begin what is on its way.
            if let Some(Some((status, _))) = waiting.next().now_or_never() {
                break status;
            }
        };
        assert_eq!(busy, StatusCode::SERVICE_UNAVAILABLE);
        drop(waiting);
        let read_at_last = async {
            while read(&pages, "/").await.0 != StatusCode::OK {
                tokio::task::yield_now().await;
            }
        };
        let patience = std::time::Duration::from_secs(60);
        let read_at_last = tokio::time::timeout(patience, read_at_last).await;
        assert_eq!(read_at_last, Ok(()));
    }
}
