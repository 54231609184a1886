//! Where the page that makes a request is from. A browser says so in the header `Origin`, and a page cannot change it.

use std::fmt;

use axum::http::HeaderMap;
use axum::http::header::{HOST, HeaderValue, ORIGIN};

/// The origin that a request names, which may be none that can be read.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'h> {
    /// `None` if there are several.
    origin: Option<&'h HeaderValue>,
    host: &'h [u8],
}

/// The origin of a request, if it names one: programs that are no browsers do not.
#[must_use]
pub fn of(headers: &HeaderMap) -> Option<Origin<'_>> {
    let mut origins = headers.get_all(ORIGIN).iter();
    let first = origins.next()?;
    Some(Origin {
        origin: origins.next().is_none().then_some(first),
        host: headers.get(HOST).map_or(&b""[..], HeaderValue::as_bytes),
    })
}

impl<'h> Origin<'h> {
    /// The text; empty if there are several.
    #[must_use]
    pub fn as_bytes(self) -> &'h [u8] {
        self.origin.map_or(b"", HeaderValue::as_bytes)
    }

    /// Whether the page is one of the host that is asked.
    #[must_use]
    pub fn is_ours(self) -> bool {
        let from = |scheme: &[u8]| self.as_bytes().strip_prefix(scheme) == Some(self.host);
        !self.host.is_empty() && (from(b"http://") || from(b"https://"))
    }
}

/// Says what is wrong with it if it is not ours.
impl fmt::Display for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Origin {} is not this server, Host {}",
            String::from_utf8_lossy(self.as_bytes()).escape_debug(),
            String::from_utf8_lossy(self.host).escape_debug()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_host_that_is_asked_are_ours() {
        let ours = |origins: &[&'static str], host: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static(host));
            for origin in origins {
                headers.append(ORIGIN, HeaderValue::from_static(origin));
            }
            of(&headers).map(Origin::is_ours)
        };
        assert_eq!(ours(&[], "a.example"), None);
        assert_eq!(ours(&["https://a.example"], "a.example"), Some(true));
        assert_eq!(
            ours(&["http://a.example:7310"], "a.example:7310"),
            Some(true)
        );
        assert_eq!(
            ours(&["http://a.example:7311"], "a.example:7310"),
            Some(false)
        );
        assert_eq!(ours(&["null"], "a.example"), Some(false));
        assert_eq!(ours(&["http://"], ""), Some(false));
        assert_eq!(
            ours(&["https://a.example", "https://b.example"], "a.example"),
            Some(false)
        );
        assert_eq!(
            ours(&["https://a.example.evil.example"], "a.example"),
            Some(false)
        );
    }
}
