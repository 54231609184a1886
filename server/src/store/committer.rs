//! Group commit, once for every backend: what is submitted while a batch is under way is the next batch.
//!
//! Nobody who submits waits for a timer. Before a batch is committed everybody who is ready to run comes first, so that
//! what they submit is in the same commit: it costs the same sync for one move as for fifty.
//!
//! Commits that may have to wait for other servers have a queue and batches of their own, so that no other commit waits for them. Those for one log are decided in their order only
//! within a queue: whoever needs an order waits for the outcome of the first.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use futures::FutureExt;
use grundy_shared::ids::Seq;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{Append, Commit, CommitError, Lease, Store, StoreError, StreamId};
use crate::planted;

/// Commits that may wait; one more is handed back to whoever submits it.
const WAITING: usize = 16_384;
/// Commits in one batch.
const BATCH: usize = 512;
/// The same of commits that may have to wait for other servers, which wait as long as it takes, too.
const SHARED_BATCH: usize = 64;
/// The most work that one commit counts for. With a group commit, a move costs a fifth of it on one slow core, a new match nearly all of it.
const WORK_MOST: Duration = Duration::from_micros(200);
/// Times that others run before a batch is committed. From a socket that can be read to a commit are two steps,
/// each a turn of the runtime; more than four turns bring no more.
const GATHERINGS: usize = 4;

/// Who is called when a commit is done.
pub trait Waiter: Send + Sync {
    /// What came of it. Called between two batches: whoever takes long here holds everybody up.
    fn committed(self: Arc<Self>, outcome: Result<(), CommitError>);
}

/// Is called when a log has grown, no matter which part of the server has written to it.
pub trait Listener: Send + Sync {
    /// The log ends with this event now, durably. Called between two batches, as a [`Waiter`] is.
    fn grown(&self, stream: StreamId, last: Seq);
}

/// Who is called with the outcome of a commit.
pub enum Completion {
    /// Somebody who submits again and again, and has one commit under way at a time.
    Waiter(Arc<dyn Waiter>),
    /// Once.
    Once(Box<dyn FnOnce(Result<(), CommitError>) + Send>),
    /// Nobody wants to know.
    Nobody,
}

impl Completion {
    /// Tells what came of the commit.
    pub fn tell(self, outcome: Result<(), CommitError>) {
        match self {
            Self::Waiter(waiter) => waiter.committed(outcome),
            Self::Once(call) => call(outcome),
            Self::Nobody => {}
        }
    }
}

impl std::fmt::Debug for Completion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Waiter(_) => "Waiter",
            Self::Once(_) => "Once",
            Self::Nobody => "Nobody",
        })
    }
}

/// A commit on its way to the store.
#[derive(Debug)]
struct Submitted {
    commit: Commit,
    done: Completion,
    /// The work of its queue at that moment: see [`Work`].
    at: u64,
}

/// A commit that was not accepted, and nobody is told of: it goes back to who submitted it.
#[derive(Debug)]
pub struct Rejected {
    /// The commit.
    pub commit: Commit,
    /// Who was to be told.
    pub done: Completion,
    /// Whether nothing is accepted any more; else too much waits.
    pub closed: bool,
}

/// The way to the store for all who write. Clones lead to the same queues.
#[derive(Clone)]
pub struct Committer {
    store: Arc<dyn Store>,
    /// For commits that wait for nobody.
    own: Lane,
    /// For those that may have to wait for other servers. A store that has no such commits gets none this way.
    shared: Lane,
    closing: CancellationToken,
    ended: CancellationToken,
}

impl std::fmt::Debug for Committer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Committer")
            .field("waiting", &self.waiting())
            .finish_non_exhaustive()
    }
}

/// A queue, and what is known of its commits.
#[derive(Clone, Debug)]
struct Lane {
    queue: mpsc::Sender<Submitted>,
    under_way: Arc<AtomicUsize>,
    work: Arc<Work>,
}

