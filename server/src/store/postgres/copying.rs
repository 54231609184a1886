//! A database as the source or the target of a copy of the whole store.

use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt as _;
use futures::stream::BoxStream;
use grundy_shared::ids::Seq;
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{Connection as _, Row};

use super::address::Address;
use super::connecting::{PATIENT, connect, connect_patiently, unusable};
use super::fault::Fault;
use super::schema;
use super::tally::Tally;
use super::unfinished::{self, noted};
use crate::store::StoreError;
use crate::store::columns::{integer, stream_of, unsigned};
use crate::store::copying::table::{self, Table};
use crate::store::copying::value::{Kind, Value};
use crate::store::copying::{CopiedEvent, Flaw, Following, PAGE, Source, Target};

/// For so long the servers of a database are watched for a sign of life: they give four in a second.
const WATCHED: Duration = Duration::from_millis(2_500);

/// A database that is read in one transaction, as it was when that began. Nothing in it is changed.
pub(crate) struct PostgresSource {
    connection: PgConnection,
    /// The log that is read, with the end that is kept beside it.
    following: Option<(Following, Ending)>,
    flaws: Vec<Flaw>,
}

/// Lets one copy into a database be made at a time. Any constant that no other program takes.
const COPYING: i64 = 0x474E_4459_0001;

/// The end of a log as it is kept: the number and the hash of its last event.
type Ending = (Seq, Vec<u8>);

