//! Servers that are not what the client expects: newer ones, silent ones, and ones that have forgotten us.

use std::fs;

use serde_json::{Value, json};

use crate::bots::block;
use crate::program::Home;
use crate::server::{Server, that_says, that_says_and_drops};

/// What a server of tomorrow says first.
const WELCOME: &[&str] = &[
    r#"{"re":$id,"body":{"type":"welcome","protocol":1,"server":"grundy-server 9","now_ms":1795240800000,"player":{"id":"67e55044-10b1-426f-9247-bb680e5fe0c8","name":"Cyd","bot":false},"token":"grg_3Jt0","limits":{"message_bytes":16384,"reply_bytes":65536,"burst":30,"requests_per_second":10,"queue_messages":64,"queue_bytes":262144,"matches_per_player":20,"follows_per_connection":20,"solver_ms":200,"solver_bytes":67108864,"review_plies":2000,"ping_ms":15000,"dead_after_ms":35000,"join_code_ms":86400000},"obligations":[]}}"#,
];

/// The same to a bot.
const WELCOME_OF_A_BOT: &[&str] = &[
    r#"{"re":$id,"body":{"type":"welcome","protocol":1,"server":"grundy-server 9","now_ms":1795240800000,"player":{"id":"67e55044-10b1-426f-9247-bb680e5fe0c8","name":"Cyd","bot":true},"token":"grg_3Jt0","limits":{"message_bytes":16384,"reply_bytes":65536,"burst":30,"requests_per_second":10,"queue_messages":64,"queue_bytes":262144,"matches_per_player":20,"follows_per_connection":20,"solver_ms":200,"solver_bytes":67108864,"review_plies":2000,"ping_ms":15000,"dead_after_ms":35000,"join_code_ms":86400000},"obligations":[]}}"#,
];

/// A server that tells of three things that this client does not know, the last of the past among them.
const OF_TOMORROW: &[&[&str]] = &[
    WELCOME,
    &[
        r#"{"re":$id,"body":{"type":"attached","snapshot":{"match":"7Kq2mVx9Rt","seq":3,"start":"nim:1,2","position":"nim:1,2","ply":0,"to_move":"first","clock":{"type":"untimed"},"at_ms":1795240806100,"status":"live"}}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":1,"body":{"type":"created","at_ms":1795240801000,"position":"nim:1,2","clock":{"type":"untimed"},"creator":{"id":"67e55044-10b1-426f-9247-bb680e5fe0c9","name":"Ada","bot":false},"seat":"first"}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":2,"body":{"type":"joined","at_ms":1795240805000,"seat":"second","player":{"id":"0190a5c4-9f6b-4d2a-8a4e-2f6d1c0b9e77","name":"Bo","bot":true}}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":3,"body":{"type":"applause","at_ms":1795240805500,"how":["loud"]}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":4,"body":{"type":"moved","at_ms":1795240806100,"seat":"first","ply":1,"move":"B-2"}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":5,"body":{"type":"applause","at_ms":1795240806200,"how":["louder"]}}"#,
        r#"{"body":{"type":"weather"}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":6,"body":{"type":"applause","at_ms":1795240806300}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":7,"body":{"type":"moved","at_ms":1795240807100,"seat":"second","ply":2,"move":"A-1"}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":8,"body":{"type":"ended","at_ms":1795240807100,"outcome":"second","reason":"last_move"}}"#,
    ],
];

/// A server that knows more of what this client knows: fields of a clock, a presence and an end of its own kind.
const MORE_OF_TODAY: &[&[&str]] = &[
    WELCOME,
    &[
        r#"{"re":$id,"body":{"type":"attached","snapshot":{"match":"7Kq2mVx9Rt","seq":2,"start":"nim:1,2","position":"nim:1,2","ply":0,"to_move":"first","clock":{"type":"untimed","note":"of tomorrow"},"at_ms":1795240806100,"status":"over","outcome":"shared","reason":"adjudication"}}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":1,"body":{"type":"created","at_ms":1795240801000,"position":"nim:1,2","clock":{"type":"untimed","note":"of tomorrow"},"creator":{"id":"67e55044-10b1-426f-9247-bb680e5fe0c9","name":"Ada","bot":false,"rating":1500},"seat":"first","rated":true}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":2,"body":{"type":"joined","at_ms":1795240805000,"seat":"second","player":{"id":"0190a5c4-9f6b-4d2a-8a4e-2f6d1c0b9e77","name":"Bo","bot":true}}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":3,"body":{"type":"presence","at_ms":1795240805500,"seat":"second","online":"idle"}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":4,"body":{"type":"moved","at_ms":1795240806100,"seat":"first","ply":1,"move":"B-2"}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":5,"body":{"type":"ended","at_ms":1795240807100,"outcome":"second","reason":"adjudication"}}"#,
    ],
];

