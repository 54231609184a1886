//! A cluster as a proxy and an operator's monitoring see it.

use serde_json::json;

use crate::cable::Way;
use crate::client::Client;
use crate::cluster::{Cluster, Hints};
use crate::duel::Duel;
use crate::patience::until;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn metrics_tell_of_servers_take_overs_and_what_passes_between_servers() {
    let mut cluster = Cluster::start(2, Hints::Nats).await;
    let [a, b] = &mut cluster.nodes[..] else {
        panic!("two nodes");
    };
    for node in [&*a, &*b] {
        until("both live", async || {
            node.has_metric("grundy_servers_alive 2").await
        })
        .await;
        until("the bus", async || {
            node.has_metric("grundy_bus_connected 1").await
        })
        .await;
        // The database's disk and log are on another machine.
        for absent in ["grundy_disk_free_bytes", "grundy_wal_bytes"] {
            assert!(!node.has_metric(absent).await, "{absent}");
        }
        assert!(node.has_metric("grundy_heartbeat_age_seconds").await);
    }
    let mut duel = Duel::begin(a, b, false).await;
    duel.one.get(duel.mv(1, "A-1"), "accepted").await;
    let id = duel.text().to_owned();
    duel.two.hears(&[&id, "moved"]).await;
    let timed = b.metric("grundy_between_servers_seconds_count").await;
    assert!(timed > 0.0);
    let dead = "grundy_takeovers_total{reason=\"dead\"}";
    assert!(!b.has_metric(dead).await);
    a.kill().await;
    until("it was taken over", async || b.has_metric(dead).await).await;
    until("one lives", async || {
        b.metric("grundy_servers_alive").await < 2.0
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stall_of_the_database_leaves_every_server_ready() {
    let cluster = Cluster::start(2, Hints::Nats).await;
    let [a, b] = &cluster.nodes[..] else {
        panic!("two nodes");
    };
    let mut one = Client::come(a).await;
    let lock = "LOCK TABLE grundy.tally IN ACCESS EXCLUSIVE MODE";
    let holder = cluster.postgres.hold(lock).await;
    // It waits for the lock.
    let create = json!({"type": "create", "position": "nim:3,4,5", "opponent": {"type": "invite"}});
    one.send(create).await;
    let began = tokio::time::Instant::now();
    while began.elapsed() < std::time::Duration::from_secs(3) {
        for node in [a, b] {
            assert!(node.is_ready().await);
        }
    }
    drop(holder);
    one.hears(&["created"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_alone_loses_the_database_is_not_ready() {
    let cluster = Cluster::start(2, Hints::Nats).await;
    let [a, b] = &cluster.nodes[..] else {
        panic!("two nodes");
    };
    for node in [a, b] {
        until("both live", async || {
            node.has_metric("grundy_servers_alive 2").await
        })
        .await;
    }
    cluster.to_database[0].set(Way::NothingUp);
    until("it is not ready", async || !a.is_ready().await).await;
    assert!(b.is_ready().await);
}
