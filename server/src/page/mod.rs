//! The pages of the server: a client of the same protocol as every other, which needs nothing installed.
//!
//! A page is painted by the server, so that it can be read without scripts; the scripts then connect like any client. Files are compiled in. Programs
//! that do not ask for HTML get a line or two of text, so that `curl` is enough.

mod account;
mod asset;
mod bots;
mod card;
mod cookie;
mod crosstable;
mod frame;
mod kept;
mod lab;
mod link;
mod live_words;
mod lobby;
mod matches;
mod metered;
mod moves;
mod navigation;
mod painter;
mod plain;
mod players;
mod puzzles;
mod review;
mod rules;
mod site;
mod sorry;
mod studied;
mod study;
mod today;
mod tournaments;
mod tv;
mod values;
mod viewer;
pub mod visitor;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{get, post};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate as _};

use self::painter::Painter;
use self::site::Site;
use crate::app::App;
use crate::own_url::OwnUrl;

/// Nothing from elsewhere, no script or style that is not a file of this server, and no page of another site around it.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
);

/// For how long a browser asks by TLS only.
const A_YEAR: HeaderValue = HeaderValue::from_static("max-age=31536000");

pub use self::sorry::turned_away;

/// The routes.
pub fn router(app: Arc<App>, url: OwnUrl) -> Router {
    let site = Site {
        app,
        url,
        kept: Arc::default(),
    };
    // A record is sent as it is read, on the thread that serves the connection, where nothing long may be done.
    let is_compressed = DefaultPredicate::new().and(NotForContentType::const_new(matches::RECORD));
    let painted = Router::new()
        .route("/", get(lobby::show))
        .route("/j/{code}", get(lobby::invitation))
        .route("/g/{match}", get(matches::show))
        .route("/g/{match}/review", get(review::show))
        .route("/g/{match}/learn", get(review::learn))
        .route("/puzzles", get(puzzles::show))
        .route("/puzzles/today", get(today::show))
        .route("/lab", get(lab::show))
        .route("/t", get(tournaments::list))
        .route("/t/{tournament}", get(tournaments::show))
        .route("/tv", get(tv::show))
        .route("/u/{name}", get(players::show))
        .route("/rules", get(rules::list))
        .route("/rules/{game}", get(rules::show))
        .route("/bots", get(bots::show))
        .route("/account", get(account::show))
        .fallback(plain::nothing)
        // Layers, and not those of routes: what is not there is painted and counted, too.
        .layer(CompressionLayer::new().compress_when(is_compressed))
        .layer(from_fn_with_state(Painter::default(), painter::paint))
        .layer(from_fn_with_state(site.clone(), sorry::in_words))
        // An address that asks too often is refused before the painter has any work.
        .layer(from_fn_with_state(site.clone(), metered::check));
    Router::new()
        .merge(painted)
        .route("/session", post(cookie::begin).delete(cookie::end))
        .route("/assets/{version}/{name}", get(asset::serve))
        .layer(from_fn_with_state(site.clone(), guarded))
        .with_state(site)
}

/// Adds what every answer says to a browser.
async fn guarded(State(site): State<Site>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    guard(&mut response);
    // Only where the operator has said that readers come by TLS: a browser remembers it for the whole host.
    if matches!(site.url, OwnUrl::Public(_)) && site.url.is_secure() {
        let headers = response.headers_mut();
        headers.insert(STRICT_TRANSPORT_SECURITY, A_YEAR);
    }
    response
}

/// Adds what every answer says to a browser, whoever asks and wherever the server is.
fn guard(response: &mut Response) {
    let headers = response.headers_mut();
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(POLICY);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    let opener = HeaderName::from_static("cross-origin-opener-policy");
    headers.insert(opener, HeaderValue::from_static("same-origin"));
    headers.append(
        VARY,
        HeaderValue::from_static("Accept, Accept-Language, Cookie"),
    );
    let private = HeaderValue::from_static("no-store");
    headers.entry(CACHE_CONTROL).or_insert(private);
}
