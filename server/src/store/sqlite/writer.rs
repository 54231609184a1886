//! The one task that writes: it takes everything that waits, commits it in one transaction, then answers.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures::FutureExt;
use grundy_shared::chain;
use grundy_shared::ids::{MatchId, Seq};
use sqlx::Row;
use sqlx::sqlite::SqliteConnection;
use tokio::sync::mpsc;

use super::fault::Failure;
use super::heads::{Head, Heads};
use super::lock::FileLock;
use super::request::{Append, Request};
use super::rows::{bind_row, integer, row_columns, unsigned};
use super::schema::disconnect;
use crate::failpoint;
use crate::store::{
    AppendError, CreateError, Gauges, MatchStatus, NewMatch, NewPlayer, StoreError, Unique,
};

/// Requests in one transaction.
const BATCH: usize = 512;
/// Times that the writer lets others run before it commits. From a socket that can be read to a request are two steps,
/// each a turn of the runtime; more than four turns bring no more.
const GATHERINGS: usize = 4;
/// Frames of the write-ahead log after which it is emptied into the database: about 4 MiB.
const CHECKPOINT_FRAMES: u64 = 1_000;
/// Events and commits, of a few frames each, after which to look how long the write-ahead log has become.
const LOOK_AFTER: u64 = 64;
/// Frames to wait before trying again when a reader kept the log from being emptied.
const CHECKPOINT_AGAIN: u64 = 500;
/// Bytes of a frame: a page and its header.
const FRAME_BYTES: u64 = 4_096 + 24;

/// The one statement for all events of a batch, and the end of the transaction. Each message to SQLite's thread and back
/// costs two switches of threads: what belongs together goes together.
macro_rules! insert_and_commit {
    ($before:literal) => {
        concat!(
            $before,
            "INSERT INTO event (match, seq, body, hash) \
             SELECT value ->> 0, value ->> 1, value ->> 2, unhex(value ->> 3) FROM json_each(?1); COMMIT"
        )
    };
}

/// Makes a match, unless its id or its code is taken.
macro_rules! insert_match {
    ($after:literal) => {
        concat!(
            "INSERT INTO match (id, ",
            row_columns!(),
            ") SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? \
             WHERE NOT EXISTS (SELECT 1 FROM join_code WHERE code = ? AND expires_at > ?) ON CONFLICT (id) DO NOTHING RETURNING number",
            $after
        )
    };
}

/// How the writer ended: `Ok` after `close`.
pub(super) type End = Result<(), StoreError>;

/// What the writer counts for the metrics.
#[derive(Debug, Default)]
pub(super) struct Counters {
    wal_frames: AtomicU64,
    commits: AtomicU64,
    events: AtomicU64,
}

impl Counters {
    pub(super) fn gauges(&self, waiting: u64) -> Gauges {
        Gauges {
            wal_bytes: self.wal_frames.load(Ordering::Relaxed) * FRAME_BYTES,
            waiting,
            commits: self.commits.load(Ordering::Relaxed),
            events: self.events.load(Ordering::Relaxed),
            log_missing: false,
        }
    }
}

/// The events of a batch, written as the JSON array that the one statement reads.
#[derive(Debug, Default)]
struct Events {
    json: Vec<u8>,
    count: u64,
}

impl Events {
    fn clear(&mut self) {
        self.json.clear();
        self.json.push(b'[');
        self.count = 0;
    }

    fn push(&mut self, head: &Head, body: &str) {
        if self.count > 0 {
            self.json.push(b',');
        }
        self.count += 1;
        let hash = data_encoding::HEXLOWER.encode(&head.hash);
        serde_json::to_writer(&mut self.json, &(head.number, head.seq, body, hash))
            .expect("numbers and strings can be written to memory");
    }

    /// The array; the next one gets as much room at once.
    fn finish(&mut self) -> String {
        self.json.push(b']');
        let room = Vec::with_capacity(self.json.len());
        let json = std::mem::replace(&mut self.json, room);
        String::from_utf8(json).expect("JSON is UTF-8")
    }
}

/// The writer: its connection, and what it remembers.
#[derive(Debug)]
pub(super) struct Writer {
    connection: SqliteConnection,
    requests: mpsc::Receiver<Request>,
    counters: Arc<Counters>,
    heads: Heads,
    events: Events,
    /// Whether the transaction has begun.
    begun: bool,
    /// Why the last transaction failed, until one succeeds.
    trouble: Option<StoreError>,
    /// Events and commits since the length of the write-ahead log was last seen.
    unseen_writes: u64,
    /// The length of the write-ahead log, in frames, at which to empty it.
    checkpoint_at: u64,
    lock: FileLock,
}

