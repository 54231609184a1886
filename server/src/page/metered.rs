//! How often an address may ask for a page: as often as one connection may ask the server for something.

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{HeaderValue, RETRY_AFTER};
use axum::middleware::Next;
use axum::response::Response;
use grundy_words::Value;

use super::frame::note;
use super::site::Site;
use super::visitor::Visitor;
use crate::addresses::{AddressKey, Wait};
use crate::metrics::ByScope;

/// Lets a request pass if its address has not asked too often.
pub(super) async fn check(
    State(site): State<Site>,
    Extension(address): Extension<AddressKey>,
    visitor: Visitor,
    request: Request,
    next: Next,
) -> Response {
    let Err(Wait(wait)) = site.app.addresses.may_read(address) else {
        return next.run(request).await;
    };
    let scope = ByScope { scope: "pages" };
    let counted = &site.app.metrics.rate_limited;
    counted.get_or_create(&scope).inc();
    let seconds = wait.as_secs() + 1;
    let words = visitor.words();
    let text = words.with(
        "page-too-many-how",
        &[
            ("count", Value::Number(seconds)),
            ("n", Value::Text(&seconds.to_string())),
        ],
    );
    let title = words.say("page-too-many");
    let mut response = note(&site, &visitor, StatusCode::TOO_MANY_REQUESTS, title, text);
    let headers = response.headers_mut();
    headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    response
}
