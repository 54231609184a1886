//! Erasing a player of the real process: nothing of the player is left in any file, and every log stays valid.

use std::path::Path;

use grundy_server::store::StreamId;
use grundy_shared::puzzle::Collection;
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;

use crate::admin::{admin, refused};
use crate::client::Client;
use crate::export::check_chain;
use crate::process::{Data, Server};

/// What must be in no file once the player is erased: parts of the names, which no other text has, also as keys of names; of what the player said,
/// of the label of a token, of the name for a match; and how hashes of passwords begin, of which only this player has one.
const TRACES: [&str; 5] = [
    "arathustra",
    "Elmwood",
    "Hagbard-laptop",
    "Hagbard-game",
    "$argon2id$",
];
const GUEST: &str = "Zarathustra of old";
const NAME: &str = "Zarathustra";

/// The traces that are in files of this directory, but for the directories of copies.
fn traces(data: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = vec![data.to_owned()];
    while let Some(directory) = left.pop() {
        for entry in std::fs::read_dir(directory).expect("a directory") {
            let entry = entry.expect("an entry");
            let kind = entry.file_type().expect("a kind");
            if kind.is_dir() {
                left.push(entry.path());
            } else if kind.is_file() {
                let bytes = std::fs::read(entry.path()).expect("a file");
                let has = |trace: &&&str| {
                    let trace = trace.as_bytes();
                    bytes.windows(trace.len()).any(|part| part == trace)
                };
                let name = entry.file_name().to_string_lossy().into_owned();
                found.extend(
                    TRACES
                        .iter()
                        .filter(has)
                        .map(|trace| format!("{trace} in {name}")),
                );
            }
        }
    }
    found
}

/// The player with a past, an opponent, and what they have played.
struct Past {
    token: Value,
    id: String,
    chat: String,
    matches: Vec<String>,
    tournament: String,
    other: Client,
}

async fn resign(client: &mut Client, id: &str) {
    let done = client.ask(json!({"type":"resign","match":id})).await;
    assert_eq!(done["type"], "done", "{done}");
}

async fn invite(from: &mut Client, to: &mut Client, mut terms: Value) -> String {
    (terms["type"], terms["opponent"]) = (json!("create"), json!({"type":"invite"}));
    let created = from.ask(terms).await;
    let joined = to.ask(json!({"type":"join","code":created["code"]})).await;
    assert_eq!(joined["type"], "joined", "{created} {joined}");
    created["match"].as_str().expect("an id").to_owned()
}

/// A tournament of two, which names both, and in which the first loses both games.
async fn cup(organiser: &mut Client, player: &mut Client) -> String {
    let created = organiser
        .ask(json!({
            "type": "create_tournament",
            "name": "Cup",
            "format": {"type":"round_robin"},
            "rules": {
                "games": 2,
                "clock": {"type":"fischer","base_ms":600_000,"increment_ms":0},
                "starts": {"type":"list","positions":["nim:3,5"]},
                "start_ms": 600_000,
                "away_ms": 600_000,
            },
            "admission": {"most":2,"names":["Bo",NAME]},
        }))
        .await;
    let id = created["tournament"].as_str().expect("an id").to_owned();
    for client in [&mut *organiser, &mut *player] {
        let watch = json!({"type":"watch_tournament","tournament":id,"play":true});
        assert_eq!(client.ask(watch).await["type"], "tournament");
        let join = json!({"type":"join_tournament","tournament":id});
        let joined = client.ask(join).await;
        assert_eq!(joined["type"], "tournament", "{joined}");
    }
    for _ in 0..2 {
        let game = player.hears(&["tournament_match"]).await;
        let game = game["body"]["match"].as_str().expect("an id").to_owned();
        resign(player, &game).await;
    }
    organiser.hears(&["seed_opened"]).await;
    id
}

