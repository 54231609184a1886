//! What is said between a client and the server, over real sockets.

mod common;

use common::Server;
use serde_json::json;

#[tokio::test]
async fn two_guests_play_a_match_to_its_end() {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:1,2").await;
    let accepted = first.play(&id, 1, "b-1").await;
    assert_eq!(accepted["type"], "accepted", "{accepted}");
    assert_eq!(
        (&accepted["seq"], &accepted["ply"], &accepted["move"]),
        (&json!(3), &json!(1), &json!("B-1"))
    );
    assert_eq!(second.event(3).await["move"], "B-1");
    assert_eq!(second.play(&id, 2, "A-1").await["type"], "accepted");
    assert_eq!(first.play(&id, 3, "B-1").await["type"], "accepted");
    for client in [&mut first, &mut second] {
        let ended = client.event(6).await;
        assert_eq!(
            (&ended["outcome"], &ended["reason"]),
            (&json!("first"), &json!("last_move"))
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn a_built_in_bot_plays_to_the_end() {
    let server = Server::start().await;
    let mut player = server.guest("Ann").await;
    let created = player
        .ask(json!({"type":"create","position":"nim:1,1","side":"second","opponent":{"type":"bot","name":"perfect"}}))
        .await;
    let id = created["match"].as_str().expect("an id").to_owned();
    assert_eq!(player.event(3).await["type"], "moved");
    let last = player
        .ask(json!({"type":"move","match":id,"ply":2,"move":"B-1"}))
        .await;
    let other = player
        .ask(json!({"type":"move","match":id,"ply":2,"move":"A-1"}))
        .await;
    assert!(
        [&last, &other]
            .iter()
            .any(|reply| reply["type"] == "accepted"),
        "{last} {other}"
    );
    assert_eq!(player.event_of("ended").await["outcome"], "second");
    server.stop().await;
}
