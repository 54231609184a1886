//! Chat of players and watchers: who receives the lines, what is refused, and what survives a restart of the server.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::common::faulty::{Faulty, faulty};
use crate::common::{Client, Plan, Server, until};
use bytes::Bytes;
use grundy_server::chat::{CLOSES_AFTER, TEXT_MAX};
use grundy_server::clock::ManualClock;
use grundy_server::fsck::fsck;
use grundy_server::identity::MUTED_MAX;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{Commit, Store, StreamId};
use grundy_shared::ids::{Millis, Seq};
use grundy_shared::protocol::chat::{Preset, Room};
use serde_json::{Value, json};
use tempfile::TempDir;

const START: Millis = Millis(1_700_000_000_000);

/// A configuration in which no rate limit for chat is reached.
fn plan() -> Plan {
    Plan::with(|config| {
        config.limits.chat_burst = 1_000;
        config.limits.chat_per_minute = 10_000;
    })
}

fn say(id: &str, room: &str, text: &str) -> Value {
    json!({"type":"say","match":id,"room":room,"text":text})
}

fn preset(id: &str, room: &str, preset: &str) -> Value {
    json!({"type":"say","match":id,"room":room,"preset":preset})
}

fn chat(id: &str, room: &str) -> Value {
    json!({"type":"chat","match":id,"room":room})
}

/// Says something and returns the number of the line.
async fn said(client: &mut Client, ask: Value) -> u64 {
    let reply = client.ask(ask).await;
    assert_eq!(reply["type"], "said", "{reply}");
    reply["seq"].as_u64().expect("a number")
}

async fn code(client: &mut Client, ask: Value) -> Value {
    let reply = client.ask(ask).await;
    assert_eq!(reply["type"], "error", "{reply}");
    reply["code"].clone()
}

/// The next line that a client receives: its room, its number, the speaker and the text.
async fn heard(client: &mut Client) -> (String, u64, String, String) {
    let frame = client
        .find("a line", |frame| frame["chat"].is_string())
        .await;
    let body = &frame["body"];
    assert_eq!(body["type"], "said", "{frame}");
    assert!(body["at_ms"].is_u64(), "{frame}");
    let words = body["text"].as_str().or(body["preset"].as_str());
    (
        frame["room"].as_str().expect("a room").to_owned(),
        frame["seq"].as_u64().expect("a number"),
        body["player"]["name"].as_str().expect("a name").to_owned(),
        words.expect("words").to_owned(),
    )
}

fn line(room: &str, seq: u64, name: &str, words: &str) -> (String, u64, String, String) {
    (room.to_owned(), seq, name.to_owned(), words.to_owned())
}

/// The texts of a room, as a client reads them.
async fn read(client: &mut Client, id: &str, room: &str) -> Vec<String> {
    let reply = client.ask(chat(id, room)).await;
    assert_eq!(reply["type"], "chat", "{reply}");
    let lines = reply["lines"].as_array().expect("lines").iter();
    let words = |line: &Value| {
        let body = &line["body"];
        body["text"]
            .as_str()
            .or(body["preset"].as_str())
            .map(str::to_owned)
    };
    lines.map(|line| words(line).expect("words")).collect()
}

async fn watcher(server: &Server, name: &str, id: &str) -> Client {
    let mut watcher = server.guest(name).await;
    let done = watcher
        .ask(json!({"type":"set_password","password":"correct horse"}))
        .await;
    assert_eq!(done["type"], "done", "{done}");
    let attached = watcher.ask(json!({"type":"watch","match":id})).await;
    assert_eq!(attached["type"], "attached", "{attached}");
    watcher
}

