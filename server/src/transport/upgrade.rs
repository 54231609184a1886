//! The opening handshake of a WebSocket (RFC 6455, section 4.2), as far as it is ours: what is asked, by whom, and whether there is room.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{
    CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, SEC_WEBSOCKET_ACCEPT,
    SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use axum::http::{HeaderMap, Method, Request, Response, StatusCode, Version};
use data_encoding::BASE64;
use grundy_shared::protocol::Secret;
use hyper::body::Incoming;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;

use super::arrival::Arrival;
use super::stream::Stream;
use super::ws::{self, WsSocket};
use crate::addresses::{AddressKey, ConnectionPermit, Refused};
use crate::app::App;
use crate::config::Origins;
use crate::metrics::ByScope;
use crate::origin;
use crate::page::visitor;
use crate::session;

/// The header with which the server says who it is before a client has said who that is: `Grundy-Server: 7Kq2mVx9Rt`.
const SERVER_ID: HeaderName = HeaderName::from_static("grundy-server");
/// Seconds after which a server that is full or stops may be asked again.
const COME_BACK_S: u64 = 5;

/// A handshake that is refused.
pub(super) struct Refusal {
    status: StatusCode,
    why: String,
    header: Option<(HeaderName, HeaderValue)>,
}

impl Refusal {
    fn new(status: StatusCode, why: impl Into<String>) -> Self {
        Self {
            status,
            why: why.into(),
            header: None,
        }
    }

    fn with(mut self, name: HeaderName, value: impl Into<HeaderValue>) -> Self {
        self.header = Some((name, value.into()));
        self
    }

    pub(super) fn into_response(self) -> Response<Body> {
        let mut response = Response::new(Body::from(format!("{}\n", self.why)));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(
            CONTENT_TYPE,
            HeaderValue::from_static("text/plain; charset=utf-8"),
        );
        headers.extend(self.header);
        response
    }
}

/// Answers a request for a session; the session begins once the answer is sent.
pub(super) fn answer(
    app: &Arc<App>,
    client: IpAddr,
    arrival: Option<Arrival>,
    mut request: Request<Incoming>,
) -> Response<Body> {
    let address = AddressKey::from(client);
    let agreed = check_ban(app, client).and_then(|()| {
        let accept = check(&app.config.current().allowed_origins, &request)?;
        let permit = enter(app, address, arrival)?;
        Ok((accept, permit))
    });
    let (accept, permit) = match agreed {
        Ok(agreed) => agreed,
        Err(refusal) => {
            tracing::debug!(%client, status = %refusal.status, why = refusal.why, "handshake refused");
            return refusal.into_response();
        }
    };
    let cookie = visitor::secret(request.headers());
    let upgrade = hyper::upgrade::on(&mut request);
    let session = begin(app.clone(), upgrade, address, cookie, permit);
    drop(app.lifecycle.spawn_on(&app.sessions, session));
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(SEC_WEBSOCKET_ACCEPT, accept);
    if let Ok(id) = HeaderValue::from_str(&app.server_id.to_string()) {
        headers.insert(SERVER_ID, id);
    }
    response
}

/// Refuses a banned address.
pub(super) fn check_ban(app: &App, client: IpAddr) -> Result<(), Refusal> {
    let banned = app.bans.check_address(client, app.clock.now());
    banned.map_err(|banned| {
        let refusal = Refusal::new(StatusCode::FORBIDDEN, banned.words());
        match banned.wait {
            Some(wait) => refusal.with(RETRY_AFTER, wait.0.div_ceil(1_000)),
            None => refusal,
        }
    })
}

