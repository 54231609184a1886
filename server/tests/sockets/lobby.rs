//! The lobby over real sockets: open seats, automatic matching, and what ends a seek.

use std::sync::atomic::Ordering;

use crate::common::faulty::Faulty;
use crate::common::{Client, Plan, Server, until};
use grundy_server::data;
use grundy_server::store::open::open;
use grundy_shared::ids::Millis;
use serde_json::{Value, json};

/// Longer than any test seeks.
const LONG_MS: u64 = 600_000;
/// Where windows must widen, the last of them after two fifths of this time; the rest is for a busy machine.
const WIDENS_MS: u64 = 10_000;

fn seek(position: &str) -> Value {
    json!({"type":"seek","position":position})
}

fn automatic(position: &str, window: &str) -> Value {
    json!({"type":"seek","position":position,"automatic":window})
}

fn take(seek: &Value) -> Value {
    json!({"type":"take","seek":seek})
}

/// Opens a seek; its id.
async fn opened(client: &mut Client, ask: Value) -> Value {
    let reply = client.ask(ask).await;
    assert_eq!(reply["type"], "seeking", "{reply}");
    reply["seek"]["seek"].clone()
}

/// The end of this seek, as its connection is told.
async fn ended(client: &mut Client, seek: &Value) -> Value {
    let mut frame = client
        .find(&format!("the end of {seek}"), |frame| {
            frame["body"]["type"] == "seek_ended" && &frame["body"]["seek"] == seek
        })
        .await;
    frame["body"].take()
}

/// Who is in the lobby, by name.
async fn names(client: &mut Client) -> Vec<String> {
    let reply = client.ask(json!({"type":"seeks"})).await;
    assert_eq!(reply["type"], "seeks", "{reply}");
    let seeks = reply["seeks"].as_array().expect("a list");
    let name = |seek: &Value| seek["player"]["name"].as_str().expect("a name").to_owned();
    let mut names: Vec<_> = seeks.iter().map(name).collect();
    names.sort();
    names
}

/// Waves follow each other quickly, and the server gives up after this time.
fn quick(give_up_ms: u64) -> Plan {
    Plan::with(|config| {
        config.times.wave_ms = Millis(100);
        config.times.give_up_ms = Millis(give_up_ms);
    })
}

fn code(reply: &Value) -> &str {
    reply["code"].as_str().unwrap_or("none")
}