impl Writer {
    pub(super) fn new(
        connection: SqliteConnection,
        requests: mpsc::Receiver<Request>,
        counters: Arc<Counters>,
        lock: FileLock,
    ) -> Self {
        Self {
            connection,
            requests,
            counters,
            heads: Heads::default(),
            events: Events::default(),
            begun: false,
            trouble: None,
            unseen_writes: 0,
            checkpoint_at: CHECKPOINT_FRAMES,
            lock,
        }
    }

    /// Writes until the store is closed or something fails for good; a panic is a failure.
    pub(super) async fn run_to_end(self) -> End {
        AssertUnwindSafe(self.run())
            .catch_unwind()
            .await
            .unwrap_or_else(|_| {
                Err(StoreError::Failed {
                    why: "the writer panicked".to_owned(),
                })
            })
    }

    async fn run(mut self) -> End {
        let mut batch = Vec::with_capacity(BATCH);
        while self.requests.recv_many(&mut batch, BATCH).await > 0 {
            self.gather(&mut batch).await;
            failpoint::panic_at("writer_dies");
            if batch.iter().any(Request::closes) {
                self.requests.close();
            }
            self.work(&mut batch).await?;
            self.tend_log().await?;
        }
        // The log is emptied so that the database is one file while nobody uses it.
        let _ = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
            .execute(&mut self.connection)
            .await;
        disconnect(self.connection).await;
        self.lock.note_running(false);
        Ok(())
    }

    /// Lets everybody who is ready to run come first, so that what they ask for is in the same commit: nobody waits for
    /// a timer, and a commit, which costs the same for one move as for fifty, is shared by more.
    async fn gather(&mut self, batch: &mut Vec<Request>) {
        for _ in 0..GATHERINGS {
            tokio::task::yield_now().await;
            while batch.len() < BATCH
                && let Ok(request) = self.requests.try_recv()
            {
                batch.push(request);
            }
        }
    }

    /// Commits a batch and answers all of it. An error ends the writer: who waits then learns that the store is closed.
    async fn work(&mut self, batch: &mut Vec<Request>) -> End {
        match self.transact(batch).await {
            Ok(()) => {
                failpoint::hit("after_commit_before_ack");
                answer_all(batch, &Ok(()));
                Ok(())
            }
            Err(Failure::Refused(error)) => {
                answer_all(batch, &Err(error));
                Ok(())
            }
            Err(Failure::Stale) => self.work_one_by_one(batch).await,
            Err(Failure::Fatal(error)) => Err(error),
        }
    }

    /// The way out when a batch could not be committed as a whole: only those who cannot are refused.
    async fn work_one_by_one(&mut self, batch: &mut Vec<Request>) -> End {
        for request in batch.drain(..) {
            let mut alone = [request];
            let outcome = match self.transact(&mut alone).await {
                Ok(()) => Ok(()),
                Err(Failure::Refused(error)) => Err(error),
                Err(Failure::Fatal(error)) => return Err(error),
                Err(Failure::Stale) => {
                    return Err(StoreError::Corrupt {
                        why: "an index knows a key that its table does not".to_owned(),
                    });
                }
            };
            let [request] = alone;
            request.answer(outcome);
        }
        Ok(())
    }

    /// One transaction; after an error nothing of it remains, in the database or in memory.
    async fn transact(&mut self, batch: &mut [Request]) -> Result<(), Failure> {
        let outcome = self.write(batch).await;
        if let Err(failure) = &outcome {
            // SQLite has rolled back by itself after some errors: then there is nothing left to roll back.
            let _ = sqlx::query("ROLLBACK").execute(&mut self.connection).await;
            self.heads.forget();
            if let Failure::Refused(error) = failure {
                self.trouble = Some(error.clone());
            }
        }
        outcome
    }

    async fn write(&mut self, batch: &mut [Request]) -> Result<(), Failure> {
        self.begun = false;
        self.events.clear();
        for request in batch {
            self.stage(request).await?;
            failpoint::hit("mid_batch");
        }
        let count = self.events.count;
        if count == 0 && !self.begun {
            return Ok(());
        }
        failpoint::hit("before_commit");
        let end = match (self.begun, count) {
            (false, _) => {
                sqlx::query(insert_and_commit!("BEGIN IMMEDIATE; ")).bind(self.events.finish())
            }
            (true, 0) => sqlx::query("COMMIT"),
            (true, _) => sqlx::query(insert_and_commit!("")).bind(self.events.finish()),
        };
        end.execute(&mut self.connection).await?;
        self.trouble = None;
        self.counters.commits.fetch_add(1, Ordering::Relaxed);
        self.counters.events.fetch_add(count, Ordering::Relaxed);
        self.unseen_writes += count + 1;
        Ok(())
    }

