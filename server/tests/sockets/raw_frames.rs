//! Frames byte by byte (RFC 6455): every row of a table is sent to a connection of its own, which must be closed with exactly its code.

use std::net::SocketAddr;

use crate::bad_peer::{NO_CODE, close_code, frame, lawful, open, rest, upgraded};
use crate::common::{Plan, Server};
use futures::StreamExt as _;
use grundy_server::lifecycle::Lifecycle;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;
use tokio_tungstenite::accept_async;

/// Rows that the table has at least.
const ROWS: usize = 94;
/// No close frame: who hangs up within a frame is not answered.
const NOTHING: u16 = 1006;
/// The limit of a message in these tests, in bytes.
const LIMIT: usize = 16 * 1024;

const TEXT: u8 = 0x81;
const BINARY: u8 = 0x82;
const CLOSE: u8 = 0x88;
const PING: u8 = 0x89;
const PONG: u8 = 0x8a;
/// Not the last fragment.
const FIRST_TEXT: u8 = 0x01;
const FIRST_BINARY: u8 = 0x02;
const NEXT: u8 = 0x00;
const LAST: u8 = 0x80;

struct Row {
    what: String,
    bytes: Vec<u8>,
    code: u16,
}

fn row(what: impl Into<String>, bytes: Vec<u8>, code: u16) -> Row {
    let what = what.into();
    Row { what, bytes, code }
}

/// Frames with which nothing is wrong: the goodbye after them is answered.
fn good(what: impl Into<String>, frames: &[Vec<u8>]) -> Row {
    row(what, [&frames.concat()[..], &goodbye(1000)].concat(), 1000)
}

fn goodbye(code: u16) -> Vec<u8> {
    frame(CLOSE, &code.to_be_bytes())
}

/// A close frame with a code and a reason.
fn parting(code: u16, reason: &[u8]) -> Vec<u8> {
    frame(CLOSE, &[&code.to_be_bytes(), reason].concat())
}

/// A masked frame whose length is written in two bytes, whatever it is.
fn in_two(first: u8, length: u16) -> Vec<u8> {
    let payload = vec![b' '; length.into()];
    [&[first, 0xfe][..], &length.to_be_bytes(), &[0; 4], &payload].concat()
}

/// The head of a masked frame whose length is written in eight bytes.
fn in_eight(first: u8, length: u64) -> Vec<u8> {
    [&[first, 0xff][..], &length.to_be_bytes(), &[0; 4]].concat()
}

fn reserved_bits() -> Vec<Row> {
    let kinds = [
        ("text", TEXT),
        ("binary", BINARY),
        ("close", CLOSE),
        ("ping", PING),
        ("continuation", LAST),
    ];
    let bits = [("RSV1", 0x40), ("RSV2", 0x20), ("RSV3", 0x10)];
    let pairs = bits
        .iter()
        .flat_map(|bit| kinds.iter().map(move |kind| (bit, kind)));
    pairs
        .map(|((bit, mask), (kind, first))| {
            row(
                format!("{bit} of a {kind}"),
                frame(first | mask, b"\x03\xe8"),
                1002,
            )
        })
        .collect()
}

fn opcodes() -> Vec<Row> {
    let reserved = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15];
    let mut rows: Vec<Row> = reserved
        .iter()
        .map(|opcode| {
            row(
                format!("opcode {opcode}"),
                frame(0x80 | opcode, b"{}"),
                1002,
            )
        })
        .collect();
    rows.extend([3, 11].map(|opcode| {
        row(
            format!("fragment with opcode {opcode}"),
            frame(opcode, b"{}"),
            1002,
        )
    }));
    let kinds = [TEXT, BINARY, CLOSE, PING, PONG, LAST];
    rows.extend(kinds.map(|first| {
        row(
            format!("{first:#x} without a mask"),
            vec![first, 2, 3, 232],
            1002,
        )
    }));
    rows
}

fn control_frames() -> Vec<Row> {
    let mut rows = Vec::new();
    for (what, first) in [("close", CLOSE), ("ping", PING), ("pong", PONG)] {
        rows.push(row(
            format!("fragmented {what}"),
            frame(first & 0x0f, b"\x03\xe8"),
            1002,
        ));
        for length in [126, 1000] {
            let bytes = frame(first, &vec![b'x'; length]);
            rows.push(row(format!("{what} of {length} bytes"), bytes, 1002));
        }
        rows.push(row(
            format!("{what} too large for any message"),
            in_eight(first, 65_536),
            1009,
        ));
    }
    for length in [0, 1, 124, 125] {
        rows.push(good(
            format!("ping of {length} bytes"),
            &[frame(PING, &vec![0xff; length])],
        ));
        rows.push(good(
            format!("pong of {length} bytes"),
            &[frame(PONG, &vec![0xff; length])],
        ));
    }
    let within = [
        frame(FIRST_TEXT, b"{"),
        frame(PING, b"x"),
        frame(NEXT, b""),
        frame(PONG, b""),
        frame(LAST, b"}"),
    ];
    rows.push(good("control frames between fragments", &within));
    let close = [frame(FIRST_TEXT, b"{"), goodbye(1000)].concat();
    rows.push(row("close between fragments", close, 1000));
    rows
}

