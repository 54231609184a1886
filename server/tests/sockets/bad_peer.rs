//! Peers that break the rules of HTTP and WebSocket, byte by byte: each is closed with its code, in time, and nothing stays behind.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use crate::common::{Plan, Server, in_time, until};
use grundy_server::config::Config;
use grundy_shared::ids::Millis;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What a close frame without a code means (RFC 6455, section 7.4.1).
pub(crate) const NO_CODE: u16 = 1005;
const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";

fn handshake(headers: &str) -> String {
    format!("GET /ws HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n")
}

pub(crate) fn lawful() -> String {
    handshake(&format!(
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n"
    ))
}

pub(crate) async fn open(server: SocketAddr) -> TcpStream {
    TcpStream::connect(server).await.expect("it listens")
}

/// Everything that the server says until it hangs up.
pub(crate) async fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    // A reset after the last word is a way of hanging up too.
    let _ = in_time("the end", stream.read_to_end(&mut bytes)).await;
    bytes
}

pub(crate) async fn status(server: &Server, request: &[u8]) -> (u16, String) {
    let mut stream = open(server.address).await;
    stream.write_all(request).await.expect("sent");
    let text = String::from_utf8_lossy(&rest(&mut stream).await).into_owned();
    let code = text.split(' ').nth(1).and_then(|code| code.parse().ok());
    (code.unwrap_or(0), text)
}

/// A connection after its handshake.
pub(crate) async fn upgraded(server: SocketAddr) -> TcpStream {
    let mut stream = open(server).await;
    stream.write_all(lawful().as_bytes()).await.expect("sent");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(
            in_time("the answer", stream.read_u8())
                .await
                .expect("an answer"),
        );
    }
    let head = String::from_utf8(head).expect("ASCII");
    assert!(head.starts_with("HTTP/1.1 101 "), "{head}");
    assert!(
        head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
        "the accept key of RFC 6455: {head}"
    );
    stream
}

