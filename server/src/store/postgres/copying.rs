//! A database as the source of a copy of the whole store.

use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt as _;
use futures::stream::BoxStream;
use grundy_shared::ids::Seq;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};

use super::address::Address;
use super::connecting::{connect_patiently, connect_to_read, connect_with_rights, unusable};
use super::fault::Fault;
use super::nodes::end_all_lives;
use super::schema;
use super::tally::Tally;
use super::unfinished::{self, noted};
use crate::store::StoreError;
use crate::store::columns::{integer, stream_of, unsigned};
use crate::store::copying::moved;
use crate::store::copying::table::Table;
use crate::store::copying::value::{Kind, Value};
use crate::store::copying::{CopiedEvent, Flaw, Following, PAGE, Source};

/// Rows of events that are read at once.
const ROWS: usize = 4_000;
/// For so long the servers of a database are watched for a sign of life: they give four in a second.
const WATCHED: Duration = Duration::from_millis(2_500);

/// A database that is read in one transaction, as it was when that began. Nothing in it is changed.
pub(crate) struct PostgresSource {
    connection: PgConnection,
    /// The log that is read, with the end that is kept beside it.
    following: Option<(Following, Ending)>,
    flaws: Vec<Flaw>,
}

/// The end of a log as it is kept: the number and the hash of its last event.
type Ending = (Seq, Vec<u8>);

impl PostgresSource {
    /// Reads a database beside the servers that use it, or a standby of it.
    ///
    /// # Errors
    /// It cannot be reached, or is not a database of this version.
    pub(crate) async fn open(address: &Address) -> Result<Self, StoreError> {
        let opening = async {
            let mut connection = connect_to_read(address).await?;
            sqlx::raw_sql("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                .execute(&mut connection)
                .await?;
            Ok(Self {
                connection,
                following: None,
                flaws: Vec::new(),
            })
        };
        opening.await.map_err(|fault| unusable(address, fault))
    }

    /// Whether the database is complete, was not moved to another place than this, and no server uses it.
    ///
    /// # Errors
    /// It cannot be reached, is a copy that is not complete, was moved, or a server gives signs of life.
    pub(crate) async fn check(address: &Address, to: &str) -> Result<(), StoreError> {
        let looking = async {
            let mut connection = connect_with_rights(address).await?;
            schema::check_same(&mut connection, address).await?;
            unfinished::check_on(&mut connection, address, Some(to)).await?;
            check_unused(&mut connection, address).await
        };
        looking.await.map_err(|fault| unusable(address, fault))
    }

    /// Notes that the records are in another place now, and ends the leases of all servers: one that was frozen finds that when it wakes up. How many had leases, or
    /// `None` if the database is no longer in this state, and then nothing is changed.
    ///
    /// # Errors
    /// As [`PostgresSource::check`]; or it cannot be written.
    pub(crate) async fn leave(
        address: &Address,
        state: &str,
        to: &str,
    ) -> Result<Option<u64>, StoreError> {
        Self::check(address, to).await?;
        let leaving = async {
            let mut connection = connect_patiently(address).await?;
            sqlx::raw_sql("BEGIN").execute(&mut connection).await?;
            let ended = end_all_lives(&mut connection).await?;
            // A server that begins waits here, and then finds the note.
            Tally::lock(&mut connection).await?;
            if state_of(&mut connection).await? != state {
                return Ok(None);
            }
            sqlx::query(
                "INSERT INTO unfinished_copy (one, source) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET source = excluded.source",
            )
            .bind(moved::note(to))
            .execute(&mut connection)
            .await?;
            sqlx::raw_sql("COMMIT").execute(&mut connection).await?;
            Ok(Some(ended))
        };
        leaving.await.map_err(|fault| unusable(address, fault))
    }

    /// Takes back the note of [`PostgresSource::leave`]; where the records were moved to, if there was one.
    ///
    /// # Errors
    /// It cannot be reached or written.
    pub(crate) async fn take_back(address: &Address) -> Result<Option<String>, StoreError> {
        let taking = async {
            let mut connection = connect_with_rights(address).await?;
            sqlx::raw_sql("BEGIN").execute(&mut connection).await?;
            Tally::lock(&mut connection).await?;
            let noted = noted(&mut connection).await?;
            let place = noted.as_deref().and_then(moved::place_of);
            if place.is_some() {
                sqlx::raw_sql("DELETE FROM unfinished_copy")
                    .execute(&mut connection)
                    .await?;
            }
            sqlx::raw_sql("COMMIT").execute(&mut connection).await?;
            Ok(place.map(str::to_owned))
        };
        taking.await.map_err(|fault| unusable(address, fault))
    }
}

/// Whether no server gives a sign of life.
///
/// # Errors
/// `InUse`; or it cannot be looked at.
async fn check_unused(connection: &mut PgConnection, address: &Address) -> Result<(), Fault> {
    let before = signs(connection).await?;
    tokio::time::sleep(WATCHED).await;
    match before == signs(connection).await? {
        true => Ok(()),
        false => Err(StoreError::InUse {
            path: address.place(),
            pid: None,
        }
        .into()),
    }
}

/// Every transaction of a server changes this.
async fn signs(connection: &mut PgConnection) -> Result<(i64, i64), Fault> {
    let read = sqlx::query_as("SELECT coalesce(sum(mark), 0)::bigint, count(*) FROM life");
    Ok(read.fetch_one(connection).await?)
}

/// Which database it is, and in which state.
async fn state_of(connection: &mut PgConnection) -> Result<String, Fault> {
    let (system, database): (i64, i64) = sqlx::query_as(
        "SELECT system_identifier, oid::bigint FROM pg_control_system(), pg_database WHERE datname = current_database()",
    )
    .fetch_one(&mut *connection)
    .await?;
    let (marks, lives) = signs(connection).await?;
    Ok(format!(
        "postgres system {system}, database {database}, {lives} lives, {marks} transactions"
    ))
}

#[async_trait]
impl Source for PostgresSource {
    async fn state(&mut self) -> Result<String, StoreError> {
        let state = state_of(&mut self.connection).await;
        state.map_err(Fault::into_error)
    }

