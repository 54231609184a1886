//! Measurements of the server's own work.
//!
//! On a machine that also does other work, an idle thread is woken late, and a commit waits for a disk or a database that other programs use. Neither improves
//! if the server refuses work. So a delay counts only as far as the server's own work explains it: see [`Measured::own_delay`] and [`crate::store::committer::Committer::take_age`].

use std::time::Duration;

/// A thread that has used less than this part of a core, in hundredths, was late because of other programs.
const IDLE: u128 = 10;
/// One that has used this part or more was late because of its own work. In between, a part of the delay counts.
const BUSY: u128 = 25;

/// A serving thread between two measured turns.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Measured {
    /// By how much the turn came late.
    pub(super) late: Duration,
    /// The processor time that the thread has used meanwhile.
    pub(super) worked: Duration,
    /// How long that was.
    pub(super) took: Duration,
}

impl Measured {
    /// The part of the delay that the thread's own work explains. An overloaded thread uses all the processor time that it gets: half a core beside one other program,
    /// a quarter beside three. A thread that had little to do has used a few hundredths, however late it came.
    pub(super) fn own_delay(&self) -> Duration {
        let used = self.worked.as_nanos() * 100 / self.took.as_nanos().max(1);
        let counts = used.clamp(IDLE, BUSY) - IDLE;
        let nanos = self.late.as_nanos() * counts / (BUSY - IDLE);
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

/// What was measured since the last look.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Signals {
    /// By how much the latest turn of the busiest serving thread came late because of its own work.
    pub turn_late: Duration,
    /// How long the oldest commit has waited for the work of commits: see [`crate::store::committer::Committer::take_age`].
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