impl Lane {
    fn new(
        store: Arc<dyn Store>,
        lease: Lease,
        most: usize,
        closing: CancellationToken,
    ) -> (Self, LaneLoop) {
        let (sender, queue) = mpsc::channel(WAITING);
        let (under_way, work) = (Arc::<AtomicUsize>::default(), Arc::new(Work::new()));
        let lane = Self {
            queue: sender,
            under_way: under_way.clone(),
            work: work.clone(),
        };
        let lane_loop = LaneLoop {
            store,
            lease,
            most,
            queue,
            under_way,
            work,
            closing,
            listener: None,
        };
        (lane, lane_loop)
    }

    fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity() + self.under_way.load(Ordering::Relaxed)
    }
}

/// What gathers and commits: to be run as a task.
pub struct CommitLoop {
    lanes: [LaneLoop; 2],
    /// Says, however the loop ends, that it has.
    ended: DropGuard,
}

/// What gathers and commits the commits of one queue.
struct LaneLoop {
    store: Arc<dyn Store>,
    lease: Lease,
    /// Commits in one batch.
    most: usize,
    queue: mpsc::Receiver<Submitted>,
    under_way: Arc<AtomicUsize>,
    work: Arc<Work>,
    closing: CancellationToken,
    listener: Option<Arc<dyn Listener>>,
}

impl Committer {
    /// The way to this store, for whoever writes with this lease. Nothing is committed before the loop runs. It ends when all
    /// clones of the way are gone and what was accepted is done.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, lease: Lease) -> (Self, CommitLoop) {
        let (closing, ended) = (CancellationToken::new(), CancellationToken::new());
        let (own, of_own) = Lane::new(store.clone(), lease, BATCH, closing.clone());
        let (shared, of_shared) = Lane::new(store.clone(), lease, SHARED_BATCH, closing.clone());
        let committer = Self {
            store,
            own,
            shared,
            closing,
            ended: ended.clone(),
        };
        let commit_loop = CommitLoop {
            lanes: [of_own, of_shared],
            ended: ended.drop_guard(),
        };
        (committer, commit_loop)
    }

    /// The queue of a commit.
    fn lane(&self, commit: &Commit) -> &Lane {
        if self.store.waits_for_others(commit) {
            &self.shared
        } else {
            &self.own
        }
    }

    /// Hands over a commit without waiting. Whatever becomes of the caller, it happens entirely or not at all.
    ///
    /// # Errors
    /// It is handed back when too much waits, or when the loop has ended.
    pub fn submit(&self, commit: Commit, done: Completion) -> Result<(), Box<Rejected>> {
        let lane = self.lane(&commit);
        let at = lane.work.now();
        lane.queue
            .try_send(Submitted { commit, done, at })
            .map_err(|error| {
                let closed = matches!(error, mpsc::error::TrySendError::Closed(_));
                let Submitted { commit, done, .. } = error.into_inner();
                Box::new(Rejected {
                    commit,
                    done,
                    closed,
                })
            })
    }

    /// Hands over a commit, if need be when there is room, and waits for what comes of it.
    ///
    /// # Errors
    /// As the store says.
    pub async fn commit(&self, commit: Commit) -> Result<(), CommitError> {
        let (sender, answer) = oneshot::channel();
        let done = Completion::Once(Box::new(move |outcome| {
            // Nobody waits any more: the log tells.
            let _ = sender.send(outcome);
        }));
        let lane = self.lane(&commit);
        let at = lane.work.now();
        lane.queue
            .send(Submitted { commit, done, at })
            .await
            .map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// Accepts nothing more, and waits until what was accepted is done.
    pub async fn close(&self) {
        self.closing.cancel();
        self.ended.cancelled().await;
    }

    /// Commits that wait or are under way.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.own.waiting() + self.shared.waiting()
    }

    /// How long the oldest commit that is under way now, or was done since the last call, has waited for the work of commits; zero if there is none. A commit
    /// counts for at most [`WORK_MOST`]: a store that takes longer waits for its disk, for the network or for another program, and would not be faster with fewer commits.
    #[must_use]
    pub fn take_age(&self) -> Duration {
        self.own.work.take_age().max(self.shared.work.take_age())
    }
}

impl CommitLoop {
    /// This one is told of every log that grows.
    #[must_use]
    pub fn heard_by(mut self, listener: Arc<dyn Listener>) -> Self {
        for lane in &mut self.lanes {
            lane.listener = Some(listener.clone());
        }
        self
    }

