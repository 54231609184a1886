//! Bans: written by the writer, read at the start and by fsck.

use grundy_shared::ids::Millis;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::fault::Failure;
use super::rows::{integer, limit, unsigned};
use super::writer::Writer;
use crate::store::{BANS_MAX, BanRow, BanSubject, StoreError};

/// The bans, in the order of their subjects: at most [`BANS_MAX`].
pub(super) async fn bans(connection: &mut SqliteConnection) -> Result<Vec<BanRow>, StoreError> {
    let rows =
        sqlx::query("SELECT subject, reason, created_at, until FROM ban ORDER BY subject LIMIT ?1")
            .bind(limit(BANS_MAX, BANS_MAX))
            .fetch_all(connection)
            .await?;
    rows.iter().map(read_ban).collect()
}

/// Reads a ban.
pub(crate) fn read_ban(row: &SqliteRow) -> Result<BanRow, StoreError> {
    let subject: &str = row.try_get("subject")?;
    let until: Option<i64> = row.try_get("until")?;
    Ok(BanRow {
        subject: subject.parse().map_err(|error| StoreError::Corrupt {
            why: format!("{subject:?}: {error}"),
        })?,
        reason: row.try_get("reason")?,
        created_at: Millis(unsigned(row.try_get("created_at")?)?),
        until: until.map(unsigned).transpose()?.map(Millis),
    })
}

impl Writer {
    /// Makes a ban, or replaces the one of the same subject.
    pub(super) async fn put_ban(&mut self, ban: &BanRow) -> Result<(), Failure> {
        sqlx::query(
            "INSERT INTO ban (subject, reason, created_at, until) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT (subject) DO UPDATE SET reason = excluded.reason, created_at = excluded.created_at, until = excluded.until",
        )
        .bind(ban.subject.to_string())
        .bind(ban.reason.clone())
        .bind(integer(ban.created_at.0))
        .bind(ban.until.map(|until| integer(until.0)))
        .execute(&mut self.connection)
        .await?;
        Ok(())
    }

    /// Removes the ban of a subject, if there is one.
    pub(super) async fn remove_ban(&mut self, subject: BanSubject) -> Result<(), Failure> {
        sqlx::query("DELETE FROM ban WHERE subject = ?1")
            .bind(subject.to_string())
            .execute(&mut self.connection)
            .await?;
        Ok(())
    }
}
