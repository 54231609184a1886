//! A task that writes. It owns one connection, takes the commits that wait into one transaction, as many as fit, and is never dropped in the middle of one: callers only
//! wait for its answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep};

use super::fault::Fault;
use super::portion::Portion;
use super::queue::Queue;
use super::request::{Batched, Request};
use super::transaction::{Ended, Transactions};
use super::work::{
    Claim, Commits, EndLife, Enlist, Heartbeat, Nothing, Remove, Retire, Rewriting, TakeOver,
};
use crate::failpoint;
use crate::store::{Commit, CommitError, Gauges, Lease, StoreError};

/// How the writer ended: closed, or because nothing more may be written before a restart.
pub(super) type End = Result<(), StoreError>;

/// What is counted.
#[derive(Debug, Default)]
pub(super) struct Counters {
    commits: AtomicU64,
    events: AtomicU64,
}

impl Counters {
    /// As figures.
    pub(super) fn gauges(&self, waiting: u64) -> Gauges {
        Gauges {
            waiting,
            commits: self.commits.load(Ordering::Relaxed),
            events: self.events.load(Ordering::Relaxed),
            ..Gauges::default()
        }
    }
}

/// For so long after a failed write the server says that it cannot write.
const TROUBLE_LASTS: Duration = Duration::from_secs(5);

/// Between two attempts to connect while nothing is to be written.
const RECONNECT_EVERY: Duration = Duration::from_millis(250);

/// The task.
pub(super) struct Writer {
    transactions: Transactions,
    queue: Queue,
    counters: Arc<Counters>,
    portion: Portion,
    /// Why the last attempt to write failed, and when.
    trouble: Option<(StoreError, Instant)>,
}

impl Writer {
    /// A writer that has connected before.
    pub(super) fn new(
        transactions: Transactions,
        requests: mpsc::Receiver<Request>,
        counters: Arc<Counters>,
    ) -> Self {
        let portion = Portion::of(transactions.lane());
        Self {
            transactions,
            queue: Queue::new(requests),
            counters,
            portion,
            trouble: None,
        }
    }

    /// Writes until the store is closed, or nothing more may be written.
    pub(super) async fn run(mut self) -> End {
        let ended = self.serve().await;
        self.queue.close();
        while let Some(request) = self.queue.next().await {
            request.refuse(&StoreError::Closed);
        }
        self.transactions.note_acknowledged().await;
        self.transactions.disconnect().await;
        ended
    }

    /// The next request. Meanwhile a connection that is gone is made again, so that the next one need not wait for it.
    async fn next(&mut self) -> Result<Option<Request>, StoreError> {
        while !self.transactions.is_connected() {
            tokio::select! {
                biased;
                request = self.queue.next() => return Ok(request),
                () = sleep(RECONNECT_EVERY) => self.transactions.reconnect().await?,
            }
        }
        Ok(self.queue.next().await)
    }

    async fn serve(&mut self) -> End {
        while let Some(request) = self.next().await? {
            failpoint::panic_at("writer_dies");
            match request {
                Request::Commit(first) => {
                    let mut group = vec![first];
                    self.queue.gather(&mut group, self.portion.most());
                    self.commit(group).await?;
                }
                Request::Close => self.queue.close(),
                other => self.work(other).await?,
            }
        }
        Ok(())
    }

    async fn commit(&mut self, group: Vec<Batched>) -> End {
        let Some(lease) = group.first().map(|batched| batched.lease) else {
            return Ok(());
        };
        let commits = group.iter().flat_map(|batched| &batched.commits);
        let commits: Vec<&Commit> = commits.collect();
        let (outcomes, end) = self.make_all(lease, &commits).await;
        let made = commits.iter().zip(&outcomes);
        let events = made.filter(|(_, outcome)| outcome.is_ok());
        let events: usize = events.map(|(commit, _)| commit.events()).sum();
        self.counters
            .events
            .fetch_add(events as u64, Ordering::Relaxed);
        failpoint::hit("after_commit_before_ack");
        let mut outcomes = outcomes.into_iter();
        for batched in group {
            let own = outcomes.by_ref().take(batched.commits.len());
            // Nobody may wait any more: the log tells.
            let _ = batched.reply.send(own.collect());
        }
        end
    }

    /// Makes commits, a portion after the other; what came of each. Where the database cannot be written to any more, those that were not made are refused together.
    async fn make_all(
        &mut self,
        lease: Lease,
        commits: &[&Commit],
    ) -> (Vec<Result<(), CommitError>>, End) {
        let mut outcomes = Vec::with_capacity(commits.len());
        // Up to here each is made alone, so that the one with the value that the database refuses is found.
        let mut alone = 0;
        while outcomes.len() < commits.len() {
            let rest = &commits[outcomes.len()..];
            let size = match outcomes.len() < alone {
                true => 1,
                false => self.portion.next(rest),
            };
            // Also where no more fits into a portion: what this one is refused for harms no other.
            let is_alone = size == 1 && commits.len() > 1;
            let ended = match self.make(lease, rest[..size].to_vec()).await {
                Ok(made) => {
                    self.trouble = None;
                    self.portion.was_in_time();
                    self.counters.commits.fetch_add(1, Ordering::Relaxed);
                    outcomes.extend(made);
                    continue;
                }
                Err(ended) => ended,
            };
            match ended {
                Ended::Value(_) if size > 1 => alone = outcomes.len() + size,
                Ended::Late(_) if size > 1 => self.portion.was_late(size),
                Ended::Value(error) | Ended::Refused(error @ StoreError::Failed { .. })
                    if is_alone =>
                {
                    outcomes.push(Err(error.into()));
                }
                ended => {
                    let (error, end) = self.conclude(ended);
                    let refusal = match error {
                        StoreError::Fenced => CommitError::Fenced,
                        error => error.into(),
                    };
                    outcomes.resize(commits.len(), Err(refusal));
                    return (outcomes, end);
                }
            }
        }
        (outcomes, Ok(()))
    }