/// Plays, speaks and organizes, so that the player is in every kind of log, under two names.
async fn live(server: &Server) -> Past {
    let (mut player, token) = Client::come(server, json!({"name":GUEST})).await;
    let (mut other, _) = Client::come(server, json!({"name":"Bo"})).await;
    let mut matches = Vec::new();
    let terms = json!({"position":"nim:3,5","client_create_id":"Hagbard-game"});
    let first = invite(&mut player, &mut other, terms).await;
    resign(&mut player, &first).await;
    matches.push(first.clone());
    for ask in [
        json!({"type":"rename","name":NAME}),
        json!({"type":"set_password","password":"correct horse battery"}),
        json!({"type":"new_recovery_codes","password":"correct horse battery"}),
        json!({"type":"create_token","name":"Hagbard-laptop","scopes":["play"]}),
        json!({"type":"mute","player":"Bo"}),
        json!({"type":"say","match":first,"room":"players","text":"I live in Elmwood 7"}),
    ] {
        let done = player.ask(ask).await;
        assert_ne!(done["type"], "error", "{done}");
    }
    let said = json!({"type":"say","match":first,"room":"players","preset":"good_game"});
    assert_eq!(other.ask(said).await["type"], "said");
    let rated = json!({
        "position": "nim:1,2",
        "clock": {"type":"fischer","base_ms":60_000,"increment_ms":0},
        "games": 2,
        "rated": true,
    });
    let pair = invite(&mut other, &mut player, rated).await;
    resign(&mut player, &pair).await;
    let ended = other.hears(&["\"ended\"", &pair, "\"next\""]).await;
    let next = ended["body"]["next"].as_str().expect("an id").to_owned();
    resign(&mut player, &next).await;
    other.hears(&["\"ended\"", &next]).await;
    matches.extend([pair, next]);
    let tournament = cup(&mut other, &mut player).await;
    for id in &matches {
        // The server keeps what it has worked out.
        let review = other.ask(json!({"type":"review","match":id})).await;
        assert!(review.to_string().contains("arathustra"), "{review}");
    }
    let ask = json!({"type":"solve_puzzle","puzzle":puzzle(),"move":null});
    let answered = player.ask(ask).await;
    assert_eq!(answered["type"], "puzzle_solved", "{answered}");
    let shown = admin(server, &["player", NAME]);
    Past {
        token,
        id: shown["player"]["id"].as_str().expect("an id").to_owned(),
        chat: format!("{first}/players"),
        matches,
        tournament,
        other,
    }
}

/// The id of a puzzle of Nim that comes with the program.
fn puzzle() -> String {
    let edition = Collection::edition();
    let mut puzzles = edition.numbered().map(|(_, one)| one);
    let nim = puzzles.find(|one| one.family().name() == "nim");
    nim.expect("there are some").id().to_string()
}

/// The data is sound, has no trace of the player, and the player's logs can be read and verified.
fn check(data: &Data, past: &Past) {
    let checked = data.run(&["fsck", "--json"]);
    let words = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(checked.status.success(), "{words}");
    assert_eq!(traces(data.path()), [""; 0]);
    let export = |kind: &str, id: &str| {
        let exported = data.run(&["export", "--kind", kind, id]);
        assert!(exported.status.success(), "{exported:?}");
        String::from_utf8(exported.stdout).expect("text")
    };
    for id in &past.matches {
        let text = export("match", id);
        check_chain(&text, StreamId::Match(id.parse().expect("an id")));
        assert!(text.contains("erased-"), "{text}");
    }
    let text = export("tournament", &past.tournament);
    let stream = StreamId::Tournament(past.tournament.parse().expect("an id"));
    check_chain(&text, stream);
    assert_eq!(
        text.matches("erased-").count(),
        2,
        "listed and entered: {text}"
    );
    // The answers stay, like the moves: the player's log under the id, and the puzzle's log without it.
    let text = export("solving", &past.id);
    check_chain(&text, StreamId::Solving(past.id.parse().expect("an id")));
    assert!(text.contains(&puzzle()), "{text}");
    let text = export("puzzle", &puzzle());
    check_chain(&text, StreamId::Puzzle(puzzle().parse().expect("an id")));
    assert!(
        text.contains("\"tried\"") && !text.contains(&past.id),
        "{text}"
    );
    let text = export("chat", &past.chat);
    assert!(
        text.contains("\"text\":\"(erased)\"") && text.contains("good_game"),
        "{text}"
    );
}

