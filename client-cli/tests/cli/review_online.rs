//! `grundy review` of a match on a server: the server's review, or one made here where that does not suffice.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use rustix::process::Signal;

use crate::program::Home;
use crate::server::{Server, that_says_in_turn};

/// A board of which no position of the first moves is ever solved.
const HARD: &str = "cram:......../......../......../........@misere";

/// A finished match against a bot on the server, in which the user threw wins away; its id.
fn played(home: &Home, position: &str, typed: &str) -> String {
    let play = ["play", position, "--side", "first", "--bot", "random"];
    let ran = home.feed(&play, typed);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let (_, rest) = ran
        .stdout
        .split_once("grundy review ")
        .expect("a next step");
    rest.split_whitespace().next().expect("an id").to_owned()
}

/// A figure of the server, by its name with labels; 0 if it has none.
fn figure(server: &Server, name: &str) -> u64 {
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    write!(
        stream,
        "GET /metrics HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        server.address()
    )
    .expect("it reads");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("it answers");
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.map_or(0, |rest| rest.trim().parse().expect("a number"))
}

/// Reviews that the server gave, from wherever.
fn given(server: &Server) -> u64 {
    let of = |source: &str| {
        let name = format!("grundy_reviews_total{{source=\"{source}\"}}");
        figure(server, &name)
    };
    of("memory") + of("store") + of("solver")
}

/// The server with these lines in its configuration.
fn server_with(home: &Home, lines: &str) -> Server {
    let file = home.write("server.toml", lines);
    Server::start_with(&["--config", file.to_str().expect("UTF-8")])
}

