//! The store in an SQLite file: one task writes, a few connections read.
//!
//! A write is a message to the writer and a wait for its answer, so no caller can tear a transaction by going away. Each batch
//! of commits is one transaction.

mod changes;
mod checks;
mod closed;
pub(crate) mod entries;
mod fault;
mod heads;
mod journal;
pub(crate) mod lock;
pub(crate) mod logs;
mod make;
mod open_matches;
mod readers;
mod request;
pub(crate) mod rows;
pub(crate) mod schema;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use futures::TryStreamExt;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{BadId, ClientCreateId, JoinCode, MatchId, Millis, PlayerId, Seq};
use rustc_hash::FxHashMap;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Row};
use tokio::signal::unix::SignalKind;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::task::TaskTracker;

pub use schema::Durability;

use self::checks::open_count_statement;
use self::closed::Sound;
use self::entries::Entry;
use self::journal::Journal;
use self::lock::FileLock;
use self::logs::{Settled, entries_of, read_journal, settled, whole};
use self::readers::{LONGEST_READ, Readers};
use self::request::Request;
use self::rows::{integer, match_id, read_player, read_row, row_columns, status_word, unsigned};
use self::writer::{Counters, End, Writer};
use super::{
    Commit, CommitError, Cursor, Gauges, LIST_PAGE, LIVE_PAGE, LOAD_PAGE, Lease, ListFilter,
    Listed, Logged, MatchRow, MatchStatus, NodeId, NodeRow, OpenMatch, OpenMatchLog, Page, Store,
    StoreError, StreamId,
};

/// Writes that may wait for the writer; a caller beyond them waits to be let in.
const WAITING: usize = 1_024;

/// The store in an SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    requests: mpsc::Sender<Request>,
    readers: Readers,
    journal: Journal,
    sound: Arc<Sound>,
    counters: Arc<Counters>,
    end: watch::Receiver<Option<End>>,
    /// What was committed last may have been lost before this start.
    log_missing: bool,
}

impl SqliteStore {
    /// Opens the database at this path, making or migrating it as needed.
    ///
    /// # Errors
    /// Whatever stands in the way, typed; a file that is not ours is not touched.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_with(path, Durability::Full).await
    }

    /// The same with a say in durability: for the control of the power-cut tests only.
    ///
    /// # Errors
    /// As [`SqliteStore::open`].
    pub async fn open_with(path: &Path, durability: Durability) -> Result<Self, StoreError> {
        let path = schema::resolve(path)?;
        ignore_file_size_signal()?;
        let mut lock = FileLock::take(&path)?;
        let log_missing = lock.misses_log();
        if log_missing {
            tracing::error!(
                database = %path.display(),
                "the server did not stop cleanly, and its write-ahead log is gone: the last commits may be missing"
            );
        }
        let mut connection = schema::connect_writer(&path, durability).await?;
        let tasks = TaskTracker::new();
        let readers = match Readers::open(&path, tasks.clone(), LONGEST_READ).await {
            // After a power cut in the very making of the file its header can say the old journal mode while a log without a
            // whole frame stands beside it. SQLite then takes the mode for set and does not write it down, and emptying the log leaves
            // nothing of it. Opening the file again sets it; every reader checks it.
            Err(StoreError::Failed { .. }) => {
                schema::disconnect(connection).await;
                connection = schema::connect_writer(&path, durability).await?;
                Readers::open(&path, tasks.clone(), LONGEST_READ).await?
            }
            opened => opened?,
        };
        lock.note_running(true);
        let journal = read_journal(&mut connection).await?;
        let nodes = read_nodes(&mut connection).await?;
        let epochs = nodes.iter().map(|row| (row.id, row.epoch)).collect();
        let counters = Arc::new(Counters::default());
        let (requests, waiting) = mpsc::channel(WAITING);
        let (ended, end) = watch::channel(None);
        let writer = Writer::new(
            connection,
            waiting,
            Arc::clone(&counters),
            journal.clone(),
            epochs,
            lock,
        );
        tasks.spawn(async move {
            let end = writer.run_to_end().await;
            ended.send_replace(Some(end));
        });
        Ok(Self {
            path,
            requests,
            readers,
            journal,
            sound: Arc::default(),
            counters,
            end,
            log_missing,
        })
    }

    /// The file, with its directory resolved.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the store is still open for reading.
    fn open_for_reading(&self) -> Result<(), StoreError> {
        match self.readers.is_closed() {
            true => Err(StoreError::Closed),
            false => Ok(()),
        }
    }

    /// Hands a request to the writer and waits for its answer.
    async fn ask<T>(
        &self,
        request: impl FnOnce(oneshot::Sender<T>) -> Request,
    ) -> Result<T, StoreError> {
        let (sender, answer) = oneshot::channel();
        self.requests
            .send(request(sender))
            .await
            .map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)
    }
}

