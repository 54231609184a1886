//! Requests of one connection for new work, which wait until the server takes it on. Other requests are answered meanwhile.

use std::pin::Pin;
use std::task::{Context, Poll};

use super::connection::Request;
use crate::admission::{Turn, Work};

/// Requests of one connection that wait at once; more are refused.
const MOST: usize = 16;

/// See the module.
#[derive(Default)]
pub(super) struct Entering(Vec<(Work, Turn, Request)>);

impl Entering {
    /// Whether no more requests may wait.
    pub(super) fn is_full(&self) -> bool {
        self.0.len() >= MOST
    }

    /// Lets a request wait for its turn.
    pub(super) fn push(&mut self, work: Work, turn: Turn, request: Request) {
        self.0.push((work, turn, request));
    }

    /// The next request whose wait is over, its work, and whether it may begin. Pending, and without cost, if none waits.
    pub(super) fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<(Request, Work, bool)> {
        for place in 0..self.0.len() {
            if let Some((_, turn, _)) = self.0.get_mut(place)
                && let Poll::Ready(told) = Pin::new(turn).poll(context)
            {
                let (work, _, request) = self.0.remove(place);
                return Poll::Ready((request, work, told == Ok(true)));
            }
        }
        Poll::Pending
    }

    /// Takes all waiting requests, in order.
    pub(super) fn take_all(&mut self) -> impl Iterator<Item = Request> + use<> {
        let waiting = std::mem::take(&mut self.0);
        waiting.into_iter().map(|(_, _, request)| request)
    }
}