#[tokio::test]
async fn each_room_is_heard_by_those_whom_it_is_for() {
    let server = plan().start().await;
    let (mut ada, mut bo, id) = server.pair("nim:3,5").await;
    let mut cy = watcher(&server, "Cy", &id).await;
    let mut di = watcher(&server, "Di", &id).await;
    assert_eq!(said(&mut cy, say(&id, "watchers", "take three")).await, 1);
    for client in [&mut cy, &mut di] {
        assert_eq!(heard(client).await, line("watchers", 1, "Cy", "take three"));
    }
    assert_eq!(said(&mut ada, say(&id, "players", "hi Bo")).await, 1);
    assert_eq!(said(&mut bo, preset(&id, "players", "good_luck")).await, 2);
    // The last follower has received it, so anything for the players would have arrived before.
    for client in [&mut ada, &mut bo] {
        assert_eq!(heard(client).await, line("players", 1, "first", "hi Bo"));
        assert_eq!(
            heard(client).await,
            line("players", 2, "second", "good_luck")
        );
    }
    for ask in [say(&id, "watchers", "?"), chat(&id, "watchers")] {
        assert_eq!(code(&mut ada, ask).await, "not_over");
    }
    for ask in [say(&id, "players", "?"), chat(&id, "players")] {
        assert_eq!(code(&mut cy, ask).await, "not_a_player");
    }
    assert_eq!(said(&mut di, say(&id, "watchers", "or two")).await, 2);
    for client in [&mut cy, &mut di] {
        assert_eq!(heard(client).await, line("watchers", 2, "Di", "or two"));
    }
    // A client that does not follow the match can also read its lines and say something.
    let mut ed = server.guest("Ed").await;
    assert_eq!(
        read(&mut ed, &id, "watchers").await,
        ["take three", "or two"]
    );
    assert_eq!(said(&mut ed, preset(&id, "watchers", "hello")).await, 3);
    assert_eq!(read(&mut bo, &id, "players").await, ["hi Bo", "good_luck"]);

    // When the match is over, its players join the watchers' room, and their own room stays private.
    assert_eq!(
        ada.ask(json!({"type":"resign","match":id})).await["type"],
        "done"
    );
    bo.event_of("ended").await;
    assert_eq!(
        read(&mut ada, &id, "watchers").await,
        ["take three", "or two", "hello"]
    );
    assert_eq!(said(&mut bo, preset(&id, "watchers", "thanks")).await, 4);
    for client in [&mut ada, &mut bo] {
        assert_eq!(heard(client).await, line("watchers", 4, "second", "thanks"));
    }
    assert_eq!(heard(&mut cy).await, line("watchers", 3, "Ed", "hello"));
    assert_eq!(
        heard(&mut cy).await,
        line("watchers", 4, "second", "thanks")
    );
    assert_eq!(code(&mut cy, chat(&id, "players")).await, "not_a_player");
    assert_eq!(said(&mut ada, preset(&id, "players", "good_game")).await, 3);
    assert_eq!(
        heard(&mut bo).await,
        line("players", 3, "first", "good_game")
    );
    // A client that has left receives no more lines.
    assert_eq!(
        cy.ask(json!({"type":"leave","match":id})).await["type"],
        "done"
    );
    said(&mut di, say(&id, "watchers", "last")).await;
    assert_eq!(heard(&mut di).await, line("watchers", 3, "Ed", "hello"));
    let mut match_free = watcher(&server, "Flo", &id).await;
    said(&mut match_free, say(&id, "watchers", "new")).await;
    assert_eq!(
        heard(&mut match_free).await,
        line("watchers", 6, "Flo", "new")
    );
    until("nothing is kept of the rooms", || {
        server.app.chats.busy_rooms() == 0
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn a_match_that_is_hidden_is_hidden_in_its_rooms() {
    let server = plan().start().await;
    let (mut ann, mut bob) = (server.guest("Ann").await, server.guest("Bob").await);
    let create = json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}});
    let created = ann.ask(create).await;
    let id = created["match"].as_str().expect("an id").to_owned();
    for room in ["players", "watchers"] {
        for there in [&*id, "7Kq2mVx9Rt", "no id"] {
            for ask in [preset(there, room, "hello"), chat(there, room)] {
                assert_eq!(code(&mut bob, ask).await, "no_such_match");
            }
        }
    }
    assert_eq!(
        code(&mut ann, preset(&id, "players", "hello")).await,
        "not_started"
    );
    assert!(read(&mut ann, &id, "players").await.is_empty());
    assert_eq!(
        ann.ask(json!({"type":"abort","match":id})).await["type"],
        "done"
    );
    assert_eq!(
        code(&mut ann, preset(&id, "players", "hello")).await,
        "not_started"
    );
    assert_eq!(code(&mut bob, chat(&id, "watchers")).await, "no_such_match");
    server.stop().await;
}

