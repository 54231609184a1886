//! Requests of a bot that came faster than its pace: each waits for its turn.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::time::{Instant, Sleep};

use super::connection::Request;

/// Requests by the moments at which it is their turn. How many there are is bounded by who puts them in.
#[derive(Default)]
pub(super) struct Waiting {
    /// Among those of one moment, the first to come is the first to go.
    requests: BTreeMap<(Instant, u64), Request>,
    number: u64,
    /// Set for the first of them.
    timer: Option<Pin<Box<Sleep>>>,
}

impl Waiting {
    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.requests.len()
    }

    /// Lets a request wait until it is due.
    pub(super) fn push(&mut self, due: Instant, request: Request) {
        self.number += 1;
        self.requests.insert((due, self.number), request);
    }

    /// The next request whose turn it is. Pending, and without cost, if none waits.
    pub(super) fn poll_due(&mut self, context: &mut Context<'_>) -> Poll<Request> {
        let Some(first) = self.requests.first_entry() else {
            return Poll::Pending;
        };
        let due = first.key().0;
        if due > Instant::now() {
            let timer = self
                .timer
                .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(due)));
            if timer.deadline() != due {
                timer.as_mut().reset(due);
            }
            if timer.as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
        }
        Poll::Ready(first.remove())
    }

    /// Takes all waiting requests, in order.
    pub(super) fn take_all(&mut self) -> impl Iterator<Item = Request> + use<> {
        std::mem::take(&mut self.requests).into_values()
    }
}
