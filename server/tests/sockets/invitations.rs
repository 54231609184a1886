//! Invitations over the wire: a match is created once under one name, and only its creator finds the join code.

use std::path::Path;
use std::sync::Arc;

use crate::common::{Client, Plan, Server};
use grundy_server::clock::ManualClock;
use grundy_shared::ids::Millis;
use serde_json::{Value, json};

const START: Millis = Millis(1_700_000_000_000);
/// How long a join code is valid.
const DAY_MS: u64 = 86_400_000;

async fn on_disk(directory: &Path) -> Server {
    let plan = Plan {
        clock: Arc::new(ManualClock::at(START)),
        ..Plan::on_disk(directory).await
    };
    plan.start().await
}

fn invitation() -> Value {
    json!({
        "type":"create","position":"nim:3,5","side":"first","opponent":{"type":"invite"},
        "client_create_id":"mine-1"
    })
}

/// The entry of `list` for this match, if there is one.
async fn listed(client: &mut Client, id: &Value) -> Option<Value> {
    let page = client.ask(json!({"type":"list"})).await;
    let entries = page["matches"].as_array().expect("a page");
    entries.iter().find(|entry| entry["match"] == *id).cloned()
}

fn code_of(entry: &Value) -> (&Value, &Value) {
    (&entry["code"], &entry["expires_at_ms"])
}

/// What a player finds about a match: among the obligations, in the list, and on coming back to it.
async fn places_of(server: &Server, client: &Client, id: &Value) -> [Value; 3] {
    let (mut again, welcome) = server.again(client).await;
    let entry = listed(&mut again, id).await.expect("it is listed");
    let attached = again.ask(json!({"type":"resume","match":id})).await;
    assert_eq!(attached["type"], "attached", "{attached}");
    [welcome["obligations"][0].clone(), entry, attached]
}

#[tokio::test]
async fn a_match_is_created_once_under_one_name() {
    let server = Server::start().await;
    let mut ann = server.guest("Ann").await;
    let made = ann.ask(invitation()).await;
    assert_eq!(made["type"], "created", "{made}");
    // Also from another connection, as after a lost one, and however the position is spelled.
    let (mut again, _) = server.again(&ann).await;
    assert_eq!(again.ask(invitation()).await, made);
    let mut respelled = invitation();
    respelled["position"] = json!("nim:03,5");
    assert_eq!(again.ask(respelled).await, made);
    for (field, value) in [
        ("position", json!("nim:3,6")),
        ("side", json!("second")),
        ("opponent", json!({"type":"bot","name":"perfect"})),
        (
            "clock",
            json!({"type":"fischer","base_ms":60_000,"increment_ms":0}),
        ),
    ] {
        let mut other = invitation();
        other[field] = value;
        let refused = again.ask(other).await;
        assert_eq!(
            (&refused["code"], &refused["field"]),
            (&json!("idempotency_conflict"), &json!("client_create_id")),
            "another {field}: {refused}"
        );
    }
    // Another player has other names.
    let mut bob = server.guest("Bob").await;
    let others = bob.ask(invitation()).await;
    assert_eq!(others["type"], "created", "{others}");
    assert_ne!(others["match"], made["match"]);
    assert_eq!(server.app.matches.open_matches(), 2);
    server.stop().await;
}

#[tokio::test]
async fn requests_of_one_name_that_come_at_once_create_one_match() {
    let server = Server::start().await;
    let ann = server.guest("Ann").await;
    let mut connections = Vec::new();
    for _ in 0..8 {
        connections.push(server.again(&ann).await.0);
    }
    let asked = connections
        .iter_mut()
        .map(|client| client.ask(invitation()));
    let answers = futures::future::join_all(asked).await;
    for answer in &answers {
        assert_eq!(answer, &answers[0]);
    }
    assert_eq!(answers[0]["type"], "created", "{}", answers[0]);
    assert_eq!(server.app.matches.open_matches(), 1);
    server.stop().await;
}

#[tokio::test]
async fn the_name_of_a_match_survives_a_restart() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = on_disk(directory.path()).await;
    let mut ann = server.guest("Ann").await;
    let made = ann.ask(invitation()).await;
    assert_eq!(made["type"], "created", "{made}");
    server.stop().await;
    let server = on_disk(directory.path()).await;
    let (mut ann, _) = server.again(&ann).await;
    assert_eq!(ann.ask(invitation()).await, made);
    let mut other = invitation();
    other["position"] = json!("nim:3,6");
    assert_eq!(ann.ask(other).await["code"], "idempotency_conflict");
    assert_eq!(server.app.matches.open_matches(), 1);
    server.stop().await;
}

#[tokio::test]
async fn only_the_creator_finds_the_join_code_and_its_expiry() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = on_disk(directory.path()).await;
    let mut ann = server.guest("Ann").await;
    let made = ann.ask(invitation()).await;
    let id = &made["match"];
    let code = (&made["code"], &json!(START.0 + DAY_MS));
    assert_eq!(code_of(&made), code);
    // The creator, also after a restart.
    let places = places_of(&server, &ann, id).await;
    server.stop().await;
    let server = on_disk(directory.path()).await;
    for place in places.iter().chain(&places_of(&server, &ann, id).await) {
        assert_eq!(code_of(place), code, "{place}");
    }
    // Nobody else.
    let mut bob = server.guest("Bob").await;
    assert_eq!(listed(&mut bob, id).await, None);
    let refused = bob.ask(json!({"type":"resume","match":id})).await;
    assert_eq!(refused["code"], "no_such_match", "{refused}");
    // And nobody at all once it is of no use.
    let join = json!({"type":"join","code":made["code"]});
    assert_eq!(bob.ask(join).await["type"], "joined");
    for client in [&ann, &bob] {
        for place in places_of(&server, client, id).await {
            assert_eq!(code_of(&place), (&Value::Null, &Value::Null), "{place}");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn an_invitation_that_nobody_joined_stays_hidden_when_it_has_ended() {
    let server = Server::start().await;
    let mut ann = server.guest("Ann").await;
    let mut eve = server.guest("Eve").await;
    let made = ann.ask(invitation()).await;
    let id = &made["match"];
    let aborted = ann.ask(json!({"type":"abort","match":id})).await;
    assert_eq!(aborted["type"], "done", "{aborted}");
    // While it is in memory, and when it is read from the store.
    for _ in 0..2 {
        assert_eq!(listed(&mut eve, id).await, None);
        for ask in [
            json!({"type":"watch","match":id}),
            json!({"type":"resume","match":id}),
            json!({"type":"leave","match":id}),
            json!({"type":"record","match":id}),
            json!({"type":"review","match":id}),
            json!({"type":"moves","match":id}),
            json!({"type":"resign","match":id}),
            json!({"type":"rematch","match":id}),
        ] {
            let refused = eve.ask(ask.clone()).await;
            assert_eq!(refused["code"], "no_such_match", "{ask}: {refused}");
        }
        assert!(listed(&mut ann, id).await.is_some(), "it is hers");
        ann.ask(json!({"type":"leave","match":id})).await;
    }
    server.stop().await;
}
