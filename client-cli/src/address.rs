//! The address of a server, as people type it.

use std::fmt;
use std::net::IpAddr;

use grundy_words::Message;
use tokio_tungstenite::tungstenite::http::Uri;

use crate::misread::Misread;
use crate::trust::Trust;

/// The port of a server that is named without a scheme or a port.
const PORT: u16 = 7310;
/// The usual ports of the two schemes.
const HTTP: u16 = 80;
const HTTPS: u16 = 443;

/// A server: `http://HOST:PORT`, or `https://HOST:PORT` and whom to believe that it is the one. Two spellings of one address are equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    is_encrypted: bool,
    host: String,
    port: u16,
    trust: Trust,
}

impl Address {
    /// Reads `http://host:port`, `https://host:port`, `host:port` or `host`; `ws` and `wss` mean the same as `http` and `https`.
    pub(crate) fn parse(text: &str) -> Result<Self, Misread> {
        let wrong = || Misread(Message::new("misread-address").text("text", text));
        let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
        let (is_encrypted, default_port) = match scheme.to_ascii_lowercase().as_str() {
            "" => (false, PORT),
            "http" | "ws" => (false, HTTP),
            "https" | "wss" => (true, HTTPS),
            _ => return Err(wrong()),
        };
        let uri: Uri = format!("http://{rest}").parse().map_err(|_| wrong())?;
        let host = uri
            .host()
            .filter(|host| !host.is_empty())
            .ok_or_else(wrong)?;
        let authority = uri.authority().map_or("", |authority| authority.as_str());
        let has_extra =
            authority.contains('@') || !matches!(uri.path(), "" | "/") || uri.query().is_some();
        let port = match authority.strip_prefix(host) {
            Some("") => default_port,
            Some(_) => uri.port_u16().filter(|port| *port > 0).ok_or_else(wrong)?,
            None => return Err(wrong()),
        };
        if has_extra {
            return Err(wrong());
        }
        Ok(Self {
            is_encrypted,
            host: host.to_ascii_lowercase(),
            port,
            trust: Trust::default(),
        })
    }

    /// The same server, believed for other reasons.
    pub(crate) fn trusting(self, trust: Trust) -> Self {
        Self { trust, ..self }
    }

    /// Whom to believe.
    pub(crate) fn trust(&self) -> &Trust {
        &self.trust
    }

    /// Whether the connection is encrypted.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }

    /// Whether only this computer reaches it.
    pub(crate) fn is_loopback(&self) -> bool {
        let (host, _) = self.socket();
        host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
    }

    /// What a socket connects to.
    pub(crate) fn socket(&self) -> (&str, u16) {
        let bare = self.host.trim_start_matches('[').trim_end_matches(']');
        (bare, self.port)
    }

    /// Where the protocol is spoken.
    pub(crate) fn websocket(&self) -> String {
        let scheme = if self.is_encrypted { "wss" } else { "ws" };
        format!("{scheme}://{}:{}/ws", self.host, self.port)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // People and certificates leave out the usual port of https; that of http has always been written here, also into files.
        match (self.is_encrypted, self.port) {
            (true, HTTPS) => write!(f, "https://{}", self.host),
            (true, port) => write!(f, "https://{}:{port}", self.host),
            (false, port) => write!(f, "http://{}:{port}", self.host),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_address_are_one() {
        for text in [
            "http://127.0.0.1:7310",
            "http://127.0.0.1:7310/",
            "ws://127.0.0.1:7310",
            "127.0.0.1:7310",
            "127.0.0.1",
        ] {
            let address = Address::parse(text).expect(text);
            assert_eq!(address.to_string(), "http://127.0.0.1:7310", "{text}");
        }
        for text in ["https://Play.Example", "wss://play.example:443/"] {
            let address = Address::parse(text).expect(text);
            assert_eq!(address.to_string(), "https://play.example", "{text}");
            assert_eq!(address.websocket(), "wss://play.example:443/ws");
        }
        let other = Address::parse("https://a:7310").expect("an address");
        assert_eq!(other.to_string(), "https://a:7310");
        let six = Address::parse("http://[::1]:80").expect("an address");
        assert_eq!(six.socket(), ("::1", 80));
        assert_eq!(six.websocket(), "ws://[::1]:80/ws");
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "",
            "http://",
            "ftp://a",
            "http://a:0",
            "http://a:99999",
            "http://a/b",
            "http://u@a",
            "http://a:x",
        ] {
            assert!(Address::parse(text).is_err(), "{text}");
        }
    }
}