#[tokio::test]
async fn who_is_muted_is_not_heard_and_not_read() {
    let server = plan().start().await;
    let (mut ada, mut bo, id) = server.pair("nim:3,5").await;
    let (mut other, _) = server.again(&bo).await;
    let mute = |name: &str| json!({"type":"mute","player":name});
    assert_eq!(said(&mut ada, say(&id, "players", "one")).await, 1);
    assert_eq!(heard(&mut bo).await.1, 1);
    assert_eq!(other.ask(mute("first")).await["type"], "done");
    assert_eq!(other.ask(mute("FIRST")).await["type"], "done", "again");
    // The player's other connection has received the change already.
    let attached = other.ask(json!({"type":"ping"})).await;
    assert_eq!(attached["type"], "pong");
    assert_eq!(bo.ask(json!({"type":"ping"})).await["type"], "pong");
    assert_eq!(said(&mut ada, say(&id, "players", "two")).await, 2);
    assert_eq!(said(&mut bo, say(&id, "players", "three")).await, 3);
    assert_eq!(heard(&mut bo).await, line("players", 3, "second", "three"));
    assert_eq!(read(&mut bo, &id, "players").await, ["three"]);
    // The muted player does not notice.
    assert_eq!(
        read(&mut ada, &id, "players").await,
        ["one", "two", "three"]
    );
    let muted = bo.ask(json!({"type":"muted"})).await;
    assert_eq!(muted["players"][0]["name"], "first", "{muted}");
    assert_eq!(muted["players"].as_array().map(Vec::len), Some(1));
    let (mut later, _) = server.again(&bo).await;
    assert_eq!(read(&mut later, &id, "players").await, ["three"]);

    let unmute = json!({"type":"unmute","player":ada.player});
    assert_eq!(bo.ask(unmute.clone()).await["type"], "done");
    assert_eq!(bo.ask(unmute).await["type"], "done", "again");
    assert_eq!(said(&mut ada, say(&id, "players", "four")).await, 4);
    assert_eq!(heard(&mut bo).await, line("players", 4, "first", "four"));
    assert_eq!(
        read(&mut bo, &id, "players").await,
        ["one", "two", "three", "four"]
    );
    for nobody in ["Nobody", "67e55044-10b1-426f-9247-bb680e5fe0c8", "perfect"] {
        assert_eq!(code(&mut bo, mute(nobody)).await, "no_such_player");
    }
    assert_eq!(code(&mut bo, mute("second")).await, "out_of_range");
    for number in 0..MUTED_MAX {
        let name = format!("muted {number}");
        server.guest(&name).await;
        assert_eq!(bo.ask(mute(&name)).await["type"], "done");
    }
    let refused = bo.ask(mute("first")).await;
    assert_eq!(refused["code"], "too_many");
    assert_eq!(refused["limit"], MUTED_MAX.to_string());
    let muted = bo.ask(json!({"type":"muted"})).await;
    assert_eq!(muted["players"].as_array().map(Vec::len), Some(MUTED_MAX));
    server.stop().await;
}

#[tokio::test]
async fn texts_that_would_deceive_are_refused_and_the_others_put_right() {
    let server = plan().start().await;
    let (mut ada, mut bo, id) = server.pair("nim:3,5").await;
    for text in [
        "",
        "   ",
        "a\nb",
        "\u{1b}[2Jgone",
        "a\u{202E}b",
        "\u{2066}a",
        "x\u{301}\u{302}\u{303}\u{304}\u{305}",
        &"x".repeat(TEXT_MAX + 1),
    ] {
        let refused = ada.ask(say(&id, "players", text)).await;
        assert_eq!(refused["code"], "out_of_range", "{text:?}: {refused}");
        assert_eq!(refused["field"], "text");
    }
    let bare = json!({"type":"say","match":id,"room":"players"});
    assert_eq!(code(&mut ada, bare).await, "missing_field");
    let mut both = say(&id, "players", "a");
    both["preset"] = json!("hello");
    assert_eq!(code(&mut ada, both).await, "unknown_field");
    for unknown in [
        preset(&id, "players", "boo"),
        preset(&id, "kitchen", "hello"),
    ] {
        assert_eq!(code(&mut ada, unknown).await, "wrong_type");
    }
    said(&mut ada, say(&id, "players", " Viel  Glu\u{308}ck ")).await;
    assert_eq!(heard(&mut bo).await.3, "Viel Glück");
    let longest = "\u{1F600}".repeat(TEXT_MAX);
    said(&mut ada, say(&id, "players", &longest)).await;
    assert_eq!(heard(&mut bo).await.3, longest);
    for (number, one) in Preset::ALL.iter().enumerate() {
        let ask = preset(&id, "players", one.as_str());
        assert_eq!(said(&mut ada, ask).await, number as u64 + 3);
        assert_eq!(heard(&mut bo).await.3, one.as_str());
    }
    server.stop().await;
}