fn lengths() -> Vec<Row> {
    let mut rows = Vec::new();
    for length in [0, 1, 125] {
        rows.push(row(
            format!("{length} in two bytes"),
            in_two(TEXT, length),
            1002,
        ));
    }
    for length in [126, 127, 65_535_u64] {
        rows.push(row(
            format!("{length} in eight bytes"),
            in_eight(TEXT, length),
            1002,
        ));
    }
    for length in [0, 125] {
        rows.push(row(
            format!("{length} in eight bytes"),
            in_eight(TEXT, length),
            1002,
        ));
    }
    rows.extend([
        row("ping of 5 in two bytes", in_two(PING, 5), 1002),
        row("close of 2 in two bytes", in_two(CLOSE, 2), 1002),
        row(
            "continuation of 3 in two bytes",
            [frame(FIRST_TEXT, b"{"), in_two(LAST, 3)].concat(),
            1002,
        ),
        row("2^63", in_eight(TEXT, 1 << 63), 1002),
        row("2^64-1", in_eight(TEXT, u64::MAX), 1002),
        row("2^63-1", in_eight(TEXT, u64::MAX >> 1), 1009),
        row("65,536 in eight bytes", in_eight(TEXT, 65_536), 1009),
        row(
            "beyond the limit, the head alone",
            vec![TEXT, 0xfe, 0x40, 0x01, 0, 0, 0, 0],
            1009,
        ),
        row(
            "beyond the limit by one",
            frame(TEXT, &vec![b' '; LIMIT + 1]),
            1009,
        ),
        row(
            "beyond the limit in two",
            [frame(FIRST_TEXT, &vec![b' '; LIMIT]), frame(LAST, b" ")].concat(),
            1009,
        ),
        row(
            "beyond the limit in 17",
            [
                frame(FIRST_TEXT, b""),
                frame(NEXT, &[b' '; 1000]).repeat(17),
            ]
            .concat(),
            1009,
        ),
        row(
            "endless empty fragments",
            [frame(FIRST_TEXT, b""), frame(NEXT, b"").repeat(50_000)].concat(),
            1009,
        ),
        good("126 in two bytes", &[in_two(TEXT, 126)]),
        good("as long as the limit", &[frame(TEXT, &vec![b' '; LIMIT])]),
        good(
            "as long as the limit in two",
            &[
                frame(FIRST_TEXT, &[b' '; 1]),
                frame(LAST, &vec![b' '; LIMIT - 1]),
            ],
        ),
    ]);
    rows
}

fn fragments() -> Vec<Row> {
    let first = || frame(FIRST_TEXT, b"{");
    vec![
        row("continuation first", frame(LAST, b"{}"), 1002),
        row("continuation first, not the last", frame(NEXT, b"{}"), 1002),
        row(
            "continuation after a whole message",
            [frame(TEXT, b"{}"), frame(LAST, b"")].concat(),
            1002,
        ),
        row(
            "continuation after the last fragment",
            [first(), frame(LAST, b"}"), frame(LAST, b"")].concat(),
            1002,
        ),
        row(
            "text within text",
            [first(), frame(TEXT, b"}")].concat(),
            1002,
        ),
        row("first fragment twice", [first(), first()].concat(), 1002),
        row(
            "binary within text",
            [first(), frame(BINARY, b"}")].concat(),
            1002,
        ),
        row(
            "text within text after a ping",
            [first(), frame(PING, b""), frame(TEXT, b"")].concat(),
            1002,
        ),
        row("binary", frame(BINARY, b"x"), 1003),
        row("empty binary", frame(BINARY, b""), 1003),
        row(
            "first fragment of a binary message",
            frame(FIRST_BINARY, b"x"),
            1003,
        ),
        row(
            "head of a binary message",
            vec![FIRST_BINARY, 0xfe, 0x10],
            1003,
        ),
        row("binary beyond the limit", in_eight(BINARY, 1 << 40), 1003),
        row(
            "binary after a message",
            [frame(TEXT, b"{}"), frame(BINARY, b"x")].concat(),
            1003,
        ),
        row(
            "binary after fragments",
            [first(), frame(LAST, b"}"), frame(FIRST_BINARY, b"")].concat(),
            1003,
        ),
    ]
}

