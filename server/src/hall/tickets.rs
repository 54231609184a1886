//! Who waits for what comes of a word of this server.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

/// What waits, by ticket: what its word needs when it is heard, and then what came of it. Bounded by the requests that are under way.
#[derive(Debug)]
pub struct Tickets<N, O> {
    all: Mutex<Open<N, O>>,
}

#[derive(Debug)]
struct Open<N, O> {
    last: u64,
    waiting: FxHashMap<u64, (Option<N>, Option<O>)>,
}

impl<N, O> Default for Tickets<N, O> {
    fn default() -> Self {
        let open = Open {
            last: 0,
            waiting: FxHashMap::default(),
        };
        Self {
            all: Mutex::new(open),
        }
    }
}

/// A ticket. Dropped, nobody waits any more.
#[derive(Debug)]
pub struct Ticket<'t, N, O> {
    tickets: &'t Tickets<N, O>,
    number: u64,
}

impl<N, O> Tickets<N, O> {
    fn open(&self) -> MutexGuard<'_, Open<N, O>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A ticket for a word that needs this when it is heard.
    pub fn draw(&self, needs: N) -> Ticket<'_, N, O> {
        let mut open = self.open();
        open.last += 1;
        let number = open.last;
        open.waiting.insert(number, (Some(needs), None));
        drop(open);
        Ticket {
            tickets: self,
            number,
        }
    }

    /// What the word of a ticket needs, if somebody still waits.
    pub fn needs(&self, number: u64) -> Option<N> {
        self.open().waiting.get_mut(&number)?.0.take()
    }

    /// What came of the word of a ticket.
    pub fn settle(&self, number: u64, outcome: O) {
        if let Some(waiting) = self.open().waiting.get_mut(&number) {
            waiting.1 = Some(outcome);
        }
    }
}

impl<N, O> Ticket<'_, N, O> {
    /// The number that goes with the word; never 0.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// What came of the word, if it was heard.
    #[must_use]
    pub fn outcome(self) -> Option<O> {
        let mut open = self.tickets.open();
        open.waiting.get_mut(&self.number)?.1.take()
    }
}

impl<N, O> Drop for Ticket<'_, N, O> {
    fn drop(&mut self) {
        self.tickets.open().waiting.remove(&self.number);
    }
}
