//! The one task that writes: each batch of commits is one transaction, and answered after it.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use futures::FutureExt;
use grundy_shared::chain;
use rustc_hash::FxHashMap;
use sqlx::sqlite::SqliteConnection;
use tokio::sync::mpsc;

use super::checks::Refusal;
use super::fault::Failure;
use super::heads::{Head, Heads};
use super::lock::FileLock;
use super::request::Request;
use super::rows::unsigned;
use super::schema::disconnect;
use crate::failpoint;
use crate::store::{Commit, CommitError, Gauges, Lease, NodeId, StoreError, StreamId};

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
        self.count = 0;
    }

    fn push(&mut self, head: &Head, body: &[u8]) {
        self.json.push(if self.count == 0 { b'[' } else { b',' });
        self.count += 1;
        let body = std::str::from_utf8(body).expect("a body is JSON, which is UTF-8");
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
    pub(super) connection: SqliteConnection,
    requests: mpsc::Receiver<Request>,
    counters: Arc<Counters>,
    pub(super) heads: Heads,
    events: Events,
    /// The newest life of each node.
    pub(super) epochs: FxHashMap<NodeId, u64>,
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
        epochs: FxHashMap<NodeId, u64>,
        lock: FileLock,
    ) -> Self {
        Self {
            connection,
            requests,
            counters,
            heads: Heads::default(),
            events: Events::default(),
            epochs,
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
        while let Some(request) = self.requests.recv().await {
            failpoint::panic_at("writer_dies");
            if matches!(request, Request::Close) {
                self.requests.close();
            }
            self.work(request).await?;
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

    /// Does what one request asks and answers it. An error ends the writer: who waits then learns that the store is closed.
    async fn work(&mut self, request: Request) -> End {
        match request {
            Request::Commit(lease, batch, reply) => {
                let outcomes = self.commit(lease, &batch).await?;
                failpoint::hit("after_commit_before_ack");
                let _ = reply.send(outcomes);
            }
            Request::Enlist(node, at, reply) => {
                let done = self.enlist(node, at).await;
                let _ = reply.send(self.settle(done).await?);
            }
            Request::Heartbeat(lease, at, reply) => {
                let done = self.heartbeat(lease, at).await;
                let _ = reply.send(self.settle(done).await?);
            }
            Request::TakeOver(lease, from, reply) => {
                let done = self.take_over(lease, from).await;
                let _ = reply.send(self.settle(done).await?);
            }
            Request::Ready(reply) => {
                let _ = reply.send(self.trouble.clone().map_or(Ok(()), Err));
            }
            Request::Close => {}
        }
        Ok(())
    }

    /// Ends the transaction of what was done, or undoes it: after an error nothing of it remains, in the database or in memory.
    async fn settle<T>(
        &mut self,
        done: Result<T, Failure>,
    ) -> Result<Result<T, StoreError>, StoreError> {
        let ended = match done {
            Ok(value) => self.end().await.map(|()| value),
            Err(failure) => Err(failure),
        };
        match ended {
            Ok(value) => Ok(Ok(value)),
            Err(failure) => {
                self.undo(&failure).await;
                match failure {
                    Failure::Refused(error) => Ok(Err(error)),
                    Failure::Fatal(error) => Err(error),
                    Failure::Stale => Err(StoreError::Corrupt {
                        why: "an index knows a key that its table does not".to_owned(),
                    }),
                }
            }
        }
    }

    async fn undo(&mut self, failure: &Failure) {
        // SQLite has rolled back by itself after some errors: then there is nothing left to roll back.
        let _ = sqlx::query("ROLLBACK").execute(&mut self.connection).await;
        self.begun = false;
        self.events.clear();
        self.heads.forget();
        if let Failure::Refused(error) = failure
            && *error != StoreError::Fenced
        {
            self.trouble = Some(error.clone());
        }
    }

    /// Commits what was staged, if anything was.
    async fn end(&mut self) -> Result<(), Failure> {
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
        self.begun = false;
        self.events.clear();
        self.trouble = None;
        self.counters.commits.fetch_add(1, Ordering::Relaxed);
        self.counters.events.fetch_add(count, Ordering::Relaxed);
        self.unseen_writes += count + 1;
        Ok(())
    }

    /// Begins the transaction, before its first change that is not an event.
    pub(super) async fn begin(&mut self) -> Result<(), Failure> {
        if !self.begun {
            sqlx::query("BEGIN IMMEDIATE")
                .execute(&mut self.connection)
                .await?;
            self.begun = true;
        }
        Ok(())
    }

    /// Commits a batch; what came of each. An error ends the writer.
    async fn commit(
        &mut self,
        lease: Lease,
        batch: &[Commit],
    ) -> Result<Vec<Result<(), CommitError>>, StoreError> {
        let done = self.stage_all(lease, batch).await;
        if !matches!(done, Err(Failure::Stale)) {
            return Ok(match self.settle(done).await? {
                Ok(outcomes) => outcomes,
                Err(error) => batch.iter().map(|_| Err(error.clone().into())).collect(),
            });
        }
        // The way out when what the writer remembers is stale: only those who cannot are refused.
        self.undo(&Failure::Stale).await;
        let mut outcomes = Vec::with_capacity(batch.len());
        for commit in batch {
            let done = self.stage_all(lease, std::slice::from_ref(commit)).await;
            match self.settle(done).await? {
                Ok(outcome) => outcomes.extend(outcome),
                Err(error) => outcomes.push(Err(error.into())),
            }
        }
        Ok(outcomes)
    }

    async fn stage_all(
        &mut self,
        lease: Lease,
        batch: &[Commit],
    ) -> Result<Vec<Result<(), CommitError>>, Failure> {
        let mut outcomes = Vec::with_capacity(batch.len());
        for commit in batch {
            let staged = match self.check(lease, commit).await {
                Ok(()) => self.make(lease, commit).await.map(Ok)?,
                Err(Refusal::Commit(refusal)) => Err(refusal),
                // Damage of one log alone: who writes to others does not suffer from it.
                Err(Refusal::Failure(Failure::Fatal(error @ StoreError::Corrupt { .. }))) => {
                    Err(error.into())
                }
                Err(Refusal::Failure(failure)) => return Err(failure),
            };
            outcomes.push(staged);
            failpoint::hit("mid_batch");
        }
        Ok(outcomes)
    }

    /// Adds events after the head, and remembers the new end.
    pub(super) fn extend(&mut self, stream: StreamId, mut head: Head, bodies: &[Bytes]) -> Head {
        for body in bodies {
            head.seq = head.seq.next();
            head.hash = chain::link(&head.hash, body);
            self.events.push(&head, body);
        }
        self.heads.set(stream, head);
        head
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
