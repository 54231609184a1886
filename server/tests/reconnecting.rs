//! Coming back: nobody who comes when told is refused, and every unfinished match is listed, whichever server plays it.

mod common;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use common::{Plan, Server, in_time};
use grundy_server::data;
use grundy_server::store::open::open;
use grundy_server::store::{NodeId, Store};
use grundy_shared::ids::Millis;
use serde_json::{Value, json};
use tokio::time::Instant;

async fn stored(directory: &Path) -> Arc<dyn Store> {
    open(&data::location(directory)).await.expect("a database")
}

/// Connections that one address may open a second, all of them at once.
const PER_SECOND: u32 = 20;

async fn strict(directory: &Path) -> Server {
    let mut plan = Plan::with(|config| {
        config.limits.connections_per_second_per_address = PER_SECOND;
        config.limits.connections_per_address = 2 * PER_SECOND;
    });
    plan.store = stored(directory).await;
    plan.start().await
}

#[tokio::test]
async fn nobody_who_comes_back_when_told_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = strict(directory.path()).await;
    let mut clients = Vec::new();
    let mut pace = tokio::time::interval(Duration::from_secs(1) / PER_SECOND);
    for _ in 0..2 * PER_SECOND {
        pace.tick().await;
        clients.push(server.guest("Ann").await);
    }
    let told = clients.iter_mut().map(async |client| {
        let notice = client.notice().await;
        let wait = notice["reconnect_after_ms"].as_u64().expect("a time");
        let at = Instant::now() + Duration::from_millis(wait);
        assert_eq!(client.closed().await.0, 1012);
        at
    });
    let (_, moments) = tokio::join!(server.stop(), futures::future::join_all(told));
    let server = strict(directory.path()).await;
    let back = clients.iter().zip(moments).map(async |(client, at)| {
        tokio::time::sleep_until(at).await;
        // A refused handshake ends the test.
        let (_back, welcome) = server.again(client).await;
        assert_eq!(welcome["player"]["id"], json!(client.player));
    });
    in_time("the clients", futures::future::join_all(back)).await;
    server.stop().await;
}

#[tokio::test]
async fn obligations_list_the_matches_that_another_server_plays() {
    let directory = tempfile::tempdir().expect("a directory");
    let plan = Plan {
        store: stored(directory.path()).await,
        ..Plan::default()
    };
    let server = plan.start().await;
    let (mut ada, bea, played) = server.pair("nim:3,5,7").await;
    ada.play(&played, 1, "A-1").await;
    let create =
        json!({"type":"create","position":"nim:3,5,7","side":"first","opponent":{"type":"invite"}});
    let invitation = ada.ask(create).await;
    server.stop().await;
    // A second server takes over what the first one has played.
    let store = stored(directory.path()).await;
    let first = store.nodes().await.expect("nodes")[0];
    let second = store.enlist(NodeId(2), Millis(1)).await.expect("a lease");
    assert_eq!(store.take_over(second, first).await, Ok(2));
    let server = Plan {
        store,
        ..Plan::default()
    }
    .start()
    .await;
    assert_eq!(server.app.matches.open_matches(), 0);
    let of = |welcome: &Value| {
        let obligations = welcome["obligations"].as_array().expect("a list");
        let shown = obligations.iter().map(|one| {
            let fields = ["match", "seat", "to_move", "connected", "seq", "code"];
            fields.map(|field| one[field].clone())
        });
        shown.collect::<Vec<_>>()
    };
    let (_ada, welcome) = server.again(&ada).await;
    let waiting = json!([
        invitation["match"],
        "first",
        true,
        false,
        1,
        invitation["code"]
    ]);
    let moved = json!([played, "first", false, false, 3, null]);
    assert_eq!(json!(of(&welcome)), json!([waiting, moved]));
    let (_bea, welcome) = server.again(&bea).await;
    let to_move = json!([played, "second", true, false, 3, null]);
    assert_eq!(json!(of(&welcome)), json!([to_move]));
    // To be listed is not to be played here.
    assert_eq!(server.app.matches.open_matches(), 0);
    server.stop().await;
}