fn texts() -> Vec<Row> {
    let wrong: [&[u8]; 12] = [
        b"\xff",
        b"\xfe\xff",
        b"\x80",
        b"\xc0\xaf",
        b"\xe0\x80\xaf",
        b"\xf0\x80\x80\xaf",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\xc3",
        b"\xe2\x82",
        b"\xf0\x9f\x98",
        b"\xc3\x28",
    ];
    let mut rows: Vec<Row> = wrong
        .iter()
        .map(|text| row(format!("text {text:x?}"), frame(TEXT, text), 1007))
        .collect();
    rows.extend([
        row(
            "a character broken by the next fragment",
            [frame(FIRST_TEXT, b"\xc3"), frame(LAST, b"\x28")].concat(),
            1007,
        ),
        row(
            "half a character at the end of fragments",
            [frame(FIRST_TEXT, b"\xce"), frame(LAST, b"\xba\xe1\xbd")].concat(),
            1007,
        ),
        row(
            "wrong in the first of more fragments",
            frame(FIRST_TEXT, b"\xff"),
            1007,
        ),
        row(
            "wrong in the second of more fragments",
            [frame(FIRST_TEXT, b"a"), frame(NEXT, b"\x80")].concat(),
            1007,
        ),
        good(
            "a character in two fragments",
            &[frame(FIRST_TEXT, b"\xc3"), frame(LAST, b"\xa9")],
        ),
        good(
            "a character in four fragments",
            &[
                frame(FIRST_TEXT, b"\xf0"),
                frame(NEXT, b"\x9f"),
                frame(NEXT, b"\x98"),
                frame(LAST, b"\x80"),
            ],
        ),
        good("a noncharacter", &[frame(TEXT, b"\xef\xbf\xbf")]),
        good("an empty message", &[frame(TEXT, b"")]),
        good("NUL", &[frame(TEXT, b"\0")]),
    ]);
    rows
}

fn closes() -> Vec<Row> {
    let good = [
        1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 3000, 3999, 4000, 4999,
    ];
    // tungstenite 0.30 takes 1014, which was registered later, for an unknown code.
    let bad = [
        0, 1, 999, 1004, 1005, 1006, 1014, 1015, 1016, 1100, 2000, 2999, 5000, 65_535,
    ];
    let mut rows: Vec<Row> = good
        .iter()
        .map(|code| row(format!("close {code}"), goodbye(*code), *code))
        .collect();
    rows.extend(bad.map(|code| row(format!("close {code}"), goodbye(code), 1002)));
    rows.extend([
        row("close without a code", frame(CLOSE, b""), NO_CODE),
        row("close of one byte", frame(CLOSE, b"\x03"), 1002),
        row(
            "close with a reason",
            parting(1000, "caf\u{e9}".as_bytes()),
            1000,
        ),
        row(
            "close with the longest reason",
            parting(1000, &[b'x'; 123]),
            1000,
        ),
        row(
            "close with a longer reason",
            parting(1000, &[b'x'; 124]),
            1002,
        ),
        row(
            "close with a reason that is not UTF-8",
            parting(1000, b"\xff"),
            1007,
        ),
        row(
            "close with a reason that is cut off",
            parting(1000, b"ok\xc3"),
            1007,
        ),
        row(
            "text after close",
            [goodbye(1000), frame(TEXT, b"{}")].concat(),
            1000,
        ),
        row("close twice", [goodbye(1001), goodbye(1000)].concat(), 1001),
        row(
            "a bad frame after close",
            [goodbye(1000), frame(0x83, b"")].concat(),
            1000,
        ),
    ]);
    rows
}

fn garbage() -> Vec<Row> {
    vec![
        row(
            "HTTP after the handshake",
            b"GET / HTTP/1.1\r\n\r\n".to_vec(),
            1002,
        ),
        row("TLS after the handshake", vec![0x16, 3, 1, 2, 0, 1], 1002),
        row("zeros", vec![0; 64], 1002),
        row("ones", vec![0xff; 64], 1002),
        row("a flood of pings", frame(PING, b"").repeat(1_000), 1008),
        row(
            "a flood of empty messages",
            frame(TEXT, b"").repeat(1_000),
            1008,
        ),
    ]
}

