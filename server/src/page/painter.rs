//! Pages are painted on a thread of their own, which gives way to those that serve matches: however many pages are read, moves come first.

use std::sync::{Arc, OnceLock};
use std::thread;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::Next;
use axum::response::Response;
use futures::future::BoxFuture;
use tokio::runtime::Builder;
use tokio::sync::{mpsc, oneshot};

use super::matches::RECORD;
use super::plain;

/// Pages on their way to the thread.
const ON_THE_WAY: usize = 256;
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
        tokio::select! {
            response = whole(request, next) => drop(answer.send(response)),
            // The reader has gone.
            () = answer.closed() => {}
        }
    });
    let sent = way.try_send(errand).is_ok();
    match answered.await {
        Ok(response) if sent => response,
        _ => plain::text(
            StatusCode::SERVICE_UNAVAILABLE,
            "the server is busy; try again\n",
        ),
    }
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
        Err(_) => plain::text(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the page could not be made\n",
        ),
    }
}

/// Starts the thread.
fn start() -> Option<mpsc::Sender<Errand>> {
    let (errands, mut taken) = mpsc::channel::<Errand>(ON_THE_WAY);
    let runtime = Builder::new_current_thread().enable_all().build().ok()?;
    let paint = move || {
        lower_priority();
        runtime.block_on(async move {
            while let Some(errand) = taken.recv().await {
                tokio::spawn(errand);
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