/// A write beyond a file size limit is to fail as a write to a full disk does: without a handler its signal would end the
/// process.
fn ignore_file_size_signal() -> Result<(), StoreError> {
    let signal = SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw());
    // The handler stays when the stream of signals is dropped.
    tokio::signal::unix::signal(signal)
        .map(drop)
        .map_err(|error| StoreError::Failed {
            why: format!("no handler for SIGXFSZ: {error}"),
        })
}

/// The statement that lists matches. Its parameters: ?1 the place before which, ?2 how many, ?3 the player, ?4 the state, ?5 the opponent.
fn list_statement(filter: ListFilter) -> String {
    const COLUMNS: &str = concat!("number, id, ", row_columns!());
    let status = match filter.status {
        None => "",
        Some(MatchStatus::Over) => " AND status = ?4",
        // Said again in the words of the partial index, so that SQLite can use it.
        Some(MatchStatus::Waiting | MatchStatus::Live) => " AND status = ?4 AND status <> 'over'",
    };
    let page = format!("number < ?1{status} ORDER BY number DESC LIMIT ?2");
    if filter.player.is_none() {
        return format!("SELECT {COLUMNS} FROM match WHERE {page}");
    }
    // A player's matches come from two indexes, each read no further than the page; who has both seats is listed once.
    let seat = |seat, other| {
        let against = match filter.opponent {
            Some(_) => format!(" AND {other} = ?5"),
            None => String::new(),
        };
        format!(
            "SELECT number FROM (SELECT number FROM match WHERE {seat} = ?3{against} AND {page})"
        )
    };
    format!(
        "SELECT {COLUMNS} FROM match WHERE number IN ({} UNION {}) ORDER BY number DESC LIMIT ?2",
        seat("first_id", "second_id"),
        seat("second_id", "first_id")
    )
}

fn limit(wish: usize, most: usize) -> i64 {
    integer(wish.min(most) as u64)
}

fn open_match(row: &SqliteRow) -> Result<OpenMatch, StoreError> {
    let code: Option<&str> = row.try_get("code")?;
    let code = code.map(|code| {
        let code = code.parse().map_err(|error: BadId| StoreError::Corrupt {
            why: error.to_string(),
        })?;
        let expires = Millis(unsigned(row.try_get("expires_at")?)?);
        Ok::<_, StoreError>((code, expires))
    });
    Ok(OpenMatch {
        id: match_id(row.try_get("id")?)?,
        row: read_row(row)?,
        code: code.transpose()?,
    })
}

/// The nodes. A heartbeat that is no time is none: the players lose nothing by it, and the next one takes its place.
async fn read_nodes(connection: &mut SqliteConnection) -> Result<Vec<NodeRow>, StoreError> {
    let rows = sqlx::query("SELECT id, epoch, enlisted_at, heartbeat FROM node ORDER BY id")
        .fetch_all(connection)
        .await?;
    let read = |row: &SqliteRow| {
        let heartbeat = row.try_get::<Option<i64>, _>("heartbeat");
        let heartbeat = heartbeat.map_err(StoreError::from);
        let heartbeat = heartbeat.and_then(|at| at.map(unsigned).transpose());
        let heartbeat = heartbeat.unwrap_or_else(|error| {
            tracing::error!(%error, "the last heartbeat cannot be read");
            None
        });
        Ok(NodeRow {
            id: NodeId(row.try_get("id")?),
            epoch: unsigned(row.try_get("epoch")?)?,
            enlisted_at: Millis(unsigned(row.try_get("enlisted_at")?)?),
            heartbeat: heartbeat.map(Millis),
        })
    };
    rows.iter().map(read).collect()
}