#[tokio::test]
async fn nothing_of_a_player_is_left_and_every_log_is_valid() {
    let server = Server::start(&[]);
    let mut past = live(&server).await;
    assert!(
        traces(server.data().path()).len() >= TRACES.len(),
        "they would be found"
    );
    let erased = admin(
        &server,
        &["erase", NAME, "--confirm", NAME, "--reason", "asked for it"],
    );
    assert_eq!(
        traces(server.data().path()),
        [""; 0],
        "while the server runs"
    );
    let name = erased["player"]["name"]
        .as_str()
        .expect("a name")
        .to_owned();
    assert!(name.starts_with("erased-"), "{erased}");
    assert_eq!(erased["player"]["id"], json!(past.id));
    // Three matches, two games of the tournament with its log, the room, and the opponent's rating.
    assert_eq!(
        (&erased["logs"], &erased["events"]),
        (&json!(8), &json!(11)),
        "{erased}"
    );
    // Nobody is this player any more.
    let (_, reply) = Client::greet(&server, json!({"token":past.token})).await;
    assert_eq!(reply["code"], "bad_token", "{reply}");
    for name in [NAME, &name] {
        let (socket, _) = connect_async(server.websocket()).await.expect("it accepts");
        let login = json!({"type":"login","name":name,"password":"correct horse battery"});
        let reply = Client(socket).ask(login).await;
        assert_eq!(reply["code"], "bad_credentials", "{reply}");
    }
    let (mut stranger, _) = Client::come(&server, json!({"name":"Cy"})).await;
    let shown = admin(&server, &["player", &past.id]);
    assert_eq!(
        (
            &shown["claimed"],
            &shown["recovery_codes"],
            &shown["tokens"],
            &shown["muted"]
        ),
        (&json!(false), &json!(0), &json!([]), &json!(0)),
        "{shown}"
    );
    refused(&server, &["player", NAME], "no_such_player");
    // What the server answers has the new name: summaries, records, reviews, chat, the leaderboard.
    for id in &past.matches {
        for ask in ["record", "review"] {
            let reply = past.other.ask(json!({"type":ask,"match":id})).await;
            let text = reply.to_string();
            assert!(
                text.contains(&name) && !text.contains("arathustra"),
                "{text}"
            );
        }
        let watched = stranger.ask(json!({"type":"watch","match":id})).await;
        assert!(!watched.to_string().contains("arathustra"), "{watched}");
    }
    let board = past
        .other
        .ask(json!({"type":"leaderboard","game":"nim","provisional":true}))
        .await;
    assert!(!board.to_string().contains("arathustra"), "{board}");
    let shown = past
        .other
        .ask(json!({"type":"show_tournament","tournament":past.tournament}))
        .await;
    assert!(shown.to_string().contains(&name), "{shown}");
    // The audit log says who, what and how much, and not whom by name.
    let records = admin(&server, &["audit"]);
    let records = records["records"].as_array().expect("records");
    let [asked, answered] = records.last_chunk().expect("two records");
    assert_eq!(
        asked["body"]["change"],
        json!({"type":"erase","player":past.id})
    );
    assert_eq!(answered["body"]["done"], json!(true));
    let outcome = answered["body"]["outcome"].as_str().expect("words");
    let heads = erased["heads"].as_str().expect("a digest");
    assert!(
        outcome.starts_with("erased: 8 logs rewritten, 11 events changed"),
        "{outcome}"
    );
    assert!(outcome.ends_with(heads), "{outcome}");
    refused(
        &server,
        &["erase", &past.id, "--confirm", &name],
        "not_allowed",
    );
    // The name is free, and the server goes on.
    Client::come(&server, json!({"name":NAME})).await;
    let server = server.killed_and_started();
    refused(
        &server,
        &["erase", NAME, "--confirm", "Zara"],
        "not_allowed",
    );
    admin(&server, &["erase", NAME, "--confirm", NAME]);
    check(&server.killed(), &past);
}

/// A tournament of the player for two, with this name and the built-in bots.
async fn own_cup(player: &mut Client, name: &str, bots: &[&str]) -> String {
    let created = player
        .ask(json!({
            "type": "create_tournament",
            "name": name,
            "format": {"type":"round_robin"},
            "rules": {
                "games": 2,
                "clock": {"type":"fischer","base_ms":600_000,"increment_ms":0},
                "starts": {"type":"list","positions":["nim:3,5"]},
                "start_ms": 600_000,
                "away_ms": 600_000,
            },
            "admission": {"most":2},
            "bots": bots,
        }))
        .await;
    let id = created["tournament"].as_str();
    id.unwrap_or_else(|| panic!("{created}")).to_owned()
}

