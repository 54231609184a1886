//! The cookie by which a page knows its player: set once a guest has been created, or when the reader signs out.
//!
//! The secret in it is that of any other client. Pages of other sites can neither read it nor make a browser send it, and a request that would set it must
//! come from a page of this server.

use axum::Json;
use axum::extract::State;
use axum::http::header::{HeaderValue, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use grundy_shared::protocol::Secret;
use serde::Deserialize;

use super::plain::text;
use super::site::Site;
use super::visitor::{LANGUAGE, SECRET};
use crate::identity;
use crate::origin;

/// How long a browser keeps a cookie: a year, in seconds.
const KEPT_S: u32 = 365 * 24 * 60 * 60;

/// What a page sends to be known from then on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Begin {
    /// The secret that `welcome` gave to the new guest.
    token: Secret,
}

/// Sets the cookie, if the secret is a player's.
pub(super) async fn begin(
    State(site): State<Site>,
    headers: HeaderMap,
    Json(asked): Json<Begin>,
) -> Response {
    if let Err(refused) = check_origin(&site, &headers) {
        return refused;
    }
    match site
        .app
        .identities
        .bearer(identity::hash(asked.token.reveal()))
        .await
    {
        Ok(Some(_)) => kept(&site, asked.token.reveal(), KEPT_S),
        Ok(None) => text(StatusCode::FORBIDDEN, "no player has this secret\n"),
        Err(error) => text(
            StatusCode::SERVICE_UNAVAILABLE,
            format!("{}\n", error.message),
        ),
    }
}

/// Removes the cookie. The secret stays good: `logout` revokes it.
pub(super) async fn end(State(site): State<Site>, headers: HeaderMap) -> Response {
    match check_origin(&site, &headers) {
        Ok(()) => kept(&site, "", 0),
        Err(refused) => refused,
    }
}

fn check_origin(site: &Site, headers: &HeaderMap) -> Result<(), Response> {
    match origin::of(headers) {
        Some(origin) if origin.is_ours(&site.url) => Ok(()),
        Some(origin) => Err(text(StatusCode::FORBIDDEN, format!("{origin}\n"))),
        None => Err(text(
            StatusCode::FORBIDDEN,
            "only a page of this server may do this\n",
        )),
    }
}

fn kept(site: &Site, secret: &str, seconds: u32) -> Response {
    let secure = secure(site);
    let cookie =
        format!("{SECRET}={secret}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    match HeaderValue::from_str(&cookie) {
        Ok(cookie) => (StatusCode::NO_CONTENT, [(SET_COOKIE, cookie)]).into_response(),
        Err(_) => text(StatusCode::FORBIDDEN, "no player has this secret\n"),
    }
}

/// The cookie that remembers the language.
pub(super) fn language(site: &Site, language: grundy_words::Language) -> Option<HeaderValue> {
    let (tag, secure) = (language.tag(), secure(site));
    let cookie = format!("{LANGUAGE}={tag}; Path=/; Max-Age={KEPT_S}; SameSite=Lax{secure}");
    HeaderValue::from_str(&cookie).ok()
}

fn secure(site: &Site) -> &'static str {
    if site.url.is_secure() { "; Secure" } else { "" }
}
