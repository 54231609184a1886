//! What an attempt to sign in costs the server: the same hashes, whether there is such a player or not.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use crate::common::{Client, Plan, Server};
use futures::future::join_all;
use grundy_server::metrics::ByPurpose;
use serde_json::{Value, json};

const PASSWORD: &str = "correct horse";
const OTHER: &str = "battery staple";

fn login(name: &str, password: &str) -> Value {
    json!({"type":"login","name":name,"password":password})
}

fn recover(name: &str) -> Value {
    json!({"type":"recover","name":name,"code":"AAAA-AAAA-AAAA-AAAA","password":OTHER})
}

/// A server with one account that has a password, Ann's, and one that has none, Bo's.
async fn with_ann(at_account: u32) -> (Server, [Client; 2]) {
    let plan = Plan::with(|config| {
        config.limits.logins_per_minute_per_account = at_account;
        config.limits.logins_per_ten_minutes_per_address = 1_000;
    });
    let server = plan.start().await;
    let (mut ann, bo) = (server.guest("Ann").await, server.guest("Bo").await);
    let set = json!({"type":"set_password","password":PASSWORD});
    assert_eq!(ann.ask(set).await["type"], "done");
    (server, [ann, bo])
}

/// The code of the refusal, and how many passwords were hashed for it.
async fn cost(server: &Server, ask: Value) -> (String, u64) {
    let before = server.app.metrics.password_hashes.get();
    let refused = server.connect().await.ask(ask).await;
    let code = refused["code"].as_str().unwrap_or("none").to_owned();
    (code, server.app.metrics.password_hashes.get() - before)
}

#[tokio::test]
async fn an_attempt_costs_one_hash_whomever_it_names() {
    let (server, _players) = with_ann(1_000).await;
    assert_eq!(server.app.metrics.password_hashes.get(), 1, "Ann's own");
    // A wrong password, a player without one, and names that nobody has.
    for name in ["Ann", "Bo", "Nobody", "", "perfect"] {
        let expected = ("bad_credentials".to_owned(), 1);
        assert_eq!(cost(&server, login(name, OTHER)).await, expected, "{name}");
        assert_eq!(cost(&server, login(name, "")).await, expected, "{name}");
        assert_eq!(cost(&server, recover(name)).await, expected, "{name}");
        let long = "x".repeat(1_025);
        let expected = ("out_of_range".to_owned(), 0);
        assert_eq!(cost(&server, login(name, &long)).await, expected, "{name}");
    }
    let right = cost(&server, login("Ann", PASSWORD)).await;
    assert_eq!(right, ("none".to_owned(), 1));
    server.stop().await;
}

#[tokio::test]
async fn what_is_refused_by_a_limit_costs_no_hash_whomever_it_names() {
    let (server, _players) = with_ann(2).await;
    for name in ["Ann", "Bo", "Nobody"] {
        let mut costs = Vec::new();
        for _ in 0..4 {
            costs.push(cost(&server, login(name, OTHER)).await);
        }
        let wrong = ("bad_credentials".to_owned(), 1);
        let limited = ("too_many_attempts".to_owned(), 0);
        let expected = [&wrong, &wrong, &limited, &limited].map(Clone::clone);
        assert_eq!(costs, expected, "{name}");
    }
    server.stop().await;
}

/// Two are tried at a time (`analysis/schedule/tests.rs`) and few wait; the others are refused before anything is hashed.
#[tokio::test]
async fn of_a_crowd_that_signs_in_at_once_only_those_who_are_answered_cost_a_hash() {
    let (server, _players) = with_ann(1_000).await;
    let before = server.app.metrics.password_hashes.get();
    let names = ["Ann", "Nobody"];
    let attempts = (0..60_u8).map(|number| {
        let (server, name) = (&server, names[usize::from(number % 2)]);
        async move {
            let source = Ipv4Addr::new(127, 0, 1, 1 + number % 10);
            let client = server.try_connect_from(source).await;
            let refused = client.expect("a socket").ask(login(name, OTHER)).await;
            refused["code"].as_str().expect("a refusal").to_owned()
        }
    });
    let mut codes = BTreeMap::<String, u64>::new();
    for code in join_all(attempts).await {
        *codes.entry(code).or_default() += 1;
    }
    let tried = codes.remove("bad_credentials").unwrap_or_default();
    let busy = codes.remove("server_busy").unwrap_or_default();
    assert_eq!((tried + busy, codes.len()), (60, 0), "{codes:?}");
    assert!(tried > 0);
    // Each attempt is hashed, or found no place, or was given up before its turn. On a slow machine some may still wait for their turn.
    let (metrics, purpose) = (&server.app.metrics, "secret");
    let refused = metrics
        .solver_queue
        .refused
        .get_or_create(&ByPurpose { purpose })
        .get();
    let dropped = metrics.solver_queue.dropped(purpose);
    let hashed = metrics.password_hashes.get() - before;
    assert!(refused > 0, "60 at once are more than may wait");
    assert!(tried <= hashed, "{hashed} for {tried}");
    assert!(
        hashed + refused + dropped <= 60,
        "{hashed} {refused} {dropped}"
    );
    server.stop().await;
}
