//! The one task that writes: each batch of commits is one transaction, and answered after it.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use bytes::Bytes;
use futures::FutureExt;
use grundy_shared::chain;
use grundy_shared::ids::{JoinCode, PlayerId};
use rustc_hash::{FxHashMap, FxHashSet};
use sqlx::sqlite::SqliteConnection;
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;

use super::changes::{Changes, Query, Repeated};
use super::entries::Entry;
use super::fault::Failure;
use super::files::Files;
use super::heads::{Head, Heads};
use super::journal::{Journal, Segment};
use super::lock::FileLock;
use super::note::Note;
use super::open_matches::OpenMatches;
use super::opening::disconnect;
use super::refusal::Refusal;
use super::request::Request;
use super::rows::{integer, unsigned};
use super::run;
use super::scrubbing::Scrubbing;
use super::sums::Sums;
use crate::failpoint;
use crate::store::{Commit, CommitError, FileChange, Gauges, Lease, NodeId, StoreError, StreamId};

/// Frames of the write-ahead log after which it is emptied into the database: about 4 MiB.
const CHECKPOINT_FRAMES: u64 = 1_000;
/// Events and commits, of a few frames each, after which to look how long the write-ahead log has become.
const LOOK_AFTER: u64 = 64;
/// Frames to wait before trying again when a reader kept the log from being emptied.
const CHECKPOINT_AGAIN: u64 = 500;
/// Between two looks at the files of the database while nothing is written.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// Bytes of a frame: a page and its header.
const FRAME_BYTES: u64 = 4_096 + 24;

/// The one statement for all events of a batch, and the end of the transaction. Each message to SQLite's thread and back
/// costs two switches of threads: what belongs together goes together.
macro_rules! insert_and_commit {
    ($before:literal) => {
        concat!(
            $before,
            "INSERT INTO batch (number, body) VALUES (?1, ?2); COMMIT"
        )
    };
}

static SEGMENT: LazyLock<Repeated> = LazyLock::new(|| {
    Repeated::of("INSERT INTO segment (stream, first, last, body) VALUES (?, ?, ?, ?)")
});

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
            unsettled_bytes: Some(self.wal_frames.load(Ordering::Relaxed) * FRAME_BYTES),
            waiting,
            commits: self.commits.load(Ordering::Relaxed),
            events: self.events.load(Ordering::Relaxed),
            unsettled_lost: false,
            unverified: 0,
        }
    }
}

/// An event of the batch that is being made: of which stream, whether its match is over then, and itself.
type Staged = (StreamId, bool, Entry);

/// The files of the store, and the right to write to them.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) files: Files,
    pub(super) lock: FileLock,
}

/// The writer: its connection, and what it remembers.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) connection: SqliteConnection,
    requests: mpsc::Receiver<Request>,
    counters: Arc<Counters>,
    pub(super) heads: Heads,
    pub(super) journal: Journal,
    staged: Vec<Staged>,
    /// What the batch changes beside them.
    pub(super) changes: Changes,
    /// Streams and codes of the batch that are not in the database.
    pub(super) unheard: FxHashSet<StreamId>,
    pub(super) free_codes: FxHashSet<JoinCode>,
    /// The matches that are not over, and the number of the next stream; read when they are first needed, and after a failure.
    pub(super) open: Option<OpenMatches>,
    pub(super) next_stream: Option<i64>,
    /// Bytes of all reviews, likewise.
    pub(super) review_bytes: Option<i64>,
    /// Number of puzzles, likewise.
    pub(super) puzzles: Option<i64>,
    /// The newest life of each node.
    pub(super) epochs: FxHashMap<NodeId, u64>,
    sums: Sums,
    /// The mark of an open database could not be removed at the end.
    stays_open: bool,
    /// Guests who were removed last: a commit that seats one of them was overtaken by the removal.
    pub(super) removed_last: VecDeque<PlayerId>,
    /// Players who were erased since the start, and the names that stand for them.
    pub(super) erased: FxHashMap<PlayerId, String>,
    /// Those of them whom the transaction has added.
    pub(super) erased_now: Vec<PlayerId>,
    /// Batches of the journal that the transaction has rewritten, with their lengths before.
    pub(super) resized: Vec<(i64, usize)>,
    /// How far the overwriting of what was deleted has come.
    pub(super) scrubbing: Option<Scrubbing>,
    /// Whether the transaction has begun.
    pub(super) begun: bool,
    /// Why the last transaction failed, until one succeeds.
    trouble: Option<StoreError>,
    /// Events and commits since the length of the write-ahead log was last seen.
    pub(super) unseen_writes: u64,
    /// The length of the write-ahead log, in frames, at which to empty it.
    checkpoint_at: u64,
    pub(super) files: Files,
    lock: FileLock,
}