    /// Commits until it is closed, or nobody can submit any more.
    pub async fn run(self) {
        let [own, shared] = self.lanes;
        tokio::join!(own.run(), shared.run());
        drop(self.ended);
    }
}

impl LaneLoop {
    /// Where the logs end if these commits are made.
    fn ends(&self, commits: &[Commit]) -> Vec<Vec<(StreamId, Seq)>> {
        if self.listener.is_none() {
            return Vec::new();
        }
        let end = |append: &Append| {
            (
                append.stream,
                Seq(append.expected.0 + append.events.len() as u64),
            )
        };
        let ends = commits
            .iter()
            .map(|commit| commit.appends.iter().map(end).collect());
        ends.collect()
    }

    fn say(&self, ends: Vec<Vec<(StreamId, Seq)>>, outcomes: &[Result<(), CommitError>]) {
        let Some(listener) = &self.listener else {
            return;
        };
        let made = ends
            .into_iter()
            .zip(outcomes)
            .filter(|(_, outcome)| outcome.is_ok());
        for (stream, last) in made.flat_map(|(ends, _)| ends) {
            listener.grown(stream, last);
        }
    }

    async fn run(mut self) {
        let closing = self.closing.clone();
        let mut batch = Vec::with_capacity(self.most);
        loop {
            tokio::select! {
                biased;
                received = self.queue.recv_many(&mut batch, self.most) => if received == 0 {
                    break;
                },
                () = closing.cancelled(), if !self.queue.is_closed() => {
                    self.queue.close();
                    continue;
                }
            }
            let oldest = batch.iter().map(|submitted| submitted.at).min();
            let oldest = oldest.unwrap_or_default();
            self.work.begin(batch.len(), oldest);
            self.gather(&mut batch).await;
            self.work.grow(batch.len());
            self.under_way.store(batch.len(), Ordering::Relaxed);
            let (commits, waiting): (Vec<_>, Vec<_>) = batch
                .drain(..)
                .map(|submitted| (submitted.commit, submitted.done))
                .unzip();
            let (commits, waiting) = tampered(commits, waiting);
            let ends = self.ends(&commits);
            let committed = AssertUnwindSafe(self.store.commit(self.lease, commits));
            let outcomes = committed.catch_unwind().await.map(mixed_up);
            self.under_way.store(0, Ordering::Relaxed);
            self.work.end(oldest);
            match outcomes {
                Ok(outcomes) if outcomes.len() == waiting.len() => {
                    self.say(ends, &outcomes);
                    for (done, outcome) in waiting.into_iter().zip(outcomes) {
                        tell(done, outcome);
                    }
                }
                _ => {
                    let error = StoreError::Failed {
                        why: "the store panicked".to_owned(),
                    };
                    for done in waiting {
                        tell(done, Err(error.clone().into()));
                    }
                }
            }
        }
    }

    async fn gather(&mut self, batch: &mut Vec<Submitted>) {
        for _ in 0..GATHERINGS {
            tokio::task::yield_now().await;
            while batch.len() < self.most
                && let Ok(submitted) = self.queue.try_recv()
            {
                batch.push(submitted);
            }
        }
    }
}

/// The work of a queue: a clock, in microseconds, that runs while a batch is committed, but not for longer than the batch's commits count for.
#[derive(Debug)]
struct Work {
    began: Instant,
    /// The work of the batches that are done.
    done: AtomicU64,
    /// When the batch that is under way began, plus one; 0: none is.
    since: AtomicU64,
    /// The most work that its commits count for.
    most: AtomicU64,
    /// When its oldest commit was submitted, by this clock.
    oldest: AtomicU64,
    /// The highest age at the end of a batch since the last reading.
    age: AtomicU64,
}

impl Work {
    fn new() -> Self {
        let [done, since, most, oldest, age] = [const { AtomicU64::new(0) }; 5];
        Self {
            began: Instant::now(),
            done,
            since,
            most,
            oldest,
            age,
        }
    }

    /// The clock's time. A reader may see it one batch behind.
    fn now(&self) -> u64 {
        self.done.load(Ordering::Relaxed) + self.under_way()
    }