    /// Begins the transaction, before its first change that is not an event.
    async fn begin(&mut self) -> Result<(), Failure> {
        if !self.begun {
            sqlx::query("BEGIN IMMEDIATE")
                .execute(&mut self.connection)
                .await?;
            self.begun = true;
        }
        Ok(())
    }

    /// Puts one request into the transaction, or notes its refusal.
    async fn stage(&mut self, request: &mut Request) -> Result<(), Failure> {
        match request {
            Request::Create(new, reply) => reply.refusal = self.create(new).await?,
            Request::Append(append, reply) => reply.refusal = self.append(append).await?,
            Request::Player(new, reply) => reply.refusal = self.create_player(new).await?,
            Request::Heartbeat(at, _) => {
                self.begin().await?;
                sqlx::query(
                    "INSERT INTO heartbeat (one, at) VALUES (1, ?1) \
                     ON CONFLICT (one) DO UPDATE SET at = \
                     CASE typeof(at) WHEN 'integer' THEN max(at, excluded.at) ELSE excluded.at END",
                )
                .bind(integer(at.0))
                .execute(&mut self.connection)
                .await?;
            }
            Request::Ready(reply) => reply.refusal = self.trouble.clone(),
            Request::Close => {}
        }
        Ok(())
    }

    async fn create(&mut self, new: &NewMatch) -> Result<Option<CreateError>, Failure> {
        if self.heads.get(new.id).is_some() {
            return Ok(Some(CreateError::Taken(Unique::MatchId)));
        }
        self.begin().await?;
        let code = new.code.map(|(code, _)| code.to_string());
        let insert = if new.code.is_some() {
            insert_match!(
                "; INSERT OR REPLACE INTO join_code (code, match, expires_at) SELECT ?, last_insert_rowid(), ? WHERE changes() = 1; \
                 DELETE FROM join_code WHERE expires_at <= ? AND code <> ? AND changes() = 1"
            )
        } else {
            insert_match!("")
        };
        let now = integer(new.row.created_at.0);
        let query = sqlx::query(insert).bind(new.id.to_i64());
        let mut query = bind_row(query, &new.row).bind(code.clone()).bind(now);
        if let Some((_, expires)) = new.code {
            query = query
                .bind(code.clone())
                .bind(integer(expires.0))
                .bind(now)
                .bind(code);
        }
        let made = query.fetch_all(&mut self.connection).await?;
        let Some(row) = made.first() else {
            let taken = self.what_is_taken(new.id).await?;
            return Ok(Some(CreateError::Taken(taken)));
        };
        let head = Head {
            number: row.try_get("number")?,
            seq: Seq(0),
            hash: chain::genesis(new.id),
            over: new.row.status == MatchStatus::Over,
        };
        let end = self.extend(new.id, head, &new.events);
        if end.over {
            self.keep_end(&end).await?;
        }
        Ok(None)
    }

