//! The mark of a database that a server has open, and what the journal held: one row, so that it goes wherever the file goes.
//!
//! A database with the mark needs its write-ahead log: a copy of the file alone lacks the last commits. A clean stop removes the mark, and so
//! must whoever makes a copy that is complete by itself.

use sqlx::Row;
use sqlx::sqlite::SqliteConnection;

use crate::store::StoreError;

/// The first schema with the row.
pub(crate) const SINCE_SCHEMA: i64 = 13;

/// Which batches the journal held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extent {
    /// The number of the first, or of the next if there were none.
    pub(crate) first: i64,
    /// The number of the last, or one less than `first`.
    pub(crate) last: i64,
    /// Bytes of all of them.
    pub(crate) bytes: i64,
}

/// The row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    /// How often a server has opened the database.
    pub(crate) number: i64,
    /// When it did last, in milliseconds since 1970.
    pub(crate) opened_at: i64,
    /// Whether it has not closed it since.
    pub(crate) open: bool,
    /// What the journal held at the last commit that changed more than the journal.
    pub(crate) journal: Extent,
}

/// Reads the row.
///
/// # Errors
/// `Corrupt`, where it is gone or cannot be read.
pub(crate) async fn read(connection: &mut SqliteConnection) -> Result<Run, StoreError> {
    let row = sqlx::query(
        "SELECT number, opened_at, open, first_batch, last_batch, batch_bytes FROM run",
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(|| StoreError::Corrupt {
        why: "table run has lost its row".to_owned(),
    })?;
    Ok(Run {
        number: row.try_get("number")?,
        opened_at: row.try_get("opened_at")?,
        open: row.try_get("open")?,
        journal: Extent {
            first: row.try_get("first_batch")?,
            last: row.try_get("last_batch")?,
            bytes: row.try_get("batch_bytes")?,
        },
    })
}

/// Sets the mark, and leaves at least this commit in the write-ahead log: as long as the mark stands that file is not empty.
pub(super) async fn open(
    journal: Extent,
    connection: &mut SqliteConnection,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO run (one, number, opened_at, open, first_batch, last_batch, batch_bytes) \
         VALUES (1, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 1, ?1, ?2, ?3) ON CONFLICT (one) DO UPDATE SET \
         number = number + 1, opened_at = excluded.opened_at, open = 1, \
         first_batch = excluded.first_batch, last_batch = excluded.last_batch, batch_bytes = excluded.batch_bytes",
    )
    .bind(journal.first)
    .bind(journal.last)
    .bind(journal.bytes)
    .execute(&mut *connection)
    .await?;
    sqlx::query("PRAGMA wal_checkpoint(PASSIVE)")
        .fetch_all(connection)
        .await?;
    Ok(())
}

/// Notes what the journal holds, as a part of a transaction.
pub(super) async fn note(
    journal: Extent,
    connection: &mut SqliteConnection,
) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE run SET first_batch = ?1, last_batch = ?2, batch_bytes = ?3")
        .bind(journal.first)
        .bind(journal.last)
        .bind(journal.bytes)
        .execute(connection)
        .await?;
    Ok(())
}

/// Removes the mark, with the last note of the journal.
pub(super) async fn close(
    journal: Extent,
    connection: &mut SqliteConnection,
) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE run SET open = 0, first_batch = ?1, last_batch = ?2, batch_bytes = ?3")
        .bind(journal.first)
        .bind(journal.last)
        .bind(journal.bytes)
        .execute(connection)
        .await?;
    Ok(())
}

/// Removes the mark from a copy that is complete without a write-ahead log.
///
/// # Errors
/// The copy cannot be written.
pub(crate) async fn clear(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    sqlx::query("UPDATE run SET open = 0 WHERE open <> 0")
        .execute(connection)
        .await?;
    Ok(())
}