#[async_trait]
impl Store for SqliteStore {
    async fn commit(&self, lease: Lease, batch: Vec<Commit>) -> Vec<Result<(), CommitError>> {
        let wanted = batch.len();
        let outcomes = self.ask(|reply| Request::Commit(lease, batch, reply)).await;
        outcomes.unwrap_or_else(|error| vec![Err(error.into()); wanted])
    }

    async fn load(
        &self,
        stream: StreamId,
        after: Seq,
        wish: usize,
    ) -> Result<Option<Vec<Logged>>, StoreError> {
        let limit = wish.min(LOAD_PAGE);
        // First what is not settled: it may be settled while the rest is read, but nothing comes back from there.
        let mut tail = self.journal.after(stream, after, limit);
        if self.journal.covers(stream, after) {
            return self.open_for_reading().map(|()| Some(tail));
        }
        let (sound, journal) = (Arc::clone(&self.sound), self.journal.clone());
        let settled = self
            .readers
            .read(move |connection| {
                Box::pin(async move {
                    let settled = settled(connection, stream, after, limit).await?;
                    if let (StreamId::Match(id), Some(Settled { closed: true, .. })) =
                        (stream, &settled)
                    {
                        sound.check(id, &journal, connection).await?;
                    }
                    Ok(settled)
                })
            })
            .await?;
        let Some(Settled { mut events, .. }) = settled else {
            return Ok(None);
        };
        if events.is_empty() && tail.is_empty() {
            // Committed since.
            tail = self.journal.after(stream, after, limit);
        }
        let last = events.last().map_or(after, |last| last.seq);
        let room = limit - events.len();
        let later = tail.into_iter().filter(|event| event.seq > last);
        events.extend(later.take(room));
        Ok(Some(events))
    }

    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    sqlx::query(concat!(
                        "SELECT ",
                        row_columns!(),
                        " FROM match WHERE id = ?1"
                    ))
                    .bind(id.to_i64())
                    .fetch_optional(connection)
                    .await?
                    .as_ref()
                    .map(read_row)
                    .transpose()
                })
            })
            .await
    }

    async fn list(&self, filter: ListFilter, page: Page) -> Result<Vec<Listed>, StoreError> {
        let before = match &page.before {
            Some(before) => before.to_number()?,
            None => i64::MAX,
        };
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    sqlx::query(AssertSqlSafe(list_statement(filter)))
                        .bind(before)
                        .bind(limit(page.limit, LIST_PAGE))
                        .bind(filter.player.map(|id| id.as_bytes().to_vec()))
                        .bind(filter.status.map(status_word))
                        .bind(filter.opponent.map(|id| id.as_bytes().to_vec()))
                        .fetch_all(connection)
                        .await?
                        .iter()
                        .map(|row| {
                            Ok(Listed {
                                cursor: Cursor::number(row.try_get("number")?),
                                id: match_id(row.try_get("id")?)?,
                                row: read_row(row)?,
                            })
                        })
                        .collect()
                })
            })
            .await
    }

    async fn open_matches(
        &self,
        player: PlayerId,
        wish: usize,
    ) -> Result<Vec<OpenMatch>, StoreError> {
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    sqlx::query(concat!(
                        "SELECT id, code, expires_at, ",
                        row_columns!(),
                        " FROM match LEFT JOIN join_code ON match = number WHERE number IN \
                         (SELECT number FROM match WHERE first_id = ?1 AND status <> 'over' \
                         UNION SELECT number FROM match WHERE second_id = ?1 AND status <> 'over') \
                         GROUP BY number ORDER BY number DESC LIMIT ?2"
                    ))
                    .bind(player.as_bytes().to_vec())
                    .bind(limit(wish, LIST_PAGE))
                    .fetch_all(connection)
                    .await?
                    .iter()
                    .map(open_match)
                    .collect()
                })
            })
            .await
    }

    async fn open_count(&self, of: Option<PlayerId>) -> Result<u64, StoreError> {
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    let count: i64 = match of {
                        None => {
                            sqlx::query_scalar("SELECT count(*) FROM match WHERE status <> 'over'")
                                .fetch_one(connection)
                                .await?
                        }
                        Some(player) => {
                            sqlx::query_scalar(open_count_statement!())
                                .bind(player.as_bytes().to_vec())
                                .fetch_one(connection)
                                .await?
                        }
                    };
                    unsigned(count)
                })
            })
            .await
    }

    async fn live(
        &self,
        owner: NodeId,
        after: Option<Cursor>,
    ) -> Result<Vec<OpenMatchLog>, StoreError> {
        let after = match &after {
            Some(after) => after.to_number()?,
            None => i64::MIN,
        };
        let page = self.live_page(owner, after).await?;
        self.with_logs(&page).await
    }

    async fn find_code(&self, code: JoinCode) -> Result<Option<(MatchId, Millis)>, StoreError> {
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    sqlx::query_as(
                        "SELECT id, expires_at FROM join_code JOIN match ON match = number WHERE code = ?1",
                    )
                    .bind(code.to_string())
                    .fetch_optional(connection)
                    .await?
                    .map(|(id, expires)| Ok((match_id(id)?, Millis(unsigned(expires)?))))
                    .transpose()
                })
            })
            .await
    }

    async fn find_create_id(
        &self,
        player: PlayerId,
        client_create_id: &ClientCreateId,
    ) -> Result<Option<MatchId>, StoreError> {
        let name = client_create_id.to_string();
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    sqlx::query_scalar(
                        "SELECT id FROM create_id JOIN match ON match = number WHERE player = ?1 AND name = ?2",
                    )
                    .bind(player.as_bytes().to_vec())
                    .bind(name)
                    .fetch_optional(connection)
                    .await?
                    .map(match_id)
                    .transpose()
                })
            })
            .await
    }

    async fn player_by_token(&self, hash: [u8; 32]) -> Result<Option<PlayerInfo>, StoreError> {
        self.player_where(
            "SELECT id, name, bot FROM player WHERE token_hash = ?1",
            hash.to_vec(),
        )
        .await
    }

    async fn player(&self, id: PlayerId) -> Result<Option<PlayerInfo>, StoreError> {
        self.player_where(
            "SELECT id, name, bot FROM player WHERE id = ?1",
            id.as_bytes().to_vec(),
        )
        .await
    }

    async fn players_named(&self, name: &str, wish: usize) -> Result<Vec<PlayerInfo>, StoreError> {
        let name = name.to_owned();
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    let rows = sqlx::query(
                        "SELECT id, name, bot FROM player WHERE name = ?1 ORDER BY id LIMIT ?2",
                    )
                    .bind(name)
                    .bind(limit(wish, LIST_PAGE))
                    .fetch_all(connection)
                    .await?;
                    let read = |row| read_player(row, ["id", "name", "bot"]);
                    let players = rows.iter().map(read).filter_map(Result::transpose);
                    players.collect()
                })
            })
            .await
    }

    async fn enlist(&self, node: NodeId, at: Millis) -> Result<Lease, StoreError> {
        self.ask(|reply| Request::Enlist(node, at, reply)).await?
    }

    async fn heartbeat(&self, lease: Lease, at: Millis) -> Result<(), StoreError> {
        self.ask(|reply| Request::Heartbeat(lease, at, reply))
            .await?
    }

    async fn nodes(&self) -> Result<Vec<NodeRow>, StoreError> {
        self.readers
            .read(|connection| Box::pin(read_nodes(connection)))
            .await
    }

    async fn take_over(&self, lease: Lease, from: NodeRow) -> Result<u64, StoreError> {
        self.ask(|reply| Request::TakeOver(lease, from, reply))
            .await?
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.ask(Request::Ready).await?
    }

    async fn failed(&self) -> StoreError {
        let mut end = self.end.clone();
        let failure = match end.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(Err(error))) => Some(error.clone()),
            _ => None,
        };
        match failure {
            Some(error) => error,
            None => std::future::pending().await,
        }
    }

    fn gauges(&self) -> Gauges {
        let waiting = self.requests.max_capacity() - self.requests.capacity();
        Gauges {
            log_missing: self.log_missing,
            ..self.counters.gauges(waiting as u64)
        }
    }

    async fn close(&self) {
        // The writer leaves last: only who can write empties and removes the write-ahead log.
        self.readers.close().await;
        // An error means that the writer is gone already.
        let _ = self.requests.send(Request::Close).await;
        let _ = self.end.clone().wait_for(Option::is_some).await;
    }
}