#[tokio::test]
async fn two_strangers_meet_at_an_open_seat_and_play() {
    let server = Server::start().await;
    let mut ann = server.guest("Ann").await;
    let mut ask = seek("nim:1,2");
    ask["side"] = "first".into();
    ask["clock"] = json!({"type":"fischer","base_ms":60_000,"increment_ms":0});
    let reply = ann.ask(ask).await;
    let opened = &reply["seek"];
    assert_eq!(
        (&opened["player"]["name"], &opened["position"]),
        (&json!("Ann"), &json!("nim:1,2"))
    );
    assert_eq!(
        (&opened["bots"], opened.get("automatic")),
        (&json!("yes"), None)
    );
    let mut bo = server.guest("Bo").await;
    let listed = bo.ask(json!({"type":"seeks","game":"nim"})).await;
    assert_eq!(listed["seeks"], json!([opened]));
    let id = &opened["seek"];
    let joined = bo.ask(take(id)).await;
    assert_eq!(
        (&joined["type"], &joined["seat"]),
        (&json!("joined"), &json!("second"))
    );
    let told = ended(&mut ann, id).await;
    assert_eq!(
        (&told["end"], &told["match"], &told["seat"]),
        (&json!("taken"), &joined["match"], &json!("first"))
    );
    assert_eq!(told["opponent"]["name"], "Bo");
    let made = joined["match"].as_str().expect("an id").to_owned();
    let attached = ann.ask(json!({"type":"resume","match":made})).await;
    assert_eq!(attached["seat"], "first", "{attached}");
    ann.play(&made, 1, "B-2").await;
    bo.play(&made, 2, "A-1").await;
    assert!(names(&mut bo).await.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn a_seek_taken_by_two_at_once_goes_to_one() {
    let server = Server::start().await;
    let mut ann = server.guest("Ann").await;
    let (mut bo, mut cay) = (server.guest("Bo").await, server.guest("Cay").await);
    for _ in 0..10 {
        let id = opened(&mut ann, seek("nim:3,5")).await;
        let (one, other) = tokio::join!(bo.ask(take(&id)), cay.ask(take(&id)));
        let won = [&one, &other].map(|reply| reply["type"] == "joined");
        assert!(won[0] != won[1], "{one} {other}");
        let (winner, loser, joined, refused) = match won[0] {
            true => (&mut bo, &mut cay, &one, &other),
            false => (&mut cay, &mut bo, &other, &one),
        };
        assert_eq!(code(refused), "no_such_seek");
        assert_eq!(ended(&mut ann, &id).await["match"], joined["match"]);
        // A repeat after a lost reply: the same match, and no second one.
        let again = winner.ask(take(&id)).await;
        assert_eq!(again, *joined);
        assert_eq!(code(&loser.ask(take(&id)).await), "no_such_seek");
        let resigned = winner
            .ask(json!({"type":"resign","match":joined["match"]}))
            .await;
        assert_eq!(resigned["type"], "done");
    }
    let all = ann.ask(json!({"type":"list","mine":true})).await;
    assert_eq!(all["matches"].as_array().expect("a list").len(), 10);
    server.stop().await;
}

#[tokio::test]
async fn a_seek_ends_with_its_connection_with_bye_and_when_it_is_withdrawn() {
    let server = Server::start().await;
    let mut ann = server.guest("Ann").await;
    let (mut bo, mut cay) = (server.guest("Bo").await, server.guest("Cay").await);
    let (mut dan, _) = server.again(&ann).await;
    let of_ann = opened(&mut ann, seek("nim:3")).await;
    let of_bo = opened(&mut bo, seek("nim:3")).await;
    let of_cay = opened(&mut cay, seek("nim:3")).await;
    opened(&mut dan, seek("nim:5")).await;
    assert_eq!(names(&mut dan).await, ["Ann", "Ann", "Bo", "Cay"]);
    // Nobody else can withdraw it, nor tell it from one that is not there.
    let mut withdraw = json!({"type":"withdraw_seek","seek":of_cay});
    assert_eq!(code(&ann.ask(withdraw.clone()).await), "no_such_seek");
    assert_eq!(cay.ask(withdraw.clone()).await["type"], "done");
    assert_eq!(code(&cay.ask(withdraw.clone()).await), "no_such_seek");
    withdraw["seek"] = json!("no id");
    assert_eq!(code(&cay.ask(withdraw).await), "no_such_seek");
    assert_eq!(bo.ask(json!({"type":"bye"})).await["type"], "done");
    drop(ann);
    let lobby = server.app.lobby.clone();
    until("both are gone", || lobby.len() == 1).await;
    assert_eq!(names(&mut dan).await, ["Ann"], "her other connection's");
    for gone in [of_ann, of_bo, of_cay] {
        assert_eq!(code(&dan.ask(take(&gone)).await), "no_such_seek");
    }
    server.stop().await;
}

#[tokio::test]
async fn who_does_not_fit_is_refused_with_the_exact_code() {
    let server = Server::start().await;
    let mut ann = server.guest("Ann").await;
    let mut bot = server.connect().await;
    let hello = json!({"type":"hello","protocol":1,"name":"Robo","bot":true});
    assert_eq!(bot.ask(hello).await["type"], "welcome");
    let mut bo = server.guest("Bo").await;
    let mut filtered = seek("nim:3");
    filtered["bots"] = "no".into();
    let people = opened(&mut ann, filtered.clone()).await;
    filtered["bots"] = "only".into();
    let bots = opened(&mut ann, filtered).await;
    let listed = bo.ask(json!({"type":"seeks"})).await;
    assert_eq!(listed["seeks"][0]["seek"], people);
    assert_eq!(listed["seeks"].as_array().expect("a list").len(), 1);
    for (client, id, reason) in [
        (&mut bot, &people, "no_bots"),
        (&mut bo, &bots, "only_bots"),
    ] {
        let refused = client.ask(take(id)).await;
        assert_eq!(
            (code(&refused), &refused["reason"]),
            ("declined", &json!(reason))
        );
    }
    assert_eq!(code(&ann.ask(take(&people)).await), "own_match");
    for (field, value, expected) in [
        ("position", json!("nim:0"), "bad_position"),
        ("position", json!("nimm:1"), "bad_position"),
        ("position", json!("nim:1,2@every"), "bad_position"),
        ("games", json!(3), "out_of_range"),
        ("automatic", json!("far"), "wrong_type"),
        ("bots", json!("some"), "wrong_type"),
        (
            "clock",
            json!({"type":"fischer","base_ms":1,"increment_ms":0}),
            "out_of_range",
        ),
        ("game", json!("nim"), "unknown_field"),
    ] {
        let mut ask = seek("nim:3");
        ask[field] = value;
        let refused = bo.ask(ask).await;
        assert_eq!(code(&refused), expected, "{refused}");
    }
    let long = |bytes: usize| seek(&format!("nim:{}", "1,".repeat((bytes - 6) / 2) + "11"));
    let id = opened(&mut bo, long(1_024)).await;
    let refused = bo.ask(long(1_026)).await;
    assert_eq!(
        (code(&refused), &refused["limit"], &refused["field"]),
        ("out_of_range", &json!("1024"), &json!("position"))
    );
    assert_eq!(
        bo.ask(json!({"type":"withdraw_seek","seek":id})).await["type"],
        "done"
    );
    server.stop().await;
}

#[tokio::test]
async fn seeks_are_bounded_for_a_player_and_on_the_server() {
    let plan = Plan::with(|config| {
        config.limits.seeks_per_player = 2;
        config.limits.seeks = 3;
    });
    let server = plan.start().await;
    let mut ann = server.connect().await;
    let hello = json!({"type":"hello","protocol":1,"name":"Ann"});
    let welcome = ann.introduce(hello).await;
    assert_eq!(welcome["limits"]["seeks_per_player"], 2);
    let mut bo = server.guest("Bo").await;
    opened(&mut ann, seek("nim:3")).await;
    opened(&mut ann, automatic("nim:3", "exact")).await;
    let refused = ann.ask(seek("nim:3")).await;
    assert_eq!(
        (code(&refused), &refused["limit"]),
        ("too_many", &json!("2"))
    );
    let id = opened(&mut bo, automatic("kayles:5", "exact")).await;
    let mut cay = server.guest("Cay").await;
    let refused = cay.ask(seek("nim:3")).await;
    assert_eq!(code(&refused), "server_busy");
    assert!(refused["retry_after_ms"].is_u64(), "{refused}");
    assert_eq!(
        bo.ask(json!({"type":"withdraw_seek","seek":id})).await["type"],
        "done"
    );
    opened(&mut cay, seek("nim:3")).await;
    server.stop().await;
}

#[tokio::test]
async fn the_quotas_of_matches_hold_for_both() {
    let plan = Plan::with(|config| config.limits.matches_per_player = 1);
    let server = plan.start().await;
    let (mut ann, mut bo) = (server.guest("Ann").await, server.guest("Bo").await);
    let mut cay = server.guest("Cay").await;
    let [first, second] = [
        opened(&mut ann, seek("nim:3")).await,
        opened(&mut ann, seek("nim:3")).await,
    ];
    let joined = bo.ask(take(&first)).await;
    assert_eq!(joined["type"], "joined");
    // The seeker has a match now: its other seek ends when somebody comes.
    let refused = cay.ask(take(&second)).await;
    assert_eq!(
        (code(&refused), &refused["reason"]),
        ("declined", &json!("too_many_matches"))
    );
    assert_eq!(ended(&mut ann, &second).await["end"], "too_many_matches");
    // And who takes a seat has to have room, too: the seek stays.
    let of_cay = opened(&mut cay, seek("nim:3")).await;
    let refused = bo.ask(take(&of_cay)).await;
    assert_eq!(
        (code(&refused), refused.get("field"), refused.get("reason")),
        ("too_many", None, None)
    );
    assert_eq!(names(&mut bo).await, ["Cay"]);
    bo.ask(json!({"type":"resign","match":joined["match"]}))
        .await;
    assert_eq!(bo.ask(take(&of_cay)).await["type"], "joined");
    server.stop().await;
}

#[tokio::test]
async fn a_match_that_cannot_be_stored_leaves_the_seek_open() {
    let store = Faulty::new();
    let plan = Plan {
        store: store.clone(),
        ..Plan::default()
    };
    let server = plan.start().await;
    let (mut ann, mut bo) = (server.guest("Ann").await, server.guest("Bo").await);
    let id = opened(&mut ann, seek("nim:3")).await;
    store.full.store(true, Ordering::SeqCst);
    assert_eq!(code(&bo.ask(take(&id)).await), "read_only");
    store.full.store(false, Ordering::SeqCst);
    assert_eq!(names(&mut bo).await, ["Ann"]);
    assert_eq!(bo.ask(take(&id)).await["type"], "joined");
    assert_eq!(ended(&mut ann, &id).await["end"], "taken");
    server.stop().await;
}

#[tokio::test]
async fn a_restart_empties_the_lobby_and_keeps_what_was_made_in_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let location = data::location(directory.path());
    let plan = async || Plan {
        store: open(&location).await.expect("a database"),
        ..Plan::default()
    };
    let server = plan().await.start().await;
    let (mut ann, mut bo) = (server.guest("Ann").await, server.guest("Bo").await);
    let taken = opened(&mut ann, seek("nim:3")).await;
    let open_seat = opened(&mut ann, seek("nim:5")).await;
    let joined = bo.ask(take(&taken)).await;
    server.stop().await;
    let server = plan().await.start().await;
    let (mut bo, welcome) = server.again(&bo).await;
    assert_eq!(welcome["obligations"][0]["match"], joined["match"]);
    assert!(names(&mut bo).await.is_empty());
    assert_eq!(code(&bo.ask(take(&open_seat)).await), "no_such_seek");
    server.stop().await;
}

#[tokio::test]
async fn a_list_comes_in_pages_and_shows_new_names() {
    let server = Server::start().await;
    let mut ann = server.guest("Ann").await;
    for position in ["nim:1", "nim:2", "kayles:3", "nim:4", "nim:5"] {
        opened(&mut ann, seek(position)).await;
    }
    let renamed = ann.ask(json!({"type":"rename","name":"Anna"})).await;
    assert_eq!(renamed["type"], "renamed", "{renamed}");
    let mut bo = server.guest("Bo").await;
    let mut found = Vec::new();
    let mut ask = json!({"type":"seeks","limit":2});
    loop {
        let reply = bo.ask(ask.clone()).await;
        for seek in reply["seeks"].as_array().expect("a list") {
            assert_eq!(seek["player"]["name"], "Anna");
            found.push(seek["position"].as_str().expect("a position").to_owned());
        }
        match reply.get("next") {
            Some(next) => ask["after"] = next.clone(),
            None => break,
        }
    }
    found.sort();
    assert_eq!(found, ["kayles:3", "nim:1", "nim:2", "nim:4", "nim:5"]);
    let kayles = bo.ask(json!({"type":"seeks","game":"kayles"})).await;
    assert_eq!(kayles["seeks"].as_array().expect("a list").len(), 1);
    for limit in [0, 201] {
        let refused = bo.ask(json!({"type":"seeks","limit":limit})).await;
        assert_eq!(code(&refused), "out_of_range");
    }
    server.stop().await;
}

#[tokio::test]
async fn long_seeks_do_not_make_a_reply_too_long() {
    let server = Server::start().await;
    let long = |heap: usize| seek(&format!("nim:{heap},{}1", "1,".repeat(500)));
    let mut there = Vec::new();
    for player in 0..20 {
        let mut client = server.guest(&format!("Guest {player}")).await;
        for number in 0..5 {
            opened(&mut client, long(10 + 5 * player + number)).await;
        }
        there.push(client);
    }
    let mut bo = server.guest("Bo").await;
    let mut found = std::collections::BTreeSet::new();
    let mut ask = json!({"type":"seeks","limit":200});
    let mut pages = 0;
    loop {
        let reply = bo.ask(ask.clone()).await;
        assert!(reply.to_string().len() <= 65_536);
        for seek in reply["seeks"].as_array().expect("a list") {
            assert!(found.insert(seek["seek"].to_string()), "shown twice");
        }
        pages += 1;
        match reply.get("next") {
            Some(next) => ask["after"] = next.clone(),
            None => break,
        }
    }
    assert!(
        found.len() == 100 && pages > 1,
        "{} on {pages} pages",
        found.len()
    );
    server.stop().await;
}

#[tokio::test]
async fn automatic_matching_pairs_strangers_and_gives_up_in_time() {
    let server = quick(WIDENS_MS).start().await;
    let (mut ann, mut bo) = (server.guest("Ann").await, server.guest("Bo").await);
    let mut cay = server.guest("Cay").await;
    let of_cay = opened(&mut cay, automatic("kayles:7", "exact")).await;
    let of_ann = opened(&mut ann, automatic("nim:3,5", "near")).await;
    let of_bo = opened(&mut bo, automatic("nim:1,2", "any")).await;
    let (anns, bos) = (ended(&mut ann, &of_ann).await, ended(&mut bo, &of_bo).await);
    assert_eq!(
        (&anns["end"], &bos["end"]),
        (&json!("matched"), &json!("matched"))
    );
    assert_eq!(anns["match"], bos["match"]);
    assert_ne!(anns["seat"], bos["seat"]);
    assert_eq!(anns["opponent"]["name"], "Bo");
    let attached = bo.ask(json!({"type":"resume","match":bos["match"]})).await;
    assert_eq!(
        attached["snapshot"]["start"], "nim:3,5",
        "who has waited longer"
    );
    assert_eq!(names(&mut ann).await, ["Cay"]);
    let withdraw = json!({"type":"withdraw_seek","seek":of_cay});
    assert_eq!(cay.ask(withdraw).await["type"], "done");
    assert!(server.app.lobby.is_empty());
    server.stop().await;

    let server = quick(1_000).start().await;
    let mut cay = server.guest("Cay").await;
    let before = server.app.clock.now();
    let reply = cay.ask(automatic("kayles:7", "exact")).await;
    let of_cay = &reply["seek"];
    let gives_up = &of_cay["automatic"]["gives_up_at_ms"];
    assert!(gives_up.as_u64().expect("a moment") >= before.0 + 1_000);
    let over = ended(&mut cay, &of_cay["seek"]).await;
    assert_eq!(
        (&over["end"], &over["bot"]),
        (&json!("gave_up"), &json!("skill:0.7"))
    );
    assert!(server.app.clock.now().0 >= gives_up.as_u64().expect("a moment"));
    // The bot that is offered can be played.
    let create =
        json!({"type":"create","position":"kayles:7","opponent":{"type":"bot","name":over["bot"]}});
    assert_eq!(cay.ask(create).await["type"], "created");
    assert!(server.app.lobby.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn automatic_matching_finds_open_seats_and_can_be_taken_by_hand() {
    let server = quick(WIDENS_MS).start().await;
    let (mut ann, mut bo) = (server.guest("Ann").await, server.guest("Bo").await);
    let mut cay = server.guest("Cay").await;
    let of_ann = opened(&mut ann, seek("kayles:5")).await;
    let of_bo = opened(&mut bo, automatic("nim:3", "any")).await;
    let (anns, bos) = (ended(&mut ann, &of_ann).await, ended(&mut bo, &of_bo).await);
    assert_eq!(anns["match"], bos["match"]);
    let attached = bo.ask(json!({"type":"resume","match":bos["match"]})).await;
    assert_eq!(attached["snapshot"]["start"], "kayles:5");
    let of_ann = opened(&mut ann, automatic("nim:3", "exact")).await;
    let joined = cay.ask(take(&of_ann)).await;
    assert_eq!(joined["type"], "joined", "{joined}");
    assert_eq!(ended(&mut ann, &of_ann).await["end"], "taken");
    server.stop().await;
}

#[tokio::test]
async fn who_has_no_room_for_a_match_is_told_and_the_other_goes_on_seeking() {
    let mut plan = quick(LONG_MS);
    plan.config.limits.matches_per_player = 1;
    let server = plan.start().await;
    let (mut ann, mut bo) = (server.guest("Ann").await, server.guest("Bo").await);
    let create = json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}});
    for (full, other) in [(true, false), (false, true)] {
        // Once it is the older who has no room, once the younger.
        let made = ann.ask(create.clone()).await;
        assert_eq!(made["type"], "created", "{made}");
        let (of_ann, of_bo);
        if full {
            of_ann = opened(&mut ann, automatic("nim:3", "exact")).await;
            of_bo = opened(&mut bo, automatic("nim:3", "exact")).await;
        } else {
            of_bo = opened(&mut bo, automatic("nim:3", "exact")).await;
            of_ann = opened(&mut ann, automatic("nim:3", "exact")).await;
        }
        assert_eq!(ended(&mut ann, &of_ann).await["end"], "too_many_matches");
        assert_eq!(names(&mut ann).await, ["Bo"], "{full} {other}");
        let abort = json!({"type":"abort","match":made["match"]});
        assert_eq!(ann.ask(abort).await["type"], "done");
        let withdraw = json!({"type":"withdraw_seek","seek":of_bo});
        assert_eq!(bo.ask(withdraw).await["type"], "done");
    }
    server.stop().await;
}

#[tokio::test]
async fn many_strangers_are_all_matched_each_once() {
    let server = quick(LONG_MS).start().await;
    let mut clients = Vec::new();
    for number in 0..60 {
        let mut client = server.guest(&format!("Guest {number}")).await;
        let position = ["nim:3", "nim:5", "kayles:5"][number % 3];
        let id = opened(&mut client, automatic(position, "exact")).await;
        clients.push((client, id));
    }
    let mut seats = std::collections::BTreeSet::new();
    for (client, id) in &mut clients {
        let told = ended(client, id).await;
        assert_eq!(told["end"], "matched");
        assert_ne!(told["opponent"]["id"], client.player.as_str());
        let seat = (told["match"].to_string(), told["seat"].to_string());
        assert!(seats.insert(seat), "one seat, two players");
    }
    assert_eq!(seats.len(), 60);
    let matches: std::collections::BTreeSet<_> = seats.iter().map(|(id, _)| id).collect();
    assert_eq!(matches.len(), 30);
    server.stop().await;
}
