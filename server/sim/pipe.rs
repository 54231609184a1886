//! One direction of a connection: what is sent arrives later, in order, and takes room until it is read.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

/// What is on its way.
#[derive(Debug)]
struct Flight<T> {
    arrives: Instant,
    bytes: usize,
    item: T,
}

#[derive(Debug)]
struct State<T> {
    flights: VecDeque<Flight<T>>,
    bytes: usize,
    last_arrival: Instant,
    reader: Option<Waker>,
    writer: Option<Waker>,
    /// Nothing more is sent; what is under way still arrives.
    ended: bool,
    /// Nothing arrives any more, and nobody is told.
    swallows: bool,
}

/// One direction of a connection.
#[derive(Debug)]
pub(crate) struct Pipe<T> {
    state: Mutex<State<T>>,
    room: usize,
}

/// What became of something to be sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sent {
    /// It is on its way.
    Yes,
    /// There is no room for it at the moment.
    Full,
    /// The connection has ended.
    Lost,
}

impl<T> Pipe<T> {
    pub(crate) fn new(room: usize) -> Self {
        Self {
            state: Mutex::new(State {
                flights: VecDeque::new(),
                bytes: 0,
                last_arrival: Instant::now(),
                reader: None,
                writer: None,
                ended: false,
                swallows: false,
            }),
            room,
        }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether something of this size could be sent now; if not, the task is woken when it can.
    pub(crate) fn poll_room(&self, context: &mut Context<'_>, bytes: usize) -> Poll<Sent> {
        let mut state = self.state();
        if state.ended {
            return Poll::Ready(Sent::Lost);
        }
        // Something larger than the whole pipe passes an empty one.
        if state.bytes > 0 && state.bytes + bytes > self.room {
            state.writer = Some(context.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(Sent::Yes)
    }

    /// Sends something that arrives after `delay`, and not before what was sent earlier.
    pub(crate) fn send(&self, item: T, bytes: usize, delay: Duration) -> Sent {
        let mut state = self.state();
        if state.ended {
            return Sent::Lost;
        }
        if state.bytes > 0 && state.bytes + bytes > self.room {
            return Sent::Full;
        }
        state.bytes += bytes;
        if state.swallows {
            return Sent::Yes;
        }
        let arrives = (Instant::now() + delay).max(state.last_arrival);
        state.last_arrival = arrives;
        state.flights.push_back(Flight {
            arrives,
            bytes,
            item,
        });
        let reader = state.reader.take();
        drop(state);
        if let Some(reader) = reader {
            reader.wake();
        }
        Sent::Yes
    }

    /// The next that arrives; `None` after the last. The timer is the reader's.
    pub(crate) fn poll_next(
        &self,
        context: &mut Context<'_>,
        mut timer: Pin<&mut Sleep>,
    ) -> Poll<Option<T>> {
        let mut state = self.state();
        state.reader = Some(context.waker().clone());
        let arrives = match state.flights.front() {
            None if state.ended && !state.swallows => return Poll::Ready(None),
            None => return Poll::Pending,
            Some(first) => first.arrives,
        };
        if arrives > Instant::now() {
            drop(state);
            if timer.deadline() != arrives {
                timer.as_mut().reset(arrives);
            }
            std::task::ready!(timer.poll(context));
            state = self.state();
        }
        let Some(first) = state.flights.pop_front() else {
            return Poll::Pending;
        };
        state.bytes -= first.bytes;
        let writer = state.writer.take();
        drop(state);
        if let Some(writer) = writer {
            writer.wake();
        }
        Poll::Ready(Some(first.item))
    }

    /// Nothing more is sent; of what is under way the first `keep` arrive.
    pub(crate) fn end(&self, keep: usize) {
        let mut state = self.state();
        state.ended = true;
        state.flights.truncate(keep);
        state.bytes = state.flights.iter().map(|flight| flight.bytes).sum();
        let wakers = [state.reader.take(), state.writer.take()];
        drop(state);
        wakers.into_iter().flatten().for_each(Waker::wake);
    }

    /// From now on nothing arrives, and what is sent fills the pipe.
    pub(crate) fn swallow(&self) {
        let mut state = self.state();
        state.swallows = true;
        state.flights.clear();
    }

    pub(crate) fn under_way(&self) -> usize {
        self.state().flights.len()
    }
}
