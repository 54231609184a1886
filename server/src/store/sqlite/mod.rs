//! The store in an SQLite file: one task writes, a few connections read.
//!
//! A write is a message to the writer and a wait for its answer, so no caller can tear a transaction by going away. Each batch
//! of commits is one transaction.

mod checks;
mod closed;
mod fault;
mod heads;
pub(crate) mod lock;
mod make;
mod readers;
mod request;
pub(crate) mod rows;
pub(crate) mod schema;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use grundy_shared::chain;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{BadId, ClientCreateId, JoinCode, MatchId, Millis, PlayerId, Seq};
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Row};
use tokio::signal::unix::SignalKind;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::task::TaskTracker;

pub use schema::Durability;

use self::checks::open_count_statement;
use self::closed::Sound;
use self::lock::FileLock;
use self::readers::{LONGEST_READ, Readers};
use self::request::Request;
use self::rows::{integer, match_id, read_player, read_row, row_columns, status_word, unsigned};
use self::writer::{Counters, End, Writer};
use super::{
    Commit, CommitError, Cursor, Gauges, LIST_PAGE, LIVE_PAGE, LOAD_PAGE, Lease, ListFilter,
    Listed, LiveMatch, Logged, MatchRow, MatchStatus, NodeId, NodeRow, OpenMatch, Page, Store,
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
        let nodes = read_nodes(&mut connection).await?;
        let epochs = nodes.iter().map(|row| (row.id, row.epoch)).collect();
        let counters = Arc::new(Counters::default());
        let (requests, waiting) = mpsc::channel(WAITING);
        let (ended, end) = watch::channel(None);
        let writer = Writer::new(connection, waiting, Arc::clone(&counters), epochs, lock);
        tasks.spawn(async move {
            let end = writer.run_to_end().await;
            ended.send_replace(Some(end));
        });
        Ok(Self {
            path,
            requests,
            readers,
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

/// The statement that lists matches. Its parameters: ?1 the place before which, ?2 how many, ?3 the player, ?4 the state.
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
    let seat = |seat| {
        format!("SELECT number FROM (SELECT number FROM match WHERE {seat} = ?3 AND {page})")
    };
    format!(
        "SELECT {COLUMNS} FROM match WHERE number IN ({} UNION {}) ORDER BY number DESC LIMIT ?2",
        seat("first_id"),
        seat("second_id")
    )
}

fn limit(wish: usize, most: usize) -> i64 {
    integer(wish.min(most) as u64)
}

fn logged(row: &SqliteRow) -> Result<Logged, StoreError> {
    Ok(Logged {
        seq: Seq(unsigned(row.try_get("seq")?)?),
        body: row.try_get::<String, _>("body")?.into(),
    })
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

fn live_match(row: &SqliteRow) -> Result<LiveMatch, StoreError> {
    let id = match_id(row.try_get("id")?)?;
    Ok(LiveMatch {
        cursor: Cursor::number(row.try_get("number")?),
        id,
        log: live_log(id, row),
    })
}

fn live_log(id: MatchId, row: &SqliteRow) -> Result<Vec<Logged>, StoreError> {
    let bodies: Vec<String> =
        serde_json::from_str(row.try_get("bodies")?).map_err(|error| StoreError::Corrupt {
            why: error.to_string(),
        })?;
    let last = Seq(unsigned(
        row.try_get::<Option<i64>, _>("last")?.unwrap_or(0),
    )?);
    check_dense(bodies.len(), last)?;
    let bytes = bodies.iter().map(String::as_bytes);
    check_chain(id, bytes, row.try_get("hash")?)?;
    let numbers = (1..).map(Seq);
    Ok(numbers
        .zip(bodies)
        .map(|(seq, body)| Logged {
            seq,
            body: body.into(),
        })
        .collect())
}

/// So many events from number 1 on end at that number.
fn check_dense(events: usize, last: Seq) -> Result<(), StoreError> {
    if last.0 == events as u64 {
        return Ok(());
    }
    Err(StoreError::Corrupt {
        why: format!("{events} events up to number {last}"),
    })
}

/// These bodies end at this link of the chain: then none of them has changed since it was written.
fn check_chain<'b>(
    id: MatchId,
    bodies: impl Iterator<Item = &'b [u8]>,
    last: Option<&[u8]>,
) -> Result<(), StoreError> {
    let genesis = chain::genesis(id);
    let head = bodies.fold(genesis, |head, body| chain::link(&head, body));
    if last.unwrap_or(&genesis) == head {
        return Ok(());
    }
    Err(StoreError::Corrupt {
        why: format!("the log of match {id} does not fit its hash chain"),
    })
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
        let StreamId::Match(id) = stream else {
            return Ok(None);
        };
        let sound = Arc::clone(&self.sound);
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    let rows = sqlx::query(
                        "SELECT seq, body, status = 'over' OR log_count IS NOT NULL OR log_head IS NOT NULL AS closed \
                         FROM match LEFT JOIN event ON match = number AND seq > ?2 \
                         WHERE id = ?1 ORDER BY seq LIMIT max(?3, 1)",
                    )
                    .bind(id.to_i64())
                    .bind(integer(after.0))
                    .bind(limit(wish, LOAD_PAGE))
                    .fetch_all(&mut *connection)
                    .await?;
                    let Some(first) = rows.first() else {
                        return Ok(None);
                    };
                    if first.try_get("closed")? {
                        sound.check(id, connection).await?;
                    }
                    // A match without such events is one row of nulls.
                    if wish == 0 || first.try_get::<Option<i64>, _>("seq")?.is_none() {
                        return Ok(Some(Vec::new()));
                    }
                    rows.iter().map(logged).collect::<Result<_, _>>().map(Some)
                })
            })
            .await
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
    ) -> Result<Vec<LiveMatch>, StoreError> {
        let after = match &after {
            Some(after) => after.to_number()?,
            None => i64::MIN,
        };
        match self.live_together(owner, after).await {
            // Whatever it is (damage, a log of another type or too long to be read at once), most often one match has it alone.
            Err(StoreError::Closed) => Err(StoreError::Closed),
            Err(_) => self.live_one_by_one(owner, after).await,
            page => page,
        }
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

/// The statement for the numbers and ids of a page of live matches. Its parameters: ?1 the place after which, ?2 how many, ?3 the node.
macro_rules! live_page {
    () => {
        "SELECT number, id FROM match WHERE status <> 'over' AND number > ?1 AND owner = ?3 ORDER BY number LIMIT ?2"
    };
}

impl SqliteStore {
    /// A page of live matches in one statement, which reads all of it or fails.
    async fn live_together(&self, owner: NodeId, after: i64) -> Result<Vec<LiveMatch>, StoreError> {
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    // One row a match: a row costs more on its way than its bodies do.
                    sqlx::query(concat!(
                        // With `max(seq)` SQLite takes `hash` from the row of the last event.
                        "SELECT number, id, max(seq) AS last, hash, \
                         json_group_array(body ORDER BY seq) FILTER (WHERE event.rowid IS NOT NULL) AS bodies FROM (",
                        live_page!(),
                        ") LEFT JOIN event ON match = number GROUP BY number ORDER BY number"
                    ))
                    .bind(after)
                    .bind(limit(LIVE_PAGE, LIVE_PAGE))
                    .bind(owner.0)
                    .fetch_all(connection)
                    .await?
                    .iter()
                    .map(live_match)
                    .collect()
                })
            })
            .await
    }

    /// The same page, each match read alone, so that one that cannot be read does not hide the others.
    async fn live_one_by_one(
        &self,
        owner: NodeId,
        after: i64,
    ) -> Result<Vec<LiveMatch>, StoreError> {
        let rows = self
            .readers
            .read(move |connection| {
                Box::pin(async move {
                    Ok(sqlx::query(live_page!())
                        .bind(after)
                        .bind(limit(LIVE_PAGE, LIVE_PAGE))
                        .bind(owner.0)
                        .fetch_all(connection)
                        .await?)
                })
            })
            .await?;
        let mut page = Vec::with_capacity(rows.len());
        for row in rows {
            let number = row.try_get("number")?;
            match row
                .try_get("id")
                .map_err(StoreError::from)
                .and_then(match_id)
            {
                Ok(id) => page.push(LiveMatch {
                    cursor: Cursor::number(number),
                    id,
                    log: match self.whole_log(id).await {
                        Err(error @ (StoreError::Failed { .. } | StoreError::Closed)) => {
                            return Err(error);
                        }
                        log => log,
                    },
                }),
                Err(error) => tracing::error!(number, %error, "a match has lost its id"),
            }
        }
        Ok(page)
    }

    async fn whole_log(&self, id: MatchId) -> Result<Vec<Logged>, StoreError> {
        let mut log = Vec::new();
        loop {
            let after = Seq(log.len() as u64);
            let page = self
                .load(id.into(), after, LOAD_PAGE)
                .await?
                .unwrap_or_default();
            let Some(last) = page.last().map(|last| last.seq) else {
                let (events, head) = self.end_of(id).await?;
                check_dense(events, Seq(log.len() as u64))?;
                let bodies = log.iter().map(|logged: &Logged| &logged.body[..]);
                check_chain(id, bodies, head.as_deref())?;
                return Ok(log);
            };
            log.extend(page);
            check_dense(log.len(), last)?;
        }
    }

    /// How many events there are, whatever their numbers, and the link of the last one.
    async fn end_of(&self, id: MatchId) -> Result<(usize, Option<Vec<u8>>), StoreError> {
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    let end: (i64, Option<Vec<u8>>) = sqlx::query_as(
                        "SELECT count(event.rowid), (SELECT hash FROM event WHERE match = number ORDER BY seq DESC LIMIT 1) \
                         FROM match LEFT JOIN event ON match = number WHERE id = ?1",
                    )
                    .bind(id.to_i64())
                    .fetch_one(connection)
                    .await?;
                    Ok((usize::try_from(end.0).unwrap_or_default(), end.1))
                })
            })
            .await
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
