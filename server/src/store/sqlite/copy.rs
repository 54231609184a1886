//! A database that a copy of a whole store is written to.

use std::fs::File;
use std::io;
use std::path::Path;

use async_trait::async_trait;
use grundy_shared::ids::Seq;
use sqlx::sqlite::SqliteConnection;

use super::accept::settle;
use super::copying::count;
use super::entries::{Entries, Entry};
use super::lock::FileLock;
use super::note::Note;
use super::opening::{disconnect, resolve};
use super::rows::{integer, unsigned};
use super::schema::{Durability, Upgrade, connect_writer};
use super::unfinished::mark_of;
use crate::store::StoreError;
use crate::store::copying::table::{MATCH, REMOVED, Table};
use crate::store::copying::value::Value;
use crate::store::copying::{CopiedEvent, Target};

/// Bytes of a segment that is written, unless one event has more.
const SEGMENT: usize = 64 << 10;

/// A new database that a copy is written to.
pub(crate) struct SqliteTarget {
    connection: SqliteConnection,
    lock: FileLock,
}

impl SqliteTarget {
    /// Makes the database, or goes on with a copy of the source in this state. No server opens it until [`SqliteTarget::release`].
    ///
    /// # Errors
    /// There is a database, or a copy of something else; or it is in use or cannot be made.
    pub(crate) async fn open(path: &Path, state: &str) -> Result<Self, StoreError> {
        let path = resolve(path)?;
        let unusable = |why: String| StoreError::Unusable {
            path: path.clone(),
            why,
        };
        let mut lock = FileLock::take(&path)?;
        let mark = mark_of(&path);
        match std::fs::read_to_string(&mark) {
            Ok(noted) if noted == state => {}
            // The note was not written whole: nothing came after it.
            Ok(noted) if !path.exists() && state.starts_with(&noted) => {
                write_durably(&mark, state).map_err(|error| unusable(error.to_string()))?;
            }
            Ok(_) => {
                return Err(unusable(format!(
                    "it is the unfinished copy of another store, or of this one before it changed; remove it and {} to begin anew",
                    mark.display()
                )));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && !path.exists() => {
                write_durably(&mark, state).map_err(|error| unusable(error.to_string()))?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(unusable(
                    "there is a database; a copy is made in a directory that has none".to_owned(),
                ));
            }
            Err(error) => return Err(unusable(error.to_string())),
        }
        lock.note(Note::Making);
        Self::make(&path, lock).await
    }

    /// Makes a database for checking only, in a directory that nobody else knows.
    ///
    /// # Errors
    /// It cannot be made.
    pub(crate) async fn open_scratch(path: &Path) -> Result<Self, StoreError> {
        let lock = FileLock::take(path)?;
        Self::make(path, lock).await
    }

    async fn make(path: &Path, lock: FileLock) -> Result<Self, StoreError> {
        let opened = connect_writer(path, Durability::Full, Upgrade::WithoutCopy).await?;
        Ok(Self {
            connection: opened.connection,
            lock,
        })
    }

    /// Lets servers use a complete copy.
    ///
    /// # Errors
    /// The mark cannot be removed.
    pub(crate) fn release(path: &Path) -> Result<(), StoreError> {
        let path = resolve(path)?;
        let removed = std::fs::remove_file(mark_of(&path)).and_then(|()| sync_parent(&path));
        removed.map_err(|error| StoreError::Unusable {
            path,
            why: error.to_string(),
        })
    }

    /// Adds one row.
    async fn add(&mut self, table: &'static Table, row: Vec<Value>) -> Result<(), StoreError> {
        if table.name == REMOVED.name {
            let number = row.first().and_then(Value::number);
            return self.add_removed(number.unwrap_or_default()).await;
        }
        let [.., insert] = table.sqlite;
        let mut query = sqlx::query(insert);
        let is_match = table.name == MATCH.name;
        let number = row.first().and_then(Value::number).filter(|_| is_match);
        for value in row {
            query = match value {
                Value::Null => query.bind(None::<i64>),
                Value::Number(number) => query.bind(number),
                Value::Text(text) => query.bind(text),
                Value::Bytes(bytes) => query.bind(bytes),
            };
        }
        query.execute(&mut self.connection).await?;
        match number {
            Some(number) => self.close_match(number).await,
            None => Ok(()),
        }
    }

    /// Adds a removed log to the range that ends before it.
    async fn add_removed(&mut self, number: i64) -> Result<(), StoreError> {
        let grown = sqlx::query("UPDATE removed SET last = ?1 WHERE last = ?1 - 1")
            .bind(number)
            .execute(&mut self.connection)
            .await?;
        if grown.rows_affected() == 0 {
            sqlx::query("INSERT INTO removed (first, last) VALUES (?1, ?1)")
                .bind(number)
                .execute(&mut self.connection)
                .await?;
        }
        Ok(())
    }

    /// Writes the end of its log beside a match that is over.
    async fn close_match(&mut self, number: i64) -> Result<(), StoreError> {
        let over: bool = sqlx::query_scalar("SELECT status = 'over' FROM match WHERE number = ?1")
            .bind(number)
            .fetch_one(&mut self.connection)
            .await?;
        let blob: Option<Vec<u8>> = sqlx::query_scalar(
            "SELECT body FROM segment WHERE stream = ?1 ORDER BY first DESC LIMIT 1",
        )
        .bind(number)
        .fetch_optional(&mut self.connection)
        .await?;
        let last = blob.and_then(|blob| Entries::of(blob).last());
        let (true, Some(last)) = (over, last) else {
            return Ok(());
        };
        let last = last?;
        sqlx::query("UPDATE match SET log_count = ?2, log_head = ?3 WHERE number = ?1")
            .bind(number)
            .bind(integer(last.seq.0))
            .bind(last.hash.to_vec())
            .execute(&mut self.connection)
            .await?;
        Ok(())
    }

    async fn add_segment(&mut self, entries: &[Entry]) -> Result<(), StoreError> {
        let (Some(first), Some(last)) = (entries.first(), entries.last()) else {
            return Ok(());
        };
        let mut blob = Vec::with_capacity(entries.iter().map(Entry::size).sum());
        for entry in entries {
            entry.write(&mut blob);
        }
        sqlx::query("INSERT INTO segment (stream, first, last, body) VALUES (?1, ?2, ?3, ?4)")
            .bind(first.stream)
            .bind(integer(first.seq.0))
            .bind(integer(last.seq.0))
            .bind(blob)
            .execute(&mut self.connection)
            .await?;
        Ok(())
    }

    async fn begin(&mut self) -> Result<(), StoreError> {
        sqlx::query("BEGIN IMMEDIATE")
            .execute(&mut self.connection)
            .await?;
        Ok(())
    }

    async fn commit(&mut self) -> Result<(), StoreError> {
        sqlx::query("COMMIT").execute(&mut self.connection).await?;
        Ok(())
    }
}

#[async_trait]
impl Target for SqliteTarget {
    async fn count(&mut self, table: &'static Table) -> Result<u64, StoreError> {
        count(&mut self.connection, table).await
    }