impl SqliteStore {
    /// A page of matches that are not over: number and id. An id that cannot be read is logged, and its match left out.
    async fn live_page(
        &self,
        owner: NodeId,
        after: i64,
    ) -> Result<Vec<(i64, MatchId)>, StoreError> {
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    let rows = sqlx::query(
                        "SELECT number, id FROM match WHERE status <> 'over' AND number > ?1 AND owner = ?2 ORDER BY number LIMIT ?3",
                    )
                    .bind(after)
                    .bind(owner.0)
                    .bind(limit(LIVE_PAGE, LIVE_PAGE))
                    .fetch_all(connection)
                    .await?;
                    let mut page = Vec::with_capacity(rows.len());
                    for row in rows {
                        let number = row.try_get("number")?;
                        let id = row.try_get("id").map_err(StoreError::from);
                        match id.and_then(match_id) {
                            Ok(id) => page.push((number, id)),
                            Err(error) => tracing::error!(number, %error, "a match has lost its id"),
                        }
                    }
                    Ok(page)
                })
            })
            .await
    }

    /// The settled entries of the matches with these numbers.
    async fn segments(
        &self,
        numbers: &[i64],
    ) -> Result<FxHashMap<i64, Result<Vec<Entry>, StoreError>>, StoreError> {
        let wanted = serde_json::to_string(numbers).expect("numbers can be written");
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    let mut rows = sqlx::query(
                        "SELECT stream, body FROM segment WHERE stream IN (SELECT value FROM json_each(?1)) ORDER BY stream, first",
                    )
                    .bind(wanted)
                    .fetch(connection);
                    let mut found: FxHashMap<i64, Result<Vec<Entry>, StoreError>> =
                        FxHashMap::default();
                    while let Some(row) = rows.try_next().await? {
                        let number = row.try_get("stream")?;
                        let blob = row.try_get::<Vec<u8>, _>("body").map_err(StoreError::from);
                        let entries = blob.and_then(|blob| entries_of(blob.into()));
                        let log = found.entry(number).or_insert_with(|| Ok(Vec::new()));
                        match (log.as_mut(), entries) {
                            (Ok(log), Ok(entries)) => log.extend(entries),
                            (Ok(_), Err(error)) => *log = Err(error),
                            (Err(_), _) => {}
                        }
                    }
                    Ok(found)
                })
            })
            .await
    }

    /// The whole log of a match, from its settled entries and the journal.
    fn live_log(
        &self,
        id: MatchId,
        settled: Option<Result<Vec<Entry>, StoreError>>,
    ) -> Result<Vec<Logged>, StoreError> {
        let mut entries = settled.unwrap_or_else(|| Ok(Vec::new()))?;
        let last = entries.last().map_or(Seq(0), |last| last.seq);
        entries.extend(self.journal.entries_after(id.into(), last));
        whole(id.into(), entries)
    }

    /// These matches with their logs. What one of them cannot be read for does not hide the others.
    async fn with_logs(&self, page: &[(i64, MatchId)]) -> Result<Vec<OpenMatchLog>, StoreError> {
        let numbers: Vec<i64> = page.iter().map(|(number, _)| *number).collect();
        let mut settled = match self.segments(&numbers).await {
            Err(StoreError::Closed) => return Err(StoreError::Closed),
            Err(error) if page.len() == 1 => {
                FxHashMap::from_iter([(numbers[0], Err(error.clone()))])
            }
            Err(_) => {
                let mut each = Vec::with_capacity(page.len());
                for one in page {
                    each.extend(Box::pin(self.with_logs(std::slice::from_ref(one))).await?);
                }
                return Ok(each);
            }
            Ok(settled) => settled,
        };
        let matches = page.iter().map(|(number, id)| OpenMatchLog {
            cursor: Cursor::number(*number),
            id: *id,
            log: self.live_log(*id, settled.remove(number)),
        });
        Ok(matches.collect())
    }

    async fn player_where(
        &self,
        statement: &'static str,
        key: Vec<u8>,
    ) -> Result<Option<PlayerInfo>, StoreError> {
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    match sqlx::query(statement)
                        .bind(key)
                        .fetch_optional(connection)
                        .await?
                    {
                        Some(row) => read_player(&row, ["id", "name", "bot"]),
                        None => Ok(None),
                    }
                })
            })
            .await
    }
}