#[tokio::test]
async fn guests_and_bots_say_only_presets_among_watchers() {
    let server = plan().start().await;
    let (_ada, _bo, id) = server.pair("nim:3,5").await;
    let mut guest = server.guest("Guest").await;
    let refused = guest.ask(say(&id, "watchers", "hello")).await;
    assert_eq!(refused["code"], "not_allowed", "{refused}");
    said(&mut guest, preset(&id, "watchers", "hello")).await;
    let password = json!({"type":"set_password","password":"correct horse"});
    assert_eq!(guest.ask(password.clone()).await["type"], "done");
    said(&mut guest, say(&id, "watchers", "hello")).await;
    let mut bot = server.connect().await;
    let hello = json!({"type":"hello","protocol":1,"name":"Robo","bot":true});
    assert_eq!(bot.ask(hello).await["type"], "welcome");
    assert_eq!(bot.ask(password).await["type"], "done");
    assert_eq!(
        code(&mut bot, say(&id, "watchers", "hello")).await,
        "not_allowed"
    );
    said(&mut bot, preset(&id, "watchers", "hello")).await;
    server.stop().await;
}

#[tokio::test]
async fn rooms_players_and_rates_are_bounded() {
    let server = Plan::with(|config| {
        config.limits.chat_burst = 8;
        config.limits.chat_per_minute = 1;
        config.limits.chat_lines_per_room = 5;
        config.limits.chat_lines_per_player = 3;
    })
    .start()
    .await;
    let (mut ada, mut bo, id) = server.pair("nim:3,5").await;
    let (_, welcome) = server.again(&ada).await;
    assert_eq!(
        welcome["limits"]["chat"],
        json!({"characters":TEXT_MAX,"burst":8,"per_minute":1,"lines_per_room":5,"lines_per_player":3,"muted":MUTED_MAX})
    );
    for seq in 1..=3 {
        assert_eq!(said(&mut ada, say(&id, "players", "a")).await, seq);
    }
    let refused = ada.ask(say(&id, "players", "a")).await;
    assert_eq!(
        (&refused["code"], &refused["limit"]),
        (&json!("too_many"), &json!("3"))
    );
    for seq in 4..=5 {
        assert_eq!(said(&mut bo, say(&id, "players", "b")).await, seq);
    }
    let refused = bo.ask(say(&id, "players", "b")).await;
    assert_eq!(
        (&refused["code"], &refused["limit"]),
        (&json!("too_many"), &json!("5"))
    );
    // Refused lines count towards the rate: four so far.
    for _ in 0..4 {
        assert_eq!(code(&mut ada, say(&id, "players", "a")).await, "too_many");
    }
    let refused = ada.ask(say(&id, "players", "a")).await;
    assert_eq!(refused["code"], "rate_limited");
    assert!(
        refused["retry_after_ms"]
            .as_u64()
            .is_some_and(|ms| ms > 50_000)
    );
    // No connection is closed for it, and moves have their own rate.
    for _ in 0..5 {
        assert_eq!(
            code(&mut ada, say(&id, "players", "a")).await,
            "rate_limited"
        );
    }
    assert_eq!(ada.play(&id, 1, "A-1").await["type"], "accepted");
    // Another connection of the player has no rate of its own.
    let (mut again, _) = server.again(&ada).await;
    assert_eq!(
        code(&mut again, say(&id, "players", "a")).await,
        "rate_limited"
    );
    server.stop().await;
}