    async fn make(
        &mut self,
        lease: Lease,
        commits: Vec<&Commit>,
    ) -> Result<Vec<Result<(), CommitError>>, Ended> {
        let node = lease.node;
        let work = Commits { node, commits };
        self.transactions
            .run(&mut self.queue, Some(lease), &work)
            .await
    }

    /// Does what one request asks and answers it. An error ends the writer.
    async fn work(&mut self, request: Request) -> End {
        match request {
            Request::Enlist(node, at, reply) => {
                let address = self.transactions.address().clone();
                let enlist = Enlist(&address, node, at);
                let done = self.transactions.run(&mut self.queue, None, &enlist).await;
                self.answer(done, reply)
            }
            Request::Heartbeat(.., reply) if self.transactions.is_cut_off() => {
                let why = "the server has no connection for commits".to_owned();
                // Nobody may wait any more.
                let _ = reply.send(Err(StoreError::Busy { why }));
                Ok(())
            }
            Request::Heartbeat(lease, at, reply) => {
                let beat = Heartbeat(lease, at);
                let done = self
                    .transactions
                    .run(&mut self.queue, Some(lease), &beat)
                    .await;
                self.transactions.note_acknowledged().await;
                self.answer(done, reply)
            }
            Request::Retire(lease, at, reply) => {
                let retiring = Retire(lease, at);
                let done = self
                    .transactions
                    .run(&mut self.queue, Some(lease), &retiring)
                    .await;
                self.answer(done, reply)
            }
            Request::EndLife(lease, from, reply) => {
                let ending = EndLife(lease, from);
                let done = self
                    .transactions
                    .run(&mut self.queue, Some(lease), &ending)
                    .await;
                self.answer(done, reply)
            }
            Request::TakeOver(lease, from, reply) => {
                let taking = TakeOver(lease, from);
                let done = self
                    .transactions
                    .run(&mut self.queue, Some(lease), &taking)
                    .await;
                self.answer(done, reply)
            }
            Request::Remove(lease, wanted, unneeded, reply) => {
                let removing = Remove(wanted, unneeded);
                let done = self
                    .transactions
                    .run(&mut self.queue, Some(lease), &removing)
                    .await;
                self.answer(done, reply)
            }
            Request::Rewrite(lease, player, logs, reply) => {
                let rewriting = Rewriting(player, logs);
                let done = self
                    .transactions
                    .run(&mut self.queue, Some(lease), &rewriting)
                    .await;
                let (done, end) = self.settle(done);
                let _ = reply.send(done.unwrap_or_else(|error| {
                    Err(match error {
                        StoreError::Fenced => CommitError::Fenced,
                        error => error.into(),
                    })
                }));
                end
            }
            Request::Scrub(lease, reply) => {
                let done = self
                    .transactions
                    .run(&mut self.queue, Some(lease), &Nothing)
                    .await;
                self.answer(done.map(|()| true), reply)
            }
            Request::Claim(lease, duty, reply) => {
                let claim = Claim(lease.node, duty);
                let done = self
                    .transactions
                    .run(&mut self.queue, Some(lease), &claim)
                    .await;
                self.answer(done, reply)
            }
            Request::Ready(reply) => {
                let _ = reply.send(self.ready().await);
                Ok(())
            }
            Request::Commit(_) | Request::Close => Ok(()),
        }
    }

    fn answer<T>(
        &mut self,
        done: Result<T, Ended>,
        reply: tokio::sync::oneshot::Sender<Result<T, StoreError>>,
    ) -> End {
        let (done, end) = self.settle(done);
        // Nobody may wait any more.
        let _ = reply.send(done);
        end
    }

    fn settle<T>(&mut self, done: Result<T, Ended>) -> (Result<T, StoreError>, End) {
        match done {
            Ok(done) => {
                self.trouble = None;
                self.counters.commits.fetch_add(1, Ordering::Relaxed);
                (Ok(done), Ok(()))
            }
            Err(ended) => {
                let (error, end) = self.conclude(ended);
                (Err(error), end)
            }
        }
    }

    /// What a caller is told, and whether the writer goes on. Meanwhile everybody who waited behind a long trouble is told of it, too.
    fn conclude(&mut self, ended: Ended) -> (StoreError, End) {
        match ended {
            Ended::Value(error) | Ended::Refused(error) | Ended::Late(error) => {
                if error != StoreError::Fenced {
                    self.trouble = Some((error.clone(), Instant::now()));
                }
                if matches!(error, StoreError::Busy { .. }) {
                    self.queue.shed(&error);
                }
                (error, Ok(()))
            }
            Ended::Fatal(error) => (error.clone(), Err(error)),
        }
    }

    /// Whether the server answers, and the last attempt to write succeeded.
    async fn ready(&mut self) -> Result<(), StoreError> {
        if !self.transactions.answers().await {
            // The connection may have been idle for long: a new one says more.
            let connected = self.transactions.connection().await;
            connected.map_err(Fault::into_error)?;
        }
        match &self.trouble {
            // It can be reached again.
            None | Some((StoreError::Busy { .. }, _)) => Ok(()),
            // Somebody has to try: where nobody is sent, nothing is written.
            Some((_, at)) if at.elapsed() > TROUBLE_LASTS => Ok(()),
            Some((error, _)) => Err(error.clone()),
        }
    }
}
