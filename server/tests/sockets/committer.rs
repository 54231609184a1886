//! The committer: one commit of the store for all who wait, each with its own outcome, announced in order.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, mpsc};

use crate::common::faulty::Faulty;
use crate::common::{in_time, until};
use bytes::Bytes;
use grundy_server::lifecycle::Lifecycle;
use grundy_server::store::committer::{Committer, Completion, Waiter};
use grundy_server::store::{Commit, CommitError, Lease, NodeId, Store, StoreError, StreamId};
use grundy_shared::ids::{Millis, Seq, TournamentId};
use tokio::task::JoinHandle;

/// Commits that wait before one more is handed back.
const WAITING: usize = 16_384;
/// Commits of one batch at most.
const BATCH: usize = 512;

/// Outcomes with the numbers of their commits, as they were announced.
type Announced = Arc<Mutex<Vec<(u64, Result<(), CommitError>)>>>;

/// Starts a task as the server does.
fn spawn<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    Lifecycle::new().spawn(task)
}

struct Rig {
    store: Arc<Faulty>,
    committer: Committer,
    running: JoinHandle<()>,
    announced: Announced,
}

impl Rig {
    async fn start() -> Self {
        let store = Faulty::new();
        let lease: Lease = store
            .enlist(NodeId::ONLY, Millis(0))
            .await
            .expect("enlisted");
        let (committer, commit_loop) = Committer::new(store.clone(), lease);
        Self {
            store,
            committer,
            running: spawn(commit_loop.run()),
            announced: Announced::default(),
        }
    }

    /// Submits a commit whose outcome is noted under this number.
    fn submit(&self, number: u64, commit: Commit) {
        let announced = self.announced.clone();
        let done = Completion::Once(Box::new(move |outcome| {
            announced.lock().expect("sound").push((number, outcome));
        }));
        self.committer.submit(commit, done).expect("room");
    }

    fn announced(&self) -> Vec<(u64, Result<(), CommitError>)> {
        self.announced.lock().expect("sound").clone()
    }

    fn batches(&self) -> Vec<usize> {
        self.store.batches.lock().expect("sound").clone()
    }

    async fn until_announced(&self, count: usize) {
        until("every outcome", || self.announced().len() == count).await;
    }

    /// Holds a commit up in the store; everything after it waits until [`Rig::release`].
    async fn hold(&self) -> usize {
        let permits = Faulty::close(&self.store.creates);
        self.submit(0, first_of(0));
        self.store.until_it_waits().await;
        permits
    }

    fn release(&self, permits: usize) {
        self.store.creates.add_permits(permits);
    }
}

fn stream(number: u64) -> StreamId {
    StreamId::Tournament(TournamentId::from_random(number))
}

/// The event with this number of a stream.
fn event(number: u64, expected: u64) -> Commit {
    let body = Bytes::from(format!("{{\"of\":{number},\"after\":{expected}}}"));
    Commit::append(stream(number), Seq(expected), vec![body])
}

fn first_of(number: u64) -> Commit {
    event(number, 0)
}

#[tokio::test]
async fn all_who_wait_share_one_commit_of_the_store() {
    let rig = Rig::start().await;
    let permits = rig.hold().await;
    for number in 1..=50 {
        rig.submit(number, first_of(number));
    }
    assert_eq!(rig.committer.waiting(), 51);
    rig.release(permits);
    rig.until_announced(51).await;
    assert_eq!(rig.batches(), [1, 50]);
    assert_eq!(rig.committer.waiting(), 0);
}

#[tokio::test]
async fn who_is_ready_to_run_comes_into_the_same_batch() {
    let rig = Rig::start().await;
    let mut asking = Vec::new();
    for number in 1..=20 {
        let committer = rig.committer.clone();
        asking.push(spawn(async move {
            // As a request that is read from a socket first.
            tokio::task::yield_now().await;
            committer.commit(first_of(number)).await
        }));
    }
    for asked in asking {
        assert_eq!(in_time("a commit", asked).await.expect("no panic"), Ok(()));
    }
    assert_eq!(rig.batches(), [20]);
}

#[tokio::test]
async fn a_batch_is_bounded_and_outcomes_come_in_the_order_of_submission() {
    let rig = Rig::start().await;
    let permits = rig.hold().await;
    let count = u64::try_from(2 * BATCH + 100).expect("small");
    for number in 1..=count {
        rig.submit(number, first_of(number));
    }
    rig.release(permits);
    rig.until_announced(2 * BATCH + 101).await;
    assert_eq!(rig.batches(), [1, BATCH, BATCH, 100]);
    let announced = rig.announced();
    assert!(announced.iter().map(|(number, _)| *number).eq(0..=count));
    assert!(announced.iter().all(|(_, outcome)| outcome.is_ok()));
}

