//! A line on a terminal that says how far something has come, and goes when it is done.

use std::cell::Cell;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// What is done sooner needs no line.
const FIRST_AFTER: Duration = Duration::from_secs(1);
/// Time between two changes of the line.
const CHANGE_EVERY: Duration = Duration::from_millis(100);

/// The line. It is removed when this is dropped.
pub(crate) struct ProgressLine {
    is_live: bool,
    is_shown: Cell<bool>,
    next: Cell<Instant>,
}

impl ProgressLine {
    /// A line that is shown after a while, or never.
    pub(super) fn new(is_live: bool) -> Self {
        Self {
            is_live,
            is_shown: Cell::new(false),
            next: Cell::new(Instant::now() + FIRST_AFTER),
        }
    }

    /// Shows these words instead of those before them, unless it is too soon.
    pub(crate) fn show(&self, words: &str) {
        self.show_with(|| words.to_owned());
    }

    /// The same; the words are made only if they are shown.
    pub(crate) fn show_with(&self, words: impl FnOnce() -> String) {
        let now = Instant::now();
        if !self.is_live || now < self.next.get() {
            return;
        }
        let words = words();
        self.next.set(now + CHANGE_EVERY);
        self.is_shown.set(true);
        // If stderr is closed, there is nobody left to inform.
        let _ = write!(io::stderr(), "\r\x1b[K{words}");
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.is_shown.get() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
