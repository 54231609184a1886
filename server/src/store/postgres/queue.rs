//! What waits for the writer.

use tokio::sync::mpsc;

use super::request::{Batched, Request};
use crate::store::StoreError;

/// The requests that wait.
pub(super) struct Queue {
    requests: mpsc::Receiver<Request>,
    /// One that was taken out and is next.
    next: Option<Request>,
}

impl Queue {
    pub(super) fn new(requests: mpsc::Receiver<Request>) -> Self {
        let next = None;
        Self { requests, next }
    }

    /// The next request; `None` once the queue is closed and empty.
    pub(super) async fn next(&mut self) -> Option<Request> {
        match self.next.take() {
            Some(request) => Some(request),
            None => self.requests.recv().await,
        }
    }

    /// Adds commits that wait and have the same lease, until there are so many, and up to the first request that is something else.
    pub(super) fn gather(&mut self, group: &mut Vec<Batched>, most: usize) {
        let Some(lease) = group.first().map(|batched| batched.lease) else {
            return;
        };
        let mut count: usize = group.iter().map(|batched| batched.commits.len()).sum();
        while count < most {
            match self.requests.try_recv() {
                Ok(Request::Commit(batched)) if batched.lease == lease => {
                    count += batched.commits.len();
                    group.push(batched);
                }
                Ok(other) => {
                    self.next = Some(other);
                    return;
                }
                Err(_) => return,
            }
        }
    }

    /// Lets nothing more in.
    pub(super) fn close(&mut self) {
        self.requests.close();
    }

    /// Refuses what waits now. Nothing of it has begun.
    pub(super) fn shed(&mut self, error: &StoreError) {
        let waiting = self.requests.len();
        let next = self.next.take().into_iter();
        let rest = std::iter::from_fn(|| self.requests.try_recv().ok()).take(waiting);
        let requests: Vec<Request> = next.chain(rest).collect();
        for request in requests {
            match request {
                Request::Close => self.close(),
                request => request.refuse(error),
            }
        }
    }
}
