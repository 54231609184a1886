//! Administration of the real process over its local socket.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use rustix::process::{Signal, geteuid};
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Error;

use crate::client::{Client, PATIENCE};
use crate::process::{Data, Server};

/// Asks the server for this, which must succeed; the reply.
pub(crate) fn admin(server: &Server, arguments: &[&str]) -> Value {
    let output = asked(server, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// What the server answers to a request for this path.
fn answer_to(server: &Server, path: &str) -> String {
    let address = server.websocket().replace("ws://", "").replace("/ws", "");
    let mut stream = TcpStream::connect(&address).expect("it listens");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("UTF-8");
    answer
}

fn asked(server: &Server, arguments: &[&str]) -> Output {
    server.run(&[&["admin", "--json"], arguments].concat())
}

/// Asks the server for what it must refuse with this code.
pub(crate) fn refused(server: &Server, arguments: &[&str], code: &str) -> String {
    let output = asked(server, arguments);
    assert_eq!(output.status.code(), Some(6), "{arguments:?}: {output:?}");
    let reply: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (&reply["type"], &reply["code"]),
        (&json!("error"), &json!(code))
    );
    reply["message"].as_str().expect("words").to_owned()
}

/// Two players in a match that has begun: its id.
async fn play(ada: &mut Client, bo: &mut Client) -> String {
    let create = json!({"type":"create","position":"nim:3,5","opponent":{"type":"invite"}});
    let created = ada.ask(create).await;
    let joined = bo.ask(json!({"type":"join","code":created["code"]})).await;
    assert_eq!(joined["type"], "joined", "{joined}");
    created["match"].as_str().expect("an id").to_owned()
}

fn fsck(data: &Data) {
    let output = data.run(&["fsck"]);
    assert!(output.status.success(), "{output:?}");
}

#[tokio::test]
async fn an_operator_sees_and_ends_matches_and_all_of_it_is_recorded() {
    let server = Server::start(&[]);
    let (mut ada, _) = Client::come(&server, json!({"name":"Ada"})).await;
    let (mut bo, _) = Client::come(&server, json!({"name":"Bo"})).await;
    let id = play(&mut ada, &mut bo).await;
    let since = Instant::now();
    let status = loop {
        let status = admin(&server, &["status"]);
        // A disk that flushes for a second makes the store not ready for as long.
        if status["store"] == "ready" || since.elapsed() > PATIENCE {
            break status;
        }
    };
    for (field, value) in [
        ("type", json!("status")),
        ("draining", json!(false)),
        ("matches", json!(1)),
        ("running", json!(1)),
        ("players", json!(2)),
        ("store", json!("ready")),
    ] {
        assert_eq!(status[field], value, "{status}");
    }
    let listed = admin(
        &server,
        &["matches", "--player", "Ada", "--address", "127.0.0.1"],
    );
    assert_eq!(listed["matches"][0]["match"], json!(id), "{listed}");
    assert_eq!(
        admin(&server, &["matches", "--status", "over"])["matches"],
        json!([])
    );
    admin(
        &server,
        &["end-match", &id, "--reason", "they asked for it"],
    );
    let ended = ada.hears(&["\"ended\""]).await;
    assert_eq!(
        (&ended["body"]["outcome"], &ended["body"]["reason"]),
        (&json!("void"), &json!("operator")),
        "{ended}"
    );
    refused(
        &server,
        &["end-match", &id, "--reason", "again"],
        "match_over",
    );
    refused(
        &server,
        &["end-match", "7Kq2mVx9Rt", "--reason", "?"],
        "no_such_match",
    );
    let created = ada
        .ask(json!({"type":"create","position":"nim:3,5","opponent":{"type":"invite"}}))
        .await;
    let waiting = created["match"].as_str().expect("an id");
    let first = ["end-match", waiting, "--reason", "?", "--result", "first"];
    refused(&server, &first, "not_started");
    let cleared = admin(&server, &["clear-invitations", "--older-than", "1h"]);
    assert_eq!(cleared["ended"], json!(0));
    let cleared = admin(&server, &["clear-invitations", "--player", "Ada"]);
    assert_eq!(
        (&cleared["ended"], &cleared["left"]),
        (&json!(1), &json!(0))
    );
    let second = play(&mut ada, &mut bo).await;
    admin(
        &server,
        &[
            "end-match",
            &second,
            "--reason",
            "cheated",
            "--result",
            "second",
        ],
    );
    let present = admin(&server, &["players"]);
    assert_eq!(
        present["players"].as_array().map(Vec::len),
        Some(2),
        "{present}"
    );
    let records = admin(&server, &["audit"]);
    let records = records["records"].as_array().expect("records");
    let first = &records[0]["body"];
    assert_eq!(
        first["change"],
        json!({"type":"end_match","match":id,"outcome":"void"})
    );
    assert_eq!(first["by"], json!({"type":"user","uid":geteuid().as_raw()}));
    assert_eq!(first["reason"], "they asked for it");
    let answer = &records[1]["body"];
    assert_eq!(
        (&answer["asked"], &answer["done"]),
        (&json!(1), &json!(true))
    );
    assert_eq!(
        records[3]["body"]["done"],
        json!(false),
        "refused before: {records:?}"
    );
    let after = admin(&server, &["audit", "--after", "1", "--limit", "1"]);
    assert_eq!(
        (&after["records"][0]["seq"], &after["more"]),
        (&json!(2), &json!(true))
    );
    let data = server.killed();
    fsck(&data);
    let exported = data.run(&["export", "--kind", "audit", "server"]);
    let exported = String::from_utf8(exported.stdout).expect("text");
    assert!(
        exported.starts_with("{\"schema\":\"grundy/log/1\",\"audit\":\"server\""),
        "{exported}"
    );
    assert_eq!(exported.lines().count(), records.len() + 1);
    let record = data.run(&["export", "--kind", "match", &id]);
    assert!(record.status.success(), "{record:?}");
}

#[tokio::test]
async fn an_operator_sees_and_ends_tournaments() {
    let server = Server::start(&[]);
    let (mut ada, _) = Client::come(&server, json!({"name":"Ada"})).await;
    let create = json!({
        "type": "create_tournament",
        "name": "Cup",
        "format": {"type":"round_robin"},
        "rules": {
            "games": 2,
            "clock": {"type":"fischer","base_ms":600_000,"increment_ms":0},
            "starts": {"type":"list","positions":["nim:3,5"]},
            "start_ms": 60_000,
            "away_ms": 60_000,
        },
        "admission": {"most":2},
    });
    let created = ada.ask(create).await;
    let id = created["tournament"].as_str().expect("an id").to_owned();
    let listed = admin(&server, &["tournaments", "--player", "Ada"]);
    let one = &listed["tournaments"][0];
    for (field, value) in [
        ("tournament", json!(id)),
        ("name", json!("Cup")),
        ("status", json!("entries")),
        ("players", json!(0)),
        ("most", json!(2)),
    ] {
        assert_eq!(one[field], value, "{listed}");
    }
    assert_eq!(one["organiser"]["name"], "Ada");
    let [made, expires] =
        ["created_at_ms", "expires_at_ms"].map(|field| one[field].as_u64().expect("a time"));
    assert_eq!(expires - made, 48 * 3_600_000);
    let shown = server.run(&["admin", "tournaments"]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(
        shown.contains("entries open  0 of 2 players  Cup  by Ada"),
        "{shown}"
    );
    let ended = admin(&server, &["end-tournament", &id, "--reason", "abandoned"]);
    assert_eq!(ended["type"], "done", "{ended}");
    let listed = admin(&server, &["tournaments"]);
    assert_eq!(listed["tournaments"], json!([]), "{listed}");
    let show = json!({"type":"show_tournament","tournament":id});
    let state = ada.ask(show).await;
    assert_eq!(
        (&state["status"], &state["cancelled"]),
        (
            &json!("cancelled"),
            &json!("an operator of the server ended it")
        ),
        "{state}"
    );
    // By its other name, and again: nothing changes.
    let again = admin(&server, &["cancel-tournament", &id, "--reason", "again"]);
    assert_eq!(again["type"], "done", "{again}");
    refused(
        &server,
        &["end-tournament", "7Kq2mVx9Rt", "--reason", "?"],
        "no_such_tournament",
    );
    let records = admin(&server, &["audit"]);
    let asked = &records["records"][0]["body"];
    assert_eq!(
        (&asked["change"], &asked["reason"]),
        (
            &json!({"type":"end_tournament","tournament":id}),
            &json!("abandoned")
        ),
        "{records}"
    );
    fsck(&server.killed());
}

#[tokio::test]
async fn a_token_that_an_operator_revokes_closes_its_connections() {
    let server = Server::start(&[]);
    let (mut ada, token) = Client::come(&server, json!({"name":"Ada"})).await;
    let player = admin(&server, &["player", "Ada"]);
    let prefix = player["tokens"][0]["prefix"]
        .as_str()
        .expect("a prefix")
        .to_owned();
    let secret = token.as_str().expect("a token");
    assert!(!player.to_string().contains(secret), "{player}");
    refused(
        &server,
        &["revoke", "Ada", "--token", "nothing"],
        "no_such_token",
    );
    refused(&server, &["revoke", "Bo", "--all"], "no_such_player");
    let since = Instant::now();
    admin(&server, &["revoke", "Ada", "--token", &prefix]);
    assert_eq!(ada.closed().await, "signed_out");
    assert!(since.elapsed() < PATIENCE);
    let (_, reply) = Client::greet(&server, json!({"token":token})).await;
    assert_eq!(reply["code"], "bad_token", "{reply}");
}

#[tokio::test]
async fn a_ban_closes_connections_and_holds_over_a_restart() {
    let server = Server::start(&[]);
    let (mut ada, token) = Client::come(&server, json!({"name":"Ada"})).await;
    let (mut bo, _) = Client::come(&server, json!({"name":"Bo"})).await;
    let id = play(&mut ada, &mut bo).await;
    admin(
        &server,
        &["ban", "player", "Ada", "--for", "7d", "--reason", "abuse"],
    );
    assert_eq!(ada.closed().await, "banned");
    let server = server.killed_and_started();
    let (_, reply) = Client::greet(&server, json!({"token":token})).await;
    assert_eq!(reply["code"], "banned", "{reply}");
    let wait = reply["retry_after_ms"].as_u64().expect("it ends");
    let week = 7 * 24 * 60 * 60 * 1_000;
    assert!((week - 3_600_000..=week).contains(&wait), "{wait}");
    let bans = admin(&server, &["bans"]);
    assert_eq!(bans["bans"][0]["player"]["name"], "Ada", "{bans}");
    assert_eq!(bans["bans"][0]["reason"], "abuse");
    // The opponent is not hurt: the match goes on.
    let live = admin(&server, &["matches", "--status", "live"]);
    assert_eq!(live["matches"][0]["match"], json!(id), "{live}");
    admin(&server, &["unban", "player", "Ada"]);
    refused(&server, &["unban", "player", "Ada"], "out_of_range");
    let (mut ada, _) = Client::come(&server, json!({"token":token})).await;
    admin(
        &server,
        &["ban", "address", "127.0.0.0/8", "--reason", "flood"],
    );
    assert_eq!(ada.closed().await, "banned");
    match connect_async(server.websocket()).await {
        Err(Error::Http(response)) => {
            assert_eq!(response.status().as_u16(), 403);
            let body =
                String::from_utf8_lossy(response.body().as_deref().unwrap_or(b"")).into_owned();
            assert!(body.contains("banned your address"), "{body}");
            assert!(response.headers().get("retry-after").is_none(), "no end");
        }
        other => panic!("{other:?}"),
    }
    // It reads no page either, but what shows whether the server is well.
    for (path, status) in [
        ("/", 403),
        ("/lab", 403),
        ("/j/aaaaaaaa", 403),
        ("/healthz", 200),
    ] {
        let answer = answer_to(&server, path);
        let begins = format!("HTTP/1.1 {status} ");
        assert!(answer.starts_with(&begins), "{path}: {answer}");
    }
    let server = server.killed_and_started();
    assert!(
        connect_async(server.websocket()).await.is_err(),
        "after a restart"
    );
    admin(&server, &["unban", "address", "127.0.0.0/8"]);
    Client::come(&server, json!({"token":token})).await;
    fsck(&server.killed());
}

#[tokio::test]
async fn a_drain_waits_for_running_matches_and_refuses_new_ones() {
    let server = Server::start(&[]);
    let (mut ada, _) = Client::come(&server, json!({"name":"Ada"})).await;
    let (mut bo, _) = Client::come(&server, json!({"name":"Bo"})).await;
    let id = play(&mut ada, &mut bo).await;
    let drained = admin(&server, &["drain", "--deadline", "1s"]);
    assert_eq!(drained, json!({"type":"drained","running":1}));
    let create = json!({"type":"create","position":"nim:3,5","opponent":{"type":"invite"}});
    let reply = ada.ask(create.clone()).await;
    assert_eq!(reply["code"], "shutting_down", "{reply}");
    assert!(reply["retry_after_ms"].is_u64(), "{reply}");
    let health = server.run(&["health", "--listen", server.address()]);
    assert_eq!(health.status.code(), Some(5), "{health:?}");
    let moved = json!({"type":"move","match":id,"ply":1,"move":"1-1"});
    let moved = ada.ask(moved).await;
    assert_ne!(moved["code"], "shutting_down", "{moved}");
    assert_eq!(
        ada.ask(json!({"type":"resign","match":id})).await["type"],
        "done"
    );
    let drained = admin(&server, &["drain"]);
    assert_eq!(drained, json!({"type":"drained","running":0}));
    admin(&server, &["undrain"]);
    let reply = ada.ask(create).await;
    assert_eq!(reply["type"], "created", "{reply}");
}

#[tokio::test]
async fn a_reload_puts_good_values_in_force_and_keeps_the_old_ones_after_a_slip() {
    let home = tempfile::tempdir().expect("a directory");
    let file = home.path().join("grundy.toml");
    let path = file.to_str().expect("UTF-8");
    let write = |text: &str| std::fs::write(&file, text).expect("a file");
    write("[limits]\nburst = 30\n");
    let server = Server::start(&["--config", path]);
    write("[limits]\nburst = 31\nlive_matches = 77\n[tournaments]\nplayers = 7\n");
    let reloaded = admin(&server, &["reload"]);
    assert_eq!(
        reloaded["changed"],
        json!(["limits.burst", "tournaments.players"])
    );
    assert_eq!(reloaded["needs_restart"], json!(["limits.live_matches"]));
    let burst = |welcome: &Value| welcome["limits"]["burst"].clone();
    let (_, welcome) = Client::greet(&server, json!({})).await;
    assert_eq!(burst(&welcome), json!(31), "{welcome}");
    write("[limits]\nburst = 32\nbrust = 5\n");
    let why = refused(&server, &["reload"], "bad_configuration");
    let place = format!("{path}:3:1: unknown key limits.brust");
    assert!(
        why.contains(&place) && why.contains("did you mean"),
        "{why}"
    );
    write("[limits]\nburst = 0\n");
    let why = refused(&server, &["reload"], "bad_configuration");
    assert!(why.contains("from 1 to 1000000"), "{why}");
    let (_, welcome) = Client::greet(&server, json!({})).await;
    assert_eq!(burst(&welcome), json!(31), "the old one stays: {welcome}");
    write("[limits]\nburst = 33\n");
    server.signal(Signal::HUP);
    let since = Instant::now();
    loop {
        let records = admin(&server, &["audit"]).to_string();
        if records.contains(r#""by":{"type":"signal"}"#) {
            break;
        }
        assert!(since.elapsed() < PATIENCE, "{records}");
    }
    // A few times at most: guests are counted.
    loop {
        let (_, welcome) = Client::greet(&server, json!({})).await;
        if burst(&welcome) == json!(33) {
            break;
        }
        assert!(since.elapsed() < PATIENCE, "{welcome}");
        tokio::time::sleep(Duration::from_secs(3)).await;
    }
}

#[tokio::test]
async fn rates_of_chat_and_logins_change_with_a_reload() {
    let home = tempfile::tempdir().expect("a directory");
    let file = home.path().join("grundy.toml");
    let path = file.to_str().expect("UTF-8");
    let write = |rate: u32| {
        let text = format!(
            "[limits]\nchat_per_minute = 1\nchat_burst = {rate}\nlogins_per_ten_minutes_per_address = {rate}\n"
        );
        std::fs::write(&file, text).expect("a file");
    };
    write(1);
    let server = Server::start(&["--config", path]);
    let (mut ada, _) = Client::come(&server, json!({"name":"Ada"})).await;
    let (mut bo, _) = Client::come(&server, json!({"name":"Bo"})).await;
    let id = play(&mut ada, &mut bo).await;
    let say = json!({"type":"say","match":id,"room":"players","text":"hello"});
    let login = json!({"type":"login","name":"Cy","password":"correct horse battery"});
    let guess = async || {
        let (socket, _) = connect_async(server.websocket()).await.expect("it accepts");
        Client(socket).ask(login.clone()).await["code"].clone()
    };
    let mut tried = Vec::new();
    for rate in [1, 2] {
        if rate == 2 {
            write(rate);
            let reloaded = admin(&server, &["reload"]);
            let changed = [
                "limits.logins_per_ten_minutes_per_address",
                "limits.chat_burst",
            ];
            assert_eq!(reloaded["changed"], json!(changed));
        }
        for _ in 0..=rate {
            tried.push((ada.ask(say.clone()).await["code"].clone(), guess().await));
        }
    }
    let taken = (Value::Null, json!("bad_credentials"));
    let refused = (json!("rate_limited"), json!("too_many_attempts"));
    let wanted = [&taken, &refused, &taken, &taken, &refused];
    assert!(tried.iter().eq(wanted), "{tried:?}");
}

#[tokio::test]
async fn a_reload_changes_from_which_load_on_new_work_is_refused() {
    let home = tempfile::tempdir().expect("a directory");
    let file = home.path().join("grundy.toml");
    let write = |bytes: u32| {
        let text = format!("[overload]\nmemory_bytes = {bytes}\n");
        std::fs::write(&file, text).expect("a file");
    };
    write(0);
    let flags = ["--config", file.to_str().expect("UTF-8")];
    // No delay of this test comes near ten seconds; every server takes more memory than a byte.
    let target = [("GRUNDYD_OVERLOAD__TARGET_MS", "10000")];
    let server = Server::start(&[]).killed().serve_with(&flags, &target);
    for (bytes, ready) in [(1, false), (0, true)] {
        write(bytes);
        let reloaded = admin(&server, &["reload"]);
        assert_eq!(reloaded["changed"], json!(["overload.memory_bytes"]));
        let since = Instant::now();
        loop {
            let health = server.run(&["health", "--listen", server.address()]);
            if health.status.success() == ready {
                break;
            }
            assert!(since.elapsed() < PATIENCE, "{health:?}");
        }
        if !ready {
            let (_, refused) = Client::greet(&server, json!({})).await;
            assert_eq!(refused["code"], "server_busy", "{refused}");
        }
    }
}

#[test]
fn a_stale_socket_is_replaced_and_without_a_server_nobody_answers() {
    let server = Server::start(&[]);
    let directory = server.data().path().join("admin");
    let mode = |path: &std::path::Path| {
        let meta = std::fs::metadata(path).expect("it is there");
        meta.permissions().mode() & 0o777
    };
    assert_eq!(mode(&directory), 0o700);
    assert_eq!(mode(&directory.join("socket")), 0o600);
    let data = server.killed();
    assert!(directory.join("socket").exists(), "a kill leaves it");
    let output = data.run(&["admin", "status"]);
    assert_eq!(output.status.code(), Some(5), "{output:?}");
    let server = data.serve(&[]);
    admin(&server, &["status"]);
}

#[test]
fn another_user_of_the_machine_is_refused() {
    if !geteuid().is_root() {
        // Only root can be somebody else.
        return;
    }
    let server = Server::start(&[]);
    let as_nobody = || {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
        command
            .arg(env!("CARGO_BIN_EXE_grundy-server"))
            .arg("--data");
        command.arg(server.data().path()).args(["admin", "status"]);
        command.output().expect("setpriv runs")
    };
    let check = |output: &Output, part: &str| {
        assert_eq!(output.status.code(), Some(6), "{output:?}");
        let line = String::from_utf8_lossy(&output.stderr);
        assert!(line.contains(part), "{line}");
        assert!(output.stdout.is_empty(), "{output:?}");
    };
    check(&as_nobody(), "this user may not open");
    // Even where the files let everybody in, the server asks who it is.
    let open = |path: &std::path::Path| {
        let everybody = std::fs::Permissions::from_mode(0o777);
        std::fs::set_permissions(path, everybody).expect("its own file");
    };
    let directory = server.data().path().join("admin");
    for path in [server.data().path(), &directory, &directory.join("socket")] {
        open(path);
    }
    check(&as_nobody(), "only root and the user that runs this server");
    admin(&server, &["status"]);
}

#[cfg(feature = "failpoints")]
#[tokio::test]
async fn a_kill_between_the_record_and_the_change_shows_in_the_audit_log() {
    let data = Server::start(&[]).killed();
    let variables = [("GRUNDYD_FAILPOINT", "after_audit:1")];
    let server = data.serve_with(&[], &variables);
    let (mut ada, _) = Client::come(&server, json!({"name":"Ada"})).await;
    let (mut bo, _) = Client::come(&server, json!({"name":"Bo"})).await;
    let id = play(&mut ada, &mut bo).await;
    let output = asked(&server, &["end-match", &id, "--reason", "cut off"]);
    assert_eq!(output.status.code(), Some(1), "no reply: {output:?}");
    let server = server.ended().serve(&[]);
    let records = admin(&server, &["audit"]);
    let records = records["records"].as_array().expect("records");
    assert_eq!(records.len(), 1, "asked for, and not answered: {records:?}");
    assert_eq!(records[0]["body"]["reason"], "cut off");
    let live = admin(&server, &["matches", "--status", "live"]);
    assert_eq!(live["matches"][0]["match"], json!(id), "not done");
    // A ban is stored with its record.
    let server = server.killed().serve_with(&[], &variables);
    let ban = ["ban", "player", "Ada", "--reason", "cut off"];
    assert_eq!(asked(&server, &ban).status.code(), Some(1));
    let server = server.ended().serve(&[]);
    let bans = admin(&server, &["bans"]);
    assert_eq!(bans["bans"][0]["player"]["name"], "Ada", "{bans}");
    fsck(&server.killed());
}