/// The end of a match that nobody of today can win.
const SHARED: &[&[&str]] = &[
    WELCOME,
    &[
        r#"{"re":$id,"body":{"type":"attached","snapshot":{"match":"7Kq2mVx9Rt","seq":3,"start":"nim:1,2","position":"nim:1,2","ply":0,"to_move":"first","clock":{"type":"untimed"},"at_ms":1795240806100,"status":"over","outcome":"shared","reason":"agreement"}}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":1,"body":{"type":"created","at_ms":1795240801000,"position":"nim:1,2","clock":{"type":"untimed"},"creator":{"id":"67e55044-10b1-426f-9247-bb680e5fe0c9","name":"Ada","bot":false},"seat":"first"}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":2,"body":{"type":"joined","at_ms":1795240805000,"seat":"second","player":{"id":"0190a5c4-9f6b-4d2a-8a4e-2f6d1c0b9e77","name":"Bo","bot":true}}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":3,"body":{"type":"ended","at_ms":1795240807100,"outcome":"shared","reason":"agreement\u001b[2J"}}"#,
    ],
];

/// A move that cannot be read: the position is not known any more.
const UNREADABLE: &[&[&str]] = &[
    WELCOME,
    &[
        r#"{"re":$id,"body":{"type":"attached","snapshot":{"match":"7Kq2mVx9Rt","seq":2,"start":"nim:1,2","position":"nim:1,2","ply":0,"to_move":"first","clock":{"type":"untimed"},"at_ms":1795240806100,"status":"live"}}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":1,"body":{"type":"created","at_ms":1795240801000,"position":"nim:1,2","clock":{"type":"untimed"},"creator":{"id":"67e55044-10b1-426f-9247-bb680e5fe0c9","name":"Ada","bot":false},"seat":"first"}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":2,"body":{"type":"joined","at_ms":1795240805000,"seat":"second","player":{"id":"0190a5c4-9f6b-4d2a-8a4e-2f6d1c0b9e77","name":"Bo","bot":true}}}"#,
        r#"{"match":"7Kq2mVx9Rt","seq":3,"body":{"type":"moved","at_ms":1795240806100,"seat":"first","ply":1,"move":["B",2]}}"#,
    ],
];

/// The identities in a file of credentials.
fn identities(home: &Home) -> Vec<toml::Table> {
    let text = fs::read_to_string(home.file(".config/grundy/credentials.toml")).expect("the file");
    let file: toml::Table = text.parse().expect("TOML");
    let listed = file["identity"].as_array().expect("identities");
    let tables = listed.iter().map(|one| one.as_table().expect("a table"));
    tables.cloned().collect()
}

fn player_at(home: &Home, arguments: &[&str]) -> Value {
    let all = [&["whoami", "--json"], arguments].concat();
    let ran = home.run(&all);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.json()["player"]["id"].clone()
}

#[test]
fn one_identity_is_used_at_every_address_of_a_server() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let me = player_at(&home, &[]);
    let (_, port) = server.url.rsplit_once(':').expect("a port");
    let by_name = format!("http://localhost:{port}");
    assert_eq!(player_at(&home, &["--server", &by_name]), me);
    let found = identities(&home);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["also_at"][0].as_str(), Some(&*by_name));
    // Not known to be this computer: anybody could say to be that server.
    let elsewhere = format!("http://0.0.0.0:{port}");
    let ran = home.run(&["whoami", "--server", &elsewhere, "--json"]);
    assert_eq!(ran.code, Some(6), "{ran:?}");
    assert_eq!(ran.error()["code"], "new_address");
    let command = format!("grundy whoami --same-server --server {elsewhere}");
    let hint = ran.error()["hint"].as_str().expect("a hint").to_owned();
    assert!(hint.contains(&command), "{hint}");
    assert_eq!(
        player_at(&home, &["--same-server", "--server", &elsewhere]),
        me
    );
    assert_eq!(player_at(&home, &["--server", &elsewhere]), me);
    assert_eq!(identities(&home).len(), 1);
}

#[test]
fn an_identity_of_an_older_client_is_taken_over() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let path = home.file(".config/grundy/credentials.toml");
    let me = player_at(&home, &[]);
    let text = fs::read_to_string(&path).expect("the file");
    let old: Vec<_> = text
        .lines()
        .filter(|line| !line.starts_with("server_id"))
        .collect();
    assert_eq!(old.len() + 1, text.lines().count(), "{text}");
    fs::write(&path, old.join("\n")).expect("the file keeps its mode");
    assert_eq!(player_at(&home, &[]), me);
    assert_eq!(fs::read_to_string(&path).expect("the file"), text);
}