/// A masked frame: first byte, payload.
pub(crate) fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match payload.len() {
        short @ 0..=125 => frame.push(0x80 | u8::try_from(short).expect("small")),
        middle @ 126..=65_535 => {
            frame.push(0x80 | 126);
            frame.extend(u16::try_from(middle).expect("small").to_be_bytes());
        }
        long => {
            frame.push(0x80 | 127);
            frame.extend((long as u64).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(payload);
    frame
}

/// The code of the close frame among these bytes, which are short frames.
pub(crate) fn close_code(bytes: &[u8]) -> Option<u16> {
    let mut rest = bytes;
    while let [first, length, more @ ..] = rest {
        let (length, more) = match length {
            126 => (
                usize::from(u16::from_be_bytes([more[0], more[1]])),
                &more[2..],
            ),
            length => (usize::from(*length), more),
        };
        if *first == 0x88 {
            let code = more.first_chunk().filter(|_| length > 0);
            return Some(code.map_or(NO_CODE, |code| u16::from_be_bytes(*code)));
        }
        rest = more.get(length..)?;
    }
    None
}

#[tokio::test]
async fn a_bad_handshake_is_told_why() {
    let server = Server::start().await;
    let full = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    let rows: Vec<(String, u16)> = vec![
        (handshake(""), 426),
        (handshake("Connection: Upgrade\r\nUpgrade: h2c\r\n"), 426),
        (
            handshake(&format!(
                "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 12\r\nSec-WebSocket-Key: {KEY}\r\n"
            )),
            426,
        ),
        (handshake(full), 400),
        (
            handshake(&format!("{full}Sec-WebSocket-Key: short\r\n")),
            400,
        ),
        (
            handshake(&format!(
                "{full}Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Key: {KEY}\r\n"
            )),
            400,
        ),
        (
            handshake(&format!(
                "{full}Sec-WebSocket-Key: {KEY}\r\nOrigin: http://evil.example\r\n"
            )),
            403,
        ),
        (
            handshake(&format!(
                "{full}Sec-WebSocket-Key: {KEY}\r\nOrigin: null\r\n"
            )),
            403,
        ),
        (
            handshake(&format!(
                "{full}Sec-WebSocket-Key: {KEY}\r\nOrigin: http://localhost.evil.example\r\n"
            )),
            403,
        ),
        (
            handshake(&format!(
                "{full}Sec-WebSocket-Key: {KEY}\r\nOrigin: http://localhost:81\r\n"
            )),
            403,
        ),
        (lawful().replace("GET", "POST"), 405),
        (lawful().replace("HTTP/1.1", "HTTP/1.0"), 400),
        (handshake(&format!("X: {}\r\n", "x".repeat(70_000))), 431),
        ("GET /ws HTTP/9.9\r\n\r\n".to_owned(), 400),
        ("\u{1}\u{2}\r\n\r\n".to_owned(), 400),
        (lawful().replace("/ws", "/nothing"), 404),
    ];
    for (request, expected) in rows {
        let (code, text) = status(&server, request.as_bytes()).await;
        assert_eq!(code, expected, "{:.200}\n{text}", request);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_page_of_another_site_connects_only_where_it_is_allowed() {
    let allowed = "allowed_origins = \"https://play.example, http://localhost:8080\"";
    let loaded = Config::from_toml(Path::new("test.toml"), allowed).expect("sites");
    let origins = loaded.config.allowed_origins;
    let plan = Plan::with(|config| {
        config.allowed_origins = origins;
        config.times.hello_ms = Millis(100);
    });
    let server = plan.start().await;
    for (origin, expected) in [
        ("https://play.example", 101),
        ("http://localhost:8080", 101),
        ("http://play.example", 403),
        ("https://play.example:8443", 403),
        ("https://play.example/", 403),
        ("https://Play.example", 403),
        ("HTTPS://play.example", 403),
        ("https://evil.play.example", 403),
        ("https://play.example.evil", 403),
        ("https://play.example, http://localhost:8080", 403),
        ("null", 403),
        ("", 403),
    ] {
        let request = lawful().replace("\r\n\r\n", &format!("\r\nOrigin: {origin}\r\n\r\n"));
        let (code, text) = status(&server, request.as_bytes()).await;
        assert_eq!(code, expected, "{origin}: {text}");
        assert!(code == 101 || text.contains("allowed_origins"), "{text}");
    }
    server.stop().await;
    for wrong in [
        "play.example",
        "null",
        "*",
        "https://",
        "https://a.b/c",
        "https://A.b",
    ] {
        let text = format!("allowed_origins = \"{wrong}\"");
        let refused = Config::from_toml(Path::new("test.toml"), &text).expect_err(wrong);
        assert!(
            refused.to_string().contains("https://play.example"),
            "{refused}"
        );
    }
}

#[tokio::test]
async fn a_request_for_another_host_is_refused_with_the_setting() {
    let named = "public_url = \"https://play.example\"\nallowed_hosts = \"grundy.lan\"";
    let loaded = Config::from_toml(Path::new("test.toml"), named).expect("names");
    let plan = Plan::with(|config| {
        config.public_url.clone_from(&loaded.config.public_url);
        config.allowed_hosts = loaded.config.allowed_hosts;
        // A connection that is upgraded ends by its silence.
        config.times.hello_ms = Millis(100);
    });
    let server = plan.start().await;
    let own = server.address.to_string();
    // `None`: no header at all. Metrics answer this machine under its own names only.
    for (host, expected, metrics) in [
        (Some(&*own), 101, 200),
        (Some("localhost:1"), 101, 200),
        (Some("[::1]:7310"), 101, 200),
        (Some("play.example"), 101, 403),
        (Some("PLAY.example:443"), 101, 403),
        (Some("grundy.lan:7310"), 101, 403),
        (Some("evil.example"), 421, 421),
        (Some("127.0.0.1.evil.example"), 421, 421),
        (Some("play.example.evil.example"), 421, 421),
        // Of a router or a container before the server.
        (Some("192.0.2.1:7310"), 101, 403),
        (Some("localhost, evil.example"), 400, 400),
        (Some("evil@localhost"), 400, 400),
        (Some(""), 400, 400),
        (None, 400, 400),
    ] {
        let header = host.map_or(String::new(), |host| format!("Host: {host}\r\n"));
        let request = lawful().replace("Host: localhost\r\n", &header);
        let (code, text) = status(&server, request.as_bytes()).await;
        assert_eq!(code, expected, "{host:?}: {text}");
        assert_eq!(code == 421, text.contains("allowed_hosts"), "{text}");
        for (path, expected) in [
            ("/metrics", metrics),
            ("/", if expected == 101 { 200 } else { expected }),
        ] {
            let request = format!("GET {path} HTTP/1.1\r\n{header}\r\n");
            let (code, text) = status(&server, request.as_bytes()).await;
            assert_eq!(code, expected, "{path} {host:?}: {text}");
        }
    }
    let twice = lawful().replace(
        "Host: localhost\r\n",
        "Host: localhost\r\nHost: evil.example\r\n",
    );
    assert_eq!(status(&server, twice.as_bytes()).await.0, 400);
    let old = b"GET /readyz HTTP/1.0\r\n\r\n";
    assert_eq!(status(&server, old).await.0, 200, "a check of HTTP/1.0");
    let old = b"GET /metrics HTTP/1.0\r\n\r\n";
    assert_eq!(status(&server, old).await.0, 403);
    server.stop().await;
}

#[tokio::test]
async fn connections_of_a_proxy_count_before_they_ask_for_a_session() {
    let plan = Plan::with(|config| {
        config.behind_proxy = true;
        config.limits.connections = 2;
        config.times.hello_ms = Millis(100);
    });
    let server = plan.start().await;
    let silent = [open(server.address).await, open(server.address).await];
    until("both are counted", || {
        server.app.addresses.connections() == 2
    })
    .await;
    let (code, _) = status(&server, lawful().as_bytes()).await;
    assert_eq!(code, 503);
    drop(silent);
    until("room", || server.app.addresses.connections() == 0).await;
    let (code, _) = status(&server, lawful().as_bytes()).await;
    assert_eq!(code, 101);
    server.stop().await;
}

#[tokio::test]
async fn a_slow_handshake_is_cut_and_silence_after_it_too() {
    let server = Plan::with(|config| {
        config.times.handshake_ms = Millis(300);
        config.times.hello_ms = Millis(300);
    })
    .start()
    .await;
    let mut half = open(server.address).await;
    half.write_all(b"GET /ws HTTP/1.1\r\nHost: localhost\r\n")
        .await
        .expect("sent");
    let mut dribble = open(server.address).await;
    let mut silent = open(server.address).await;
    let mut upgraded = upgraded(server.address).await;
    let dribbling = async {
        loop {
            if dribble.write_all(b"G").await.is_err() {
                return;
            }
            let mut one = [0];
            let read = dribble.read(&mut one);
            let read = tokio::time::timeout(Duration::from_millis(20), read).await;
            if let Ok(Ok(0) | Err(_)) = read {
                return;
            }
        }
    };
    let (a, b, c, ()) = tokio::join!(
        rest(&mut half),
        rest(&mut silent),
        rest(&mut upgraded),
        dribbling
    );
    assert!(close_code(&a).is_none() && b.is_empty());
    assert_eq!(close_code(&c), Some(1008), "no hello");
    drop((half, dribble, silent, upgraded));
    let gone = || server.app.addresses.connections() == 0;
    until("nothing stays behind", gone).await;
    server.stop().await;
}

/// The head of a request whose body does not come, and the body.
const HALF: (&[u8], &[u8]) = (
    b"POST /session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n",
    b"{}",
);

#[tokio::test]
async fn an_answer_may_take_longer_than_a_handshake() {
    let plan = Plan::with(|config| config.times.handshake_ms = Millis(100));
    let server = plan.start().await;
    let mut asking = open(server.address).await;
    asking.write_all(HALF.0).await.expect("sent");
    let has_place = || server.app.addresses.connections() == 1;
    until("it keeps its place", has_place).await;
    // Another one that asks for nothing is cut off meanwhile.
    let mut silent = open(server.address).await;
    assert!(rest(&mut silent).await.is_empty());
    assert!(has_place());
    asking.write_all(HALF.1).await.expect("it still listens");
    let said = rest(&mut asking).await;
    assert!(said.starts_with(b"HTTP/1.1 4"), "{said:?}");
    until("nothing stays behind", || {
        server.app.addresses.connections() == 0
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn who_takes_too_long_for_an_answer_is_given_up() {
    let plan = Plan::with(|config| config.times.answer_ms = Millis(300));
    let server = plan.start().await;
    let mut asking = open(server.address).await;
    asking.write_all(HALF.0).await.expect("sent");
    assert!(rest(&mut asking).await.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn floods_of_pings_and_of_empty_messages_are_messages() {
    let server = Plan::with(|config| {
        config.limits.burst = 30;
        config.limits.requests_per_second = 10;
    })
    .start()
    .await;
    for flood in [frame(0x89, b""), frame(0x8a, b""), frame(0x81, b"")] {
        let mut stream = upgraded(server.address).await;
        // The server may hang up before all is sent.
        let _ = stream.write_all(&flood.repeat(1_000)).await;
        let said = rest(&mut stream).await;
        assert_eq!(close_code(&said), Some(1008), "{flood:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_peer_that_went_silent_is_given_up() {
    let server = Plan::with(|config| {
        config.times.ping_ms = Millis(100);
        config.times.dead_after_ms = Millis(300);
    })
    .start()
    .await;
    let mut stream = upgraded(server.address).await;
    let hello = br#"{"id":1,"body":{"type":"hello","protocol":1}}"#;
    stream.write_all(&frame(0x81, hello)).await.expect("sent");
    let said = rest(&mut stream).await;
    assert!(
        said.windows(2).any(|bytes| bytes == [0x89, 0]),
        "it was pinged"
    );
    assert_eq!(said[said.len() - 8..], *b"\x03\xf0silent", "1008");
    server.stop().await;
}

#[tokio::test]
async fn whoever_plays_at_an_address_takes_no_page_from_another_there() {
    let server = Plan::with(|config| {
        config.limits.connections_per_address = 2;
        config.limits.connections = 100;
    })
    .start()
    .await;
    let players = (server.guest("Ann").await, server.guest("Bob").await);
    let rules = b"GET /rules HTTP/1.1\r\nHost: localhost\r\nAccept-Language: zh-CN\r\n";
    let rules = |more: &str| [rules, more.as_bytes(), b"\r\n"].concat();
    let (code, text) = status(&server, &rules("")).await;
    assert_eq!(code, 200, "{text}");
    // As many requests are under way as may be: the next one waits until one of them ends.
    let opened = async || TcpStream::connect(server.address).await.expect("room");
    let idle = (opened().await, opened().await);
    let all_four = || server.app.addresses.connections() == 4;
    until("four connections", all_four).await;
    let asked = rules("");
    let (answered, ()) = tokio::join!(status(&server, &asked), async {
        until("the fifth", || server.app.addresses.connections() == 5).await;
        drop(idle.0);
    });
    assert_eq!(answered.0, 200, "{}", answered.1);
    // None ends: a browser is told so in words that its reader understands.
    let _more = opened().await;
    until("four connections", all_four).await;
    let asked = rules("Accept: text/html\r\n");
    let (code, text) = status(&server, &asked).await;
    assert_eq!(code, 429, "{text}");
    assert!(text.contains("retry-after: "), "{text}");
    assert!(text.contains("<html lang=\"zh-CN\">"), "{text}");
    assert!(text.contains("content-security-policy: "), "{text}");
    // A session has a place of its own: it waits for no file.
    drop(players.0);
    until("room", || server.app.addresses.connections() == 3).await;
    server.guest("Cyd").await;
    server.stop().await;
}

#[tokio::test]
async fn connections_beyond_the_limits_are_told_when_to_come_back() {
    let server = Plan::with(|config| {
        config.limits.connections_per_address = 2;
        config.limits.connections = 100;
    })
    .start()
    .await;
    let (_first, _second) = (server.guest("Ann").await, server.guest("Bob").await);
    let (code, text) = status(&server, lawful().as_bytes()).await;
    assert_eq!(code, 429, "{text}");
    assert!(text.to_lowercase().contains("retry-after: "), "{text}");
    let (code, _) = status(&server, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    assert_eq!(code, 200, "health is told to all");
    let full = Plan::with(|config| config.limits.connections = 1)
        .start()
        .await;
    let mut only = full.guest("Ann").await;
    let (code, text) = status(&full, lawful().as_bytes()).await;
    assert_eq!(code, 503, "{text}");
    assert!(text.to_lowercase().contains("retry-after: "), "{text}");
    assert_eq!(only.ask(json!({"type":"ping"})).await["type"], "pong");
    server.stop().await;
    full.stop().await;
}
