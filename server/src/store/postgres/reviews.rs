//! Reviews, within a bound on the bytes of all together.

use grundy_shared::ids::MatchId;
use sqlx::Row;
use sqlx::postgres::PgPool;

use super::batch::Batch;
use super::fault::Fault;
use crate::store::ReviewRow;
use crate::store::columns::{corrupt, integer, unsigned};

/// The review of a match that is over.
pub(super) async fn review(pool: &PgPool, id: MatchId) -> Result<Option<ReviewRow>, Fault> {
    let row = sqlx::query(
        "SELECT solver, bytes, body FROM review JOIN match ON match.number = review.match WHERE match.id = $1 AND ended_order IS NOT NULL",
    )
    .bind(id.to_i64())
    .fetch_optional(pool)
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let read = ReviewRow {
        version: u32::try_from(row.try_get::<i64, _>("solver")?).map_err(corrupt)?,
        text: row.try_get("body")?,
    };
    let bytes = unsigned(row.try_get("bytes")?)?;
    match bytes == read.bytes() {
        true => Ok(Some(read)),
        false => Err(corrupt(format_args!(
            "a review has {} bytes, not {bytes}",
            read.bytes()
        ))
        .into()),
    }
}

impl Batch<'_> {
    /// Keeps the review of a match that is over, and drops the oldest while all together have more bytes than this.
    pub(super) async fn put_review(
        &mut self,
        id: MatchId,
        row: &ReviewRow,
        most_bytes: u64,
    ) -> Result<(), Fault> {
        let known = self.stage.places.matches.get(&id);
        let is_over = known.is_some_and(|known| known.ended_order.is_some());
        if row.bytes() > most_bytes || !is_over {
            return Ok(());
        }
        self.flush().await?;
        // Removed and not updated: it is last in the order then.
        let replaced: Option<i64> = sqlx::query_scalar(
            "DELETE FROM review WHERE match = (SELECT number FROM match WHERE id = $1) RETURNING bytes",
        )
        .bind(id.to_i64())
        .fetch_optional(&mut *self.connection)
        .await?;
        sqlx::query(
            "INSERT INTO review (number, match, solver, bytes, body) \
             SELECT (SELECT coalesce(max(number), 0) + 1 FROM review), number, $2, $3, $4 FROM match WHERE id = $1",
        )
        .bind(id.to_i64())
        .bind(i64::from(row.version))
        .bind(integer(row.bytes()))
        .bind(&row.text)
        .execute(&mut *self.connection)
        .await?;
        self.tally()?.reviews += integer(row.bytes()) - replaced.unwrap_or(0);
        while self.tally()?.reviews > integer(most_bytes) {
            let oldest: Option<i64> = sqlx::query_scalar(
                "DELETE FROM review WHERE number = (SELECT min(number) FROM review) RETURNING bytes",
            )
            .fetch_optional(&mut *self.connection)
            .await?;
            match oldest {
                Some(bytes) => self.tally()?.reviews -= bytes,
                None => self.tally()?.reviews = 0,
            }
        }
        Ok(())
    }
}
