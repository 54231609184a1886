//! The name by which a request asks for this server.
//!
//! A page of another site can let its own name resolve to this machine and then speak to the server as if it came from the same site
//! (DNS rebinding). Its requests name the other site as their `Host`, so only names of this server are answered.

use std::net::IpAddr;

use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::http::{Request, Version};

use crate::config::Config;

/// Which name of this server a request gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// `localhost`, a loopback address, or the address at which the connection arrived.
    Itself,
    /// A name that the operator gave it: that of `public_url`, or one of `allowed_hosts`.
    Named,
    /// None: an old program that is no browser.
    Unnamed,
}

/// Why a request is not answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misdirected {
    /// HTTP/1.1 without exactly one host that can be read.
    Malformed,
    /// The name of another site.
    Stranger(String),
}

impl Misdirected {
    /// What the client is told.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            Self::Malformed => {
                "the request needs one Host header: the address of this server".to_owned()
            }
            Self::Stranger(host) => format!(
                "Host {} is not a name of this server: the operator can add it as public_url or to allowed_hosts",
                host.escape_debug()
            ),
        }
    }
}

/// Checks the host that a request names; `arrived_at` is the server's own address of the connection.
///
/// # Errors
/// It names another site, or none where HTTP wants one (RFC 9112, section 3.2).
pub fn check<B>(
    config: &Config,
    arrived_at: IpAddr,
    request: &Request<B>,
) -> Result<Asked, Misdirected> {
    let mut headers = request.headers().get_all(HOST).iter();
    let header = headers.next();
    if headers.next().is_some() {
        return Err(Misdirected::Malformed);
    }
    let header = header.map(|host| {
        let host = host.to_str().ok().and_then(|host| host.parse().ok());
        host.filter(|host: &Authority| !host.as_str().contains('@'))
            .ok_or(Misdirected::Malformed)
    });
    let header = header.transpose()?;
    if header.is_none() && request.version() >= Version::HTTP_11 {
        return Err(Misdirected::Malformed);
    }
    let mut asked = Asked::Unnamed;
    // Where the target of a request has a host, both must be right.
    for host in header.as_ref().into_iter().chain(request.uri().authority()) {
        asked = known(config, arrived_at, host.host())
            .ok_or_else(|| Misdirected::Stranger(host.host().to_owned()))?;
    }
    Ok(asked)
}

