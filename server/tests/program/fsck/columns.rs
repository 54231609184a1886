//! Values that no column expects.

use std::path::Path;

use grundy_server::fsck::fsck;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{Commit, NodeId, Projection, Store, StoreError, last_heartbeat};
use grundy_shared::ids::{MatchId, Millis, ServerId};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tempfile::TempDir;

use super::reviews::{keep, review_of};
use super::{at, places, store_steps, tamper};
use crate::{blobs, played};

/// What no column expects, each in some: a text, numbers below and beyond, none at all, no integer, bytes, and no UTF-8.
const STRANGE: [&str; 7] = [
    "'abc'",
    "-3",
    "NULL",
    "9223372036854775807",
    "1.5",
    "x'00'",
    "CAST(x'ff' AS TEXT)",
];

/// Puts a value where it does not belong, behind the back of the laws of the table. Whether something is there now that was not.
async fn force(path: &Path, table: &str, column: &str, place: &str, value: &str) -> bool {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .foreign_keys(false);
    let mut connection = options.connect().await.unwrap();
    let schema: Vec<(String, String)> =
        sqlx::query_as("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
            .fetch_all(&mut connection)
            .await
            .unwrap();
    let seen = format!("SELECT typeof({column}) || hex({column}) FROM {table} WHERE {place}");
    let before: String = sqlx::query_scalar(AssertSqlSafe(seen.clone()))
        .fetch_one(&mut connection)
        .await
        .unwrap();
    sqlx::raw_sql(
        "PRAGMA synchronous = OFF; PRAGMA writable_schema = ON; PRAGMA ignore_check_constraints = ON; \
         UPDATE sqlite_schema SET sql = replace(replace(replace(sql, ') STRICT, ', ') '), ') STRICT', ')'), 'NOT NULL', '') WHERE type = 'table'; \
         PRAGMA writable_schema = RESET;",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    let update = format!("UPDATE {table} SET {column} = {value} WHERE {place}");
    // A key refuses some values whatever its table says.
    let stored = sqlx::raw_sql(AssertSqlSafe(update)).execute(&mut connection);
    let stored = stored.await.is_ok();
    let after: Option<String> = sqlx::query_scalar(AssertSqlSafe(seen))
        .fetch_optional(&mut connection)
        .await
        .unwrap();
    sqlx::raw_sql("PRAGMA writable_schema = ON;")
        .execute(&mut connection)
        .await
        .unwrap();
    for (name, sql) in schema {
        sqlx::query("UPDATE sqlite_schema SET sql = ?1 WHERE type = 'table' AND name = ?2")
            .bind(sql)
            .bind(name)
            .execute(&mut connection)
            .await
            .unwrap();
    }
    connection.close().await.unwrap();
    stored && after.is_none_or(|after| after != before)
}

#[tokio::test]
async fn whatever_a_column_holds_is_reported_and_the_rest_is_checked_and_played() {
    let directory = TempDir::new().unwrap();
    let sound = directory.path().join("sound.db");
    let store = SqliteStore::open(&sound).await.unwrap();
    let lease = played::lease(&store).await;
    played::players(&store, lease).await;
    let finished = played::match_of(2, "nim:2,3");
    store_steps(&store, lease, &played::match_of(1, "nim:5,5"), 4).await;
    store_steps(&store, lease, &finished, finished.steps.len()).await;
    store_steps(&store, lease, &played::match_of(3, "nim:5,5"), 4).await;
    let closed = played::match_of(4, "nim:2,3");
    store_steps(&store, lease, &closed, closed.steps.len()).await;
    keep(&store, lease, 4, review_of(&closed)).await;
    store.heartbeat(lease, Millis(5)).await.unwrap();
    let server = Projection::Server(ServerId::from_random(7));
    let secret = Projection::AddressSecret([7; 32].into());
    let server = Commit::default().with(server).with(secret);
    assert_eq!(store.commit(lease, vec![server]).await, [Ok(())]);
    store.close().await;
    // What is to be found whatever else is wrong.
    tamper(&sound, "INSERT INTO join_code VALUES ('KWQHRMTB', 3, 5)").await;
    blobs::change_event(&sound, 2, 3, |event| event.body = b"{}".to_vec()).await;
    let known = places(&fsck(&sound).await.unwrap());
    assert_eq!(known, [at(2, 3)]);
    let of_match = "id start clock first_id first_name first_bot second_id second_name second_bot status outcome reason \
                    plies created_at ended_at rematch_of";
    for (table, place, columns) in [
        ("match", "number = 1", of_match),
        ("match", "number = 4", "log_count log_head"),
        ("segment", "stream = 4", "stream first last body"),
        ("stream", "number = 4", "number kind id"),
        ("batch", "number = 4", "number body"),
        ("join_code", "match = 3", "code match expires_at"),
        (
            "player",
            "name = 'player 1'",
            "id name bot created_at name_key version codes known",
        ),
        ("token", "name = 'guest'", "hash player scopes created_at"),
        ("node", "id = 1", "heartbeat"),
        ("server", "one = 1", "id"),
        ("address_secret", "one = 1", "secret"),
        ("review", "match = 4", "match solver bytes body"),
    ] {
        for column in columns.split_whitespace() {
            for (number, value) in STRANGE.into_iter().enumerate() {
                let what = format!("{table}.{column} = {value}");
                // A name of its own: what was closed last may still be at tidying up after itself.
                let path = directory
                    .path()
                    .join(format!("{table}-{column}-{number}.db"));
                std::fs::copy(&sound, &path).unwrap();
                if !force(&path, table, column, place, value).await {
                    continue;
                }
                let report = fsck(&path)
                    .await
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                let places = places(&report);
                assert!(places.contains(&known[0]), "{what}: {report}");
                // A moment may be any.
                let late = value.len() > 10
                    && ["created_at", "expires_at", "heartbeat", "number", "version"]
                        .contains(&column)
                    && table != "match";
                // A node that never said that it is alive.
                let silent = table == "node" && value == "NULL";
                assert!(late || silent || places.len() > 1, "{what}: {report}");
                let bits = if place.ends_with("= 4") { 4 } else { 1 };
                let named = Some(MatchId::from_random(bits));
                if ["match", "segment"].contains(&table) && !["id", "stream"].contains(&column) {
                    let named = places
                        .iter()
                        .filter(|place| place.0 == named && **place != known[0]);
                    assert!(named.count() > 0, "{what}: {report}");
                }
                // Of the other columns a start reads nothing.
                if !["batch", "segment", "stream", "node"].contains(&table)
                    && !["id", "status"].contains(&column)
                {
                    continue;
                }
                let store = match SqliteStore::open(&path).await {
                    Ok(store) => store,
                    // Whose events are lost cannot be told.
                    Err(StoreError::Corrupt { .. }) if ["batch", "stream"].contains(&table) => {
                        continue;
                    }
                    Err(error) => panic!("{what}: {error}"),
                };
                assert!(late || (table, column) != ("batch", "body"), "{what}");
                if table == "node" && !late {
                    let last = async || last_heartbeat(&store, NodeId::ONLY).await;
                    assert_eq!(last().await, Ok(None), "{what}");
                    let lease = played::lease(&store).await;
                    assert_eq!(store.heartbeat(lease, Millis(7)).await, Ok(()), "{what}");
                    assert_eq!(last().await, Ok(Some(Millis(7))), "{what}");
                }
                let live = store
                    .live(NodeId::ONLY, None)
                    .await
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                let healthy = live.iter().find(|live| live.id == MatchId::from_random(3));
                assert!(healthy.is_some_and(|live| live.log.is_ok()), "{what}");
                store.close().await;
            }
        }
    }
}