    async fn size(&mut self) -> Result<u64, StoreError> {
        let size: Result<i64, _> = sqlx::query_scalar(
            "SELECT coalesce(sum(pg_table_size(oid)), 0)::bigint FROM pg_class WHERE relnamespace = 'grundy'::regnamespace AND relkind = 'r'",
        )
        .fetch_one(&mut self.connection)
        .await;
        unsigned(size.map_err(of_database)?)
    }

    async fn count(&mut self, table: &'static Table) -> Result<u64, StoreError> {
        count(&mut self.connection, table).await
    }

    fn rows<'a>(
        &'a mut self,
        table: &'static Table,
        skip: u64,
    ) -> BoxStream<'a, Result<Vec<Value>, StoreError>> {
        let [_, all, _] = table.postgres;
        let rows = sqlx::query(all)
            .bind(integer(skip))
            .fetch(&mut self.connection);
        rows.map(move |row| row.and_then(|row| read(&row, table)).map_err(of_database))
            .boxed()
    }

    async fn events(&mut self, after: (i64, Seq)) -> Result<Vec<CopiedEvent>, StoreError> {
        loop {
            let (page, rows) = self.some_events(after).await?;
            // Where copying goes on in a long log, what it has already is read once more to follow its heads: that may be more than one page.
            if !page.is_empty() || rows < ROWS {
                return Ok(page);
            }
        }
    }

    async fn flaws(&mut self) -> Result<Vec<Flaw>, StoreError> {
        let mut flaws = std::mem::take(&mut self.flaws);
        let counted = check_counts(&mut self.connection).await;
        flaws.extend(counted.map_err(Fault::into_error)?);
        Ok(flaws)
    }
}

impl PostgresSource {
    /// The events of the next rows that come after this one, and how many rows there were.
    async fn some_events(
        &mut self,
        after: (i64, Seq),
    ) -> Result<(Vec<CopiedEvent>, usize), StoreError> {
        let mut page = Vec::new();
        let (mut bytes, mut read) = (0, 0);
        let mut log = self.following.take();
        let (from, settled) = log
            .as_ref()
            .map_or((after.0, Seq(0)), |(log, _)| (log.number, log.last));
        let mut rows = sqlx::query(
            "SELECT number, kind, id, last, head, seq, body FROM event JOIN stream ON number = stream \
             WHERE (stream, seq) > ($1, $2) ORDER BY stream, seq LIMIT $3",
        )
        .bind(from)
        .bind(integer(settled.0))
        .bind(ROWS as i64)
        .fetch(&mut self.connection);
        while let Some(row) = rows.next().await {
            let row = row.map_err(of_database)?;
            read += 1;
            let number: i64 = row.try_get("number").map_err(of_database)?;
            if let Some(ended) = log.take_if(|(log, _)| log.number != number) {
                self.flaws.extend(flaw_of(&ended));
            }
            let (log, _) = match &mut log {
                Some(log) => log,
                none => none.insert(beginning(number, &row)?),
            };
            let (seq, body): (i64, Vec<u8>) = (
                row.try_get("seq").map_err(of_database)?,
                row.try_get("body").map_err(of_database)?,
            );
            let event = log.follow(Seq(unsigned(seq)?), body.into());
            if (event.stream, event.seq) > after {
                bytes += event.body.len();
                page.push(event);
            }
            if bytes > PAGE {
                break;
            }
        }
        drop(rows);
        match page.is_empty() && read < ROWS {
            true => self.flaws.extend(log.iter().filter_map(flaw_of)),
            false => self.following = log,
        }
        Ok((page, read))
    }
}

