//! The sums of the tables, kept by the writer: each transaction that changes rows writes the new sums with them. What another program changes
//! leaves a difference, which no later change of the server removes, and which fsck finds.
//!
//! Triggers of the writer's own connection note the rows; so no statement can forget to. Moves write to the journal alone, which has no
//! triggers.

use std::collections::BTreeMap;

use futures::TryStreamExt;
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Row};

use super::covered::Covered;
use super::sum::{Sum, TableSum};
use crate::store::StoreError;

/// A sum as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    /// What it covers.
    columns: String,
    pub(crate) sum: TableSum,
}

impl Stored {
    /// Whether this is the sum of this table, and not what is left to compute it from.
    pub(crate) fn is_of(&self, covered: &Covered) -> bool {
        self.columns == covered.columns()
    }
}

/// Reads the stored sums by their tables.
pub(crate) async fn read(
    connection: &mut SqliteConnection,
) -> Result<BTreeMap<String, Stored>, StoreError> {
    let rows = sqlx::query("SELECT name, columns, rows, sum FROM table_sum")
        .fetch_all(connection)
        .await?;
    let mut stored = BTreeMap::new();
    for row in rows {
        let sum = Sum::from_bytes(row.try_get("sum")?).ok_or_else(|| StoreError::Corrupt {
            why: "the sum of a table is not 32 bytes".to_owned(),
        })?;
        let rows = row.try_get("rows")?;
        let columns = row.try_get("columns")?;
        let sum = TableSum { rows, sum };
        stored.insert(row.try_get("name")?, Stored { columns, sum });
    }
    Ok(stored)
}

/// Computes the sum of a table. Cost: one pass over it, without the events.
pub(crate) async fn compute(
    covered: &Covered,
    connection: &mut SqliteConnection,
) -> Result<TableSum, StoreError> {
    let columns = covered.columns();
    let mut rows =
        sqlx::query_scalar::<_, String>(AssertSqlSafe(covered.select())).fetch(connection);
    let mut sum = TableSum::default();
    while let Some(text) = rows.try_next().await? {
        sum = sum.plus(TableSum::one(Sum::of_row(&covered.name, &columns, &text)));
    }
    Ok(sum)
}

/// The statement that writes sums over those that are stored.
macro_rules! put {
    ($before:literal) => {
        concat!(
            $before,
            "INSERT INTO table_sum (name, columns, rows, sum) \
             SELECT value ->> 0, value ->> 1, value ->> 2, unhex(value ->> 3) FROM json_each(?1) WHERE true \
             ON CONFLICT (name) DO UPDATE SET columns = excluded.columns, rows = excluded.rows, sum = excluded.sum"
        )
    };
}

/// Writes these sums with this statement.
async fn put(
    statement: &'static str,
    sums: &BTreeMap<String, Stored>,
    connection: &mut SqliteConnection,
) -> Result<(), sqlx::Error> {
    let sums = sums.iter().map(|(name, Stored { columns, sum })| {
        let bytes = data_encoding::HEXUPPER.encode(&sum.sum.to_bytes());
        serde_json::json!([name, columns, sum.rows, bytes])
    });
    let sums = serde_json::Value::from_iter(sums).to_string();
    sqlx::query(statement)
        .bind(sums)
        .execute(connection)
        .await?;
    Ok(())
}

/// Before migrations, which change tables without noting it: replaces each sum by its difference from the table, which is nothing if no other
/// program has written. [`complete`] adds the new sum to it, so that a migration hides no change.
pub(super) async fn keep_differences(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let known: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'table_sum')",
    )
    .fetch_one(&mut *connection)
    .await?;
    if !known {
        return Ok(());
    }
    begin(connection).await?;
    let mut stored = read(connection).await?;
    stored.retain(|_, sum| !sum.columns.is_empty());
    for (name, stored) in &mut stored {
        let covered = Covered::of(name.clone(), &stored.columns);
        let found = compute(&covered, connection).await?;
        stored.sum = stored.sum.minus(found);
        stored.columns.clear();
    }
    put(put!(""), &stored, connection).await?;
    commit(connection).await
}

