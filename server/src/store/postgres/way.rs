//! The way to a writer: its queue, and how it has ended.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::task::TaskTracker;

use super::acknowledged::Acknowledged;
use super::address::Address;
use super::connecting::connect;
use super::fault::Fault;
use super::lane::Lane;
use super::reach::Reach;
use super::request::{Batched, Request};
use super::transaction::Transactions;
use super::writer::{Counters, End, Writer};
use crate::store::{Commit, CommitError, Lease, StoreError};

/// Writes that may wait for a writer; a caller beyond them waits to be let in.
const WAITING: usize = 1_024;

/// The way to a writer.
#[derive(Debug)]
pub(super) struct Way {
    requests: mpsc::Sender<Request>,
    end: watch::Receiver<Option<End>>,
}

impl Way {
    /// Connects, and starts the writer of a lane.
    pub(super) async fn open(
        address: &Address,
        lane: Lane,
        counters: &Arc<Counters>,
        acknowledged: &Arc<Acknowledged>,
        reach: &Arc<Reach>,
    ) -> Result<Self, Fault> {
        let connection = connect(address).await?;
        let (requests, waiting) = mpsc::channel(WAITING);
        let (ended, end) = watch::channel(None);
        let transactions = Transactions::new(
            address.clone(),
            lane,
            connection,
            Arc::clone(acknowledged),
            Arc::clone(reach),
        );
        let writer = Writer::new(transactions, waiting, Arc::clone(counters));
        TaskTracker::new().spawn(async move {
            let end = writer.run().await;
            ended.send_replace(Some(end));
        });
        Ok(Self { requests, end })
    }

    /// Hands a request to the writer and waits for its answer.
    pub(super) async fn ask<T>(
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

    /// What came of each of these commits.
    pub(super) async fn commit(
        &self,
        lease: Lease,
        commits: Vec<Commit>,
    ) -> Vec<Result<(), CommitError>> {
        let count = commits.len();
        if count == 0 {
            return Vec::new();
        }
        let asked = self.ask(|reply| {
            Request::Commit(Batched {
                lease,
                commits,
                reply,
            })
        });
        match asked.await {
            Ok(outcomes) => outcomes,
            Err(error) => vec![Err(error.into()); count],
        }
    }

    /// Waits until the writer has failed, and says why; for ever, if it ends otherwise.
    pub(super) async fn failed(&self) -> StoreError {
        let mut end = self.end.clone();
        let failure = match end.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(Err(error))) => Some(error.clone()),
            Ok(_) => None,
            Err(_) => Some(StoreError::Failed {
                why: "the writer panicked".to_owned(),
            }),
        };
        match failure {
            Some(error) => error,
            None => std::future::pending().await,
        }
    }

    /// Requests that wait.
    pub(super) fn waiting(&self) -> u64 {
        (self.requests.max_capacity() - self.requests.capacity()) as u64
    }

    /// Lets the writer finish what waits, and waits until it has.
    pub(super) async fn close(&self) {
        // An error means that the writer is gone already.
        let _ = self.requests.send(Request::Close).await;
        let _ = self.end.clone().wait_for(Option::is_some).await;
    }
}
