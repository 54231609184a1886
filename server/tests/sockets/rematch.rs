//! Rematches over the wire: withdrawn, ended, and begun with clocks that wait for both players.

use crate::common::{Client, Plan, Server};
use grundy_shared::ids::Millis;
use serde_json::{Value, json};

/// A finished match of two.
async fn finished(server: &Server) -> (Client, Client, String) {
    let terms = json!({
        "position": "nim:3,4,5",
        "clock": {"type":"fischer","base_ms":60_000,"increment_ms":0},
    });
    let (mut first, mut second, id) = server.pair_with(terms).await;
    let done = second.ask(json!({"type":"resign","match":id})).await;
    assert_eq!(done["type"], "done", "{done}");
    for client in [&mut first, &mut second] {
        assert_eq!(client.event(3).await["type"], "ended");
    }
    (first, second, id)
}

async fn about(client: &mut Client, kind: &str, id: &str) -> Value {
    client.ask(json!({"type":kind,"match":id})).await
}

#[tokio::test]
async fn an_offer_is_withdrawn_and_the_other_player_sees_it() {
    let server = Server::start().await;
    let (mut first, mut second, id) = finished(&server).await;
    assert_eq!(about(&mut first, "rematch", &id).await["type"], "rematch");
    assert_eq!(second.event(4).await["type"], "rematch_offered");
    // It is not the other player's to withdraw.
    assert_eq!(about(&mut second, "withdraw", &id).await["seq"], 4);
    let withdrawn = about(&mut first, "withdraw", &id).await;
    assert_eq!(
        (&withdrawn["type"], &withdrawn["seq"]),
        (&json!("rematch"), &json!(5))
    );
    let event = second.event(5).await;
    assert_eq!(
        (&event["type"], &event["seat"]),
        (&json!("rematch_withdrawn"), &json!("first"))
    );
    // What the other wants now is an offer, and no acceptance.
    let wish = about(&mut second, "rematch", &id).await;
    assert_eq!((&wish["seq"], &wish["rematch"]), (&json!(6), &Value::Null));
    server.stop().await;
}

#[tokio::test]
async fn an_offer_ends_when_its_player_leaves_or_says_bye() {
    let server = Plan::with(|config| config.times.away_ms = Millis(3_600_000))
        .start()
        .await;
    for goes in ["leave", "bye"] {
        let (mut first, mut second, id) = finished(&server).await;
        about(&mut first, "rematch", &id).await;
        let request = match goes {
            "leave" => json!({"type":"leave","match":id}),
            _ => json!({"type":"bye"}),
        };
        assert_eq!(first.ask(request).await["type"], "done");
        assert_eq!(second.event(5).await["type"], "rematch_withdrawn", "{goes}");
    }
    server.stop().await;
}

#[tokio::test]
async fn an_offer_does_not_survive_a_restart_while_its_player_is_absent() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = Plan::on_disk(directory.path()).await.start().await;
    let (mut first, second, id) = finished(&server).await;
    about(&mut first, "rematch", &id).await;
    server.stop().await;
    let server = Plan::on_disk(directory.path()).await.start().await;
    let (mut second, _) = server.again(&second).await;
    let attached = second
        .ask(json!({"type":"resume","match":id,"since_seq":4}))
        .await;
    assert_eq!(attached["type"], "attached", "{attached}");
    let wish = about(&mut second, "rematch", &id).await;
    assert_eq!(wish["rematch"], Value::Null, "{wish}");
    assert_eq!(second.event(5).await["type"], "rematch_withdrawn");
    let offered = second.event(6).await;
    assert_eq!(
        (&offered["type"], &offered["seat"]),
        (&json!("rematch_offered"), &json!("second"))
    );
    // The player who comes back accepts it.
    let (mut first, _) = server.again(&first).await;
    first
        .ask(json!({"type":"resume","match":id,"since_seq":4}))
        .await;
    let accepted = about(&mut first, "rematch", &id).await;
    assert!(accepted["rematch"].is_string(), "{accepted}");
    server.stop().await;
}

#[tokio::test]
async fn the_clocks_of_a_rematch_start_once_both_players_follow_it() {
    let server = Server::start().await;
    let (mut first, mut second, id) = finished(&server).await;
    about(&mut first, "rematch", &id).await;
    let accepted = about(&mut second, "rematch", &id).await;
    let rematch = accepted["rematch"].as_str().expect("accepted");
    let of_rematch = |kind: &'static str| {
        move |frame: &Value| frame["match"] == rematch && frame["body"]["type"] == kind
    };
    for client in [&mut first, &mut second] {
        let created = client.find("created", of_rematch("created")).await;
        assert_eq!(created["body"]["held"], true, "{created}");
        for _ in 0..2 {
            client
                .find("clock_started", of_rematch("clock_started"))
                .await;
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn who_plays_in_a_match_is_told_to_resume_it() {
    let server = Server::start().await;
    let (mut first, _second, id) = server.pair("nim:3,4,5").await;
    let refused = about(&mut first, "watch", &id).await;
    assert_eq!(refused["code"], "own_match", "{refused}");
    let words = refused["message"].as_str().expect("words");
    assert!(words.contains("`resume`"), "{words}");
    server.stop().await;
}

#[tokio::test]
async fn a_match_is_resigned_or_called_off_without_following_it() {
    let server = Server::start().await;
    for ends in ["resign", "abort"] {
        let (first, mut second, id) = server.pair("nim:3,4,5").await;
        let (mut elsewhere, _) = server.again(&first).await;
        let done = about(&mut elsewhere, ends, &id).await;
        assert_eq!(done["type"], "done", "{done}");
        // It is called off by both.
        if ends == "abort" {
            assert_eq!(done["proposed"], true);
            about(&mut second, ends, &id).await;
        }
        assert_eq!(second.event_of("ended").await["type"], "ended");
    }
    server.stop().await;
}
