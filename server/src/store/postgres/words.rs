//! Words between servers. Their numbers are drawn under the lock of the tally.

use bytes::Bytes;
use grundy_shared::ids::Seq;
use sqlx::Row;
use sqlx::postgres::PgConnection;

use super::batch::Batch;
use super::fault::Fault;
use crate::store::columns::{integer, unsigned};
use crate::store::{CommitError, LOAD_PAGE, Logged, Unique, Word, WordSummary};

/// Words that are removed at once, at most: all commits wait for it. What is left is removed with the next ones.
const FORGOTTEN_AT_ONCE: i64 = 100_000;

/// The words after this one, in order.
pub(super) async fn words(connection: &mut PgConnection, after: Seq) -> Result<Vec<Logged>, Fault> {
    let rows =
        sqlx::query("SELECT number, body FROM word WHERE number > $1 ORDER BY number LIMIT $2")
            .bind(integer(after.0))
            .bind(integer(LOAD_PAGE as u64))
            .fetch_all(connection)
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
pub(super) async fn summary(connection: &mut PgConnection) -> Result<Option<WordSummary>, Fault> {
    let row = sqlx::query("SELECT number, body FROM word_summary WHERE number > 0")
        .fetch_optional(connection)
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
    /// Reads which of this is settled, and what is forgotten.
    pub(super) async fn read_settled(&mut self, wanted: Vec<String>) -> Result<(), Fault> {
        let (forgotten, settled): (i64, Vec<String>) = sqlx::query_as(
            "SELECT forgotten, ARRAY(SELECT settles FROM word WHERE settles = ANY($1)) FROM word_summary",
        )
        .bind(wanted)
        .fetch_one(&mut *self.connection)
        .await?;
        self.stage.forgotten = forgotten;
        self.stage.settled = settled.into_iter().collect();
        Ok(())
    }

    /// Whether nothing has settled what this word settles, as far as its writer knows all that is forgotten.
    pub(super) fn check_word(&self, word: &Word) -> Result<(), CommitError> {
        let Some(settles) = &word.settles else {
            return Ok(());
        };
        match self.stage.settled.contains(settles) || integer(word.heard.0) < self.stage.forgotten {
            true => Err(CommitError::Taken(Unique::Word)),
            false => Ok(()),
        }
    }

    /// Numbers words and writes them.
    pub(super) async fn write_words(&mut self, words: &[Word]) -> Result<(), Fault> {
        if words.is_empty() {
            return Ok(());
        }
        let settle: Vec<Option<&str>> = words.iter().map(|word| word.settles.as_deref()).collect();
        let bodies: Vec<&[u8]> = words.iter().map(|word| &word.body[..]).collect();
        sqlx::query(
            "INSERT INTO word (number, settles, body) SELECT last + place, settles, body \
             FROM (SELECT greatest(number, coalesce((SELECT max(number) FROM word), 0)) AS last FROM word_summary) AS before, \
             unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS said (settles, body, place)",
        )
        .bind(settle)
        .bind(bodies)
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    /// Sums up, unless that is known already, and forgets the words of the summary before.
    pub(super) async fn sum_up(&mut self, summary: &WordSummary) -> Result<(), Fault> {
        self.flush().await?;
        let forgotten: Option<i64> = sqlx::query_scalar(
            "UPDATE word_summary SET forgotten = number, number = $1, body = $2 WHERE number < $1 RETURNING forgotten",
        )
        .bind(integer(summary.upto.0))
        .bind(&summary.body[..])
        .fetch_optional(&mut *self.connection)
        .await?;
        self.forget_up_to(forgotten).await
    }

    /// Forgets the words up to this one, if they are what was summed up.
    pub(super) async fn forget_words(&mut self, upto: Seq) -> Result<(), Fault> {
        self.flush().await?;
        let forgotten: Option<i64> = sqlx::query_scalar(
            "UPDATE word_summary SET forgotten = number WHERE number = $1 AND forgotten < $1 RETURNING forgotten",
        )
        .bind(integer(upto.0))
        .fetch_optional(&mut *self.connection)
        .await?;
        self.forget_up_to(forgotten).await
    }

    async fn forget_up_to(&mut self, forgotten: Option<i64>) -> Result<(), Fault> {
        if let Some(forgotten) = forgotten {
            sqlx::query(
                "DELETE FROM word WHERE number <= $1 AND number < (SELECT min(number) FROM word) + $2",
            )
                .bind(forgotten)
                .bind(FORGOTTEN_AT_ONCE)
                .execute(&mut *self.connection)
                .await?;
            let settled = std::mem::take(&mut self.stage.settled);
            self.read_settled(settled.into_iter().collect()).await?;
        }
        Ok(())
    }
}
