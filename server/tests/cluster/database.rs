//! What becomes of a cluster when its database is full, promoted without the last commits, or has no connection left.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::cluster::{Cluster, Hints, Plan};
use crate::duel::Duel;
use crate::patience::until;
use crate::postgres::{Disk, Restart};
use crate::scenes::resume;

/// More than a full disk has room for.
const MATCHES_ON_A_FULL_DISK: usize = 500;

/// How many moves a match has, as this node has it stored.
async fn moves_stored(cluster: &Cluster, number: usize, duel: &Duel) -> usize {
    let mut witness = duel.one.go_to(&cluster.nodes[number]).await;
    let record = json!({"type": "record", "match": duel.id});
    let record = witness.get(record, "record").await.to_string();
    record.matches("\"moved\"").count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_that_lacks_commits_is_not_served_from_not_even_after_a_restart() {
    let mut cluster = Cluster::start(2, Hints::Nats).await;
    let mut duel = Duel::begin(&cluster.nodes[0], &cluster.nodes[1], false).await;
    cluster.postgres.copy();
    duel.one.get(duel.mv(1, "A-1"), "accepted").await;
    duel.two.get(duel.mv(2, "A-1"), "accepted").await;
    cluster.postgres.fail_over();
    for node in &mut cluster.nodes {
        let status = node.ended().await;
        assert_eq!(status.code(), Some(1), "{}", node.logged());
        let logged = node.logged();
        assert!(
            logged.contains("lacks commits that were acknowledged"),
            "{logged}"
        );
    }
    // What a supervisor does.
    let refused = cluster.nodes[0].try_start(&[]).await;
    let refused = refused.expect_err("it does not go on from the past");
    assert!(
        refused.contains("lacks commits that were acknowledged"),
        "{refused}"
    );
    assert!(refused.contains("--accept-loss"), "{refused}");
    // The operator knows.
    let started = cluster.nodes[0].try_start(&["--accept-loss"]).await;
    assert_eq!(started, Ok(()));
    assert_eq!(moves_stored(&cluster, 0, &duel).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_lacks_nothing_stops_where_another_one_lacks_commits() {
    let mut cluster = Cluster::start(2, Hints::Nats).await;
    let [a, b] = &mut cluster.nodes[..] else {
        panic!("two nodes");
    };
    let mut duel = Duel::begin(a, a, false).await;
    // It acknowledges nothing that the standby lacks.
    b.signal(Signal::STOP);
    cluster.postgres.copy();
    duel.one.get(duel.mv(1, "A-1"), "accepted").await;
    cluster.postgres.fail_over();
    b.signal(Signal::CONT);
    for node in [&mut *a, &mut *b] {
        let status = node.ended().await;
        assert_eq!(status.code(), Some(1), "{}", node.logged());
    }
    for node in [&mut *b, &mut *a] {
        let refused = node.try_start(&[]).await;
        let refused = refused.expect_err("it does not go on from the past");
        assert!(
            refused.contains("lacks commits that were acknowledged"),
            "{refused}"
        );
    }
    // The operator knows, and tells one after the other.
    for node in [&mut *b, &mut *a] {
        assert_eq!(node.try_start(&["--accept-loss"]).await, Ok(()));
    }
    until("it is ready", async || b.is_ready().await).await;
    assert_eq!(moves_stored(&cluster, 0, &duel).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moves_are_flushed_also_after_the_database_was_told_not_to() {
    let mut cluster = Cluster::start(1, Hints::None).await;
    let node = &cluster.nodes[0];
    let mut duel = Duel::begin(node, node, false).await;
    // What commits do not flush is flushed ten seconds later.
    for statement in [
        "ALTER SYSTEM SET wal_writer_delay = '10s'",
        "ALTER SYSTEM SET synchronous_commit = off",
        "SELECT pg_reload_conf()",
    ] {
        cluster.postgres.run("postgres", statement).await;
    }
    let owner = &cluster.postgres;
    until("the database has heard of it", async || {
        let query = "SELECT ARRAY[(current_setting('synchronous_commit') = 'off')::int::bigint]";
        owner.numbers(query).await == [1]
    })
    .await;
    duel.one.get(duel.mv(1, "A-1"), "accepted").await;
    duel.two.get(duel.mv(2, "A-1"), "accepted").await;
    duel.one.get(duel.mv(3, "A-1"), "accepted").await;
    cluster.postgres.restart(Restart::Kill);
    let moves = "SELECT ARRAY[count(*)] FROM grundy.event WHERE convert_from(body, 'UTF8') LIKE '%\"moved\"%'";
    assert_eq!(cluster.postgres.numbers(moves).await, [3]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_of_the_database_loses_nothing_and_ends_by_itself() {
    let plan = Plan {
        disk: Disk::Own(200),
        ..Plan::USUAL
    };
    let mut cluster = Cluster::start_as(2, plan).await;
    if !cluster.postgres.can_be_filled() {
        eprintln!("not tried: nobody may mount a disk here");
        return;
    }
    let mut duel = Duel::begin(&cluster.nodes[0], &cluster.nodes[1], false).await;
    duel.one.get(duel.mv(1, "A-1"), "accepted").await;
    cluster.postgres.fill();
    // Each match needs room.
    let mut refused = Value::Null;
    for _ in 0..MATCHES_ON_A_FULL_DISK {
        let create = json!({"type": "create", "position": "nim:3,4,5", "opponent": {"type": "bot", "name": "perfect"}});
        let reply = duel.one.ask(create).await;
        if reply["type"] == "error" {
            refused = reply;
            break;
        }
        let resign = json!({"type": "resign", "match": reply["match"]});
        duel.one.ask(resign).await;
    }
    let code = refused["code"].as_str().unwrap_or_default();
    assert!(["read_only", "server_busy"].contains(&code), "{refused}");
    cluster.postgres.free();
    until("a node that can write", async || {
        cluster.nodes[0].is_ready().await
    })
    .await;
    let mut back = duel.two.go_to(&cluster.nodes[0]).await;
    back.get(resume(&duel.id), "attached").await;
    back.get(duel.mv(2, "A-1"), "accepted").await;
    assert_eq!(moves_stored(&cluster, 0, &duel).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_that_somebody_holds_for_seconds_fence_nobody() {
    // Four a second; after two seconds without them others take a server for dead.
    const BEATS: i64 = 9;
    let mut cluster = Cluster::start(2, Hints::Nats).await;
    let mut duel = Duel::begin(&cluster.nodes[0], &cluster.nodes[1], false).await;
    let signs =
        "SELECT ARRAY(SELECT sum(mark)::bigint FROM grundy.life GROUP BY node ORDER BY node)";
    let holder = cluster.postgres.hold_rows().await;
    let before = cluster.postgres.numbers(signs).await;
    // A write in each lane of each server waits.
    let create = json!({"type": "create", "position": "nim:3,4,5"});
    duel.one.send(duel.mv(1, "A-1")).await;
    duel.one.send(create.clone()).await;
    duel.two.send(create).await;
    until(
        "both servers have given signs for long enough",
        async || {
            let now = cluster.postgres.numbers(signs).await;
            let mut grown = before.iter().zip(&now);
            grown.all(|(before, now)| now - before >= BEATS)
        },
    )
    .await;
    drop(holder);
    // Where this took long, it was refused.
    duel.one.ask(duel.mv(1, "A-1")).await;
    let id = duel.text().to_owned();
    duel.two.hears(&[&id, "\"ply\":1"]).await;
    duel.two.get(duel.mv(2, "A-1"), "accepted").await;
    for node in &mut cluster.nodes {
        assert!(!node.logged().contains("took over"), "{}", node.logged());
    }
}