impl PostgresSource {
    /// Reads a database beside the servers that use it.
    ///
    /// # Errors
    /// It cannot be reached, or is not a database of this version.
    pub(crate) async fn open(address: &Address) -> Result<Self, StoreError> {
        let opening = async {
            let mut connection = connect_patiently(address).await?;
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

    /// Whether the database is complete, and no server uses it.
    ///
    /// # Errors
    /// It cannot be reached, is a copy that is not complete, or a server gives signs of life.
    pub(crate) async fn check(address: &Address) -> Result<(), StoreError> {
        unfinished::check(address).await?;
        check_unused(address).await
    }
}

/// Whether no server gives a sign of life.
///
/// # Errors
/// `InUse`; or it cannot be looked at.
async fn check_unused(address: &Address) -> Result<(), StoreError> {
    let looking = async {
        let mut connection = connect(address).await?;
        schema::check_same(&mut connection, address).await?;
        let before = signs(&mut connection).await?;
        tokio::time::sleep(WATCHED).await;
        Ok(before == signs(&mut connection).await?)
    };
    match looking.await {
        Ok(true) => Ok(()),
        Ok(false) => Err(StoreError::InUse {
            path: address.place(),
            pid: None,
        }),
        Err(fault) => Err(unusable(address, fault)),
    }
}

/// Every transaction of a server changes this.
async fn signs(connection: &mut PgConnection) -> Result<(i64, i64), Fault> {
    let read = sqlx::query_as("SELECT coalesce(sum(mark), 0)::bigint, count(*) FROM life");
    Ok(read.fetch_one(connection).await?)
}

#[async_trait]
impl Source for PostgresSource {
    async fn state(&mut self) -> Result<String, StoreError> {
        let connection = &mut self.connection;
        let named: Result<(i64, i64), _> = sqlx::query_as(
            "SELECT system_identifier, oid::bigint FROM pg_control_system(), pg_database WHERE datname = current_database()",
        )
        .fetch_one(&mut *connection)
        .await;
        let (system, database) = named.map_err(of_database)?;
        let (marks, lives) = signs(connection).await.map_err(Fault::into_error)?;
        Ok(format!(
            "postgres system {system}, database {database}, {lives} lives, {marks} transactions"
        ))
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
        let mut page = Vec::new();
        let mut bytes = 0;
        let mut log = self.following.take();
        let (from, settled) = log
            .as_ref()
            .map_or((after.0, Seq(0)), |(log, _)| (log.number, log.last));
        let mut rows = sqlx::query(
            "SELECT number, kind, id, last, head, seq, body FROM event JOIN stream ON number = stream \
             WHERE (stream, seq) > ($1, $2) ORDER BY stream, seq LIMIT 4000",
        )
        .bind(from)
        .bind(integer(settled.0))
        .fetch(&mut self.connection);
        while let Some(row) = rows.next().await {
            let row = row.map_err(of_database)?;
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
        match page.is_empty() {
            true => self.flaws.extend(log.iter().filter_map(flaw_of)),
            false => self.following = log,
        }
        Ok(page)
    }

    async fn flaws(&mut self) -> Result<Vec<Flaw>, StoreError> {
        let mut flaws = std::mem::take(&mut self.flaws);
        let counted = check_counts(&mut self.connection).await;
        flaws.extend(counted.map_err(Fault::into_error)?);
        Ok(flaws)
    }
}

fn of_database(error: sqlx::Error) -> StoreError {
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

async fn count(connection: &mut PgConnection, table: &'static Table) -> Result<u64, StoreError> {
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

/// A database that a copy is written to.
pub(crate) struct PostgresTarget {
    connection: PgConnection,
}

impl PostgresTarget {
    /// Begins a copy of the source in this state in a database without records, or goes on with it. No server opens it until [`PostgresTarget::release`].
    ///
    /// # Errors
    /// It cannot be reached or written, is not a database of this version, has records, or is a copy of something else.
    pub(crate) async fn open(address: &Address, state: &str) -> Result<Self, StoreError> {
        let opened = begin_copy(address, state).await;
        let connection = opened.map_err(|fault| unusable(address, fault))?;
        Ok(Self { connection })
    }

    /// Lets servers use a complete copy.
    ///
    /// # Errors
    /// It cannot be reached or written.
    pub(crate) async fn release(address: &Address) -> Result<(), StoreError> {
        let releasing = async {
            let mut connection = connect(address).await?;
            sqlx::query("DELETE FROM unfinished_copy")
                .execute(&mut connection)
                .await?;
            Ok(())
        };
        releasing.await.map_err(|fault| unusable(address, fault))
    }

    async fn transact(&mut self, statements: &'static str) -> Result<(), StoreError> {
        let done = sqlx::raw_sql(statements)
            .execute(&mut self.connection)
            .await;
        done.map(drop).map_err(of_database)
    }

    /// Sends rows in the format of `COPY`.
    async fn copy_in(&mut self, statement: &'static str, text: String) -> Result<(), StoreError> {
        let copying = async {
            let mut copy = self.connection.copy_in_raw(statement).await?;
            copy.send(text.into_bytes()).await?;
            copy.finish().await
        };
        copying.await.map(drop).map_err(of_database)
    }
}

async fn begin_copy(address: &Address, state: &str) -> Result<PgConnection, Fault> {
    let mut connection = connect(address).await?;
    schema::check_same(&mut connection, address).await?;
    // Until the connection ends. One that was killed can still be about to commit.
    sqlx::query("SELECT pg_advisory_lock($1)")
        .bind(COPYING)
        .execute(&mut connection)
        .await?;
    sqlx::raw_sql(PATIENT).execute(&mut connection).await?;
    let unusable = |why: &str| StoreError::Unusable {
        path: address.place(),
        why: why.to_owned(),
    };
    sqlx::raw_sql("BEGIN").execute(&mut connection).await?;
    // Two copies, or a server that begins, wait for each other here.
    Tally::lock(&mut connection).await?;
    match noted(&mut connection).await? {
        Some(noted) if noted == state => {}
        Some(_) => {
            return Err(unusable(
                "it is the unfinished copy of another store, or of this one before it changed; drop the database and make a new one to begin anew",
            )
            .into());
        }
        None => {
            for table in table::all() {
                if count(&mut connection, table).await? > 0 {
                    return Err(unusable(
                        "it has records; a copy is made in a database that has none",
                    )
                    .into());
                }
            }
            sqlx::query("INSERT INTO unfinished_copy (one, source) VALUES (1, $1)")
                .bind(state)
                .execute(&mut connection)
                .await?;
        }
    }
    sqlx::raw_sql("COMMIT").execute(&mut connection).await?;
    Ok(connection)
}

#[async_trait]
impl Target for PostgresTarget {
    async fn count(&mut self, table: &'static Table) -> Result<u64, StoreError> {
        count(&mut self.connection, table).await
    }

    async fn last_event(&mut self) -> Result<(i64, Seq), StoreError> {
        let last: Result<Option<(i64, i64)>, _> =
            sqlx::query_as("SELECT stream, seq FROM event ORDER BY stream DESC, seq DESC LIMIT 1")
                .fetch_optional(&mut self.connection)
                .await;
        let (stream, seq) = last.map_err(of_database)?.unwrap_or_default();
        Ok((stream, Seq(unsigned(seq)?)))
    }

    async fn put(
        &mut self,
        table: &'static Table,
        rows: Vec<Vec<Value>>,
    ) -> Result<(), StoreError> {
        let [.., copy] = table.postgres;
        let mut text = String::new();
        for row in rows {
            for (place, (value, kind)) in row.iter().zip(table.kinds).enumerate() {
                if place > 0 {
                    text.push('\t');
                }
                write_value(value, *kind, &mut text);
            }
            text.push('\n');
        }
        // One statement, one transaction.
        self.copy_in(copy, text).await
    }

    async fn put_events(&mut self, events: Vec<CopiedEvent>) -> Result<(), StoreError> {
        let mut text = String::new();
        let mut ends = BTreeMap::new();
        for event in events {
            text.push_str(&event.stream.to_string());
            text.push('\t');
            text.push_str(&event.seq.to_string());
            text.push('\t');
            write_bytes(&event.body, &mut text);
            text.push('\n');
            ends.insert(event.stream, (event.seq, event.hash));
        }
        let numbers: Vec<i64> = ends.keys().copied().collect();
        let (lasts, heads): (Vec<i64>, Vec<Vec<u8>>) = ends
            .values()
            .map(|(seq, hash)| (integer(seq.0), hash.to_vec()))
            .unzip();
        self.transact("BEGIN").await?;
        self.copy_in("COPY event (stream, seq, body) FROM STDIN", text)
            .await?;
        let ended = sqlx::query(
            "UPDATE stream SET last = ends.last, head = ends.head FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) AS ends (number, last, head) \
             WHERE stream.number = ends.number",
        )
        .bind(numbers)
        .bind(lasts)
        .bind(heads)
        .execute(&mut self.connection)
        .await;
        ended.map_err(of_database)?;
        self.transact("COMMIT").await
    }

    async fn complete(mut self: Box<Self>) -> Result<(), StoreError> {
        // The server that the store had is no more: it has no lease.
        self.transact(
            "BEGIN; UPDATE tally SET streams = greatest((SELECT coalesce(max(number), 0) FROM stream), (SELECT coalesce(max(number), 0) FROM removed)), \
             open = (SELECT count(*) FROM match WHERE status <> 'over'), waiting = (SELECT count(*) FROM match WHERE status = 'waiting'), \
             reviews = (SELECT coalesce(sum(bytes), 0) FROM review), puzzles = (SELECT count(*) FROM puzzle); \
             COMMIT; ANALYZE",
        )
        .await?;
        // What it has done is committed.
        let _ = self.connection.close().await;
        Ok(())
    }
}

/// A value in the text format of `COPY`.
fn write_value(value: &Value, kind: Kind, text: &mut String) {
    match (value, kind) {
        (Value::Null, _) => text.push_str("\\N"),
        (Value::Number(number), Kind::Flag) => text.push(match number {
            0 => 'f',
            _ => 't',
        }),
        (Value::Number(number), _) => text.push_str(&number.to_string()),
        (Value::Text(words), _) => {
            for c in words.chars() {
                match c {
                    '\\' => text.push_str("\\\\"),
                    '\n' => text.push_str("\\n"),
                    '\r' => text.push_str("\\r"),
                    '\t' => text.push_str("\\t"),
                    c => text.push(c),
                }
            }
        }
        (Value::Bytes(bytes), _) => write_bytes(bytes, text),
    }
}

fn write_bytes(bytes: &[u8], text: &mut String) {
    text.push_str("\\\\x");
    data_encoding::HEXLOWER.encode_append(bytes, text);
}
