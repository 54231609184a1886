//! Too many requests, and frames that are no text: what is answered, and when the connection is closed.

use std::time::Instant;

use crate::common::faulty::Faulty;
use crate::common::{Plan, Server};
use futures::SinkExt;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

#[tokio::test]
async fn what_is_no_text_closes_with_its_code() {
    let server = Server::start().await;
    let mut client = server.guest("Ann").await;
    client
        .socket
        .send(Message::binary(vec![1, 2]))
        .await
        .expect("sent");
    let refused = client
        .find("a refusal", |frame| {
            frame["re"].is_null() && frame.get("re").is_some()
        })
        .await;
    assert_eq!(
        (&refused["body"]["code"], &refused["body"]["closes"]),
        (&json!("binary_unsupported"), &json!(true))
    );
    assert_eq!(client.closed().await.0, 1003);
    let mut client = server.guest("Bob").await;
    client
        .send_text(format!("\"{}\"", "x".repeat(16 * 1024)))
        .await;
    assert_eq!(client.closed().await.0, 1009);
    let mut client = server.guest("Cyd").await;
    let at_the_limit = format!("\"{}\"", "x".repeat(16 * 1024 - 2));
    assert_eq!(
        client.refusal(&at_the_limit).await["body"]["code"],
        "bad_json"
    );
    server.stop().await;
}

#[tokio::test]
async fn who_floods_gets_the_answers_to_what_was_accepted_before_the_close() {
    let store = Faulty::new();
    let mut plan = Plan::with(|config| {
        config.limits.burst = 10;
        config.limits.requests_per_second = 1;
    });
    plan.store = store.clone();
    let server = plan.start().await;
    let (mut first, mut second, id) = server.pair("nim:3,5,7").await;
    let permits = Faulty::close(&store.gate);
    let accepted = first
        .send(json!({"type":"move","match":id,"ply":1,"move":"A-1"}))
        .await;
    store.until_it_waits().await;
    let mut closes = false;
    while !closes {
        let answer = first.ask(json!({"type":"ping"})).await;
        closes = answer["closes"] == true;
    }
    store.gate.add_permits(permits);
    assert_eq!(first.reply(accepted).await["type"], "accepted");
    assert_eq!(first.closed().await, (1008, "rate_limited".to_owned()));
    assert_eq!(second.event(3).await["type"], "moved");
    server.stop().await;
}

#[tokio::test]
async fn nonsense_and_floods_close() {
    let server = Plan::with(|config| {
        config.limits.burst = 5;
        config.limits.requests_per_second = 1;
    })
    .start()
    .await;
    let since = Instant::now();
    let mut client = server.guest("Ann").await;
    // The first of the five was hello; then there is one more for each second, which may pass meanwhile on a busy machine.
    let (mut answered, mut refused_in_a_row) = (0, 0);
    while refused_in_a_row < 3 {
        let answer = client.ask(json!({"type":"ping"})).await;
        if answer["type"] == "pong" {
            (answered, refused_in_a_row) = (answered + 1, 0);
            continue;
        }
        refused_in_a_row += 1;
        assert!(answered >= 4, "{answered}: {answer}");
        assert_eq!(
            (&answer["code"], &answer["closes"]),
            (&json!("rate_limited"), &json!(refused_in_a_row == 3)),
            "{answer}"
        );
        assert!(answer["retry_after_ms"].as_u64().expect("a time") <= 1_001);
    }
    assert_eq!(client.closed().await, (1008, "rate_limited".to_owned()));
    let most = 4 + since.elapsed().as_secs() + 1;
    assert!(answered <= most, "{answered} in {:?}", since.elapsed());
    let server = Server::start().await;
    let mut client = server.guest("Ann").await;
    for n in 1..=10 {
        assert_eq!(client.refusal("{").await["body"]["closes"], n == 10);
    }
    assert_eq!(client.closed().await, (1008, "bad_json".to_owned()));
    server.stop().await;
}

#[tokio::test]
async fn limits_of_a_player_and_of_an_address_are_told() {
    let server = Plan::with(|config| {
        config.limits.matches_per_player = 2;
        config.limits.follows_per_connection = 3;
        config.limits.code_guesses_per_minute = 3;
        config.limits.guests_per_minute_per_address = 2;
        config.limits.live_matches = 3;
    })
    .start()
    .await;
    let create = json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}});
    let (mut ann, mut bob) = (server.guest("Ann").await, server.guest("Bob").await);
    let mut third = server.connect().await;
    let refused = third.ask(json!({"type":"hello","protocol":1})).await;
    assert_eq!(refused["code"], "rate_limited");
    assert!(refused["retry_after_ms"].is_u64());
    for _ in 0..2 {
        assert_eq!(ann.ask(create.clone()).await["type"], "created");
    }
    let refused = ann.ask(create.clone()).await;
    assert_eq!(
        (&refused["code"], &refused["limit"]),
        (&json!("too_many"), &json!("2"))
    );
    assert_eq!(bob.ask(create.clone()).await["type"], "created");
    let refused = bob.ask(create).await;
    assert_eq!(refused["code"], "server_busy", "{refused}");
    let guess = json!({"type":"join","code":"KWQHRMTB"});
    for _ in 0..3 {
        assert_eq!(bob.ask(guess.clone()).await["code"], "no_such_code");
    }
    for _ in 0..2 {
        assert_eq!(bob.ask(guess.clone()).await["code"], "rate_limited");
    }
    server.stop().await;
}

#[tokio::test]
async fn an_answer_is_given_to_each_of_many_damaged_frames() {
    let server = Server::start().await;
    let (mut first, _second, id) = server.pair("nim:900,900,900").await;
    let samples = [
        format!(r#"{{"id":5,"body":{{"type":"move","match":"{id}","ply":1,"move":"A-1","client_move_id":"m-1"}}}}"#),
        format!(r#"{{"id":5,"body":{{"type":"resume","match":"{id}","since_seq":2}}}}"#),
        r#"{"id":5,"body":{"type":"solve","position":"nim:3,5,7","to_move":"first","max_moves":3}}"#.to_owned(),
        r#"{"id":5,"body":{"type":"create","position":"nim:3","clock":{"type":"untimed"},"opponent":{"type":"bot","name":"random"}}}"#.to_owned(),
        r#"{"id":5,"body":{"type":"list","status":"live","mine":true,"limit":3}}"#.to_owned(),
    ];
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % below as u64).expect("small")
    };
    let tries = 20_000;
    let (mut closes, mut replies) = (0, 0);
    for _ in 0..tries {
        let mut text = samples[random(samples.len())].clone().into_bytes();
        for _ in 0..=random(3) {
            let at = random(text.len().max(1));
            match random(4) {
                0 => text[at] = u8::try_from(32 + random(95)).expect("ASCII"),
                1 if text.len() > 2 => drop(text.remove(at)),
                2 => text.insert(at, b"{}[]\",:0-.e\\nul"[random(15)]),
                _ => text.truncate(at.max(2)),
            }
        }
        let text = String::from_utf8(text).expect("ASCII");
        first.send_text(text.clone()).await;
        let frame = first.find(&text, |frame| frame.get("re").is_some()).await;
        replies += 1;
        if frame["body"]["closes"] == true {
            closes += 1;
            assert_eq!(first.closed().await.0, 1008);
            first = server.again(&first).await.0;
        }
    }
    assert_eq!(replies, tries);
    assert!(
        closes > 100,
        "{closes}: ten lines of nonsense in a minute close"
    );
    server.stop().await;
}