/// All rows that the server answers while the peer still listens.
fn rows() -> Vec<Row> {
    [
        reserved_bits(),
        opcodes(),
        control_frames(),
        lengths(),
        fragments(),
        texts(),
        closes(),
        garbage(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[tokio::test]
async fn every_frame_is_answered_with_its_close_code() {
    let server = Plan::with(|config| {
        config.limits.burst = 30;
        config.limits.requests_per_second = 10;
    })
    .start()
    .await;
    let rows = rows();
    assert!(rows.len() >= ROWS, "{} rows", rows.len());
    let wrong = misanswered(server.address, &rows, false).await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    server.stop().await;
}

/// The rows that a server does not answer with their code, and what it answers. `hang_up`: nothing follows the bytes, so that a server that waits
/// for more ends as well.
async fn misanswered(server: SocketAddr, rows: &[Row], hang_up: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    for Row { what, bytes, code } in rows {
        let mut stream = upgraded(server).await;
        // The server may hang up before all is sent.
        let _ = stream.write_all(bytes).await;
        if hang_up {
            let _ = stream.shutdown().await;
        }
        let said = rest(&mut stream).await;
        let found = close_code(&said);
        if found != Some(*code) {
            wrong.push(format!("{what}: {found:?}, not {code}"));
        }
    }
    wrong
}

/// The library without what the server adds to it: the table has to find every rule that it does not keep.
#[tokio::test]
async fn a_server_that_judges_no_heads_is_found_out() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let bare = Lifecycle::new().spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let mut socket = accept_async(stream).await.expect("a handshake");
            while let Some(Ok(_)) = socket.next().await {}
            let _ = socket.close(None).await;
        }
    });
    let rows = [lengths(), fragments(), garbage()].into_iter().flatten();
    let rows: Vec<Row> = rows.collect();
    let wrong = misanswered(address, &rows, true).await;
    bare.abort();
    let is_found = |what: &str| {
        wrong
            .iter()
            .any(|line| line.starts_with(&format!("{what}: ")))
    };
    for what in [
        "125 in two bytes",
        "127 in eight bytes",
        "ping of 5 in two bytes",
        "2^63",
        "binary",
        "head of a binary message",
        "binary beyond the limit",
        "beyond the limit by one",
        "endless empty fragments",
        "a flood of pings",
    ] {
        assert!(is_found(what), "{what} in\n{}", wrong.join("\n"));
    }
    // What it answers as the server does counts as right.
    for what in ["126 in two bytes", "as long as the limit in two"] {
        assert!(!is_found(what), "{what} in\n{}", wrong.join("\n"));
    }
}

#[tokio::test]
async fn frames_that_come_with_the_handshake_are_answered_as_well() {
    let server = Server::start().await;
    for (what, bytes, code) in [
        (
            "a request and a goodbye",
            [frame(TEXT, b"{}"), goodbye(1000)].concat(),
            1000,
        ),
        ("binary", frame(BINARY, b"x"), 1003),
        ("a length too long", in_two(TEXT, 1), 1002),
        (
            "a request and binary",
            [frame(TEXT, b"{}"), frame(BINARY, b"x")].concat(),
            1003,
        ),
    ] {
        let mut stream = open(server.address).await;
        let all = [lawful().as_bytes(), &bytes].concat();
        stream.write_all(&all).await.expect("sent");
        let said = rest(&mut stream).await;
        let end = said
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .expect("an answer")
            + 4;
        assert!(said.starts_with(b"HTTP/1.1 101 "), "{what}");
        assert_eq!(close_code(&said[end..]), Some(code), "{what}");
        // A request before the bad frame has its reply.
        let replied = said[end..].windows(9).any(|part| part == b"\"re\":null");
        assert_eq!(replied, what != "a length too long", "{what}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_ping_is_answered_with_its_payload() {
    let server = Server::start().await;
    for length in [0, 1, 125] {
        let payload: Vec<u8> = (0..length).collect();
        let mut stream = upgraded(server.address).await;
        let all = [frame(PING, &payload), goodbye(1000)].concat();
        stream.write_all(&all).await.expect("sent");
        let pong = [&[PONG, length][..], &payload].concat();
        let said = rest(&mut stream).await;
        assert!(said.starts_with(&pong), "{length}: {said:x?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn who_hangs_up_within_a_frame_is_not_answered() {
    let server = Server::start().await;
    let whole = frame(TEXT, b"{\"id\":1}");
    for cut in 1..whole.len() {
        let mut stream = upgraded(server.address).await;
        stream.write_all(&whole[..cut]).await.expect("sent");
        stream.shutdown().await.expect("hung up");
        let said = rest(&mut stream).await;
        assert_eq!(close_code(&said).unwrap_or(NOTHING), NOTHING, "{cut} bytes");
    }
    server.stop().await;
}

#[tokio::test]
async fn compression_is_not_offered() {
    let server = Server::start().await;
    let mut stream = open(server.address).await;
    let asked = "\r\nSec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n";
    let request = lawful().replace("\r\n\r\n", asked);
    let all = [request.as_bytes(), &goodbye(1000)].concat();
    stream.write_all(&all).await.expect("sent");
    let said = String::from_utf8_lossy(&rest(&mut stream).await).to_lowercase();
    assert!(said.starts_with("http/1.1 101 "), "{said}");
    assert!(!said.contains("sec-websocket-extensions"), "{said}");
    server.stop().await;
}
