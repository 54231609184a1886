//! Bans.

use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};

use super::batch::Batch;
use super::fault::Fault;
use super::rows::{read_moment, read_moment_if_any};
use crate::store::columns::{corrupt, integer, limit};
use crate::store::{BANS_MAX, BanRow, BanSubject};

/// The bans, in the order of their subjects: at most [`BANS_MAX`].
pub(super) async fn bans(connection: &mut PgConnection) -> Result<Vec<BanRow>, Fault> {
    let rows = sqlx::query(
        "SELECT subject, reason, created_at, until FROM ban ORDER BY subject COLLATE \"C\" LIMIT $1",
    )
    .bind(limit(BANS_MAX, BANS_MAX))
    .fetch_all(connection)
    .await?;
    rows.iter().map(read_ban).collect()
}

fn read_ban(row: &PgRow) -> Result<BanRow, Fault> {
    let subject: &str = row.try_get("subject")?;
    let read = subject.parse();
    Ok(BanRow {
        subject: read.map_err(|error| corrupt(format_args!("{subject:?}: {error}")))?,
        reason: row.try_get("reason")?,
        created_at: read_moment(row, "created_at")?,
        until: read_moment_if_any(row, "until")?,
    })
}

impl Batch<'_> {
    /// Makes a ban, or replaces the one of the same subject.
    pub(super) async fn put_ban(&mut self, ban: &BanRow) -> Result<(), Fault> {
        sqlx::query(
            "INSERT INTO ban (subject, reason, created_at, until) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (subject) DO UPDATE SET reason = excluded.reason, created_at = excluded.created_at, until = excluded.until",
        )
        .bind(ban.subject.to_string())
        .bind(&ban.reason)
        .bind(integer(ban.created_at.0))
        .bind(ban.until.map(|until| integer(until.0)))
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    /// Removes the ban of a subject, if there is one.
    pub(super) async fn remove_ban(&mut self, subject: BanSubject) -> Result<(), Fault> {
        sqlx::query("DELETE FROM ban WHERE subject = $1")
            .bind(subject.to_string())
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }
}
