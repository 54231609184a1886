//! The address of a server, as people type it.

use std::fmt;

use tokio_tungstenite::tungstenite::http::Uri;

/// The port of a server that is named without a scheme or a port.
const PORT: u16 = 7310;

/// A server: `http://HOST:PORT`. Two spellings of one address are equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    host: String,
    port: u16,
}

impl Address {
    /// Reads `http://host:port`, `ws://host:port`, `host:port` or `host`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is not a server's address, such as http://127.0.0.1:7310");
        let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
        let default_port = match scheme.to_ascii_lowercase().as_str() {
            "" => PORT,
            "http" | "ws" => 80,
            "https" | "wss" => {
                return Err(format!(
                    "'{text}': this client does not speak TLS; reach the server by http:// on a trusted \
                     network or through a tunnel (such as ssh -L 7310:127.0.0.1:7310 HOST)"
                ));
            }
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
            host: host.to_ascii_lowercase(),
            port,
        })
    }

    /// What a socket connects to.
    pub(crate) fn socket(&self) -> (&str, u16) {
        let bare = self.host.trim_start_matches('[').trim_end_matches(']');
        (bare, self.port)
    }

    /// Where the protocol is spoken.
    pub(crate) fn websocket(&self) -> String {
        format!("ws://{}:{}/ws", self.host, self.port)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}:{}", self.host, self.port)
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
            "https://a",
        ] {
            assert!(Address::parse(text).is_err(), "{text}");
        }
    }
}
