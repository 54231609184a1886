//! What every answer says to a browser: what a page may load, who may frame it, and what is kept of it.

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::middleware::Next;
use axum::response::Response;

use super::site::Site;
use crate::own_url::OwnUrl;

/// Nothing from elsewhere, no script or style that is not a file of this server, and no page of another site around it.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
);

/// For how long a browser asks by TLS only.
const A_YEAR: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Adds what every answer says to a browser.
pub(super) async fn guarded(State(site): State<Site>, request: Request, next: Next) -> Response {
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
pub(super) fn guard(response: &mut Response) {
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
