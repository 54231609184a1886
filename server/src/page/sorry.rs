//! What a reader with a browser is told where there is no page: a page in the reader's language, and never the text that programs get.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use grundy_words::{Catalogue, Value};

use super::frame::{note, noted};
use super::guard::guard;
use super::site::Site;
use super::visitor::Visitor;

/// What the frames of pages have: a browser shows them as a page.
const HTML: &str = "text/html; charset=utf-8";

/// Puts a page in the place of a text that says why there is none. Whatever has refused the request, a part of the server or of a library, says it in English.
pub(super) async fn in_words(
    State(site): State<Site>,
    visitor: Visitor,
    request: Request,
    next: Next,
) -> Response {
    let response = next.run(request).await;
    if !visitor.wants_html || !is_text_of_an_error(&response) {
        return response;
    }
    let status = response.status();
    let (title, text) = why(visitor.words(), status, response.headers());
    let mut painted = note(&site, &visitor, status, title, text);
    let kept = response.headers().get(RETRY_AFTER).cloned();
    painted
        .headers_mut()
        .extend(kept.map(|wait| (RETRY_AFTER, wait)));
    painted
}

/// The answer to a request for which there is no room, or whose address is banned; `None` if it is not a browser's.
#[must_use]
pub fn turned_away(
    asked: &Parts,
    status: StatusCode,
    wait: Option<HeaderValue>,
) -> Option<Response> {
    let visitor = Visitor::of(asked);
    if !visitor.wants_html {
        return None;
    }
    let headers: HeaderMap = wait.map(|wait| (RETRY_AFTER, wait)).into_iter().collect();
    let (title, text) = why(visitor.words(), status, &headers);
    let html = noted(&visitor, title, text);
    let mut response = (status, headers, html).into_response();
    let kind = HeaderValue::from_static(HTML);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    guard(&mut response);
    Some(response)
}

/// Whether nothing was found, made or allowed, and a text says so. What has no type at all says nothing.
fn is_text_of_an_error(response: &Response) -> bool {
    let status = response.status();
    let kind = response.headers().get(CONTENT_TYPE);
    let is_text = kind.is_none_or(|kind| kind.as_bytes().starts_with(b"text/plain"));
    is_text && (status.is_client_error() || status.is_server_error())
}

/// Why there is no page, in a title and a sentence.
fn why(words: &Catalogue, status: StatusCode, headers: &HeaderMap) -> (String, String) {
    let name = match status {
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => "page-unknown",
        StatusCode::FORBIDDEN => "page-banned",
        StatusCode::CONFLICT => "page-no-record",
        StatusCode::TOO_MANY_REQUESTS => "page-too-many",
        StatusCode::SERVICE_UNAVAILABLE => "page-busy",
        status if status.is_server_error() => "page-failed",
        _ => "page-bad-address",
    };
    let wait = headers.get(RETRY_AFTER).and_then(|wait| wait.to_str().ok());
    let seconds = wait.and_then(|wait| wait.parse::<u64>().ok());
    let seconds = seconds.unwrap_or(1);
    let text = seconds.to_string();
    let variables = [("count", Value::Number(seconds)), ("n", Value::Text(&text))];
    let how = format!("{name}-how");
    (words.say(name), words.with(&how, &variables))
}
