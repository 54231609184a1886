//! Reviews, within a bound on the bytes of all together.

use grundy_shared::ids::MatchId;
use sqlx::Row;
use sqlx::postgres::PgConnection;

use super::batch::Batch;
use super::fault::Fault;
use super::stage::NewReview;
use crate::store::ReviewRow;
use crate::store::columns::{corrupt, integer, unsigned};

/// The review of a match that is over.
pub(super) async fn review(
    connection: &mut PgConnection,
    id: MatchId,
) -> Result<Option<ReviewRow>, Fault> {
    let row = sqlx::query(
        "SELECT solver, bytes, body FROM review JOIN match ON match.number = review.match WHERE match.id = $1 AND ended_order IS NOT NULL",
    )
    .bind(id.to_i64())
    .fetch_optional(connection)
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

/// Rows that one statement drops, at most.
const DROPPED_AT_ONCE: i64 = 256;

impl Batch<'_> {
    /// Writes reviews, and drops the oldest while all together have more bytes than they may.
    pub(super) async fn write_reviews(&mut self, reviews: &[NewReview]) -> Result<(), Fault> {
        let Some(most_bytes) = reviews.last().map(|review| integer(review.most_bytes)) else {
            return Ok(());
        };
        let ids: Vec<i64> = reviews.iter().map(|review| review.of.to_i64()).collect();
        // Removed and not updated: they are last in the order then.
        let replaced: Vec<i64> = sqlx::query_scalar(
            "DELETE FROM review USING match WHERE match.number = review.match AND match.id = ANY($1) RETURNING bytes",
        )
        .bind(&ids)
        .fetch_all(&mut *self.connection)
        .await?;
        let versions = reviews.iter().map(|review| i64::from(review.row.version));
        let bytes: Vec<i64> = reviews
            .iter()
            .map(|review| integer(review.row.bytes()))
            .collect();
        let texts: Vec<&str> = reviews.iter().map(|review| &*review.row.text).collect();
        self.tally()?.reviews += bytes.iter().sum::<i64>() - replaced.iter().sum::<i64>();
        sqlx::query(
            "INSERT INTO review (number, match, solver, bytes, body) \
             SELECT (SELECT coalesce(max(number), 0) FROM review) + new.place, match.number, new.solver, new.bytes, new.body \
             FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) WITH ORDINALITY AS new (id, solver, bytes, body, place) \
             JOIN match ON match.id = new.id",
        )
        .bind(ids)
        .bind(versions.collect::<Vec<_>>())
        .bind(bytes)
        .bind(texts)
        .execute(&mut *self.connection)
        .await?;
        while self.tally()?.reviews > most_bytes {
            let excess = self.tally()?.reviews - most_bytes;
            let dropped: Vec<i64> = sqlx::query_scalar(
                "DELETE FROM review USING (SELECT number, sum(bytes) OVER (ORDER BY number) - bytes AS older FROM \
                 (SELECT number, bytes FROM review ORDER BY number LIMIT $2) AS first) AS old \
                 WHERE review.number = old.number AND older < $1 RETURNING bytes",
            )
            .bind(excess)
            .bind(DROPPED_AT_ONCE)
            .fetch_all(&mut *self.connection)
            .await?;
            match dropped.is_empty() {
                false => self.tally()?.reviews -= dropped.iter().sum::<i64>(),
                true => self.tally()?.reviews = 0,
            }
        }
        Ok(())
    }
}
