//! Hints that a client reports with a move: stored and shown as what the client says, and refused where there are none.

use serde_json::{Value, json};

use crate::common::{Client, Server};
use crate::ratings::{event_in, rated};

/// Makes a move, and reports so many hints before it.
async fn play_helped(client: &mut Client, id: &str, ply: u32, text: &str, hints: Value) -> Value {
    let request = json!({"type":"move","match":id,"ply":ply,"move":text,"hints":hints});
    client.ask(request).await
}

#[tokio::test]
async fn hints_are_stored_with_the_move_and_shown_in_the_review() {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:1,2").await;
    for wrong in [
        json!(1_001),
        json!(u64::from(u32::MAX)),
        json!(-1),
        json!("2"),
        json!(0.5),
    ] {
        let refused = play_helped(&mut first, &id, 1, "B-1", wrong.clone()).await;
        assert_eq!(refused["type"], "error", "{wrong}: {refused}");
        let code = refused["code"].as_str().expect("a code");
        assert!(
            ["out_of_range", "wrong_type"].contains(&code),
            "{wrong}: {refused}"
        );
        assert_eq!(refused["field"], "hints", "{wrong}: {refused}");
    }
    let made = play_helped(&mut first, &id, 1, "B-1", json!(1_000)).await;
    assert_eq!(made["type"], "accepted", "{made}");
    assert_eq!(event_in(&mut second, &id, "moved").await["hints"], 1_000);
    // 0 is what is meant without a number.
    let made = play_helped(&mut second, &id, 2, "A-1", json!(0)).await;
    assert_eq!(made["type"], "accepted", "{made}");
    event_in(&mut first, &id, "moved").await;
    assert_eq!(
        event_in(&mut first, &id, "moved").await["hints"],
        Value::Null
    );
    assert_eq!(first.play(&id, 3, "B-1").await["type"], "accepted");
    event_in(&mut first, &id, "ended").await;
    let reviewed = second.ask(json!({"type":"review","match":id})).await;
    let plies = &reviewed["review"]["plies"];
    assert_eq!(
        (&plies[1]["hints"], &plies[2]["hints"]),
        (&json!(1_000), &Value::Null)
    );
    server.stop().await;
}

#[tokio::test]
async fn a_rated_match_has_no_hints() {
    let server = Server::start().await;
    let (mut ada, _bo, id) = server.pair_with(rated()).await;
    let refused = play_helped(&mut ada, &id, 1, "A-1", json!(1)).await;
    assert_eq!(refused["code"], "not_possible", "{refused}");
    let made = play_helped(&mut ada, &id, 1, "A-1", json!(0)).await;
    assert_eq!(made["type"], "accepted", "{made}");
    server.stop().await;
}
