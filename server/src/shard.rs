//! Which of the server's serving threads this is. What is counted or kept per shard is reached without the others' caches.

use std::cell::Cell;

thread_local! {
    static HERE: Cell<usize> = const { Cell::new(0) };
}

/// The shard of this thread; 0 for the first, and for threads that serve no connections.
#[must_use]
pub fn here() -> usize {
    HERE.get()
}

/// Says that this thread is the shard of this number, for the rest of its life.
pub fn settle(number: usize) {
    HERE.set(number);
}
