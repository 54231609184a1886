//! Reviews: written by the writer, within a bound on the bytes of all together.

use grundy_shared::ids::MatchId;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::fault::Failure;
use super::rows::{integer, unsigned};
use super::writer::Writer;
use crate::store::{ReviewRow, StoreError};

/// The review of a match.
pub(super) async fn review(
    connection: &mut SqliteConnection,
    id: MatchId,
) -> Result<Option<ReviewRow>, StoreError> {
    let row = sqlx::query(
        "SELECT solver, bytes, body FROM review JOIN match ON match.number = review.match WHERE match.id = ?1 AND ended_order IS NOT NULL",
    )
    .bind(id.to_i64())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(read_review).transpose()
}

/// Reads a review from its columns `solver`, `bytes` and `body`.
pub(crate) fn read_review(row: &SqliteRow) -> Result<ReviewRow, StoreError> {
    let version = unsigned(row.try_get("solver")?)?;
    let read = ReviewRow {
        version: u32::try_from(version).map_err(|_| StoreError::Corrupt {
            why: format!("{version} is no version of a solver"),
        })?,
        text: row.try_get("body")?,
    };
    let bytes = unsigned(row.try_get("bytes")?)?;
    if bytes != read.bytes() {
        return Err(StoreError::Corrupt {
            why: format!("a review has {} bytes, not {bytes}", read.bytes()),
        });
    }
    Ok(read)
}

impl Writer {
    /// Keeps the review of a match that is over, and drops the oldest while all together have more bytes than this.
    pub(super) async fn put_review(
        &mut self,
        id: MatchId,
        row: &ReviewRow,
        most_bytes: u64,
    ) -> Result<(), Failure> {
        if row.bytes() > most_bytes {
            return Ok(());
        }
        self.write_changes().await?;
        self.begin().await?;
        let mut bytes: i64 = match self.review_bytes {
            Some(bytes) => bytes,
            None => {
                sqlx::query_scalar("SELECT coalesce(sum(bytes), 0) FROM review")
                    .fetch_one(&mut self.connection)
                    .await?
            }
        };
        // Removed and not updated: it is last in the order then.
        let replaced = self.remove_review(
            "DELETE FROM review WHERE match = (SELECT number FROM match WHERE id = ?1 AND ended_order IS NOT NULL) RETURNING bytes",
            id.to_i64(),
        );
        bytes -= replaced.await?.unwrap_or(0);
        let inserted = sqlx::query(
            "INSERT INTO review (match, solver, bytes, body) SELECT number, ?2, ?3, ?4 FROM match WHERE id = ?1 AND ended_order IS NOT NULL",
        )
        .bind(id.to_i64())
        .bind(row.version)
        .bind(integer(row.bytes()))
        .bind(row.text.clone())
        .execute(&mut self.connection)
        .await?;
        if inserted.rows_affected() > 0 {
            bytes += integer(row.bytes());
        }
        while bytes > integer(most_bytes) {
            let oldest = "DELETE FROM review WHERE number = (SELECT min(number) FROM review WHERE number > ?1) RETURNING bytes";
            match self.remove_review(oldest, i64::MIN).await? {
                Some(removed) => bytes -= removed,
                None => break,
            }
        }
        self.review_bytes = Some(bytes);
        Ok(())
    }

    /// Removes a review with this statement and its parameter; how many bytes it had.
    async fn remove_review(
        &mut self,
        statement: &'static str,
        parameter: i64,
    ) -> Result<Option<i64>, Failure> {
        let removed = sqlx::query_scalar(statement)
            .bind(parameter)
            .fetch_optional(&mut self.connection)
            .await?;
        Ok(removed)
    }
}
