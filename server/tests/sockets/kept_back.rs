//! Hidden parts of a match: planned replies are hidden from everybody but their player, and the last moves of a rated match from its
//! watchers.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{Client, Plan, Server};

fn slow() -> Value {
    json!({"position":"nim:3,4,5","clock":{"type":"per_move","move_ms":259_200_000}})
}

fn plan(id: &str, ply: u32, lines: &Value) -> Value {
    json!({"type":"plan","match":id,"ply":ply,"lines":lines})
}

/// All events of a match as a client reads them with `record`.
async fn record(client: &mut Client, id: &str) -> Vec<Value> {
    let read = json!({"type":"record","match":id,"since_seq":0,"limit":200});
    let mut read = client.ask(read).await;
    assert_eq!(read["type"], "record", "{read}");
    let events = read["events"].as_array_mut().expect("events");
    events
        .iter_mut()
        .map(|event| event["body"].take())
        .collect()
}

#[tokio::test]
async fn a_plan_is_its_players_alone_in_every_answer_until_the_match_is_over() {
    let server = Server::start().await;
    let (mut ada, mut bo, id) = server.pair_with(slow()).await;
    let mut eve = server.guest("eve").await;
    let watch = json!({"type":"watch","match":id,"since_seq":0});
    assert_eq!(eve.ask(watch.clone()).await["type"], "attached");
    let lines = json!([["A-1", "B-1"], ["C-5", "B-1"]]);
    let planned = bo.ask(plan(&id, 1, &lines)).await;
    assert_eq!(planned["type"], "done", "{planned}");
    assert_eq!(bo.event(3).await["lines"], lines);
    for other in [&mut ada, &mut eve] {
        let told = other.event(3).await;
        assert_eq!(
            (&told["type"], told.get("lines")),
            (&json!("planned"), None)
        );
        let read = record(other, &id).await;
        assert_eq!(
            (&read[2]["seat"], read[2].get("lines")),
            (&json!("second"), None)
        );
    }
    assert_eq!(record(&mut bo, &id).await[2]["lines"], lines);
    // Further moves push it out of the match's memory, so it is read from the log.
    for (ply, text) in [
        (1, "C-1"),
        (2, "A-1"),
        (3, "C-1"),
        (4, "A-1"),
        (5, "C-1"),
        (6, "B-1"),
    ] {
        let mover = if ply % 2 == 1 { &mut ada } else { &mut bo };
        assert_eq!(mover.play(&id, ply, text).await["type"], "accepted");
    }
    let resume = json!({"type":"resume","match":id,"since_seq":0});
    for (client, sees) in [(&ada, false), (&bo, true)] {
        let (mut again, _) = server.again(client).await;
        assert_eq!(again.ask(resume.clone()).await["type"], "attached");
        assert_eq!(again.event(3).await.get("lines").is_some(), sees);
    }
    let mut fay = server.guest("fay").await;
    assert_eq!(fay.ask(watch).await["type"], "attached");
    assert_eq!(fay.event(3).await.get("lines"), None);
    // When the match is over, everybody may read everything.
    let done = bo.ask(json!({"type":"resign","match":id})).await;
    assert_eq!(done["type"], "done");
    assert_eq!(record(&mut eve, &id).await[2]["lines"], lines);
    server.stop().await;
}

#[tokio::test]
async fn a_planned_reply_is_made_by_a_server_that_was_started_again() {
    let directory = TempDir::new().expect("a directory");
    let server = Plan::on_disk(directory.path()).await.start().await;
    let (ada, mut bo, id) = server.pair_with(slow()).await;
    let planned = bo.ask(plan(&id, 1, &json!([["A-3", "C-1"]]))).await;
    assert_eq!(planned["type"], "done", "{planned}");
    drop(bo);
    server.stop().await.close().await;
    let server = Plan::on_disk(directory.path()).await.start().await;
    let (mut ada, _) = server.again(&ada).await;
    let resume = json!({"type":"resume","match":id,"since_seq":3});
    assert_eq!(ada.ask(resume).await["type"], "attached");
    assert_eq!(ada.play(&id, 1, "A-3").await["type"], "accepted");
    let reply = ada
        .find("the reply", |frame| {
            frame["body"]["type"] == "moved" && frame["body"]["ply"] == 2
        })
        .await;
    assert_eq!(reply["body"]["move"], "C-1");
    assert_eq!(reply["body"]["planned"], true);
    server.stop().await;
}

