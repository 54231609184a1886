//! What each way that can be cut does to connections; and connections that only one side still has, because the kernel drops the packets that would end them.

use std::time::Duration;

use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::cable::Way;
use crate::client::Client;
use crate::cluster::{Cluster, Hints, Plan};
use crate::duel::Duel;
use crate::node::Node;
use crate::patience::until;
use crate::postgres::ROLE;
use crate::wiring::Wires;

/// Reads under way when connections are forgotten: more than a server has connections for.
const READS: usize = 8;
/// A read that waits has reached the database in this time, and the database has not canceled it.
const ASKED: Duration = Duration::from_secs(2);

/// Nothing that passes takes longer on an idle machine.
const NOTHING: Duration = Duration::from_millis(700);

/// One server in a namespace of its own; `None` where that cannot be had.
async fn one_node() -> Option<Cluster> {
    if let Err(why) = Wires::try_namespaces() {
        eprintln!("not tried: no namespaces can be wired here ({why})");
        return None;
    }
    let plan = Plan {
        hints: Hints::None,
        wires: Wires::Namespaces,
        ..Plan::USUAL
    };
    Some(Cluster::start_as(1, plan).await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_database_forgets_a_server_that_died_behind_a_broken_wire() {
    let Some(mut cluster) = one_node().await else {
        return;
    };
    let sessions = format!("SELECT ARRAY[count(*)] FROM pg_stat_activity WHERE usename = '{ROLE}'");
    assert!(cluster.postgres.numbers(&sessions).await[0] > 1);
    cluster.to_database[0].set(Way::NothingUp);
    cluster.nodes[0].kill().await;
    // Each of its sessions takes one of the connections that the database allows.
    until("no session of it is left", async || {
        cluster.postgres.numbers(&sessions).await == [0]
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_whose_answers_never_come_are_given_up_and_the_next_ones_answered() {
    let Some(cluster) = one_node().await else {
        return;
    };
    let node = &cluster.nodes[0];
    let mut duel = Duel::begin(node, node, false).await;
    duel.one
        .get(json!({"type": "resign", "match": duel.id}), "done")
        .await;
    let record = json!({"type": "record", "match": duel.id});
    let mut readers = Vec::new();
    for _ in 0..READS {
        readers.push(Client::come(node).await);
    }
    let holder = cluster.postgres.hold("LOCK TABLE grundy.event").await;
    for reader in &mut readers {
        reader.send(record.clone()).await;
    }
    sleep(ASKED).await;
    cluster.to_database[0].set(Way::Forgotten);
    drop(holder);
    for mut reader in readers {
        let answer = reader.hears(&["\"re\":1"]).await;
        assert_eq!(answer["body"]["code"], "server_busy", "{answer}");
    }
    // A server alone on its database is ready during a stall, so only its answers tell when that is over.
    until("it can serve again", async || {
        let Ok(mut late) = Client::try_to_come(node).await else {
            return false;
        };
        late.ask(record.clone()).await["type"] == "record"
    })
    .await;
}

/// What clients notice of each way to a node.
async fn try_each_way(wires: Wires) {
    let plan = Plan {
        hints: Hints::None,
        wires,
        ..Plan::USUAL
    };
    let mut cluster = Cluster::start_as(1, plan).await;
    let cable = &cluster.to_nodes[0];
    if wires == Wires::Proxies {
        cluster.nodes[0].place(Vec::new(), cable.address());
    }
    let node = &cluster.nodes[0];
    let ping = json!({"type": "ping"});
    let mut client = Client::come(node).await;
    for way in [Way::NothingUp, Way::NothingDown] {
        cable.set(way);
        client.send(ping.clone()).await;
        let silent = client.hears_nothing_of("pong", NOTHING).await;
        assert!(silent, "{wires:?}: {way:?}");
        assert!(!is_reached(node).await, "{wires:?}: {way:?}");
        // What was on its way arrives.
        cable.set(Way::Open);
        client.hears(&["pong"]).await;
    }
    cable.set(Way::Slow);
    client.get(ping.clone(), "pong").await;
    cable.set(Way::Forgotten);
    client.send(ping.clone()).await;
    assert!(client.hears_nothing_of("pong", NOTHING).await, "{wires:?}");
    let mut client = Client::come(node).await;
    client.get(ping.clone(), "pong").await;
    cable.set(Way::Cut);
    // A connection on which nothing is said notices nothing over a wire.
    client.send(ping).await;
    client.hears_the_end().await;
    assert!(!is_reached(node).await, "{wires:?}");
    cable.set(Way::Open);
    until("it is reached again", async || is_reached(node).await).await;
}

/// Whether a node takes a new connection, and answers on it within a moment.
async fn is_reached(node: &Node) -> bool {
    let opened = timeout(NOTHING, Client::open(node)).await;
    matches!(opened, Ok(Some(_)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_way_through_a_proxy_is_what_it_says() {
    try_each_way(Wires::Proxies).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_way_over_a_wire_of_the_kernel_is_what_it_says() {
    match Wires::try_namespaces() {
        Ok(()) => try_each_way(Wires::Namespaces).await,
        Err(why) => eprintln!("not tried: no namespaces can be wired here ({why})"),
    }
}
