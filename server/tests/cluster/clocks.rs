//! Servers whose clocks have come apart.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;
use tokio::time::sleep;

use crate::cluster::{Cluster, Hints};
use crate::duel::Duel;
use crate::scenes::resume;

/// A process leaves this out of its clock.
const FROZEN: Duration = Duration::from_secs(6);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_stood_still_while_nobody_watched_starts_again_with_the_right_time() {
    let mut cluster = Cluster::start(1, Hints::None).await;
    let mut other = cluster.further("other");
    let node = &mut cluster.nodes[0];
    let mut duel = Duel::begin(node, node, true).await;
    duel.one.get(duel.mv(1, "A-1"), "accepted").await;
    duel.two.get(duel.mv(2, "A-1"), "accepted").await;
    node.signal(Signal::STOP);
    sleep(FROZEN).await;
    node.signal(Signal::CONT);
    let status = node.ended().await;
    assert_eq!(status.code(), Some(1), "{}", node.logged());
    let logged = node.logged();
    assert!(logged.contains("the clock of this server is"), "{logged}");
    // Nobody is charged for it, also where the players are on two servers then.
    node.start().await;
    other.start().await;
    let (mut one, mut two) = (duel.one.go_to(node).await, duel.two.go_to(&other).await);
    for player in [&mut one, &mut two] {
        player.get(resume(&duel.id), "attached").await;
    }
    one.get(duel.mv(3, "A-1"), "accepted").await;
    two.hears(&[duel.text(), "\"ply\":3"]).await;
    two.get(duel.mv(4, "B-1"), "accepted").await;
    let record = json!({"type": "record", "match": duel.id});
    let record = two.get(record, "record").await;
    let events = record["events"].as_array().expect("events").iter();
    let clocks = events.flat_map(|event| {
        let clocks = event["body"]["clocks"].as_object();
        clocks.into_iter().flat_map(|clocks| clocks.values())
    });
    let least = clocks.filter_map(serde_json::Value::as_u64).min();
    let charged = least.map(|least| u128::from(300_000 - least));
    assert!(
        charged.is_some_and(|charged| charged < FROZEN.as_millis()),
        "{charged:?} ms: {record}"
    );
}