/// Whose name this is. Ports make no difference: a proxy or a tunnel may have another one.
fn known(config: &Config, arrived_at: IpAddr, host: &str) -> Option<Asked> {
    let host = host.to_ascii_lowercase();
    let bare = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let address: Option<IpAddr> = bare.unwrap_or(&host).parse().ok();
    let is_own = |address: IpAddr| {
        let address = address.to_canonical();
        address.is_loopback()
            || address == arrived_at.to_canonical()
            || address == config.listen.ip().to_canonical()
    };
    if host == "localhost" || address.is_some_and(is_own) {
        return Some(Asked::Itself);
    }
    // No name service makes an address of another site's. A router or a container may have another address than its server.
    if address.is_some() {
        return Some(Asked::Named);
    }
    let is_public = config
        .public_url
        .as_ref()
        .is_some_and(|url| url.host() == host);
    (is_public || config.allowed_hosts.contains(&host)).then_some(Asked::Named)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn configured(toml: &str) -> Config {
        let loaded = Config::from_toml(Path::new("test.toml"), toml);
        loaded.expect("a configuration").config
    }

    fn asked(config: &Config, host: &str) -> Result<Asked, Misdirected> {
        let request = Request::get("/")
            .version(Version::HTTP_11)
            .header(HOST, host);
        check(
            config,
            [192, 0, 2, 7].into(),
            &request.body(()).expect("a request"),
        )
    }

    /// Hosts and how they are judged: `None` are names of strangers.
    const HOSTS: [(&str, Option<Asked>); 25] = [
        ("localhost", Some(Asked::Itself)),
        ("LOCALHOST:7310", Some(Asked::Itself)),
        ("127.0.0.1:7310", Some(Asked::Itself)),
        ("127.8.9.1", Some(Asked::Itself)),
        ("[::1]:7310", Some(Asked::Itself)),
        ("192.0.2.7:7310", Some(Asked::Itself)),
        ("[::ffff:192.0.2.7]", Some(Asked::Itself)),
        ("play.example", Some(Asked::Named)),
        ("play.example:8443", Some(Asked::Named)),
        ("Play.Example:1", Some(Asked::Named)),
        ("grundy.lan:7310", Some(Asked::Named)),
        ("[2001:db8::1]:7310", Some(Asked::Named)),
        ("192.0.2.8", Some(Asked::Named)),
        ("0.0.0.0:7310", Some(Asked::Named)),
        ("[2001:db8::2]", Some(Asked::Named)),
        ("evil.example", None),
        ("play.example.evil.example", None),
        ("evil.play.example", None),
        ("localhost.evil.example", None),
        ("localhost.", None),
        ("play.example.", None),
        ("127.0.0.1.nip.io:7310", None),
        ("grundy.lan.", None),
        ("2130706433", None),
        ("0x7f000001", None),
    ];

    /// The hosts that a judge takes for what they are not.
    fn misjudged(judge: impl Fn(&str) -> Option<Asked>) -> Vec<&'static str> {
        let wrong = HOSTS
            .iter()
            .filter(|(host, expected)| judge(host) != *expected);
        wrong.map(|(host, _)| *host).collect()
    }

    #[test]
    fn only_names_of_this_server_are_answered() {
        let config = configured(
            "public_url = \"https://play.example:8443\"\nallowed_hosts = \"grundy.lan, [2001:db8::1]\"",
        );
        let judged = |host: &str| match asked(&config, host) {
            Ok(asked) => Some(asked),
            Err(refused @ Misdirected::Stranger(_)) => {
                assert!(refused.in_words().contains("allowed_hosts"), "{host}");
                None
            }
            Err(Misdirected::Malformed) => panic!("{host} is well formed"),
        };
        assert_eq!(misjudged(judged), [""; 0]);
        for host in [
            "",
            "a b",
            "localhost@evil.example",
            "user:x@localhost",
            "http://localhost",
        ] {
            assert_eq!(asked(&config, host), Err(Misdirected::Malformed), "{host}");
        }
    }

    /// The table above finds the mistakes that such checks are known for.
    #[test]
    fn a_check_of_hosts_with_a_mistake_is_found() {
        let config = configured(
            "public_url = \"https://play.example:8443\"\nallowed_hosts = \"grundy.lan, [2001:db8::1]\"",
        );
        let right = |host: &str| asked(&config, host).ok();
        let anybody = |host: &str| right(host).or(Some(Asked::Named));
        assert_eq!(misjudged(anybody).len(), 10, "no check at all");
        type Lenient = fn(&str) -> bool;
        let mistakes: [(Lenient, &[&str]); 4] = [
            (
                |host| host.starts_with("localhost"),
                &["localhost.evil.example", "localhost."],
            ),
            (
                |host| host.starts_with("play.example"),
                &["play.example.evil.example", "play.example."],
            ),
            (
                |host| host.ends_with("play.example"),
                &["evil.play.example"],
            ),
            (
                |host| host.starts_with("127.0.0.1"),
                &["127.0.0.1.nip.io:7310"],
            ),
        ];
        for (lenient, expected) in mistakes {
            let judge = |host: &str| right(host).or(lenient(host).then_some(Asked::Named));
            assert_eq!(misjudged(judge), expected);
        }
        let strict = |host: &str| right(host).filter(|_| !host.contains(':'));
        assert!(misjudged(strict).contains(&"127.0.0.1:7310"), "ports count");
    }

    #[test]
    fn a_target_with_a_host_and_a_request_without_one_are_judged() {
        let config = Config::default();
        let at = IpAddr::from([127, 0, 0, 1]);
        let get = |target: &str| Request::get(target).version(Version::HTTP_11);
        let of = |request: axum::http::request::Builder| {
            check(&config, at, &request.body(()).expect("a request"))
        };
        assert_eq!(of(get("/")), Err(Misdirected::Malformed));
        let twice = get("/").header(HOST, "localhost").header(HOST, "localhost");
        assert_eq!(of(twice), Err(Misdirected::Malformed));
        let absolute = get("http://evil.example/").header(HOST, "localhost");
        assert!(matches!(of(absolute), Err(Misdirected::Stranger(_))));
        let absolute = get("http://localhost/").header(HOST, "evil.example");
        assert!(matches!(of(absolute), Err(Misdirected::Stranger(_))));
        let absolute = get("http://localhost/").header(HOST, "localhost");
        assert_eq!(of(absolute), Ok(Asked::Itself));
        assert_eq!(of(get("/").version(Version::HTTP_10)), Ok(Asked::Unnamed));
    }

    #[test]
    fn names_that_are_none_are_refused_in_the_configuration() {
        for wrong in [
            "https://play.example",
            "play.example:80",
            "Play.example",
            "a/b",
            "*",
            "[::1",
            "a..b",
            ".a",
        ] {
            let text = format!("allowed_hosts = \"{wrong}\"");
            let refused = Config::from_toml(Path::new("test.toml"), &text).expect_err(wrong);
            assert!(refused.to_string().contains("play.example"), "{refused}");
        }
        let some = configured("allowed_hosts = \" a.example ,b-c.lan,, [::1] \"");
        assert!(some.allowed_hosts.contains("b-c.lan") && !some.allowed_hosts.contains("c.lan"));
    }
}