#[tokio::test]
async fn a_commit_that_is_refused_harms_no_other_of_its_batch() {
    let rig = Rig::start().await;
    let permits = rig.hold().await;
    rig.submit(1, first_of(1));
    rig.submit(2, event(2, 7));
    // What depends on one before it in the batch.
    rig.submit(3, event(1, 1));
    rig.submit(4, first_of(1));
    rig.release(permits);
    rig.until_announced(5).await;
    assert_eq!(rig.batches(), [1, 4]);
    let conflict = |number, actual| {
        Err(CommitError::Conflict {
            stream: stream(number),
            actual: Seq(actual),
        })
    };
    let expected = [
        (0, Ok(())),
        (1, Ok(())),
        (2, conflict(2, 0)),
        (3, Ok(())),
        (4, conflict(1, 2)),
    ];
    assert_eq!(rig.announced(), expected);
    let log = rig.store.load(stream(1), Seq(0), 10).await;
    assert_eq!(log.expect("readable").expect("there").len(), 2);
    assert_eq!(rig.store.load(stream(2), Seq(0), 10).await, Ok(None));
}

#[tokio::test]
async fn a_store_that_panics_fails_its_batch_and_no_later_one() {
    let rig = Rig::start().await;
    let permits = rig.hold().await;
    rig.submit(1, first_of(1));
    rig.submit(2, first_of(2));
    rig.store.panics.store(1, Ordering::SeqCst);
    rig.release(permits);
    rig.until_announced(3).await;
    for (number, outcome) in &rig.announced()[1..] {
        assert!(
            matches!(outcome, Err(CommitError::Store(StoreError::Failed { .. }))),
            "{number}: {outcome:?}"
        );
    }
    assert_eq!(rig.committer.commit(first_of(3)).await, Ok(()));
}

struct Panics;

impl Waiter for Panics {
    fn committed(self: Arc<Self>, _outcome: Result<(), CommitError>) {
        panic!("on purpose, when told the outcome");
    }
}

#[tokio::test]
async fn who_panics_at_an_outcome_harms_nobody() {
    let rig = Rig::start().await;
    let permits = rig.hold().await;
    let panics = Completion::Waiter(Arc::new(Panics));
    rig.committer.submit(first_of(1), panics).expect("room");
    rig.submit(2, first_of(2));
    rig.release(permits);
    rig.until_announced(2).await;
    assert_eq!(rig.announced()[1], (2, Ok(())));
    assert_eq!(rig.committer.commit(first_of(3)).await, Ok(()));
}

#[tokio::test]
async fn the_queue_is_bounded_and_what_does_not_fit_is_handed_back() {
    let rig = Rig::start().await;
    let permits = rig.hold().await;
    for _ in 0..WAITING {
        let room = rig.committer.submit(Commit::default(), Completion::Nobody);
        assert!(room.is_ok());
    }
    let (sender, told) = mpsc::sync_channel(1);
    let done = Completion::Once(Box::new(move |outcome| {
        sender.send(outcome).expect("heard")
    }));
    let rejected = rig
        .committer
        .submit(first_of(9), done)
        .expect_err("no room");
    assert!(!rejected.closed);
    assert_eq!(rejected.commit, first_of(9));
    assert!(told.try_recv().is_err(), "nobody is told of it");
    // One who waits is let in when there is room.
    let committer = rig.committer.clone();
    let waits = spawn(async move { committer.commit(first_of(10)).await });
    rig.release(permits);
    assert_eq!(in_time("room", waits).await.expect("no panic"), Ok(()));
    rig.committer
        .submit(rejected.commit, rejected.done)
        .expect("room again");
    until("the outcome", || told.try_recv() == Ok(Ok(()))).await;
}

#[tokio::test]
async fn a_stop_finishes_what_was_accepted_and_accepts_nothing_more() {
    let rig = Rig::start().await;
    let permits = rig.hold().await;
    for number in 1..=3 {
        rig.submit(number, first_of(number));
    }
    let closing = spawn({
        let committer = rig.committer.clone();
        async move { committer.close().await }
    });
    tokio::task::yield_now().await;
    assert!(!closing.is_finished(), "a commit is under way");
    rig.release(permits);
    in_time("the stop", closing).await.expect("no panic");
    assert_eq!(rig.announced().len(), 4, "before the stop is over");
    let late = rig.committer.submit(first_of(4), Completion::Nobody);
    assert!(late.expect_err("it is closed").closed);
    let late = rig.committer.commit(first_of(4)).await;
    assert_eq!(late, Err(StoreError::Closed.into()));
    in_time("the end of the loop", rig.running)
        .await
        .expect("no panic");
}

#[tokio::test]
async fn what_was_submitted_is_done_even_if_nobody_waits_any_more() {
    let rig = Rig::start().await;
    let permits = rig.hold().await;
    let committer = rig.committer.clone();
    let asking = spawn(async move { committer.commit(first_of(1)).await });
    until("it is submitted", || rig.committer.waiting() == 2).await;
    asking.abort();
    rig.release(permits);
    let Rig {
        store,
        committer,
        running,
        ..
    } = rig;
    // The loop ends by itself with the last who could submit.
    drop(committer);
    in_time("the end of the loop", running)
        .await
        .expect("no panic");
    let log = store.load(stream(1), Seq(0), 10).await;
    assert_eq!(log.expect("readable").expect("there").len(), 1);
}