#[tokio::test]
async fn an_adjourned_match_goes_on_after_a_restart_when_both_want_it() {
    let directory = TempDir::new().expect("a directory");
    let server = Plan::on_disk(directory.path()).await.start().await;
    let terms = json!({"position":"nim:3,4,5","clock":{"type":"fischer","base_ms":600_000,"increment_ms":0}});
    let (mut ada, mut bo, id) = server.pair_with(terms).await;
    for client in [&mut ada, &mut bo] {
        let adjourn = json!({"type":"propose","match":id,"proposal":"adjourn"});
        assert_eq!(client.ask(adjourn).await["type"], "done");
    }
    let paused = ada.event_of("paused").await;
    assert_eq!(paused["adjourned"], true);
    server.stop().await.close().await;
    let server = Plan::on_disk(directory.path()).await.start().await;
    let (mut ada, _) = server.again(&ada).await;
    let (mut bo, _) = server.again(&bo).await;
    for client in [&mut ada, &mut bo] {
        let resume = json!({"type":"resume","match":id,"since_seq":0});
        let attached = client.ask(resume).await;
        assert_eq!(attached["snapshot"]["adjourned"], true, "{attached}");
    }
    let go_on = json!({"type":"continue","match":id});
    assert_eq!(ada.ask(go_on.clone()).await["proposed"], true);
    let early = ada.play(&id, 1, "A-1").await;
    assert_eq!(early["code"], "paused");
    assert_eq!(bo.ask(go_on).await["type"], "done");
    ada.event_of("continued").await;
    assert_eq!(ada.play(&id, 1, "A-1").await["type"], "accepted");
    server.stop().await;
}

fn rated() -> Value {
    json!({
        "position": "nim:3,4,5",
        "clock": {"type":"fischer","base_ms":600_000,"increment_ms":0},
        "games": 2,
        "rated": true,
    })
}

#[tokio::test]
async fn watchers_of_a_rated_match_are_two_moves_behind_in_every_answer() {
    let server = Server::start().await;
    let (mut ada, mut bo, id) = server.pair_with(rated()).await;
    let mut eve = server.guest("eve").await;
    let watch = json!({"type":"watch","match":id,"since_seq":2});
    assert_eq!(eve.ask(watch).await["type"], "attached");
    for (ply, text) in [(1, "A-1"), (2, "B-1"), (3, "C-1"), (4, "A-1")] {
        let mover = if ply % 2 == 1 { &mut ada } else { &mut bo };
        assert_eq!(mover.play(&id, ply, text).await["type"], "accepted");
    }
    assert_eq!(eve.event(3).await["move"], "A-1");
    assert_eq!(eve.event(4).await["move"], "B-1");
    // The next frame is not an event of the match, because the other two are hidden.
    let pong = eve.ask(json!({"type":"ping"})).await;
    assert_eq!(pong["type"], "pong");
    assert_eq!(record(&mut eve, &id).await.len(), 4);
    assert_eq!(record(&mut ada, &id).await.len(), 6);
    let beyond = json!({"type":"record","match":id,"since_seq":5});
    assert_eq!(eve.ask(beyond).await["code"], "out_of_range");
    let moves = json!({"type":"moves","match":id});
    let shown = eve.ask(moves.clone()).await;
    assert_eq!(
        (&shown["position"], &shown["to_move"]),
        (&json!("nim:2,3,5"), &json!("first"))
    );
    assert_eq!(bo.ask(moves).await["position"], "nim:1,3,4");
    let mut fay = server.guest("fay").await;
    let late = fay
        .ask(json!({"type":"watch","match":id,"since_seq":0}))
        .await;
    assert_eq!(late["snapshot"]["position"], "nim:2,3,5");
    assert_eq!(late["snapshot"]["seq"], 4);
    assert_eq!(fay.event(4).await["move"], "B-1");
    let beyond = json!({"type":"watch","match":id,"since_seq":6});
    assert_eq!(
        server.guest("gil").await.ask(beyond).await["code"],
        "out_of_range"
    );
    // After the end everything is shown.
    let done = ada.ask(json!({"type":"resign","match":id})).await;
    assert_eq!(done["type"], "done");
    for watcher in [&mut eve, &mut fay] {
        assert_eq!(watcher.event(6).await["move"], "A-1");
        assert_eq!(watcher.event(7).await["type"], "ended");
    }
    server.stop().await;
}