#[tokio::test]
async fn what_an_erased_player_organised_ends_and_what_the_player_wrote_in_it_goes() {
    let server = Server::start(&[]);
    let (mut player, _) = Client::come(&server, json!({"name":NAME})).await;
    let (mut other, _) = Client::come(&server, json!({"name":"Bo"})).await;
    // One that is over with the player's reason, one that nobody has begun, and one that runs.
    let over = own_cup(&mut player, "Elmwood spring", &[]).await;
    let reason = format!("because {NAME} of Elmwood says so");
    let cancel =
        json!({"type":"control_tournament","tournament":over,"action":"cancel","reason":reason});
    assert_eq!(player.ask(cancel).await["status"], "cancelled");
    let open = own_cup(&mut player, "Elmwood summer", &[]).await;
    let runs = own_cup(&mut player, "Elmwood autumn", &["random"]).await;
    let watch = json!({"type":"watch_tournament","tournament":runs,"play":true});
    assert_eq!(player.ask(watch).await["type"], "tournament");
    let join = json!({"type":"join_tournament","tournament":runs});
    assert_eq!(player.ask(join).await["type"], "tournament");
    player.hears(&["tournament_match"]).await;
    // Names that the player's program gave to moves.
    let id = invite(
        &mut player,
        &mut other,
        json!({"position":"nim:3,5","side":"first"}),
    )
    .await;
    let named =
        json!({"type":"move","match":id,"ply":1,"move":"A-3","client_move_id":"Hagbard-game-7"});
    assert_eq!(player.ask(named).await["type"], "accepted");
    let kept = json!({"type":"move","match":id,"ply":2,"move":"B-1","client_move_id":"of-Bo"});
    assert_eq!(other.ask(kept).await["type"], "accepted");
    resign(&mut player, &id).await;
    assert!(
        traces(server.data().path()).len() >= 3,
        "they would be found"
    );
    let erased = admin(&server, &["erase", NAME, "--confirm", NAME]);
    assert_eq!(erased["type"], "erased", "{erased}");
    assert_eq!(
        traces(server.data().path()),
        [""; 0],
        "while the server runs"
    );
    let listed = other.ask(json!({"type":"list_tournaments"})).await;
    let listed = listed["tournaments"].as_array().expect("a list").clone();
    assert_eq!(listed.len(), 3);
    for one in listed {
        assert_eq!(
            (&one["name"], &one["status"]),
            (&json!("(erased)"), &json!("cancelled")),
            "{one}"
        );
    }
    for id in [&over, &open, &runs] {
        let show = json!({"type":"show_tournament","tournament":id});
        let shown = other.ask(show).await;
        assert_eq!(shown["name"], "(erased)", "{shown}");
    }
    let record = other
        .ask(json!({"type":"record","match":id}))
        .await
        .to_string();
    assert!(
        record.contains("of-Bo") && !record.contains("Hagbard"),
        "{record}"
    );
    let server = server.killed_and_started();
    let (mut other, _) = Client::come(&server, json!({"name":"Cy"})).await;
    let listed = other.ask(json!({"type":"list_tournaments"})).await;
    assert_eq!(
        listed.to_string().matches("(erased)").count(),
        3,
        "{listed}"
    );
    let data = server.killed();
    let checked = data.run(&["fsck", "--json"]);
    assert!(checked.status.success(), "{checked:?}");
}