    /// Why a match could not be made.
    async fn what_is_taken(&mut self, id: MatchId) -> Result<Unique, Failure> {
        let known = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM match WHERE id = ?1)")
            .bind(id.to_i64())
            .fetch_one(&mut self.connection)
            .await?;
        Ok(if known {
            Unique::MatchId
        } else {
            Unique::JoinCode
        })
    }

    async fn append(&mut self, append: &Append) -> Result<Option<AppendError>, Failure> {
        let head = match self.head(append.id).await {
            // Damage of this match alone: who writes to others does not suffer from it.
            Err(Failure::Fatal(error @ StoreError::Corrupt { .. })) => {
                return Ok(Some(error.into()));
            }
            head => head?,
        };
        let Some(mut head) = head else {
            return Ok(Some(AppendError::NoSuchMatch));
        };
        if head.seq != append.expected_seq {
            return Ok(Some(AppendError::Conflict { actual: head.seq }));
        }
        if let Some(row) = &append.row {
            head.over = row.status == MatchStatus::Over;
        }
        let end = self.extend(append.id, head, &append.events);
        if let Some(row) = &append.row {
            self.begin().await?;
            let update = sqlx::query(
                "UPDATE match SET start = ?, clock = ?, first_id = ?, first_name = ?, first_bot = ?, second_id = ?, \
                 second_name = ?, second_bot = ?, status = ?, outcome = ?, reason = ?, plies = ?, created_at = ?, \
                 ended_at = ?, rematch_of = ?, log_count = ?, log_head = ? WHERE number = ?",
            );
            bind_row(update, row)
                .bind(end.over.then_some(integer(end.seq.0)))
                .bind(end.over.then(|| end.hash.to_vec()))
                .bind(end.number)
                .execute(&mut self.connection)
                .await?;
        } else if end.over {
            self.keep_end(&end).await?;
        }
        Ok(None)
    }

    /// Adds events after the head, and remembers the new end.
    fn extend(&mut self, id: MatchId, mut head: Head, bodies: &[String]) -> Head {
        for body in bodies {
            head.seq = head.seq.next();
            head.hash = chain::link(&head.hash, body.as_bytes());
            self.events.push(&head, body);
        }
        self.heads.set(id, head);
        head
    }

    /// Keeps the end of a log in the row of its match, which is over.
    async fn keep_end(&mut self, end: &Head) -> Result<(), Failure> {
        self.begin().await?;
        sqlx::query("UPDATE match SET log_count = ?1, log_head = ?2 WHERE number = ?3")
            .bind(integer(end.seq.0))
            .bind(end.hash.to_vec())
            .bind(end.number)
            .execute(&mut self.connection)
            .await?;
        Ok(())
    }

    /// Where the log of a match ends.
    async fn head(&mut self, id: MatchId) -> Result<Option<Head>, Failure> {
        if let Some(head) = self.heads.get(id) {
            return Ok(Some(head));
        }
        let row = sqlx::query(
            "SELECT number, status, seq, hash FROM match LEFT JOIN event ON match = number \
             WHERE id = ?1 ORDER BY seq DESC LIMIT 1",
        )
        .bind(id.to_i64())
        .fetch_optional(&mut self.connection)
        .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let hash = match row.try_get::<Option<&[u8]>, _>("hash")? {
            Some(bytes) => bytes.try_into().map_err(|_| StoreError::Corrupt {
                why: format!("an event of match {id} has a hash of {} bytes", bytes.len()),
            })?,
            None => chain::genesis(id),
        };
        let head = Head {
            number: row.try_get("number")?,
            seq: Seq(unsigned(
                row.try_get::<Option<i64>, _>("seq")?.unwrap_or(0),
            )?),
            hash,
            over: row.try_get::<&str, _>("status")? == "over",
        };
        self.heads.set(id, head);
        Ok(Some(head))
    }

    async fn create_player(&mut self, new: &NewPlayer) -> Result<Option<CreateError>, Failure> {
        self.begin().await?;
        let id = new.info.id.as_bytes().to_vec();
        let inserted = sqlx::query(
            "INSERT INTO player (id, name, bot, token_hash, created_at) VALUES (?1, ?2, ?3, ?4, ?5) \
             ON CONFLICT DO NOTHING",
        )
        .bind(id.clone())
        .bind(new.info.name.clone())
        .bind(new.info.bot)
        .bind(new.token_hash.to_vec())
        .bind(integer(new.created_at.0))
        .execute(&mut self.connection)
        .await?
        .rows_affected();
        if inserted == 1 {
            return Ok(None);
        }
        let known: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM player WHERE id = ?1)")
            .bind(id)
            .fetch_one(&mut self.connection)
            .await?;
        let taken = if known {
            Unique::PlayerId
        } else {
            Unique::Token
        };
        Ok(Some(CreateError::Taken(taken)))
    }

    /// Looks how long the write-ahead log has become, and empties it into the database when it is time: after the
    /// answers, so that nobody waits for it who need not.
    async fn tend_log(&mut self) -> End {
        if self.unseen_writes < LOOK_AFTER {
            return Ok(());
        }
        self.unseen_writes = 0;
        let (_, frames) = self.checkpoint("PRAGMA wal_checkpoint(NOOP)").await?;
        self.counters.wal_frames.store(frames, Ordering::Relaxed);
        if frames < self.checkpoint_at {
            return Ok(());
        }
        failpoint::hit_soon("in_checkpoint");
        let (done, frames) = self.checkpoint("PRAGMA wal_checkpoint(PASSIVE)").await?;
        self.checkpoint_at = if done {
            CHECKPOINT_FRAMES
        } else {
            tracing::debug!(frames, "a reader holds the write-ahead log");
            frames + CHECKPOINT_AGAIN
        };
        Ok(())
    }

    /// Whether all frames of the log are in the database, and how many there are.
    async fn checkpoint(&mut self, pragma: &'static str) -> Result<(bool, u64), StoreError> {
        let answer: Result<(i64, i64, i64), _> =
            sqlx::query_as(pragma).fetch_one(&mut self.connection).await;
        match answer.map_err(StoreError::from) {
            Ok((_, frames, moved)) => Ok((frames == moved, unsigned(frames).unwrap_or(0))),
            // No room in the database for what the log holds: it stays in the log, and the next batch tries again.
            Err(StoreError::ReadOnly { .. } | StoreError::Busy { .. }) => {
                Ok((false, self.counters.wal_frames.load(Ordering::Relaxed)))
            }
            Err(error) => Err(error),
        }
    }
}

fn answer_all(batch: &mut Vec<Request>, outcome: &Result<(), StoreError>) {
    for request in batch.drain(..) {
        request.answer(outcome.clone());
    }
}
