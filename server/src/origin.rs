//! Where the page that makes a request is from. A browser says so in the header `Origin`, and a page cannot change it.

use std::fmt;

use axum::http::HeaderMap;
use axum::http::header::{HOST, HeaderValue, ORIGIN};

use crate::own_url::OwnUrl;

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

    /// Whether the page is one of this server: of its public address, or of the host that is asked. A page that came without TLS is not, where the server
    /// is reached by TLS: anybody between the browser and the server could have written it.
    #[must_use]
    pub fn is_ours(self, own: &OwnUrl) -> bool {
        let from = |scheme: &[u8]| {
            !self.host.is_empty() && self.as_bytes().strip_prefix(scheme) == Some(self.host)
        };
        let is_public = match own {
            OwnUrl::Public(url) => self.as_bytes() == url.as_str().as_bytes(),
            OwnUrl::AsAsked(_) => false,
        };
        is_public || from(b"https://") || (from(b"http://") && self.may_be_plain(own))
    }

    /// Whether a page of the host that is asked may have come without TLS: this machine can always be asked so.
    fn may_be_plain(self, own: &OwnUrl) -> bool {
        match own {
            OwnUrl::AsAsked(scheme) => *scheme == "http",
            OwnUrl::Public(url) => {
                let public = url.as_str().strip_prefix("https://");
                public.is_none_or(|public| public.as_bytes() != self.host)
            }
        }
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
    use std::path::Path;

    use super::*;
    use crate::config::Config;

    #[test]
    fn only_pages_of_the_host_that_is_asked_are_ours() {
        let plain = OwnUrl::AsAsked("http");
        let ours = |origins: &[&'static str], host: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static(host));
            for origin in origins {
                headers.append(ORIGIN, HeaderValue::from_static(origin));
            }
            of(&headers).map(|origin| origin.is_ours(&plain))
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
    #[test]
    fn where_tls_is_spoken_a_page_that_came_without_is_not_ours() {
        let text = "public_url = \"https://play.example\"";
        let loaded = Config::from_toml(Path::new("g.toml"), text).expect("good");
        let (tls, public) = (OwnUrl::AsAsked("https"), OwnUrl::of(&loaded.config, false));
        let ours = |own: &OwnUrl, origin: &'static str, host: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static(host));
            headers.insert(ORIGIN, HeaderValue::from_static(origin));
            of(&headers).expect("it names one").is_ours(own)
        };
        assert!(ours(&tls, "https://a.example", "a.example"));
        assert!(!ours(&tls, "http://a.example", "a.example"));
        assert!(ours(&public, "https://play.example", "play.example"));
        assert!(!ours(&public, "http://play.example", "play.example"));
        // A proxy may ask for another host than the reader does.
        assert!(ours(&public, "https://play.example", "127.0.0.1:7310"));
        assert!(!ours(&public, "https://other.example", "127.0.0.1:7310"));
        // The operator may look at the server on its own machine.
        assert!(ours(&public, "http://127.0.0.1:7310", "127.0.0.1:7310"));
    }
}
