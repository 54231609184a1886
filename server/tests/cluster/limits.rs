//! Limits that hold over all servers: what is used up on one is used up on the others about a second later.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::cable::Way;
use crate::client::Client;
use crate::cluster::{Cluster, Hints};
use crate::patience::until;

/// Limits that a few clients reach.
const SMALL: [(&str, &str); 5] = [
    ("GRUNDYD_TRUSTED__ADDRESSES", ""),
    ("GRUNDYD_LIMITS__CODE_GUESSES_PER_MINUTE", "10"),
    ("GRUNDYD_LIMITS__GUESTS_PER_MINUTE_PER_ADDRESS", "10"),
    ("GRUNDYD_LIMITS__CONNECTIONS_PER_ADDRESS", "14"),
    ("GRUNDYD_QUOTAS__MATCHES_PER_PLAYER", "5"),
];
/// One wrong code, and one guest, is refilled in so long.
const REFILL: Duration = Duration::from_secs(6);

/// Waits until what happened before is known on all servers: each reports and reads twice.
async fn all_have_heard(cluster: &Cluster) {
    let reports = async || {
        let question = "SELECT array_agg(at ORDER BY node) FROM grundy.held";
        cluster.postgres.numbers(question).await
    };
    let count = cluster.nodes.len();
    until("every server reports", async || {
        reports().await.len() == count
    })
    .await;
    for _ in 0..2 {
        let before = reports().await;
        until("every server reports", async || {
            let now = reports().await;
            before.iter().zip(now).all(|(before, now)| now > *before)
        })
        .await;
    }
}

/// How many of so many attempts succeed before the first that is refused with `rate_limited`; and what was allowed if each limit has been 10, the first use was then and
/// whatever was refilled since was used.
fn allowed(began: Instant) -> u64 {
    10 + began.elapsed().as_secs() / REFILL.as_secs() + 1
}

fn invite() -> Value {
    json!({"type": "create", "position": "nim:3,4,5", "side": "first", "opponent": {"type": "invite"}})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_used_up_on_one_node_is_used_up_on_the_other() {
    let cluster = Cluster::start_with(2, Hints::None, &SMALL).await;
    let [a, b] = &cluster.nodes[..] else {
        panic!("two nodes");
    };
    let began = Instant::now();
    let mut here = Client::come(a).await;
    let mut there = here.go_to(b).await;
    let guess = json!({"type": "join", "code": "KWQHRMTB"});
    let mut guesses = 0;
    for _ in 0..8 {
        assert_eq!(here.ask(guess.clone()).await["code"], "no_such_code");
        guesses += 1;
    }
    for _ in 0..3 {
        here.get(invite(), "created").await;
    }
    all_have_heard(&cluster).await;
    while there.ask(guess.clone()).await["code"] == "no_such_code" {
        guesses += 1;
    }
    assert!(guesses <= allowed(began), "{guesses} guesses");
    // A day's quota: hardly anything is refilled meanwhile.
    let mut matches = 3;
    let refused = loop {
        let reply = there.ask(invite()).await;
        if reply["type"] != "created" {
            break reply;
        }
        matches += 1;
    };
    assert_eq!(
        (&refused["code"], matches),
        (&json!("rate_limited"), 5),
        "{refused}"
    );
    all_have_heard(&cluster).await;
    let refused = here.ask(invite()).await;
    assert_eq!(refused["code"], "rate_limited", "{refused}");
    // One was a guest before.
    let mut guests = vec![here, there];
    let first = guests.len();
    for _ in 0..7 {
        guests.push(Client::come(a).await);
    }
    all_have_heard(&cluster).await;
    let refused = loop {
        match Client::try_to_come(b).await {
            Ok(client) => guests.push(client),
            Err(reply) => break reply,
        }
    };
    assert_eq!(refused["code"], "rate_limited", "{refused}");
    let came = (guests.len() - first + 1) as u64;
    assert!(came <= allowed(began), "{came} guests");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_of_an_address_are_counted_on_all_nodes_that_live() {
    let mut cluster = Cluster::start_with(2, Hints::None, &SMALL).await;
    let mut open = Vec::new();
    for _ in 0..9 {
        open.push(Client::open(&cluster.nodes[0]).await.expect("room"));
    }
    all_have_heard(&cluster).await;
    let mut there = Vec::new();
    while let Some(socket) = Client::open(&cluster.nodes[1]).await {
        there.push(socket);
        assert!(there.len() <= 14, "nobody counts");
    }
    assert_eq!(open.len() + there.len(), 14);
    // What a dead server held is free again.
    cluster.nodes[0].kill().await;
    let node = &cluster.nodes[1];
    until("there is room again", async || {
        Client::open(node).await.is_some()
    })
    .await;
    assert_eq!(there.len(), 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_cannot_reach_the_database_counts_alone_and_tells_later() {
    let cluster = Cluster::start_with(2, Hints::None, &SMALL).await;
    let [a, b] = &cluster.nodes[..] else {
        panic!("two nodes");
    };
    let began = Instant::now();
    let mut here = Client::come(a).await;
    let mut there = here.go_to(b).await;
    let guess = json!({"type": "join", "code": "KWQHRMTB"});
    let mut guesses = 0;
    for _ in 0..5 {
        assert_eq!(here.ask(guess.clone()).await["code"], "no_such_code");
        guesses += 1;
    }
    cluster.to_database[0].set(Way::Cut);
    // Nobody waits for the report: this is answered without the database.
    let reply = here.ask(json!({"type": "ping"})).await;
    assert_ne!(reply["type"], Value::Null, "{reply}");
    cluster.to_database[0].set(Way::Open);
    all_have_heard(&cluster).await;
    while there.ask(guess.clone()).await["code"] == "no_such_code" {
        guesses += 1;
    }
    assert!(guesses <= allowed(began), "{guesses} guesses");
}
