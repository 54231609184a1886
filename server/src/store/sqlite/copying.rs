//! A database as the source of a copy of the whole store.

use std::collections::BTreeMap;
use std::path::Path;

use async_trait::async_trait;
use futures::stream::{BoxStream, StreamExt as _, TryStreamExt as _};
use grundy_shared::ids::Seq;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::entries::{Entries, Entry};
use super::left;
use super::lock::FileLock;
use super::opening::resolve;
use super::removal::Removed;
use super::rows::{integer, stream_of, unsigned};
use super::run;
use super::schema::connect_reader;
use super::unfinished;
use crate::store::StoreError;
use crate::store::columns::corrupt;
use crate::store::copying::table::Table;
use crate::store::copying::value::{Kind, Value};
use crate::store::copying::{CopiedEvent, Flaw, Following, PAGE, Source};

/// A database that no server uses. Nothing in it is changed.
pub(crate) struct SqliteSource {
    connection: SqliteConnection,
    unsettled: Option<BTreeMap<i64, Vec<Entry>>>,
    /// The log in which the last page ended.
    following: Option<Following>,
    _lock: FileLock,
}

impl SqliteSource {
    /// Whether it is there, complete, and was not moved to another place than this.
    ///
    /// # Errors
    /// `Unusable` or `Moved`.
    pub(crate) fn check(path: &Path, to: &str) -> Result<(), StoreError> {
        let path = resolve(path)?;
        if !path.exists() {
            let why = "there is no such file".to_owned();
            return Err(StoreError::Unusable { path, why });
        }
        unfinished::check(&path)?;
        left::check(&path, Some(to))
    }

    /// Opens it, and keeps servers away from it.
    ///
    /// # Errors
    /// It is not ours, of another schema than this program's, or in use.
    pub(crate) async fn open(path: &Path) -> Result<Self, StoreError> {
        let path = resolve(path)?;
        let lock = FileLock::take(&path)?;
        let connection = connect_reader(&path).await?;
        Ok(Self {
            connection,
            unsettled: None,
            following: None,
            _lock: lock,
        })
    }
}

/// The events of the journal by their logs, also those that are in a segment. The journal is bounded.
async fn read_unsettled(
    connection: &mut SqliteConnection,
) -> Result<BTreeMap<i64, Vec<Entry>>, StoreError> {
    let removed = Removed::read(&mut *connection).await?;
    let blobs: Vec<Vec<u8>> = sqlx::query_scalar("SELECT body FROM batch ORDER BY number")
        .fetch_all(connection)
        .await?;
    let mut unsettled = BTreeMap::<_, Vec<_>>::new();
    for entry in blobs.into_iter().flat_map(Entries::of) {
        let entry = entry?;
        if !removed.contains(entry.stream) {
            unsettled.entry(entry.stream).or_default().push(entry);
        }
    }
    Ok(unsettled)
}

/// Events that are handed on together: those after a place.
struct Page {
    after: (i64, Seq),
    events: Vec<CopiedEvent>,
    bytes: usize,
}

impl Page {
    fn after(after: (i64, Seq)) -> Self {
        Self {
            after,
            events: Vec::new(),
            bytes: 0,
        }
    }

    fn is_full(&self) -> bool {
        self.bytes > PAGE
    }

    fn take(&mut self, log: &mut Following, entry: Entry) -> Result<(), StoreError> {
        let (before, id, hash) = (log.last, log.id, entry.hash);
        let event = log.follow(entry.seq, entry.body);
        if event.seq.0 != before.0 + 1 || event.hash != hash {
            return Err(corrupt(format_args!(
                "event {} of {id} is missing or does not fit the hash chain",
                before.0 + 1
            )));
        }
        if (event.stream, event.seq) > self.after {
            self.bytes += event.body.len();
            self.events.push(event);
        }
        Ok(())
    }

    /// Takes what the journal has of a log whose segments are read.
    fn end(
        &mut self,
        mut log: Following,
        unsettled: &BTreeMap<i64, Vec<Entry>>,
    ) -> Result<(), StoreError> {
        for entry in unsettled.get(&log.number).into_iter().flatten() {
            if entry.seq > log.last {
                self.take(&mut log, entry.clone())?;
            }
        }
        Ok(())
    }
}