pub(super) fn of_database(error: sqlx::Error) -> StoreError {
    Fault::from(error).into_error()
}

fn beginning(number: i64, row: &PgRow) -> Result<(Following, Ending), StoreError> {
    let read = |row: &PgRow| {
        let kind: i16 = row.try_get("kind")?;
        let (id, last, head) = (
            row.try_get("id")?,
            row.try_get("last")?,
            row.try_get("head")?,
        );
        Ok::<(i16, Vec<u8>, i64, Vec<u8>), sqlx::Error>((kind, id, last, head))
    };
    let (kind, id, last, head) = read(row).map_err(of_database)?;
    let id = stream_of(i64::from(kind), &id)?;
    let last = Seq(unsigned(last)?);
    Ok((Following::new(number, id), (last, head)))
}

fn flaw_of((log, (last, head)): &(Following, Ending)) -> Option<Flaw> {
    let fits = log.last == *last && log.hash[..] == head[..];
    (!fits).then_some(Flaw::WrongEnd(log.id))
}

/// Compares what is counted and referred to.
async fn check_counts(connection: &mut PgConnection) -> Result<Vec<Flaw>, Fault> {
    let mut flaws = Vec::new();
    let ends: Vec<(i16, Vec<u8>)> = sqlx::query_as(
        "SELECT kind, id FROM stream WHERE last <> 0 AND NOT EXISTS (SELECT 1 FROM event WHERE stream = number) ORDER BY number LIMIT 1000",
    )
    .fetch_all(&mut *connection)
    .await?;
    for (kind, id) in ends {
        flaws.push(Flaw::WrongEnd(stream_of(i64::from(kind), &id)?));
    }
    let orphan: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM event WHERE NOT EXISTS (SELECT 1 FROM stream WHERE number = stream))",
    )
    .fetch_one(&mut *connection)
    .await?;
    if orphan {
        flaws.push(Flaw::Orphan("event"));
    }
    let counts: Vec<(i64, i64)> = sqlx::query_as(COUNTS).fetch_all(connection).await?;
    let names = [
        "open matches",
        "waiting matches",
        "bytes of reviews",
        "puzzles",
        "logs",
    ];
    let pairs = names.into_iter().zip(counts);
    flaws.extend(pairs.filter_map(|(what, (stored, found))| {
        (stored != found).then_some(Flaw::WrongCount {
            what,
            stored,
            found,
        })
    }));
    Ok(flaws)
}

/// What the one row of counts says, and what it should say. The number of the newest log may be higher than any that is left.
const COUNTS: &str = "SELECT open, (SELECT count(*) FROM match WHERE status <> 'over') FROM tally \
     UNION ALL SELECT waiting, (SELECT count(*) FROM match WHERE status = 'waiting') FROM tally \
     UNION ALL SELECT reviews, (SELECT coalesce(sum(bytes), 0)::bigint FROM review) FROM tally \
     UNION ALL SELECT puzzles, (SELECT count(*) FROM puzzle) FROM tally \
     UNION ALL SELECT streams, greatest(streams, (SELECT coalesce(max(number), 0) FROM stream)) FROM tally";

/// How many rows a table has.
pub(super) async fn count(
    connection: &mut PgConnection,
    table: &'static Table,
) -> Result<u64, StoreError> {
    let [count, ..] = table.postgres;
    let counted = sqlx::query_scalar(count).fetch_one(connection).await;
    unsigned(counted.map_err(of_database)?)
}

fn read(row: &PgRow, table: &'static Table) -> Result<Vec<Value>, sqlx::Error> {
    let kinds = table.kinds.iter().enumerate();
    let values = kinds.map(|(place, kind)| {
        let value = match kind {
            Kind::Number => row.try_get::<Option<i64>, _>(place)?.map(Value::Number),
            Kind::Small => row
                .try_get::<Option<i16>, _>(place)?
                .map(|small| Value::Number(small.into())),
            Kind::Flag => row
                .try_get::<Option<bool>, _>(place)?
                .map(|flag| Value::Number(flag.into())),
            Kind::Text => row.try_get::<Option<String>, _>(place)?.map(Value::Text),
            Kind::Bytes => row.try_get::<Option<Vec<u8>>, _>(place)?.map(Value::Bytes),
        };
        Ok(value.unwrap_or(Value::Null))
    });
    values.collect()
}