    async fn last_event(&mut self) -> Result<(i64, Seq), StoreError> {
        let last: Option<(i64, i64)> = sqlx::query_as(
            "SELECT stream, last FROM segment ORDER BY stream DESC, first DESC LIMIT 1",
        )
        .fetch_optional(&mut self.connection)
        .await?;
        let (stream, last) = last.unwrap_or_default();
        Ok((stream, Seq(unsigned(last)?)))
    }

    async fn put(
        &mut self,
        table: &'static Table,
        rows: Vec<Vec<Value>>,
    ) -> Result<(), StoreError> {
        self.begin().await?;
        for row in rows {
            self.add(table, row).await?;
        }
        self.commit().await
    }

    async fn put_events(&mut self, events: Vec<CopiedEvent>) -> Result<(), StoreError> {
        self.begin().await?;
        let mut segment: Vec<Entry> = Vec::new();
        let mut bytes = 0;
        for event in events {
            let other = segment
                .last()
                .is_some_and(|last| last.stream != event.stream);
            if other || bytes > SEGMENT {
                self.add_segment(&segment).await?;
                segment.clear();
                bytes = 0;
            }
            bytes += event.body.len();
            segment.push(Entry {
                stream: event.stream,
                seq: event.seq,
                hash: event.hash,
                body: event.body,
            });
        }
        self.add_segment(&segment).await?;
        self.commit().await
    }

    async fn complete(mut self: Box<Self>) -> Result<(), StoreError> {
        settle(&mut self.connection).await?;
        disconnect(self.connection).await;
        self.lock.note_durably(Note::Stopped);
        Ok(())
    }
}

fn write_durably(path: &Path, text: &str) -> io::Result<()> {
    std::fs::write(path, text)?;
    File::open(path)?.sync_all()?;
    sync_parent(path)
}

fn sync_parent(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(parent) => File::open(parent)?.sync_all(),
        None => Ok(()),
    }
}
