//! Changes what a database holds of logs, behind the server's back: the blobs of `segment` and `batch`, by their form
//! as `server/src/store/sqlite/entries.rs` describes it.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

/// One event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) stream: u64,
    pub(crate) seq: u64,
    pub(crate) hash: Vec<u8>,
    pub(crate) body: Vec<u8>,
}

fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// The events of a blob.
pub(crate) fn read(mut blob: &[u8]) -> Vec<Entry> {
    let mut entries = Vec::new();
    while !blob.is_empty() {
        let end = 52 + number(&blob[48..52]) as usize;
        entries.push(Entry {
            stream: number(&blob[..8]),
            seq: number(&blob[8..16]),
            hash: blob[16..48].to_vec(),
            body: blob[52..end].to_vec(),
        });
        blob = &blob[end..];
    }
    entries
}

fn write(entries: &[Entry]) -> Vec<u8> {
    let mut blob = Vec::new();
    for entry in entries {
        blob.extend(entry.stream.to_be_bytes());
        blob.extend(entry.seq.to_be_bytes());
        blob.extend(&entry.hash);
        blob.extend((entry.body.len() as u32).to_be_bytes());
        blob.extend(&entry.body);
    }
    blob
}

/// Another hand on the same file.
pub(crate) async fn other_hand(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .foreign_keys(false)
        .connect()
        .await
        .unwrap()
}

/// Changes the events of every blob; whether any had some that were to be changed.
pub(crate) async fn change(path: &Path, mut change: impl FnMut(&mut Vec<Entry>)) {
    let mut connection = other_hand(path).await;
    let mut changed = false;
    for table in ["segment", "batch"] {
        let select = format!("SELECT rowid, body FROM {table}");
        let rows: Vec<(i64, Vec<u8>)> = sqlx::query_as(AssertSqlSafe(select))
            .fetch_all(&mut connection)
            .await
            .unwrap();
        for (rowid, blob) in rows {
            let mut entries = read(&blob);
            assert_eq!(write(&entries), blob, "the form is as described");
            change(&mut entries);
            let update = format!("UPDATE {table} SET body = ?1 WHERE rowid = ?2");
            let blob_now = write(&entries);
            changed |= blob_now != blob;
            if entries.is_empty() {
                let delete = format!("DELETE FROM {table} WHERE rowid = ?1");
                let delete = sqlx::query(AssertSqlSafe(delete)).bind(rowid);
                delete.execute(&mut connection).await.unwrap();
            } else if let (Some(first), Some(last)) = (entries.first(), entries.last())
                && table == "segment"
            {
                let bounds =
                    sqlx::query("UPDATE segment SET first = ?1, last = ?2 WHERE rowid = ?3");
                let bounds = bounds.bind(first.seq as i64).bind(last.seq as i64);
                bounds.bind(rowid).execute(&mut connection).await.unwrap();
            }
            sqlx::query(AssertSqlSafe(update))
                .bind(blob_now)
                .bind(rowid)
                .execute(&mut connection)
                .await
                .unwrap();
        }
    }
    assert!(changed, "nothing was changed");
    connection.close().await.unwrap();
}

/// Changes one event.
pub(crate) async fn change_event(
    path: &Path,
    stream: u64,
    seq: u64,
    mut with: impl FnMut(&mut Entry),
) {
    change(path, |entries| {
        for entry in entries {
            if (entry.stream, entry.seq) == (stream, seq) {
                with(entry);
            }
        }
    })
    .await;
}

/// Removes events.
pub(crate) async fn remove(path: &Path, which: impl Fn(u64, u64) -> bool) {
    change(path, |entries| {
        entries.retain(|entry| !which(entry.stream, entry.seq));
    })
    .await;
}