#[test]
fn the_review_of_the_server_is_that_of_this_computer_to_the_byte() {
    let server = Server::start();
    let home = Home::at(&server.url);
    for (position, typed) in [
        ("nim:3,5,7", "A-1\nB-1\nC-1\nA-1\nB-1\nresign\n"),
        ("kayles:6+nim:2,3@misere", "1:1\n2.A-1\nresign\n"),
        ("hack:0-1,0r2,0b3", "0-1\nresign\n"),
        ("chomp:4,4,4", "3:4\nresign\n"),
    ] {
        let id = played(&home, position, typed);
        for form in [
            &["--json"][..],
            &[],
            &["--side", "first"],
            &["--side", "second", "--json"],
        ] {
            let before = given(&server);
            let there = home.run(&[&["review", &id], form].concat());
            assert_eq!(there.code, Some(0), "{there:?}");
            assert_eq!(given(&server), before + 1, "the server gave it");
            let here = home.run(&[&["review", &id, "--budget", "10s"], form].concat());
            assert_eq!(given(&server), before + 1, "the server was not asked");
            assert_eq!(there.stdout, here.stdout, "{position} {form:?}");
            assert_eq!((&*there.stderr, here.code), ("", Some(0)));
        }
        home.run(&["review", &id, "--html", "there.html", "--svg", "there.svg"]);
        let here = [
            "review",
            &id,
            "--html",
            "here.html",
            "--svg",
            "here.svg",
            "--memory",
            "512",
        ];
        assert_eq!(home.run(&here).code, Some(0));
        for ending in ["html", "svg"] {
            let read = |name: &str| {
                fs::read_to_string(home.file(&format!("{name}.{ending}"))).expect("a file")
            };
            assert_eq!(read("there"), read("here"), "{position}");
        }
    }
    // Without a name, it is the last match; a move, and notes, need the solver here.
    let before = given(&server);
    assert_eq!(home.run(&["review", "--json"]).code, Some(0));
    assert_eq!(given(&server), before + 1);
    let id = played(&home, "nim:3,5,7", "C-2\nresign\n");
    for here in [&["--ply", "1"][..], &["--annotate", "notes.ndjson"]] {
        let ran = home.run(&[&["review", &id], here].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    assert_eq!(given(&server), before + 1);
    // A mark, and a wrong name.
    let ran = home.run(&["review", &id, "--fail-on", "??", "--side", "first"]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    let ran = home.run(&["review", &id, "--player", "Nobody"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert_eq!(given(&server), before + 3);
}

#[test]
fn what_a_server_refuses_by_its_limits_is_reviewed_here() {
    let home = Home::new();
    let server = server_with(&home, "[solver]\nreview_plies = 2\n");
    let home = Home::at(&server.url);
    let id = played(&home, "nim:3,5,7", "A-1\nB-1\nC-1\nresign\n");
    let ran = home.run(&["review", &id, "--json", "-v"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("reviewing on this computer"), "{ran:?}");
    let own = home.run(&["review", &id, "--json", "--budget", "10s"]);
    assert_eq!(ran.stdout, own.stdout);
    assert_eq!(given(&server), 0);
}

#[test]
fn a_review_for_which_the_time_of_the_server_was_too_short_is_made_here() {
    let home = Home::new();
    let server = server_with(&home, "[solver]\ncpu_ms = 1\n");
    let home = Home::at(&server.url);
    // A millisecond is not enough for all lines of play.
    let id = played(&home, "cram:...../...../...../.....", "1:1-1:2\nresign\n");
    let ran = home.run(&["review", &id, "--json", "-v"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("did not suffice"), "{ran:?}");
    let review = ran.json();
    assert_eq!(review["cut_off"], false, "{review}");
    assert!(review["plies"][0]["left"].is_u64(), "{review}");
}

#[test]
fn ctrl_c_stops_the_server_from_working_on_a_review() {
    let home = Home::new();
    let server = server_with(
        &home,
        "[solver]\nthreads = 1\ncpu_ms = 60000\nnodes = 1000000000\n",
    );
    let home = Home::at(&server.url);
    let id = played(&home, HARD, "1:1-1:2\nresign\n");
    let (running, mut screen) = home.start_on_screen(&["review", &id], 80, 24);
    let mut shown = String::new();
    let mut part = [0; 1_024];
    while !shown.contains("Reviewing: 0 of 3 positions") {
        let read = screen.read(&mut part).expect("it shows its progress");
        shown.push_str(&String::from_utf8_lossy(&part[..read]));
    }
    running.signal(Signal::INT);
    let ran = running.ends_by_itself();
    assert_eq!((ran.code, &*ran.stdout), (Some(130), ""));
    let cancelled = "grundy_refusals_total{reason=\"cancelled\"}";
    assert_eq!(figure(&server, cancelled), 1);
}

const WELCOME: &str = r#"{"re":$id,"body":{"type":"welcome","protocol":1,"server":"grundy-server 9","now_ms":1795240800000,"player":{"id":"67e55044-10b1-426f-9247-bb680e5fe0c8","name":"Cyd","bot":false},"token":"grg_3Jt0","limits":{"message_bytes":16384,"reply_bytes":65536,"burst":30,"requests_per_second":10,"queue_messages":64,"queue_bytes":262144,"matches_per_player":20,"follows_per_connection":20,"solver_ms":200,"solver_bytes":67108864,"review_plies":2000,"ping_ms":15000,"dead_after_ms":35000,"join_code_ms":86400000},"obligations":[]}}"#;
const RECORD: &str = r#"{"re":$id,"body":{"type":"record","match":"7Kq2mVx9Ru","events":[{"seq":1,"body":{"type":"created","at_ms":1795240801000,"position":"nim:1,2","clock":{"type":"untimed"},"creator":{"id":"67e55044-10b1-426f-9247-bb680e5fe0c9","name":"Ada","bot":false},"seat":"first"}},{"seq":2,"body":{"type":"joined","at_ms":1795240805000,"seat":"second","player":{"id":"0190a5c4-9f6b-4d2a-8a4e-2f6d1c0b9e77","name":"Bo","bot":true}}},{"seq":3,"body":{"type":"ended","at_ms":1795240806000,"outcome":"second","reason":"resignation"}}],"complete":true}}"#;
const DONE: &str = r#"{"re":$id,"body":{"type":"done"}}"#;

/// Servers that know no progress of reviews, or whose reviews lack a field.
const OLDER: [&str; 2] = [
    r#"{"re":$id,"body":{"type":"error","code":"unknown_field","message":"`review` has no field `progress`"}}"#,
    r#"{"re":$id,"body":{"type":"reviewed","match":"7Kq2mVx9Ru","review":{"schema":"grundy/review/1","plies":[]}}}"#,
];

#[test]
fn the_match_of_an_older_server_is_reviewed_here() {
    const FIRST: &[&[&str]] = &[&[WELCOME, OLDER[0], DONE], &[WELCOME, RECORD, DONE]];
    const SECOND: &[&[&str]] = &[&[WELCOME, OLDER[1], DONE], &[WELCOME, RECORD, DONE]];
    for script in [FIRST, SECOND] {
        let home = Home::at(&that_says_in_turn(script));
        let ran = home.run(&["review", "7Kq2mVx9Ru", "--json", "-v"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.stderr.contains("reviewing on this computer"), "{ran:?}");
        let review = ran.json();
        assert_eq!(
            (&review["outcome"], &review["first"]["name"]),
            (&"second".into(), &"Ada".into())
        );
    }
}