/// What the server refuses as long as the player takes part in something.
#[tokio::test]
async fn a_player_who_plays_or_is_not_meant_is_not_erased() {
    let server = Server::start(&[]);
    let (mut ada, _) = Client::come(&server, json!({"name":"Ada"})).await;
    let (mut bo, _) = Client::come(&server, json!({"name":"Bo"})).await;
    let erase = ["erase", "Ada", "--confirm", "Ada"];
    let refuses = |parts: &[&str]| {
        let why = refused(&server, &erase, "not_allowed");
        assert!(parts.iter().all(|part| why.contains(part)), "{why}");
    };
    let why = refused(
        &server,
        &["erase", "Ada", "--confirm", "ada"],
        "not_allowed",
    );
    assert!(why.contains("--confirm"), "{why}");
    refused(
        &server,
        &["erase", "Nobody", "--confirm", "Nobody"],
        "no_such_player",
    );
    let why = refused(
        &server,
        &["erase", "perfect", "--confirm", "perfect"],
        "not_allowed",
    );
    assert!(why.contains("built-in bot"), "{why}");
    // A running game of a tournament that Ada organises is no obstacle, but the tournament is cancelled only if there is no other.
    let own = own_cup(&mut ada, "Own", &["random"]).await;
    for kind in ["watch_tournament", "join_tournament"] {
        let mut ask = json!({"type":kind,"tournament":own});
        if kind == "watch_tournament" {
            ask["play"] = json!(true);
        }
        assert_eq!(ada.ask(ask).await["type"], "tournament");
    }
    ada.hears(&["tournament_match"]).await;
    let invitation = json!({"type":"create","position":"nim:3,5","opponent":{"type":"invite"}});
    let created = ada.ask(invitation).await;
    let id = created["match"].as_str().expect("an id").to_owned();
    refuses(&[&id, "clear-invitations"]);
    bo.ask(json!({"type":"join","code":created["code"]})).await;
    refuses(&[&id, "end-match"]);
    resign(&mut bo, &id).await;
    let offered = ada.ask(json!({"type":"rematch","match":id})).await;
    assert_eq!(offered["type"], "rematch", "{offered}");
    refuses(&[&id, "rematch", "revoke"]);
    let withdrawn = ada.ask(json!({"type":"withdraw","match":id})).await;
    assert_eq!(withdrawn["type"], "rematch", "{withdrawn}");
    let seek = json!({"type":"seek","position":"nim:3,5"});
    let sought = ada.ask(seek).await;
    let seek = sought["seek"]["seek"].as_str().expect("an id").to_owned();
    refuses(&[&seek, "revoke"]);
    ada.ask(json!({"type":"withdraw_seek","seek":seek})).await;
    let cup = json!({
        "type": "create_tournament",
        "name": "Cup",
        "format": {"type":"round_robin"},
        "rules": {
            "games": 2,
            "clock": {"type":"fischer","base_ms":600_000,"increment_ms":0},
            "starts": {"type":"list","positions":["nim:3,5"]},
            "start_ms": 600_000,
            "away_ms": 600_000,
        },
        "admission": {"most":3,"names":["Ada"]},
    });
    let created = bo.ask(cup).await;
    let cup = created["tournament"].as_str().expect("an id").to_owned();
    refuses(&[&cup, "end-tournament"]);
    let cancel = json!({"type":"control_tournament","tournament":cup,"action":"cancel"});
    bo.ask(cancel).await;
    let records = admin(&server, &["audit"]);
    assert_eq!(records["records"], json!([]), "nothing was begun");
    let show = json!({"type":"show_tournament","tournament":own});
    assert_eq!(bo.ask(show.clone()).await["status"], "running");
    let erased = admin(&server, &erase);
    assert_eq!(bo.ask(show).await["status"], "cancelled");
    assert_eq!(ada.closed().await, "signed_out");
    // Who plays on with the others finds a name that says nothing.
    let shown = bo
        .ask(json!({"type":"record","match":id}))
        .await
        .to_string();
    assert!(
        shown.contains(erased["player"]["name"].as_str().expect("a name")),
        "{shown}"
    );
    let data = server.killed();
    let checked = data.run(&["fsck"]);
    assert!(checked.status.success(), "{checked:?}");
}

/// Kills the server in the middle of an erasure: the store is sound, and the next start finishes it.
#[cfg(feature = "failpoints")]
#[tokio::test]
async fn an_erasure_that_is_cut_off_is_finished_by_the_next_start() {
    for failpoint in [
        "after_erasure_begun:1",
        "in_rewrite:1",
        "in_rewrite:4",
        "before_scrub:1",
    ] {
        let server = Server::start(&[]);
        let past = live(&server).await;
        // A clean stop settles everything and frees the pages of the journal, which keep the names.
        server.signal(rustix::process::Signal::TERM);
        let data = server.ended();
        let server = data.serve_with(&[], &[("GRUNDYD_FAILPOINT", failpoint)]);
        let output = server.run(&["admin", "erase", NAME, "--confirm", NAME]);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{failpoint}: no reply: {output:?}"
        );
        let data = server.ended();
        let checked = data.run(&["fsck"]);
        assert!(checked.status.success(), "{failpoint}: {checked:?}");
        let server = data.serve(&[]);
        let (_, reply) = Client::greet(&server, json!({"token":past.token})).await;
        assert_eq!(reply["code"], "bad_token", "{failpoint}: {reply}");
        let since = std::time::Instant::now();
        while !admin(&server, &["audit"])
            .to_string()
            .contains("\"outcome\":\"erased: ")
        {
            assert!(
                since.elapsed() < crate::client::PATIENCE,
                "{failpoint}: it is not finished"
            );
            tokio::task::yield_now().await;
        }
        assert_eq!(traces(server.data().path()), [""; 0], "{failpoint}");
        check(&server.killed(), &past);
    }
}
