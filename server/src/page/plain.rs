//! Answers that are no pages: a line or two of text for programs that do not ask for HTML, and pictures.

use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use grundy_shared::ids::JoinCode;
use grundy_shared::protocol::ErrorBody;

pub(super) fn text(status: StatusCode, body: impl Into<String>) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/plain; charset=utf-8"),
        (CACHE_CONTROL, "no-store"),
    ];
    (status, headers, body.into()).into_response()
}

/// A picture may have its own style, and nothing else.
const PICTURE: &str =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/// A picture that stands alone.
pub(super) fn svg(picture: String) -> Response {
    let headers = [
        (CONTENT_TYPE, "image/svg+xml"),
        (CONTENT_SECURITY_POLICY, PICTURE),
    ];
    (headers, picture).into_response()
}

/// What this is, and how to connect.
pub(super) fn about(url: &str) -> Response {
    let certificate = match url.starts_with("https:") {
        true => {
            "\nIf the operator of the server gave you cert.pem, add to each command: --ca cert.pem\n"
        }
        false => "",
    };
    text(
        StatusCode::OK,
        format!(
            "Grundy {version}: play Nim and its relatives, let bots compete, and learn from the solver.\n\
             \n\
             play here         open {url}/ in a browser\n\
             play a bot        grundy --server {url} play nim:3,5,7\n\
             play a friend     grundy --server {url} play nim:3,5,7 --invite\n\
             from a checkout   cargo run --release -p grundy-cli -- --server {url} play nim:3,5,7\n\
             write a client    WebSocket at /ws; one JSON object a message; docs/PROTOCOL.md\n\
             {certificate}\n\
             /healthz  /readyz  /version  /metrics\n",
            version = env!("CARGO_PKG_VERSION"),
        ),
    )
}

/// The link of an invitation: to what match, and what to type.
pub(super) fn invitation(url: &str, code: &JoinCode, terms: &str) -> Response {
    text(
        StatusCode::OK,
        format!(
            "{terms}\n\
             \n\
             To join, open {url}/j/{code} in a browser, or type in a terminal:\n\
             \n\
             grundy join {code} --server {url}\n\
             \n\
             If your friend gave you cert.pem, add: --ca cert.pem\n\
             \n\
             If you do not have the program 'grundy' yet, build it from a checkout of its source:\n\
             \n\
             cargo run --release -p grundy-cli -- join {code} --server {url}\n"
        ),
    )
}

/// Where there is no page.
pub(super) async fn nothing() -> Response {
    unknown()
}

pub(super) fn unknown() -> Response {
    text(
        StatusCode::NOT_FOUND,
        "nothing here; / lists what there is\n",
    )
}

/// What went wrong on the way, in the protocol's words.
pub(super) fn failed(error: &ErrorBody) -> Response {
    text(
        StatusCode::SERVICE_UNAVAILABLE,
        format!("{}\n", error.message),
    )
}
