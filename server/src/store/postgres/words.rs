//! Words between servers. Their numbers are drawn under the lock of the tally.

use bytes::Bytes;
use grundy_shared::ids::Seq;
use sqlx::Row;
use sqlx::postgres::PgPool;

use super::batch::Batch;
use super::fault::Fault;
use super::refusal::Refusal;
use crate::store::columns::{integer, unsigned};
use crate::store::{CommitError, LOAD_PAGE, Logged, Unique, Word, WordSummary};

/// The words after this one, in order.
pub(super) async fn words(pool: &PgPool, after: Seq) -> Result<Vec<Logged>, Fault> {
    let rows =
        sqlx::query("SELECT number, body FROM word WHERE number > $1 ORDER BY number LIMIT $2")
            .bind(integer(after.0))
            .bind(integer(LOAD_PAGE as u64))
            .fetch_all(pool)
            .await?;
    let read = rows.iter().map(|row| {
        Ok(Logged {
            seq: Seq(unsigned(row.try_get("number")?)?),
            body: Bytes::from(row.try_get::<Vec<u8>, _>("body")?),
        })
    });
    read.collect()
}

/// What words come to, if it was ever summed up.
pub(super) async fn summary(pool: &PgPool) -> Result<Option<WordSummary>, Fault> {
    let row = sqlx::query("SELECT number, body FROM word_summary WHERE number > 0")
        .fetch_optional(pool)
        .await?;
    let read = row.map(|row| {
        Ok(WordSummary {
            upto: Seq(unsigned(row.try_get("number")?)?),
            body: Bytes::from(row.try_get::<Vec<u8>, _>("body")?),
        })
    });
    read.transpose()
}

impl Batch<'_> {
    /// Whether nothing has settled what this word settles, as far as its writer knows all that is forgotten.
    pub(super) async fn check_word(&mut self, word: &Word) -> Result<(), Refusal> {
        let Some(settles) = &word.settles else {
            return Ok(());
        };
        let (settled, forgotten): (bool, i64) = sqlx::query_as(
            "SELECT EXISTS (SELECT 1 FROM word WHERE settles = $1), forgotten FROM word_summary",
        )
        .bind(settles)
        .fetch_one(&mut *self.connection)
        .await?;
        match settled || integer(word.heard.0) < forgotten {
            true => Err(CommitError::Taken(Unique::Word).into()),
            false => Ok(()),
        }
    }

    pub(super) async fn say(&mut self, word: &Word) -> Result<(), Fault> {
        sqlx::query(
            "INSERT INTO word (number, settles, body) \
             SELECT greatest(number, coalesce((SELECT max(number) FROM word), 0)) + 1, $1, $2 FROM word_summary",
        )
        .bind(&word.settles)
        .bind(&word.body[..])
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    /// Sums up, unless that is known already, and forgets the words of the summary before.
    pub(super) async fn sum_up(&mut self, summary: &WordSummary) -> Result<(), Fault> {
        let forgotten: Option<i64> = sqlx::query_scalar(
            "UPDATE word_summary SET forgotten = number, number = $1, body = $2 WHERE number < $1 RETURNING forgotten",
        )
        .bind(integer(summary.upto.0))
        .bind(&summary.body[..])
        .fetch_optional(&mut *self.connection)
        .await?;
        if let Some(forgotten) = forgotten {
            sqlx::query("DELETE FROM word WHERE number <= $1")
                .bind(forgotten)
                .execute(&mut *self.connection)
                .await?;
        }
        Ok(())
    }
}
