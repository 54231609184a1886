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
mod guard;
mod invitation;
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
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate as _};

use self::painter::Painter;
use self::site::Site;
use crate::app::App;
use crate::costly::OffServing;
use crate::own_url::OwnUrl;

pub use self::sorry::turned_away;

/// The routes.
pub fn router(app: Arc<App>, url: OwnUrl) -> Router {
    let site = Site {
        app,
        url,
        kept: Arc::default(),
        leave: OffServing::by_design(),
    };
    // A record is sent as it is read, on the thread that serves the connection, where nothing long may be done.
    let is_compressed = DefaultPredicate::new().and(NotForContentType::const_new(matches::RECORD));
    let painted = Router::new()
        .route("/", get(lobby::show))
        .route("/j/{code}", get(invitation::show))
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
        .layer(from_fn_with_state(site.clone(), guard::guarded))
        .with_state(site)
}
