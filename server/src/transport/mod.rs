//! From a TCP connection to a session: our own accept loop, TLS where the server ends it, HTTP by hyper, and the upgrade to a WebSocket.
//!
//! Every socket is counted, has a bounded time for its handshake, and runs on a tracked task, so that a stop waits for it.

mod arrival;
mod entrance;
mod heads;
mod stream;
pub mod upgrade;
pub mod ws;

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::header::{CONNECTION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use rustls::ServerConfig;
use socket2::SockRef;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};
use tokio_rustls::TlsAcceptor;
use tokio_util::either::Either;
use tokio_util::task::task_tracker::TaskTrackerToken;

use self::arrival::Arrival;
use self::stream::Stream;
use crate::addresses::AddressKey;
use crate::app::App;
use crate::config::Times;
use crate::host::{self, Misdirected};
use crate::workers::Workers;

/// Where a session is asked for.
pub const PATH: &str = "/ws";
/// Bytes of a request's head.
const HEAD_MAX: usize = 16 * 1024;
/// Connections beyond the limits that are still told so; more are dropped.
const TURNED_AWAY_MAX: usize = 256;
/// The pause after the system has no file descriptor or memory for a connection.
const EXHAUSTED_PAUSE: Duration = Duration::from_millis(200);
/// Bytes that the system holds for a peer that does not read; left to itself it holds megabytes, and a slow peer shows late.
const SEND_BUFFER: usize = 64 * 1024;

/// The first byte of a TLS connection: a record of the handshake (RFC 8446, section 5.1).
const TLS_HANDSHAKE: u8 = 22;
/// What is answered to one who does not encrypt where that is wanted (RFC 2817, section 4.2).
const ENCRYPT: &[u8] =
    b"HTTP/1.1 426 Upgrade Required\r\nUpgrade: TLS/1.2\r\nConnection: Upgrade, close\r\n\
    Content-Type: text/plain; charset=utf-8\r\n\r\nThis server speaks TLS: use https://\n";

/// Where connections come from, and how they are encrypted.
#[derive(Debug)]
pub struct Doorway {
    /// Accepts them.
    pub listener: TcpListener,
    /// Encrypts them; `None`: a proxy does, or nobody.
    pub tls: Option<Arc<ServerConfig>>,
}

/// Accepts connections until the server begins to stop, and hands them to the serving threads.
pub async fn accept(app: &Arc<App>, doorway: Doorway, router: Router, workers: &Workers) {
    let Doorway { listener, tls } = doorway;
    let tls = tls.map(TlsAcceptor::from);
    let draining = app.lifecycle.draining();
    let turned_away = Arc::new(Semaphore::new(TURNED_AWAY_MAX));
    loop {
        let accepted = tokio::select! {
            biased;
            () = draining.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                let handed = admit(app, &turned_away, &tls, &router, workers, stream, peer).await;
                if let Err(error) = handed {
                    tracing::debug!(%error, "a connection was lost at once");
                }
            }
            Err(error) if is_of_the_peer(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "no connection can be accepted at the moment");
                tokio::time::sleep(EXHAUSTED_PAUSE).await;
            }
        }
    }
}

/// The peer hung up before it was accepted: no reason to pause.
fn is_of_the_peer(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
    )
}

async fn admit(
    app: &Arc<App>,
    turned_away: &Arc<Semaphore>,
    tls: &Option<TlsAcceptor>,
    router: &Router,
    workers: &Workers,
    stream: TcpStream,
    peer: SocketAddr,
) -> io::Result<()> {
    let entered = match app.config.current().behind_proxy {
        true => app.addresses.enter_unnamed().map(Arrival::Proxied),
        false => app.addresses.enter(peer.ip().into()).map(Arrival::Entered),
    };
    let (arrival, waiting) = match entered {
        Ok(arrival) => (arrival, None),
        Err(refused) => match turned_away.clone().try_acquire_owned() {
            Ok(permit) => (Arrival::TurnedAway(refused), Some(permit)),
            Err(_) => return Ok(()),
        },
    };
    let arrived_at = stream.local_addr()?.ip();
    prepare(
        &stream,
        Duration::from_millis(app.config.current().times.dead_after_ms.0),
    )?;
    let (app, router, tls) = (app.clone(), router.clone(), tls.clone());
    // Held on the way to the serving thread, so that a stop waits for the connection.
    let counted: TaskTrackerToken = app.sessions.token();
    let serve = move |stream| {
        let (sessions, lifecycle) = (app.sessions.clone(), app.lifecycle.clone());
        drop(lifecycle.spawn_on(&sessions, async move {
            let config = app.config.current();
            let asked = Notify::new();
            let served = async {
                match encrypted(tls, stream).await? {
                    Some(stream) => {
                        let is_encrypted = matches!(stream, Either::Right(_));
                        let ends = Ends { peer, arrived_at, is_encrypted };
                        shake_hands(app, router, stream, ends, arrival, &asked).await
                    }
                    None => Ok(()),
                }
            };
            tokio::select! {
                biased;
                served = served => if let Err(error) = served {
                    tracing::debug!(%peer, %error, "a request failed");
                },
                () = too_long(&config.times, &asked) => tracing::debug!(%peer, "a request took too long"),
            }
            drop(waiting);
        }));
        drop(counted);
    };
    workers.hand_over(stream, serve).await
}