    /// The work so far of the batch that is under way.
    fn under_way(&self) -> u64 {
        match self.since.load(Ordering::Relaxed) {
            0 => 0,
            since => {
                let passed = (micros(self.began.elapsed()) + 1).saturating_sub(since);
                passed.min(self.most.load(Ordering::Relaxed))
            }
        }
    }

    /// A batch of so many commits begins, the oldest of which was submitted at this time.
    fn begin(&self, commits: usize, oldest: u64) {
        self.grow(commits);
        self.oldest.store(oldest, Ordering::Relaxed);
        let since = micros(self.began.elapsed()) + 1;
        self.since.store(since, Ordering::Relaxed);
    }

    /// The batch has so many commits now.
    fn grow(&self, commits: usize) {
        let most = micros(WORK_MOST).saturating_mul(commits as u64);
        self.most.store(most, Ordering::Relaxed);
    }

    /// The batch has ended.
    fn end(&self, oldest: u64) {
        let now = self.now();
        self.since.store(0, Ordering::Relaxed);
        self.done.store(now, Ordering::Relaxed);
        self.age
            .fetch_max(now.saturating_sub(oldest), Ordering::Relaxed);
    }

    fn take_age(&self) -> Duration {
        let ended = self.age.swap(0, Ordering::Relaxed);
        let waits = match self.since.load(Ordering::Relaxed) {
            0 => 0,
            _ => self
                .now()
                .saturating_sub(self.oldest.load(Ordering::Relaxed)),
        };
        Duration::from_micros(ended.max(waits))
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Where planted faults get at a batch before it is committed.
fn tampered(mut commits: Vec<Commit>, waiting: Vec<Completion>) -> (Vec<Commit>, Vec<Completion>) {
    if planted::shows("lose_a_commit", 20)
        && let Some(last) = commits.last_mut()
    {
        *last = Commit::default();
    }
    if !planted::is("acknowledge_before_commit") {
        return (commits, waiting);
    }
    let nobody = waiting.iter().map(|_| Completion::Nobody).collect();
    for done in waiting {
        tell(done, Ok(()));
    }
    (commits, nobody)
}

/// Where they get at its outcomes.
fn mixed_up(mut outcomes: Vec<Result<(), CommitError>>) -> Vec<Result<(), CommitError>> {
    if planted::is("mix_up_outcomes") && outcomes.len() > 1 {
        outcomes.rotate_left(1);
    }
    outcomes
}

/// Who panics when told harms nobody else.
fn tell(done: Completion, outcome: Result<(), CommitError>) {
    let told = std::panic::catch_unwind(AssertUnwindSafe(|| done.tell(outcome)));
    if told.is_err() {
        tracing::error!("who waited for a commit panicked when told of it");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Commits a batch that takes so long, after the one that took the time before it.
    async fn batch(work: &Work, commits: usize, submitted: u64, takes: Duration) {
        work.begin(commits, submitted);
        tokio::time::advance(takes).await;
        work.end(submitted);
    }

    #[tokio::test(start_paused = true)]
    async fn a_store_that_stalls_is_no_work_and_a_queue_is() {
        let work = Work::new();
        let submitted = work.now();
        work.begin(3, submitted);
        tokio::time::advance(5_000 * MS).await;
        assert_eq!(work.take_age(), 3 * WORK_MOST, "a stall");
        work.end(submitted);
        tokio::time::advance(5_000 * MS).await;
        assert_eq!(work.take_age(), 3 * WORK_MOST, "its end");
        assert_eq!(work.take_age(), Duration::ZERO, "nothing waits");

        // Full batches one after another, each as slow as a disk that takes 30 ms.
        let submitted = work.now();
        for _ in 0..10 {
            batch(&work, BATCH, work.now(), 30 * MS).await;
        }
        batch(&work, BATCH, submitted, 30 * MS).await;
        assert_eq!(work.take_age(), 330 * MS, "eleven batches");
    }

    #[tokio::test(start_paused = true)]
    async fn quick_commits_are_as_old_as_they_are() {
        let work = Work::new();
        batch(&work, 100, work.now(), 7 * MS).await;
        assert_eq!(work.take_age(), 7 * MS);
    }
}