/// Checks the request; the value of `Sec-WebSocket-Accept`.
fn check(allowed: &Origins, request: &Request<Incoming>) -> Result<HeaderValue, Refusal> {
    let headers = request.headers();
    let bad = |why| Refusal::new(StatusCode::BAD_REQUEST, why);
    if request.method() != Method::GET {
        return Err(Refusal::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "a WebSocket begins with GET",
        ));
    }
    if request.version() != Version::HTTP_11 {
        return Err(bad("a WebSocket needs HTTP/1.1"));
    }
    if !has_token(headers, &UPGRADE, "websocket") || !has_token(headers, &CONNECTION, "upgrade") {
        let why = "this is a WebSocket: connect with a WebSocket client (docs/PROTOCOL.md)";
        return Err(Refusal::new(StatusCode::UPGRADE_REQUIRED, why)
            .with(UPGRADE, HeaderValue::from_static("websocket")));
    }
    if headers
        .get(SEC_WEBSOCKET_VERSION)
        .is_none_or(|version| version != "13")
    {
        return Err(Refusal::new(
            StatusCode::UPGRADE_REQUIRED,
            "WebSocket version 13 is spoken here",
        )
        .with(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13")));
    }
    check_origin(allowed, headers)?;
    let mut keys = headers.get_all(SEC_WEBSOCKET_KEY).iter();
    match (keys.next(), keys.next()) {
        (Some(key), None)
            if BASE64
                .decode(key.as_bytes())
                .is_ok_and(|nonce| nonce.len() == 16) =>
        {
            let accept = ws::accept_key(key.as_bytes());
            HeaderValue::from_str(&accept).map_err(|_| bad("Sec-WebSocket-Key is not one"))
        }
        _ => Err(bad("Sec-WebSocket-Key must be 16 bytes in base64, once")),
    }
}

fn has_token(headers: &HeaderMap, name: &HeaderName, token: &str) -> bool {
    let values = headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok());
    values
        .flat_map(|value| value.split(','))
        .any(|word| word.trim().eq_ignore_ascii_case(token))
}

/// A page of another site must not speak for its visitor: a browser says where the page is from, and that must be here or
/// be allowed.
fn check_origin(allowed: &Origins, headers: &HeaderMap) -> Result<(), Refusal> {
    match origin::of(headers) {
        None => Ok(()),
        Some(origin) if origin.is_ours() || allowed.contains(origin.as_bytes()) => Ok(()),
        Some(origin) => Err(Refusal::new(
            StatusCode::FORBIDDEN,
            format!(
                "{origin}, nor one of its allowed_origins: pages of other sites may not connect"
            ),
        )),
    }
}

/// Takes a place for the session.
fn enter(
    app: &Arc<App>,
    address: AddressKey,
    arrival: Option<Arrival>,
) -> Result<ConnectionPermit, Refusal> {
    let full =
        |why| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why).with(RETRY_AFTER, COME_BACK_S);
    if app.lifecycle.is_draining() {
        return Err(full("the server is stopping"));
    }
    let entered = app
        .addresses
        .may_open(address)
        .and_then(|()| match arrival {
            Some(Arrival::Entered(permit)) => Ok(permit),
            Some(Arrival::TurnedAway(refused)) => Err(refused),
            Some(Arrival::Proxied(mut permit)) => permit.name(address).map(|()| permit),
            // One request a connection: a second one finds its place taken.
            None => app.addresses.enter(address),
        });
    entered.map_err(|refused| match refused {
        Refused::Full => full("the server has as many connections as it takes"),
        Refused::Address(wait) => {
            let scope = ByScope { scope: "address" };
            app.metrics.rate_limited.get_or_create(&scope).inc();
            let why = "too many connections from your address";
            Refusal::new(StatusCode::TOO_MANY_REQUESTS, why).with(RETRY_AFTER, wait.0.as_secs() + 1)
        }
    })
}

/// Waits until the connection is free of HTTP, and serves the session.
async fn begin(
    app: Arc<App>,
    upgrade: OnUpgrade,
    address: AddressKey,
    cookie: Option<Secret>,
    permit: ConnectionPermit,
) {
    let patience = Duration::from_millis(app.config.current().times.handshake_ms.0);
    let upgraded = match tokio::time::timeout(patience, upgrade).await {
        Ok(Ok(upgraded)) => upgraded,
        Ok(Err(error)) => return tracing::debug!(%error, "the peer left during the handshake"),
        Err(_) => return tracing::debug!("the handshake took too long"),
    };
    let Ok(parts) = upgraded.downcast::<TokioIo<Stream>>() else {
        return tracing::error!("the connection is not the one that was accepted");
    };
    let socket = WsSocket::new(
        parts.io.into_inner(),
        &parts.read_buf,
        &app.config.current().limits,
    )
    .await;
    // A task of its own: that of the handshake keeps room for more.
    let (lifecycle, sessions) = (app.lifecycle.clone(), app.sessions.clone());
    let session = session::serve(app, socket, address, cookie, permit);
    drop(lifecycle.spawn_on(&sessions, session));
}