#[async_trait]
impl Source for SqliteSource {
    async fn state(&mut self) -> Result<String, StoreError> {
        let run = run::read(&mut self.connection).await?;
        let id: Option<i64> = sqlx::query_scalar("SELECT id FROM server")
            .fetch_optional(&mut self.connection)
            .await?;
        let (number, opened_at) = (run.number, run.opened_at);
        Ok(format!(
            "sqlite {id:?} opened {number} times, last at {opened_at}"
        ))
    }

    async fn size(&mut self) -> Result<u64, StoreError> {
        let size = sqlx::query_scalar(
            "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
        );
        unsigned(size.fetch_one(&mut self.connection).await?)
    }

    async fn count(&mut self, table: &'static Table) -> Result<u64, StoreError> {
        count(&mut self.connection, table).await
    }

    fn rows<'a>(
        &'a mut self,
        table: &'static Table,
        skip: u64,
    ) -> BoxStream<'a, Result<Vec<Value>, StoreError>> {
        let [_, all, _] = table.sqlite;
        let rows = sqlx::query(all)
            .bind(integer(skip))
            .fetch(&mut self.connection);
        rows.map(move |row| read(&row?, table)).boxed()
    }

    async fn events(&mut self, after: (i64, Seq)) -> Result<Vec<CopiedEvent>, StoreError> {
        if self.unsettled.is_none() {
            self.unsettled = Some(read_unsettled(&mut self.connection).await?);
        }
        let unsettled = self.unsettled.get_or_insert_default();
        let mut log = self.following.take();
        let from = log.as_ref().map_or(after.0, |log| log.number);
        let settled = log.as_ref().map_or(Seq(0), |log| log.last);
        // A row for each segment, and one for a log that has none.
        let mut rows = sqlx::query(
            "SELECT number, kind, id, body FROM stream LEFT JOIN segment ON segment.stream = number \
             WHERE number >= ?1 AND (number > ?1 OR last > ?2 OR last IS NULL) ORDER BY number, first",
        )
        .bind(from)
        .bind(integer(settled.0))
        .fetch(&mut self.connection);
        let mut page = Page::after(after);
        while !page.is_full() {
            let row = rows.try_next().await?;
            let number = row.as_ref().map(|row| row.try_get::<i64, _>("number"));
            let number = number.transpose()?;
            if let Some(ended) = log.take_if(|log| Some(log.number) != number) {
                page.end(ended, unsettled)?;
            }
            let (Some(row), Some(number)) = (row, number) else {
                break;
            };
            let log = match &mut log {
                Some(log) => log,
                none => {
                    let id = stream_of(row.try_get("kind")?, row.try_get("id")?)?;
                    none.insert(Following::new(number, id))
                }
            };
            let body: Option<Vec<u8>> = row.try_get("body")?;
            for entry in Entries::of(body.unwrap_or_default()) {
                page.take(log, entry?)?;
            }
        }
        self.following = log;
        Ok(page.events)
    }

    async fn flaws(&mut self) -> Result<Vec<Flaw>, StoreError> {
        // What is wrong with a log ends the reading, and there are no counts.
        Ok(Vec::new())
    }
}

/// How many rows a table has.
pub(super) async fn count(
    connection: &mut SqliteConnection,
    table: &'static Table,
) -> Result<u64, StoreError> {
    let [count, ..] = table.sqlite;
    unsigned(sqlx::query_scalar(count).fetch_one(connection).await?)
}

fn read(row: &SqliteRow, table: &'static Table) -> Result<Vec<Value>, StoreError> {
    let kinds = table.kinds.iter().enumerate();
    let values = kinds.map(|(place, kind)| {
        Ok(match kind {
            Kind::Number | Kind::Small | Kind::Flag => {
                row.try_get::<Option<i64>, _>(place)?.map(Value::Number)
            }
            Kind::Text => row.try_get::<Option<String>, _>(place)?.map(Value::Text),
            Kind::Bytes => row.try_get::<Option<Vec<u8>>, _>(place)?.map(Value::Bytes),
        }
        .unwrap_or(Value::Null))
    });
    let read: Result<_, sqlx::Error> = values.collect();
    read.map_err(|error| corrupt(format_args!("table {}: {error}", table.name)))
}
