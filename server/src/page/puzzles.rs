//! The page of the rated puzzles.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::frame::{Frame, page};
use super::plain;
use super::site::Site;
use super::visitor::Visitor;

/// The page.
#[derive(Template)]
#[template(path = "puzzles.html")]
struct Puzzles {
    frame: Frame,
}

/// Shows the page. The puzzle itself comes by the protocol: which one depends on the player.
pub(super) async fn show(
    State(site): State<Site>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Response {
    if !visitor.wants_html {
        let url = site.url.print(&headers);
        return plain::text(
            StatusCode::OK,
            format!("grundy puzzle rated --server {url}\n"),
        );
    }
    let title = visitor.words().say("puzzles-title");
    let puzzles = Puzzles {
        frame: Frame::new(&visitor, title, "puzzles.js"),
    };
    page(&site, &visitor, StatusCode::OK, &puzzles)
}