impl Writer {
    pub(super) fn new(
        connection: SqliteConnection,
        requests: mpsc::Receiver<Request>,
        counters: Arc<Counters>,
        journal: Journal,
        epochs: FxHashMap<NodeId, u64>,
        sums: Sums,
        held: Held,
    ) -> Self {
        let Held { files, lock } = held;
        Self {
            connection,
            requests,
            counters,
            heads: Heads::default(),
            journal,
            staged: Vec::new(),
            changes: Changes::default(),
            unheard: FxHashSet::default(),
            free_codes: FxHashSet::default(),
            open: None,
            next_stream: None,
            review_bytes: None,
            puzzles: None,
            epochs,
            sums,
            stays_open: false,
            removed_last: VecDeque::new(),
            erased: FxHashMap::default(),
            erased_now: Vec::new(),
            resized: Vec::new(),
            scrubbing: None,
            begun: false,
            trouble: None,
            unseen_writes: 0,
            checkpoint_at: CHECKPOINT_FRAMES,
            files,
            lock,
        }
    }

    /// Writes until the store is closed or something fails for good; a panic is a failure.
    pub(super) async fn run_to_end(mut self) -> End {
        let served = AssertUnwindSafe(self.serve()).catch_unwind().await;
        let mut served = served.unwrap_or_else(|_| {
            Err(StoreError::Failed {
                why: "the writer panicked".to_owned(),
            })
        });
        if served.is_err()
            && let Err(changed) = self.files.suspect()
        {
            // What SQLite failed with follows from it.
            served = Err(changed);
        }
        match served {
            Ok(()) => {
                self.leave().await;
                Ok(())
            }
            Err(StoreError::FileChanged { path, change }) => {
                let put_back = match change {
                    FileChange::Removed | FileChange::Replaced | FileChange::Hidden => {
                        Some(self.files.identities())
                    }
                    FileChange::Truncated | FileChange::Written => None,
                };
                self.lock.note_durably(Note::Changed(put_back));
                // To close the last connection would copy the log into the database and delete whatever file has its name now. Nothing
                // more may happen to the files, and no other server may use them, before the process ends.
                std::mem::forget((self.connection, self.lock));
                Err(StoreError::FileChanged { path, change })
            }
            Err(error) => {
                // To close the connection could delete the log, as in `leave`.
                std::mem::forget(self.connection);
                Err(error)
            }
        }
    }

