//! Summaries that another program has changed: never shown as fact.

use std::path::Path;
use std::sync::Arc;

use crate::blobs::other_hand;
use crate::common::{Client, Plan, Server};
use crate::ratings::lost_pair;
use grundy_server::data;
use grundy_server::fsck;
use grundy_server::store::Store;
use grundy_server::store::sqlite::SqliteStore;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection};
use tempfile::TempDir;

/// A change of each column that a list shows; `:match` stands for the match.
const SHOWN: [&str; 17] = [
    "start = 'nim:9,9'",
    "clock = '{\"type\":\"per_move\",\"move_ms\":9000}'",
    "first_id = randomblob(16)",
    "first_name = 'Somebody'",
    "first_bot = 1 - first_bot",
    "second_id = first_id",
    "second_name = 'Nobody'",
    "status = 'live'",
    "outcome = CASE outcome WHEN 'first' THEN 'second' ELSE 'first' END",
    "reason = 'time'",
    "plies = plies + 1",
    "created_at = created_at - 1",
    "ended_at = ended_at + 1",
    "series = '{\"id\":\"' || hex(randomblob(4)) || '\"}'",
    "mistakes_first = 3, mistakes_second = 4",
    "outcome = NULL, reason = NULL",
    "seal = NULL",
];

async fn on_disk(directory: &Path) -> (Server, Arc<dyn Store>) {
    let store = SqliteStore::open(&data::location(directory)).await;
    let store: Arc<dyn Store> = Arc::new(store.expect("a database"));
    let plan = Plan {
        store: Arc::clone(&store),
        ..Plan::default()
    };
    (plan.start().await, store)
}

async fn change(directory: &Path, statements: &str) {
    let mut connection = other_hand(&data::location(directory)).await;
    sqlx::raw_sql(AssertSqlSafe(statements.to_owned()))
        .execute(&mut connection)
        .await
        .unwrap_or_else(|error| panic!("{statements}: {error}"));
    connection.close().await.expect("closed");
}

async fn played(server: &Server, count: usize) -> Vec<String> {
    let mut matches = Vec::new();
    for _ in 0..count {
        let (mut first, mut second, id) = server.pair("nim:3,5").await;
        assert_eq!(first.play(&id, 1, "A-1").await["type"], "accepted");
        assert_eq!(second.play(&id, 2, "A-1").await["type"], "accepted");
        first.ask(json!({"type":"resign","match":id})).await;
        matches.push(id);
    }
    matches
}

async fn listed(client: &mut Client) -> (Vec<String>, Value) {
    let page = client
        .ask(json!({"type":"list","status":"over","limit":200}))
        .await;
    let matches = page["matches"].as_array();
    let matches = matches.unwrap_or_else(|| panic!("{page}"));
    let id = |entry: &Value| entry["match"].as_str().expect("an id").to_owned();
    (matches.iter().map(id).collect(), page["unverified"].clone())
}

#[tokio::test]
async fn a_list_leaves_out_every_summary_that_was_changed_and_says_so() {
    let directory = TempDir::new().expect("a directory");
    let (server, store) = on_disk(directory.path()).await;
    let matches = played(&server, SHOWN.len() + 1).await;
    server.stop().await;
    store.close().await;
    for (number, column) in (1..).zip(SHOWN) {
        let statement = format!("UPDATE match SET {column} WHERE number = {number}");
        change(directory.path(), &statement).await;
    }

    let (server, store) = on_disk(directory.path()).await;
    let mut reader = server.guest("reader").await;
    let mut all = Vec::new();
    let mut unverified = 0;
    for status in ["over", "live"] {
        let page = reader
            .ask(json!({"type":"list","status":status,"limit":200}))
            .await;
        let entries = page["matches"].as_array().expect("a page");
        all.extend(entries.iter().map(|entry| entry["match"].clone()));
        unverified += page["unverified"].as_u64().unwrap_or(0);
    }
    assert_eq!(all, [json!(matches[SHOWN.len()])]);
    assert_eq!(unverified as usize, SHOWN.len());
    assert_eq!(store.gauges().unverified as usize, SHOWN.len());
    server.stop().await;
    store.close().await;
}

#[tokio::test]
async fn a_leaderboard_leaves_out_a_rating_that_was_changed() {
    let directory = TempDir::new().expect("a directory");
    let (server, store) = on_disk(directory.path()).await;
    lost_pair(&server).await;
    server.stop().await;
    store.close().await;
    let raise = "UPDATE rating SET rating = rating + 50000 WHERE rating > 150000";
    change(directory.path(), raise).await;

    let (server, store) = on_disk(directory.path()).await;
    let mut reader = server.guest("reader").await;
    let board = json!({"type":"leaderboard","family":"nim","provisional":true});
    let board = reader.ask(board).await;
    let entries = board["entries"].as_array().expect("entries");
    assert_eq!(entries.len(), 1, "{board}");
    assert!(entries[0]["rating"].as_i64() < Some(1_500), "{board}");
    assert_eq!(store.gauges().unverified, 1);
    server.stop().await;
    store.close().await;
}

/// A server with an error in it could seal what does not follow from the log; here an operator has accepted it. Counting mistakes reads logs, too.
#[tokio::test]
async fn a_summary_that_contradicts_its_log_is_left_out_once_the_log_is_read() {
    let directory = TempDir::new().expect("a directory");
    let (server, store) = on_disk(directory.path()).await;
    let matches = played(&server, 2).await;
    server.stop().await;
    store.close().await;
    change(
        directory.path(),
        "UPDATE match SET plies = 40 WHERE number = 1",
    )
    .await;
    let reports = fsck::accept(&data::location(directory.path())).await;
    let [before, after] = reports.expect("it can be accepted");
    assert_eq!(
        (before.problems, after.problems),
        (3, 1),
        "{before}\n{after}"
    );

    let (server, store) = on_disk(directory.path()).await;
    let mut reader = server.guest("reader").await;
    for id in &matches {
        let record = reader.ask(json!({"type":"record","match":id})).await;
        assert_eq!(record["type"], "record", "the log is sound: {record}");
    }
    let (left, unverified) = listed(&mut reader).await;
    assert_eq!((left, unverified), (vec![matches[1].clone()], json!(1)));
    server.stop().await;
    store.close().await;
}
