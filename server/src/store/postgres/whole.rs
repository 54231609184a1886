//! Whole logs of a database as it is at one moment, beside the servers that use it.

use futures::TryStreamExt as _;
use grundy_shared::ids::Seq;
use sqlx::Row;
use sqlx::postgres::PgConnection;

use super::address::Address;
use super::connecting::{connect_to_read, unusable};
use super::fault::Fault;
use crate::store::columns::{corrupt, key_of, unsigned};
use crate::store::copying::Following;
use crate::store::{Logged, StoreError, StreamId};

/// The logs of a database at one moment.
pub(crate) struct WholeLogs(PgConnection);

/// A log that is known: its number, and the number and hash of its last event.
type Known = (i64, i64, Vec<u8>);

impl WholeLogs {
    /// Connects, and begins to read.
    ///
    /// # Errors
    /// It cannot be reached, or is not a database of this version.
    pub(crate) async fn open(address: &Address) -> Result<Self, StoreError> {
        let opened = connect_to_read(address).await;
        let mut connection = opened.map_err(|fault| unusable(address, fault))?;
        let begun = sqlx::raw_sql("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            .execute(&mut connection)
            .await;
        begun.map_err(of_database)?;
        Ok(Self(connection))
    }

    /// Whether there is such a log.
    ///
    /// # Errors
    /// The database cannot be read.
    pub(crate) async fn knows(&mut self, stream: StreamId) -> Result<bool, StoreError> {
        Ok(self.find(stream).await?.is_some())
    }

    async fn find(&mut self, stream: StreamId) -> Result<Option<Known>, StoreError> {
        let (kind, key) = key_of(stream);
        let found = sqlx::query_as(
            "SELECT number, last, head FROM stream WHERE kind = $1::bigint AND id = $2",
        )
        .bind(kind)
        .bind(key)
        .fetch_optional(&mut self.0)
        .await;
        found.map_err(of_database)
    }

    /// A log as a whole: numbered from 1 without a gap, and at the end of its hash chain; `None` if there is none.
    ///
    /// # Errors
    /// `Corrupt`, where it is not; or the database cannot be read.
    pub(crate) async fn read(
        &mut self,
        stream: StreamId,
    ) -> Result<Option<Vec<Logged>>, StoreError> {
        let Some((number, last, head)) = self.find(stream).await? else {
            return Ok(None);
        };
        let mut rows = sqlx::query("SELECT seq, body FROM event WHERE stream = $1 ORDER BY seq")
            .bind(number)
            .fetch(&mut self.0);
        let mut following = Following::new(number, stream);
        let mut log = Vec::new();
        while let Some(row) = rows.try_next().await.map_err(of_database)? {
            let seq: i64 = row.try_get("seq").map_err(of_database)?;
            let body: Vec<u8> = row.try_get("body").map_err(of_database)?;
            let (seq, expected) = (Seq(unsigned(seq)?), following.last.0 + 1);
            if seq.0 != expected {
                return Err(corrupt(format_args!("event {expected} is missing")));
            }
            if std::str::from_utf8(&body).is_err() {
                return Err(corrupt(format_args!("event {seq} is no text")));
            }
            let event = following.follow(seq, body.into());
            log.push(Logged {
                seq,
                body: event.body,
            });
        }
        if following.last.0 != unsigned(last)? || following.hash[..] != head[..] {
            return Err(corrupt(format_args!(
                "the log of {stream} does not fit its hash chain"
            )));
        }
        Ok(Some(log))
    }
}

fn of_database(error: sqlx::Error) -> StoreError {
    Fault::from(error).into_error()
}
