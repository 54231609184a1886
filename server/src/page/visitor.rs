//! Who looks at a page, as far as the request says: the secret in a cookie, the language, and whether a page is wanted at all.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, ACCEPT_LANGUAGE, COOKIE, USER_AGENT};
use axum::http::request::Parts;
use grundy_shared::protocol::Secret;
use grundy_words::{Catalogue, Language};

/// The cookie with the secret of the player. Scripts cannot read it, and pages of other sites do not make a browser send it.
pub(super) const SECRET: &str = "grundy";
/// The cookie with the language that the reader has chosen.
pub(super) const LANGUAGE: &str = "grundy-language";
/// Bytes of a secret that is looked at.
const SECRET_MAX: usize = 256;

/// The reader of a page.
#[derive(Clone, Debug)]
pub(super) struct Visitor {
    /// The language chosen in the address of the page, else in a cookie, else that of the browser.
    pub(super) language: Language,
    /// The language that the address of the page names, which is remembered.
    pub(super) chosen: Option<Language>,
    /// Whether a page is wanted, and not text.
    pub(super) wants_html: bool,
    /// The path of the page.
    pub(super) path: String,
    /// What comes after the path, without the language.
    pub(super) query: String,
}

impl Visitor {
    /// The words in the reader's language.
    pub(super) fn words(&self) -> &'static Catalogue {
        Catalogue::of(self.language)
    }

    pub(super) fn of(parts: &Parts) -> Self {
        let headers = &parts.headers;
        let query = parts.uri.query().unwrap_or_default();
        let named = query.split('&').find_map(|pair| pair.strip_prefix("lang="));
        let chosen = named.and_then(|name| name.parse().ok());
        let kept = || cookie(headers, LANGUAGE)?.parse().ok();
        let accepted = || {
            let header = headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?;
            Some(Language::accepted(header))
        };
        let text = |name| headers.get(name)?.to_str().ok();
        let (accepts, agent): (Option<&str>, Option<&str>) = (text(ACCEPT), text(USER_AGENT));
        Self {
            language: chosen.or_else(kept).or_else(accepted).unwrap_or_default(),
            chosen,
            wants_html: accepts.is_some_and(|accepts| accepts.contains("text/html"))
                || agent.is_some_and(shows_links),
            path: parts.uri.path().to_owned(),
            query: query
                .split('&')
                .filter(|pair| !pair.is_empty() && !pair.starts_with("lang="))
                .collect::<Vec<_>>()
                .join("&"),
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(parts))
    }
}

/// Whether a program with this `User-Agent` shows people what is behind a link: these take the page, but do not ask for HTML.
fn shows_links(agent: &str) -> bool {
    let agent = agent.to_ascii_lowercase();
    ["bot", "externalhit", "whatsapp", "mastodon"]
        .iter()
        .any(|part| agent.contains(part))
}

/// The secret of the player whose browser sends this request, if it has one. It may be no player's.
#[must_use]
pub fn secret(headers: &HeaderMap) -> Option<Secret> {
    let value = cookie(headers, SECRET)?;
    (!value.is_empty() && value.len() <= SECRET_MAX).then(|| Secret::from(value.to_owned()))
}

/// The value of the first cookie with this name (RFC 6265, section 5.4). O(bytes of the header).
fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let values = headers.get_all(COOKIE).iter();
    let pairs = values.filter_map(|value| value.to_str().ok());
    let mut pairs = pairs.flat_map(|value| value.split(';'));
    pairs.find_map(|pair| {
        let (own, value) = pair.trim().split_once('=')?;
        (own == name).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn visitor(uri: &str, headers: &[(&str, &str)]) -> Visitor {
        let mut request = Request::get(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).expect("a request").into_parts();
        Visitor::of(&parts)
    }

    #[test]
    fn browsers_and_programs_that_show_links_get_pages() {
        for (name, value, html) in [
            ("accept", "text/html,*/*;q=0.8", true),
            ("user-agent", "TelegramBot (like TwitterBot)", true),
            ("user-agent", "facebookexternalhit/1.1", true),
            ("user-agent", "curl/8.14.1", false),
            ("accept", "*/*", false),
        ] {
            assert_eq!(visitor("/", &[(name, value)]).wants_html, html, "{value}");
        }
    }

    #[test]
    fn the_address_goes_before_the_cookie_and_the_cookie_before_the_browser() {
        let browser = ("accept-language", "zh-CN");
        let kept = ("cookie", "x=1; grundy-language=en");
        assert_eq!(visitor("/", &[]).language, Language::English);
        assert_eq!(visitor("/", &[browser]).language, Language::Chinese);
        assert_eq!(visitor("/", &[browser, kept]).language, Language::English);
        let all = visitor("/g/x?a=b&lang=zh-CN", &[kept]);
        assert_eq!(
            (all.language, all.chosen),
            (Language::Chinese, Some(Language::Chinese))
        );
        assert_eq!((all.path.as_str(), all.query.as_str()), ("/g/x", "a=b"));
        assert_eq!(
            visitor("/?lang=tlh", &[browser]).language,
            Language::Chinese
        );
    }

    #[test]
    fn a_secret_is_read_from_its_own_cookie_only() {
        let of = |cookies: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(COOKIE, cookies.parse().expect("a header"));
            secret(&headers).map(|secret| secret.reveal().to_owned())
        };
        assert_eq!(of("a=b; grundy=gr_x; grundy=gr_y").as_deref(), Some("gr_x"));
        assert_eq!(of("xgrundy=gr_x; grundy-language=en"), None);
        assert_eq!(of("grundy="), None);
        assert_eq!(secret(&HeaderMap::new()), None);
    }
}