#[tokio::test]
async fn a_room_is_read_in_pages() {
    let server = plan().start().await;
    let (mut ada, mut bo, id) = server.pair("nim:3,5").await;
    for number in 0..7 {
        let client = if number % 2 == 0 { &mut ada } else { &mut bo };
        said(client, say(&id, "players", &number.to_string())).await;
    }
    let mut numbers = Vec::new();
    let mut ask = json!({"type":"chat","match":id,"room":"players","limit":3});
    loop {
        let page = ada.ask(ask.clone()).await;
        let lines = page["lines"].as_array().expect("lines");
        assert!(lines.len() <= 3);
        numbers.extend(
            lines
                .iter()
                .map(|line| line["seq"].as_u64().expect("a number")),
        );
        match page.get("next") {
            Some(next) => ask["after"] = next.clone(),
            None => break,
        }
    }
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7]);
    // A page can be empty for a player who has muted the speakers, and still have a next page.
    let mute = json!({"type":"mute","player":ada.player});
    assert_eq!(bo.ask(mute).await["type"], "done");
    let first = bo
        .ask(json!({"type":"chat","match":id,"room":"players","limit":1}))
        .await;
    assert_eq!((&first["lines"], &first["next"]), (&json!([]), &json!(1)));
    let beyond = json!({"type":"chat","match":id,"room":"players","after":99});
    let page = ada.ask(beyond).await;
    assert_eq!(page["lines"], json!([]));
    assert!(page.get("next").is_none());
    for limit in [0, 201] {
        let ask = json!({"type":"chat","match":id,"room":"players","limit":limit});
        assert_eq!(code(&mut ada, ask).await, "out_of_range");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_line_is_neither_answered_nor_heard_before_it_is_stored() {
    let (store, clock) = (Faulty::new(), Arc::new(ManualClock::at(START)));
    let server = faulty(&store, &clock).await;
    let (mut ada, mut bo, id) = server.pair("nim:3,5").await;
    // The gate blocks matches in progress, not new ones.
    said(&mut ada, preset(&id, "players", "have_fun")).await;
    assert_eq!(heard(&mut bo).await.1, 1);
    let held = Faulty::close(&store.gate);
    let asked = ada.send(preset(&id, "players", "hello")).await;
    store.until_it_waits().await;
    // The speaker can do other things meanwhile, and the other player reads nothing yet.
    assert_eq!(ada.ask(json!({"type":"ping"})).await["type"], "pong");
    assert_eq!(read(&mut bo, &id, "players").await, ["have_fun"]);
    // Another server writes to the same room, so the line gets the next number.
    let other = br#"{"type":"said","at_ms":1,"player":{"id":"67e55044-10b1-426f-9247-bb680e5fe0c8","name":"Eve","bot":false},"preset":"oops"}"#;
    let stream = StreamId::Chat(id.parse().expect("an id"), Room::Players);
    let commit = Commit::append(stream, Seq(1), vec![Bytes::from_static(other)]);
    let done = store.inner.commit(server.app.lease, vec![commit]).await;
    assert_eq!(done, [Ok(())]);
    store.gate.add_permits(held);
    assert_eq!(ada.reply(asked).await["seq"], 3);
    assert_eq!(heard(&mut bo).await, line("players", 3, "first", "hello"));
    assert_eq!(
        read(&mut bo, &id, "players").await,
        ["have_fun", "oops", "hello"]
    );

    store.full.store(true, Ordering::SeqCst);
    let refused = ada.ask(preset(&id, "players", "sorry")).await;
    assert_eq!(refused["code"], "read_only");
    assert!(refused["retry_after_ms"].is_u64());
    store.full.store(false, Ordering::SeqCst);
    assert_eq!(said(&mut ada, preset(&id, "players", "thanks")).await, 4);
    assert_eq!(heard(&mut bo).await, line("players", 4, "first", "thanks"));
    server.stop().await;
}

#[tokio::test]
async fn what_waits_in_a_room_is_bounded_and_stored_together() {
    let store = Faulty::new();
    let mut plan = plan();
    plan.store = store.clone();
    let server = plan.start().await;
    let (mut ada, mut bo, id) = server.pair("nim:3,5").await;
    said(&mut bo, preset(&id, "players", "hello")).await;
    let held = Faulty::close(&store.gate);
    let first = ada.send(say(&id, "players", "first")).await;
    store.until_it_waits().await;
    let mut asked = Vec::new();
    // As many of one address may wait in a room.
    for number in 0..9 {
        asked.push(ada.send(say(&id, "players", &number.to_string())).await);
    }
    let refused = ada.reply(asked.pop().expect("9 were sent")).await;
    assert_eq!(refused["code"], "server_busy", "{refused}");
    // It does not delay the other player's move once the store continues.
    let moved = ada
        .send(json!({"type":"move","match":id,"ply":1,"move":"A-1"}))
        .await;
    store.gate.add_permits(held);
    assert_eq!(ada.reply(first).await["seq"], 2);
    for (number, asked) in asked.into_iter().enumerate() {
        assert_eq!(ada.reply(asked).await["seq"], number as u64 + 3);
    }
    assert_eq!(ada.reply(moved).await["type"], "accepted");
    assert_eq!(bo.event_of("moved").await["ply"], 1);
    server.stop().await;
}

#[tokio::test]
async fn a_room_closes_an_hour_after_the_match_and_stays_readable() {
    let clock = Arc::new(ManualClock::at(START));
    let mut plan = plan();
    plan.clock = clock.clone();
    let server = plan.start().await;
    let (mut ada, mut bo, id) = server.pair("nim:3,5").await;
    ada.ask(json!({"type":"resign","match":id})).await;
    bo.event_of("ended").await;
    clock.advance(CLOSES_AFTER);
    said(&mut bo, preset(&id, "players", "good_game")).await;
    clock.advance(Millis(1));
    for room in ["players", "watchers"] {
        let refused = ada.ask(preset(&id, room, "thanks")).await;
        assert_eq!(refused["code"], "match_over", "{refused}");
    }
    assert_eq!(read(&mut ada, &id, "players").await, ["good_game"]);
    server.stop().await;
}

#[tokio::test]
async fn between_the_games_of_a_rated_pair_its_players_do_not_hear_the_watchers() {
    let server = plan().start().await;
    let terms = json!({"position":"nim:3,5","games":2,"rated":true,
        "clock":{"type":"fischer","base_ms":600_000,"increment_ms":0}});
    let (mut ada, mut bo, id) = server.pair_with(terms).await;
    let mut cy = watcher(&server, "Cy", &id).await;
    ada.play(&id, 1, "A-1").await;
    assert_eq!(
        bo.ask(json!({"type":"resign","match":id})).await["type"],
        "done"
    );
    let next = cy.event_of("ended").await["next"].clone();
    assert!(next.is_string());
    // The player follows the game that is over once more.
    let resumed = ada
        .ask(json!({"type":"resume","match":id,"since_seq":4}))
        .await;
    assert_eq!(resumed["type"], "attached", "{resumed}");
    let mut di = watcher(&server, "Di", &id).await;
    for ask in [chat(&id, "watchers"), preset(&id, "watchers", "oops")] {
        assert_eq!(code(&mut ada, ask).await, "rated_match");
    }
    said(&mut cy, say(&id, "watchers", "B-2 wins the other one")).await;
    assert_eq!(heard(&mut di).await.1, 1);
    assert_eq!(
        said(&mut ada, preset(&id, "players", "one_moment")).await,
        1
    );
    assert_eq!(
        heard(&mut ada).await.0,
        "players",
        "nothing of the watchers came"
    );
    let next = next.as_str().expect("an id");
    assert_eq!(
        bo.ask(json!({"type":"resign","match":next})).await["type"],
        "done"
    );
    ada.find("the end of the pair", |frame| {
        frame["match"] == next && frame["body"]["type"] == "ended"
    })
    .await;
    assert_eq!(
        read(&mut ada, &id, "watchers").await,
        ["B-2 wins the other one"]
    );
    said(&mut cy, preset(&id, "watchers", "well_played")).await;
    assert_eq!(
        heard(&mut ada).await,
        line("watchers", 2, "Cy", "well_played")
    );
    server.stop().await;
}

#[tokio::test]
async fn what_was_said_and_who_was_muted_outlives_the_server() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("grundy.db");
    let open = async || {
        let mut plan = plan();
        plan.store = Arc::new(SqliteStore::open(&path).await.expect("a store"));
        plan.start().await
    };
    let server = open().await;
    let (mut ada, mut bo, id) = server.pair("nim:3,5").await;
    let cy = watcher(&server, "Cy", &id).await;
    for number in 0..5 {
        said(&mut ada, say(&id, "players", &number.to_string())).await;
    }
    said(&mut bo, preset(&id, "players", "thanks")).await;
    let mute = json!({"type":"mute","player":cy.player});
    assert_eq!(bo.ask(mute).await["type"], "done");
    server.stop().await;

    let server = open().await;
    let (mut bo, _) = server.again(&bo).await;
    let (mut ada, _) = server.again(&ada).await;
    let (mut cy, _) = server.again(&cy).await;
    let muted = bo.ask(json!({"type":"muted"})).await;
    assert_eq!(muted["players"][0]["name"], "Cy", "{muted}");
    assert_eq!(
        read(&mut bo, &id, "players").await,
        ["0", "1", "2", "3", "4", "thanks"]
    );
    assert_eq!(said(&mut ada, say(&id, "players", "back")).await, 7);
    said(&mut cy, say(&id, "watchers", "still here")).await;
    // Neither the summary of a match nor its record contains it.
    let record = cy.ask(json!({"type":"record","match":id})).await;
    let events = record["events"].as_array().expect("events").iter();
    assert!(
        events.clone().all(|event| event["body"]["type"] != "said"),
        "{record}"
    );
    server.stop().await;
    let report = fsck(&path).await.expect("it can be checked");
    assert!(report.is_sound(), "{report:?}");
}