    /// Serves until the store is closed, and settles what is left then.
    async fn serve(&mut self) -> End {
        let mut looks = tokio::time::interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let request = tokio::select! {
                biased;
                // Also where requests never end.
                _ = looks.tick() => {
                    self.files.check()?;
                    self.lock.keep()?;
                    continue;
                }
                request = self.requests.recv() => request,
            };
            let Some(request) = request else {
                break;
            };
            failpoint::panic_at("writer_dies");
            if matches!(request, Request::Close) {
                self.requests.close();
            }
            // Before anything is answered, also what needs no commit.
            self.files.check()?;
            self.work(request).await?;
            self.tend_log().await?;
        }
        // What cannot be settled now is settled after the next start. On a full disk there is room in the log once its frames are in the database.
        if self.try_to_settle().await.is_err() {
            let _ = self.checkpoint("PRAGMA wal_checkpoint(PASSIVE)").await;
            if let Err(failure) = self.try_to_settle().await {
                let why = failure.to_string();
                tracing::warn!(%why, "the database stays marked as open, and its write-ahead log is left in place");
                self.stays_open = true;
            }
        }
        self.files.suspect()
    }

    async fn try_to_settle(&mut self) -> Result<(), StoreError> {
        let settled = self.settle_rest().await;
        if settled.is_err() {
            let _ = sqlx::query("ROLLBACK").execute(&mut self.connection).await;
            self.begun = false;
        }
        settled.map_err(|failure| match failure {
            Failure::Refused(error) | Failure::Fatal(error) => error,
        })
    }

    /// Empties the log, so that the database is one file while nobody uses it, and closes it.
    async fn leave(mut self) {
        if self.stays_open {
            // To close the connection would delete the log, and a marked database without one counts as incomplete.
            std::mem::forget(self.connection);
            return;
        }
        let emptied: Result<(i64, i64, i64), _> = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)")
            .fetch_one(&mut self.connection)
            .await;
        // Noted first: from here on the log may go.
        if emptied.is_ok_and(|(busy, ..)| busy == 0) {
            self.lock.note_durably(Note::Stopped);
        }
        disconnect(self.connection).await;
        self.lock.note_stopped_without_log();
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
                let _ = reply.send(self.conclude(done).await?);
            }
            Request::Heartbeat(lease, at, reply) => {
                let done = self.heartbeat(lease, at).await;
                let _ = reply.send(self.conclude(done).await?);
            }
            Request::Retire(lease, at, reply) => {
                let done = self.retire(lease, at).await;
                let _ = reply.send(self.conclude(done).await?);
            }
            Request::TakeOver(lease, from, reply) => {
                let done = self.take_over(lease, from).await;
                let _ = reply.send(self.conclude(done).await?);
            }
            Request::Remove(lease, wanted, unneeded, reply) => {
                let done = self.remove(lease, wanted, unneeded).await;
                let _ = reply.send(self.conclude(done).await?);
            }
            Request::Rewrite(lease, player, logs, reply) => {
                let done = self.rewrite(lease, player, &logs).await;
                let _ = reply.send(self.conclude(done).await?);
            }
            Request::Scrub(lease, reply) => {
                let done = self.scrub(lease).await;
                let _ = reply.send(self.conclude_scrub(done).await?);
            }
            Request::Ready(reply) => {
                let _ = reply.send(self.trouble.clone().map_or(Ok(()), Err));
            }
            Request::Close => {}
        }
        Ok(())
    }

    /// Ends the transaction of what was done, or undoes it: after an error nothing of it remains, in the database or in memory.
    pub(super) async fn conclude<T>(
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
                    Failure::Refused(error) => {
                        self.files.undone()?;
                        Ok(Err(error))
                    }
                    Failure::Fatal(error) => Err(error),
                }
            }
        }
    }

    async fn undo(&mut self, failure: &Failure) {
        // SQLite has rolled back by itself after some errors: then there is nothing left to roll back.
        let _ = sqlx::query("ROLLBACK").execute(&mut self.connection).await;
        self.begun = false;
        self.staged.clear();
        self.changes.clear();
        for player in self.erased_now.drain(..) {
            self.erased.remove(&player);
        }
        for (number, before) in self.resized.drain(..) {
            self.journal.resize(number, before);
        }
        self.sums.forget();
        self.heads.forget();
        self.open = None;
        self.review_bytes = None;
        self.puzzles = None;
        self.next_stream = None;
        if let Failure::Refused(error) = failure
            && *error != StoreError::Fenced
        {
            self.trouble = Some(error.clone());
        }
    }

    /// Commits what was staged, if anything was; and with it writes the segments of streams that are to be settled.
    async fn end(&mut self) -> Result<(), Failure> {
        self.write_changes().await?;
        let count = self.staged.len() as u64;
        if count == 0 && !self.begun {
            return Ok(());
        }
        let settling = self.journal.due(false);
        let removed = self.settle(&settling).await?;
        if self.begun {
            self.sums.write(&mut self.connection).await?;
            run::note(self.journal.extent(removed), &mut self.connection).await?;
        }
        failpoint::hit("before_commit");
        let number = self.journal.next_batch();
        let mut size = 0;
        let end = match (self.begun, count) {
            (true, 0) => sqlx::query("COMMIT"),
            (begun, _) => {
                let statement = match begun {
                    true => insert_and_commit!(""),
                    false => insert_and_commit!("BEGIN IMMEDIATE; "),
                };
                let sizes = self.staged.iter().map(|(_, _, entry)| entry.size());
                let mut blob = Vec::with_capacity(sizes.sum());
                for (_, _, entry) in &self.staged {
                    entry.write(&mut blob);
                }
                size = blob.len();
                sqlx::query(statement).bind(number).bind(blob)
            }
        };
        end.execute(&mut self.connection).await?;
        self.files.committed(count > 0)?;
        if count > 0 {
            self.journal.take(number, size, self.staged.drain(..));
        }
        self.sums.keep();
        self.resized.clear();
        self.erased_now.clear();
        self.journal.settled(settling, removed);
        self.begun = false;
        self.trouble = None;
        self.counters.commits.fetch_add(1, Ordering::Relaxed);
        self.counters.events.fetch_add(count, Ordering::Relaxed);
        self.unseen_writes += count + 1;
        Ok(())
    }

    /// Writes these segments, and removes the batches that nobody needs then; up to which.
    async fn settle(&mut self, segments: &[Segment]) -> Result<Option<i64>, Failure> {
        if !segments.is_empty() {
            self.begin().await?;
            let segment = |query: Query, segment: &Segment| {
                let query = query.bind(segment.stream).bind(integer(segment.first.0));
                query
                    .bind(integer(segment.last.0))
                    .bind(segment.blob.clone())
            };
            SEGMENT
                .execute(segments, segment, &mut self.connection)
                .await?;
        }
        let removed = self.journal.settled_after(segments);
        if let Some(last) = removed {
            self.begin().await?;
            sqlx::query("DELETE FROM batch WHERE number <= ?1")
                .bind(last)
                .execute(&mut self.connection)
                .await?;
        }
        Ok(removed)
    }

    /// Settles the matches that are over, so that a database that nobody uses has them in one place, and removes the mark of the run.
    async fn settle_rest(&mut self) -> Result<(), Failure> {
        let segments = self.journal.due(true);
        self.begin().await?;
        let removed = self.settle(&segments).await?;
        self.sums.write(&mut self.connection).await?;
        run::close(self.journal.extent(removed), &mut self.connection).await?;
        sqlx::query("COMMIT").execute(&mut self.connection).await?;
        self.journal.settled(segments, removed);
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
        Ok(match self.conclude(done).await? {
            Ok(outcomes) => outcomes,
            Err(error) => batch.iter().map(|_| Err(error.clone().into())).collect(),
        })
    }

    async fn stage_all(
        &mut self,
        lease: Lease,
        batch: &[Commit],
    ) -> Result<Vec<Result<(), CommitError>>, Failure> {
        self.foresee(batch).await?;
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
            let entry = Entry {
                stream: head.number,
                seq: head.seq,
                hash: head.hash,
                body: body.clone(),
            };
            self.staged.push((stream, head.over, entry));
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
        self.files.checkpointed(done)?;
        self.checkpoint_at = if done {
            CHECKPOINT_FRAMES
        } else {
            tracing::debug!(frames, "a reader holds the write-ahead log");
            frames + CHECKPOINT_AGAIN
        };
        Ok(())
    }

    /// Whether all frames of the log are in the database, and how many there are.
    pub(super) async fn checkpoint(
        &mut self,
        pragma: &'static str,
    ) -> Result<(bool, u64), StoreError> {
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
