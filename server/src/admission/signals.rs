//! What the server feels of its load.

use std::time::Duration;

/// What was measured since the last look.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Signals {
    /// By how much the latest turn of the busiest serving thread came late.
    pub turn_late: Duration,
    /// The age of the oldest commit that is not done, or was done since the last look.
    pub commit_age: Duration,
    /// Memory in use, in bytes; 0 if it is not known.
    pub memory_bytes: u64,
}

impl Signals {
    /// About how long a move takes that comes now: a turn until its connection is read, the commit, a turn until the answer is written.
    #[must_use]
    pub fn delay(&self) -> Duration {
        self.commit_age.saturating_add(self.turn_late * 2)
    }
}
