//! The opening handshake of a WebSocket (RFC 6455, section 4.2), as far as it is ours: what is asked, by whom, and whether there is room.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{
    CONNECTION, HeaderName, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY,
    SEC_WEBSOCKET_VERSION, UPGRADE,
};
use axum::http::{HeaderMap, Method, Request, Response, StatusCode, Version};
use data_encoding::BASE64;
use grundy_shared::protocol::Secret;
use hyper::body::Incoming;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;

use super::arrival::Arrival;
use super::entrance::{self, Refusal};
use super::stream::Stream;
use super::ws::{self, WsSocket};
use crate::addresses::{AddressKey, ConnectionPermit};
use crate::app::App;
use crate::config::Origins;
use crate::origin;
use crate::own_url::OwnUrl;
use crate::page::visitor;
use crate::session;

/// The header with which the server says who it is before a client has said who that is: `Grundy-Server: 7Kq2mVx9Rt`.
const SERVER_ID: HeaderName = HeaderName::from_static("grundy-server");

/// Answers a request for a session; the session begins once the answer is sent.
pub(super) fn answer(
    app: &Arc<App>,
    client: IpAddr,
    arrival: Option<Arrival>,
    is_encrypted: bool,
    mut request: Request<Incoming>,
) -> Response<Body> {
    let address = AddressKey::from(client);
    let agreed = entrance::check_ban(app, client).and_then(|()| {
        let config = app.config.current();
        let own = OwnUrl::of(&config, is_encrypted);
        let accept = check(&own, &config.allowed_origins, &request)?;
        let permit = entrance::for_session(app, address, arrival)?;
        Ok((accept, permit))
    });
    let (accept, permit) = match agreed {
        Ok(agreed) => agreed,
        Err(refusal) => {
            tracing::debug!(%client, status = %refusal.status(), why = refusal.why(), "handshake refused");
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

/// Checks the request; the value of `Sec-WebSocket-Accept`.
fn check(
    own: &OwnUrl,
    allowed: &Origins,
    request: &Request<Incoming>,
) -> Result<HeaderValue, Refusal> {
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
    check_origin(own, allowed, headers)?;
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
fn check_origin(own: &OwnUrl, allowed: &Origins, headers: &HeaderMap) -> Result<(), Refusal> {
    match origin::of(headers) {
        None => Ok(()),
        Some(origin) if origin.is_ours(own) || allowed.contains(origin.as_bytes()) => Ok(()),
        Some(origin) => Err(Refusal::new(
            StatusCode::FORBIDDEN,
            format!(
                "{origin}, nor one of its allowed_origins: pages of other sites may not connect"
            ),
        )),
    }
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