#[test]
fn a_server_with_other_data_gets_a_new_guest_and_the_earlier_one_is_kept() {
    let mut server = Server::start();
    let home = Home::at(&server.url);
    let me = player_at(&home, &[]);
    let data = server.start_empty();
    let ran = home.run(&["whoami"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stderr.contains("is not the one that knew you"),
        "{ran:?}"
    );
    assert_eq!(home.run(&["whoami", "--quiet"]).stderr, "");
    assert_ne!(player_at(&home, &[]), me);
    assert_eq!(identities(&home).len(), 2);
    // The data come back, and with them who we were.
    server.start_with_data(data);
    assert_eq!(player_at(&home, &[]), me);
}

#[test]
fn secrets_that_the_server_no_longer_knows_are_set_aside() {
    let mut server = Server::start();
    let home = Home::at(&server.url);
    let path = home.file(".config/grundy/credentials.toml");
    home.run(&["whoami"]);
    let text = fs::read_to_string(&path).expect("the file");
    // As of an older client, so that the secrets are tried; the second guest joined an own invitation.
    let (head, identity) = text.split_once("[[identity]]").expect("an identity");
    let lines = identity
        .lines()
        .filter(|line| !line.starts_with("server_id"));
    let identity = lines.collect::<Vec<_>>().join("\n");
    let second = identity.replace("name = \"", "name = \"second ");
    let both = format!("{head}[[identity]]{identity}\n[[identity]]{second}");
    fs::write(&path, both).expect("the file keeps its mode");
    server.start_empty();
    let ran = home.run(&["whoami"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.stderr.matches("no longer knows you").count(),
        2,
        "{ran:?}"
    );
    let after = fs::read_to_string(&path).expect("the file");
    let secret = identity
        .lines()
        .find(|line| line.starts_with("token"))
        .expect("a secret");
    let (in_use, refused) = after.split_once("[[refused]]").expect("a refused one");
    assert!(
        refused.contains(secret) && !in_use.contains(secret),
        "{after}"
    );
    assert_eq!(home.run(&["whoami", "--quiet"]).stderr, "");
}

#[test]
fn a_server_that_says_nothing_is_not_waited_for_long() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let ran = Home::at(&url).run(&["whoami", "--timeout", "200ms"]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
}

#[test]
fn events_of_a_newer_server_are_counted_and_skipped() {
    let home = Home::at(&that_says(OF_TOMORROW));
    let ran = home.run(&["watch", "7Kq2mVx9Rt"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.stderr.matches("newer than this client").count(),
        1,
        "{ran:?}"
    );
    assert!(
        ran.stdout.contains("Bo wins: Bo made the last move."),
        "{ran:?}"
    );

    let ran = home.run(&["watch", "7Kq2mVx9Rt", "--json", "--record", "m.ndjson"]);
    assert_eq!(
        ran.code,
        Some(8),
        "a record with gaps is not written: {ran:?}"
    );
    assert!(!home.file("m.ndjson").exists());
    let lines = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let numbered: Vec<(u64, String)> = lines
        .filter_map(|line: Value| Some((line["seq"].as_u64()?, line["type"].as_str()?.to_owned())))
        .collect();
    let kinds = [
        "snapshot", "moved", "applause", "applause", "moved", "ended",
    ];
    let expected: Vec<(u64, String)> = (3..).zip(kinds.map(str::to_owned)).collect();
    assert_eq!(numbered, expected, "{ran:?}");
}

#[test]
fn an_end_for_a_new_reason_is_an_end() {
    let home = Home::at(&that_says(MORE_OF_TODAY));
    let ran = home.run(&["watch", "7Kq2mVx9Rt"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout
            .contains("Bo wins, for a reason that this client does not know: adjudication."),
        "{ran:?}"
    );
    let ran = home.run(&["watch", "7Kq2mVx9Rt", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let last = ran.stdout.lines().last().expect("a line");
    let result: Value = serde_json::from_str(last).expect("JSON");
    let told = ["type", "outcome", "reason", "you_won"].map(|field| &result[field]);
    assert_eq!(
        json!(told),
        json!(["result", "second", "adjudication", false])
    );
}

#[test]
fn an_end_with_a_new_outcome_is_an_end_too_and_matches_with_one_are_listed() {
    let home = Home::at(&that_says(SHARED));
    let ran = home.run(&["watch", "7Kq2mVx9Rt"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains(
            "The match ended in a way that this client does not know: shared, agreement[2J."
        ),
        "{ran:?}"
    );
    let home = Home::at(&that_says(&[
        WELCOME,
        &[
            r#"{"re":$id,"body":{"type":"matches","matches":[{"match":"7Kq2mVx9Rt","position":"nim:1,2","clock":{"type":"untimed"},"status":"over","outcome":"shared","reason":"agreement","plies":0,"created_at_ms":1795240801000,"tags":[]}]}}"#,
        ],
        &[r#"{"re":$id,"body":{"type":"done"}}"#],
    ]));
    let ran = home.run(&["games", "list"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("over"), "{ran:?}");
}

#[test]
fn a_move_that_cannot_be_read_is_not_skipped() {
    let home = Home::at(&that_says(UNREADABLE));
    let ran = home.run(&["watch", "7Kq2mVx9Rt", "--json"]);
    assert_eq!(ran.code, Some(8), "{ran:?}");
    assert!(
        ran.error()["hint"]
            .as_str()
            .is_some_and(|hint| hint.contains("update")),
        "{ran:?}"
    );
}

#[test]
fn a_bot_comes_back_to_a_server_that_went_while_it_entered_a_tournament() {
    let home = Home::at(&that_says_and_drops(&[WELCOME_OF_A_BOT]));
    home.write("last.py", &block("python"));
    let mut bot = home.start(&[
        "bot",
        "run",
        "--tournament",
        "7Kq2mVx9Rt",
        "--",
        "python3",
        "last.py",
    ]);
    bot.mutters("connection lost");
    bot.kill();
}
