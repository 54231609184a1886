//! Coming back: nobody who comes when told is refused, and every unfinished match is listed, whichever server plays it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::common::{Plan, Server, in_time};
use grundy_server::config::Limits;
use grundy_server::data;
use grundy_server::store::open::open;
use grundy_server::store::{NodeId, Store};
use grundy_shared::ids::Millis;
use serde_json::{Value, json};

async fn stored(directory: &Path) -> Arc<dyn Store> {
    open(&data::location(directory)).await.expect("a database")
}

async fn strict() -> Server {
    let plan = Plan::with(|config| {
        let Limits {
            connections_per_address,
            connections_per_second_per_address,
            ..
        } = Limits::default();
        config.limits.connections_per_address = connections_per_address;
        config.limits.connections_per_second_per_address = connections_per_second_per_address;
    });
    plan.start().await
}

/// All of one address, as many as it may have.
#[tokio::test]
async fn nobody_who_comes_back_is_refused_however_long_the_server_was_away() {
    for away in [false, true] {
        let server = strict().await;
        let mut clients = Vec::new();
        for _ in 0..Limits::default().connections_per_address {
            clients.push(server.guest("Ann").await);
        }
        // It takes the place of the first at once, wherever that is with its stop.
        let next = strict().await;
        let told = clients.iter_mut().map(async |client| {
            let notice = client.notice().await;
            let wait = notice["reconnect_after_ms"].as_u64().expect("a time");
            Duration::from_millis(wait)
        });
        let told = async {
            let waits = futures::future::join_all(told).await;
            let longest = waits.iter().max().copied().expect("a time");
            // Those who were told to come sooner have waited for the server, so all come at once.
            let back = waits.into_iter().map(async |wait| {
                tokio::time::sleep(if away { longest } else { wait }).await;
                next.try_connect().await.expect("refused")
            });
            in_time("the clients", futures::future::join_all(back)).await
        };
        let (_, back) = tokio::join!(server.stop(), told);
        assert_eq!(next.app.addresses.connections() as usize, back.len());
        drop(back);
        next.stop().await;
    }
}

/// The store, after another server has taken over so many matches of the one that ran on it.
async fn taken_over(directory: &Path, matches: u64) -> Arc<dyn Store> {
    let store = stored(directory).await;
    let first = store.nodes().await.expect("nodes")[0];
    let second = store.enlist(NodeId(2), Millis(1)).await.expect("a lease");
    assert_eq!(store.take_over(second, first).await, Ok(matches));
    store
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
    let plan = Plan {
        store: taken_over(directory.path(), 2).await,
        ..Plan::default()
    };
    let server = plan.start().await;
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
    // Nobody has joined: nobody is to move.
    let waiting = json!([
        invitation["match"],
        "first",
        false,
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

#[tokio::test]
async fn quotas_count_the_matches_that_another_server_plays() {
    let directory = tempfile::tempdir().expect("a directory");
    let plan = |store| Plan {
        store,
        ..Plan::with(|config| {
            config.limits.matches_per_address = 3;
            config.limits.matches_per_player = 2;
            config.limits.live_matches = 4;
        })
    };
    let server = plan(stored(directory.path()).await).start().await;
    let create = json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}});
    let mut ada = server.guest("Ada").await;
    for _ in 0..2 {
        assert_eq!(ada.ask(create.clone()).await["type"], "created");
    }
    server.stop().await;
    let server = plan(taken_over(directory.path(), 2).await).start().await;
    assert_eq!(server.app.matches.open_matches(), 0);
    let refusal = |answer: &Value| {
        let message = answer["message"].as_str().unwrap_or_default().to_owned();
        (answer["code"].clone(), answer["limit"].clone(), message)
    };
    let (mut ada, _) = server.again(&ada).await;
    let (code, limit, message) = refusal(&ada.ask(create.clone()).await);
    assert_eq!((code, limit), (json!("too_many"), json!("2")));
    assert!(
        message.contains("you already have 2 unfinished"),
        "{message}"
    );
    let mut bea = server.guest("Bea").await;
    assert_eq!(bea.ask(create.clone()).await["type"], "created");
    let (code, limit, message) = refusal(&bea.ask(create.clone()).await);
    assert_eq!((code, limit), (json!("too_many"), json!("3")));
    assert!(message.contains("your address"), "{message}");
    server.stop().await;
}