/// Computes the sums that are missing. Cost: one pass over their tables; nothing if all are there.
pub(super) async fn complete(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut stored = read(connection).await?;
    let covered = Covered::read(connection).await?;
    let is_there = |covered: &Covered| {
        let sum = stored.get(&covered.name);
        sum.is_some_and(|sum| sum.is_of(covered))
    };
    if covered.iter().all(is_there) && covered.len() == stored.len() {
        return Ok(());
    }
    begin(connection).await?;
    let missing: Vec<_> = covered
        .iter()
        .filter(|covered| !is_there(covered))
        .collect();
    for missing in missing {
        let kept = stored.get(&missing.name);
        let difference = kept.map_or_else(TableSum::default, |kept| kept.sum);
        let sum = compute(missing, connection).await?.plus(difference);
        let columns = missing.columns();
        stored.insert(missing.name.clone(), Stored { columns, sum });
    }
    stored.retain(|name, _| covered.iter().any(|covered| covered.name == *name));
    put(put!("DELETE FROM table_sum; "), &stored, connection).await?;
    commit(connection).await
}

/// Forgets the sums, to compute them again from what is there.
pub(super) async fn forget(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM table_sum")
        .execute(connection)
        .await?;
    Ok(())
}

async fn begin(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    sqlx::query("BEGIN IMMEDIATE").execute(connection).await?;
    Ok(())
}

async fn commit(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(())
}

/// The sums as the writer keeps them.
#[derive(Debug, Default)]
pub(super) struct Sums {
    committed: BTreeMap<String, Stored>,
    /// What the transaction makes of some of them.
    written: BTreeMap<String, Stored>,
}

impl Sums {
    /// Reads them, and has this connection note what it changes.
    pub(super) async fn watch(connection: &mut SqliteConnection) -> Result<Self, StoreError> {
        let committed = read(connection).await?;
        let mut statements = "CREATE TEMP TABLE changed (id INTEGER PRIMARY KEY, name TEXT NOT NULL, count INTEGER NOT NULL, \
             text TEXT NOT NULL) STRICT;"
            .to_owned();
        for covered in Covered::read(connection).await? {
            statements.push_str(&covered.watch());
        }
        sqlx::raw_sql(AssertSqlSafe(statements))
            .execute(connection)
            .await?;
        Ok(Self {
            committed,
            written: BTreeMap::new(),
        })
    }

    /// Writes the sums of the tables that the transaction has changed.
    pub(super) async fn write(
        &mut self,
        connection: &mut SqliteConnection,
    ) -> Result<(), sqlx::Error> {
        let changed = sqlx::query("SELECT name, count, text FROM changed ORDER BY id")
            .fetch_all(&mut *connection)
            .await?;
        if changed.is_empty() {
            return Ok(());
        }
        for row in changed {
            let name: &str = row.try_get("name")?;
            if !self.written.contains_key(name) {
                let Some(sum) = self.committed.get(name) else {
                    continue;
                };
                self.written.insert(name.to_owned(), sum.clone());
            }
            if let Some(Stored { columns, sum }) = self.written.get_mut(name) {
                let row_sum = TableSum::one(Sum::of_row(name, columns, row.try_get("text")?));
                *sum = match row.try_get::<i64, _>("count")? {
                    1 => sum.plus(row_sum),
                    _ => sum.minus(row_sum),
                };
            }
        }
        // Each question to SQLite's thread costs two switches of threads: what belongs together goes together.
        put(put!("DELETE FROM changed; "), &self.written, connection).await
    }

    /// The transaction is committed.
    pub(super) fn keep(&mut self) {
        self.committed.append(&mut self.written);
    }

    /// The transaction is undone, with what it noted.
    pub(super) fn forget(&mut self) {
        self.written.clear();
    }
}