/// Waits until a peer has not asked for anything in time, or does not read the answer in time.
async fn too_long(times: &Times, asked: &Notify) {
    let handshake = Duration::from_millis(times.handshake_ms.0);
    if tokio::time::timeout(handshake, asked.notified())
        .await
        .is_ok()
    {
        tokio::time::sleep(Duration::from_millis(times.answer_ms.0)).await;
    }
}

/// Data that the peer does not acknowledge ends the connection after the same time as silence.
fn prepare(stream: &TcpStream, dead_after: Duration) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    socket.set_send_buffer_size(SEND_BUFFER)?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(dead_after))?;
    #[cfg(not(target_os = "linux"))]
    let _ = dead_after;
    Ok(())
}

/// Encrypts a connection where that is wanted. `None`: the peer does not encrypt, and was told so.
async fn encrypted(tls: Option<TlsAcceptor>, mut stream: TcpStream) -> io::Result<Option<Stream>> {
    let Some(tls) = tls else {
        return Ok(Some(Either::Left(stream)));
    };
    let mut first = [0];
    if stream.peek(&mut first).await? == 0 {
        return Ok(None);
    }
    if first != [TLS_HANDSHAKE] {
        stream.write_all(ENCRYPT).await?;
        stream.shutdown().await?;
        // What was sent is read, lest it resets the connection before our answer is read.
        let mut waste = [0; 1024];
        while stream.read(&mut waste).await? > 0 {}
        return Ok(None);
    }
    let stream = tls.accept(stream).await?;
    Ok(Some(Either::Right(Box::new(stream))))
}

/// What a banned address may still read, so that a ban of a range does not look like a failure of the server.
const OF_OPERATORS: [&str; 4] = ["/healthz", "/readyz", "/version", "/metrics"];

/// The two ends of a connection.
#[derive(Clone, Copy)]
struct Ends {
    peer: SocketAddr,
    /// Our own address.
    arrived_at: IpAddr,
    /// Whether we end TLS.
    is_encrypted: bool,
}

/// Serves one HTTP request. A session goes on in a task of its own.
async fn shake_hands(
    app: Arc<App>,
    router: Router,
    stream: Stream,
    ends: Ends,
    arrival: Arrival,
    asked: &Notify,
) -> io::Result<()> {
    let place = Mutex::new(Some(arrival));
    let service = service_fn(|request: Request<Incoming>| {
        asked.notify_one();
        let (app, router, place) = (&app, &router, &place);
        async move {
            let mut response = answer(app, router, ends, place, request).await;
            // One request a connection: what keeps it longer is a session.
            if response.status() != StatusCode::SWITCHING_PROTOCOLS {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(CONNECTION, close);
            }
            Ok::<_, Infallible>(response)
        }
    });
    http1::Builder::new()
        .half_close(false)
        .max_buf_size(HEAD_MAX)
        .header_read_timeout(None)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades()
        .await
        .map_err(io::Error::other)
}

async fn answer(
    app: &Arc<App>,
    router: &Router,
    ends: Ends,
    place: &Mutex<Option<Arrival>>,
    mut request: Request<Incoming>,
) -> Response<Body> {
    let Ends {
        peer,
        arrived_at,
        is_encrypted,
    } = ends;
    let asked = match host::check(&app.config.current(), arrived_at, &request) {
        Ok(asked) => asked,
        Err(refused) => {
            let why = refused.in_words();
            tracing::debug!(%peer, why, "a request for another host");
            return misdirected(&refused);
        }
    };
    let client = client_address(app.config.current().behind_proxy, peer, request.headers());
    let lock = || place.lock().unwrap_or_else(PoisonError::into_inner);
    let path = request.uri().path();
    if path == PATH {
        let arrival = lock().take();
        return upgrade::answer(app, client, arrival, is_encrypted, request);
    }
    let address = AddressKey::from(client);
    // Who watches the server itself is not asked who they are, and is answered also where there is no room.
    if !OF_OPERATORS.contains(&path) {
        let arrival = lock().take();
        let entered = match entrance::check_ban(app, client) {
            Ok(()) => entrance::for_page(app, address, arrival).await,
            Err(refusal) => Err(refusal),
        };
        match entered {
            // Kept until the connection ends.
            Ok(permit) => *lock() = Some(Arrival::Entered(permit)),
            Err(refusal) => return refusal.of_a_page(&request.into_parts().0),
        }
    }
    request.extensions_mut().insert(ConnectInfo(peer));
    request.extensions_mut().insert(address);
    request.extensions_mut().insert(asked);
    let Ok(response) = TowerToHyperService::new(router.clone()).call(request).await;
    response
}

/// The answer to a request that is not for this server (RFC 9110, section 15.5.20).
fn misdirected(refused: &Misdirected) -> Response<Body> {
    let status = match refused {
        Misdirected::Malformed => StatusCode::BAD_REQUEST,
        Misdirected::Stranger(_) => StatusCode::MISDIRECTED_REQUEST,
    };
    let mut response = Response::new(Body::from(format!("{}\n", refused.in_words())));
    *response.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, plain);
    response
}

/// Who speaks: the peer, or whom the proxy that is the peer names last, which is the one address it has seen itself.
fn client_address(behind_proxy: bool, peer: SocketAddr, headers: &HeaderMap) -> IpAddr {
    let forwarded = || {
        let last = headers.get_all("x-forwarded-for").iter().next_back()?;
        last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
    };
    if behind_proxy {
        forwarded().unwrap_or(peer.ip())
    } else {
        peer.ip()
    }
}
