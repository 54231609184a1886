//! The page of the visitor's own account: name, password, recovery codes, signing in and out.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use grundy_shared::bounds::{NAME_MAX, PASSWORD_BYTES_MAX, PASSWORD_MIN};

use super::frame::{Frame, page};
use super::plain;
use super::site::Site;
use super::visitor::Visitor;

/// The page.
#[derive(Template)]
#[template(path = "account.html")]
struct Account {
    frame: Frame,
    /// The longest name, in characters.
    name_max: usize,
    /// The shortest password, in characters.
    password_min: usize,
    /// The longest password, in bytes.
    password_max: usize,
}

/// Shows the page. Who the visitor is, the protocol says: the page is the same for all.
pub(super) async fn show(
    State(site): State<Site>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Response {
    if !visitor.wants_html {
        let url = site.url.print(&headers);
        return plain::text(StatusCode::OK, format!("grundy --server {url} whoami\n"));
    }
    let title = visitor.words().say("account-title");
    let account = Account {
        frame: Frame::new(&visitor, title, "account.js"),
        name_max: NAME_MAX,
        password_min: PASSWORD_MIN,
        password_max: PASSWORD_BYTES_MAX,
    };
    page(&site, &visitor, StatusCode::OK, &account)
}
