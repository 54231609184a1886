//! Negative controls: with a fault planted in the servers, what the other tests look for is found.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::join;
use tokio::time::timeout;

use crate::cable::Way;
use crate::client::Client;
use crate::cluster::{Cluster, Hints};
use crate::duel::Duel;
use crate::node::Node;
use crate::patience::{PATIENCE, until};

/// Matches in which both connections of a player move at once.
const RACES: usize = 20;

/// Starts a node again with this planted.
async fn plant(node: &mut Node, planted: Option<&'static str>) {
    if let Some(name) = planted {
        node.kill().await;
        node.plant(name);
        node.start().await;
    }
}

async fn match_of(client: &mut Client) -> Value {
    let create = json!({"type": "create", "position": "nim:3,4,5", "side": "first", "opponent": {"type": "bot", "name": "perfect"}});
    client.get(create, "created").await["match"].clone()
}

/// How many first moves were accepted in matches in which one player moves on two nodes at once.
async fn moves_accepted(planted: Option<&'static str>) -> usize {
    let mut cluster = Cluster::start(2, Hints::Nats).await;
    for node in &mut cluster.nodes {
        plant(node, planted).await;
    }
    let mut here = Client::come(&cluster.nodes[0]).await;
    let mut there = here.go_to(&cluster.nodes[1]).await;
    let mut accepted = 0;
    for _ in 0..RACES {
        let id = match_of(&mut here).await;
        // The other node has the match before the race.
        let resume = json!({"type": "resume", "match": id, "since_seq": 0});
        there.get(resume, "attached").await;
        let mv = |text: &str| json!({"type": "move", "match": id, "ply": 1, "move": text});
        let (one, other) = join!(here.ask(mv("A-1")), there.ask(mv("B-1")));
        accepted += [one, other]
            .iter()
            .filter(|reply| reply["type"] == "accepted")
            .count();
        here.ask(json!({"type": "resign", "match": id})).await;
    }
    accepted
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_accept_one_move_and_without_expected_numbers_more() {
    assert_eq!(moves_accepted(None).await, RACES);
    assert!(moves_accepted(Some("ignore_expected")).await > RACES);
}

/// Whether a move was accepted whose commit cannot have reached the database.
async fn accepted_too_early(planted: Option<&'static str>) -> bool {
    let mut cluster = Cluster::start(2, Hints::Nats).await;
    // Two people: of a match against a built-in bot the store is asked before a move.
    let mut duel = Duel::begin(&cluster.nodes[0], &cluster.nodes[0], false).await;
    let id = duel.id.clone();
    plant(&mut cluster.nodes[0], planted).await;
    for player in [&mut duel.one, &mut duel.two] {
        *player = player.go_to(&cluster.nodes[0]).await;
        let resume = json!({"type": "resume", "match": id, "since_seq": 0});
        player.get(resume, "attached").await;
    }
    // The moves before it are stored.
    let mut witness = Client::come(&cluster.nodes[1]).await;
    witness
        .get(json!({"type": "watch", "match": id}), "attached")
        .await;
    duel.one.get(duel.mv(1, "A-1"), "accepted").await;
    duel.two.get(duel.mv(2, "A-1"), "accepted").await;
    witness.hears(&["moved", "\"ply\":2"]).await;
    cluster.to_database[0].set(Way::NothingUp);
    let mv = duel.mv(3, "C-1");
    // One that is planted comes at once; on a busy machine that may take a while.
    let patience = planted.map_or(Duration::from_secs(2), |_| PATIENCE);
    let reply = timeout(patience, duel.one.ask(mv)).await;
    let accepted = reply.is_ok_and(|reply| reply["type"] == "accepted");
    cluster.nodes[0].kill().await;
    let other = &cluster.nodes[1];
    until("the other node takes over", async || {
        other.logged().contains("took over")
    })
    .await;
    let record = json!({"type": "record", "match": id});
    let record = witness.get(record, "record").await.to_string();
    assert!(!record.contains("\"ply\":3"), "{record}");
    accepted
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_move_is_accepted_before_its_commit_and_a_planted_one_is() {
    assert!(!accepted_too_early(None).await);
    assert!(accepted_too_early(Some("acknowledge_before_commit")).await);
}
