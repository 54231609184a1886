//! A database that a copy of a whole store is written to.

use std::collections::BTreeMap;

use async_trait::async_trait;
use grundy_shared::ids::Seq;
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;

use super::address::Address;
use super::connecting::{PATIENT, connect, connect_with_rights, unusable};
use super::copying::{count, of_database};
use super::fault::Fault;
use super::schema;
use super::tally::Tally;
use super::unfinished::noted;
use crate::store::StoreError;
use crate::store::columns::{integer, unsigned};
use crate::store::copying::moved;
use crate::store::copying::table::{self, Table};
use crate::store::copying::value::{Kind, Value};
use crate::store::copying::{CopiedEvent, Target};

/// Lets one copy into a database be made at a time. Any constant that no other program takes.
const COPYING: i64 = 0x474E_4459_0001;

/// A database that a copy is written to.
pub(crate) struct PostgresTarget {
    connection: PgConnection,
}

impl PostgresTarget {
    /// Whether a copy can be begun or gone on with, as far as that is seen without the source.
    ///
    /// # Errors
    /// It cannot be reached, is not a database of this version, or the role may not write.
    pub(crate) async fn check(address: &Address) -> Result<(), StoreError> {
        let checking = async {
            let mut connection = connect_with_rights(address).await?;
            schema::check_same(&mut connection, address).await
        };
        checking.await.map_err(|fault| unusable(address, fault))
    }

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
        Some(noted) if moved::place_of(&noted).is_some() => {
            return Err(unusable(
                "it has records, which were moved to another store; a copy is made in a database that has none",
            )
            .into());
        }
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
