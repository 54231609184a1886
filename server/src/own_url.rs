//! The server's own address, as its pages print it and as browsers name it.

use axum::http::HeaderMap;
use axum::http::header::HOST;
use axum::http::uri::Authority;

use crate::config::{Config, PublicUrl};

/// The server's own address.
#[derive(Clone, Debug)]
pub enum OwnUrl {
    /// What the operator says.
    Public(PublicUrl),
    /// The host that was asked for, by this scheme.
    AsAsked(&'static str),
}

impl OwnUrl {
    /// The address of a server with this configuration, which ends TLS itself or does not.
    #[must_use]
    pub fn of(config: &Config, ends_tls: bool) -> Self {
        match &config.public_url {
            Some(url) => Self::Public(url.clone()),
            None if ends_tls => Self::AsAsked("https"),
            None => Self::AsAsked("http"),
        }
    }

    /// The address for the reader who has sent these headers, without a slash at the end.
    #[must_use]
    pub fn print(&self, headers: &HeaderMap) -> String {
        match self {
            Self::Public(url) => url.as_str().to_owned(),
            Self::AsAsked(scheme) => {
                let host = headers
                    .get(HOST)
                    .and_then(|host| host.to_str().ok()?.parse::<Authority>().ok());
                let host = host.as_ref().map_or("127.0.0.1:7310", Authority::as_str);
                format!("{scheme}://{host}")
            }
        }
    }

    /// Whether readers come by TLS.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        match self {
            Self::Public(url) => url.as_str().starts_with("https:"),
            Self::AsAsked(scheme) => *scheme == "https",
        }
    }
}
