//! How far a match has come, to be read without its lock.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use grundy_shared::ids::{Millis, Ply, Seat, Seq};

/// How far a match has come.
#[derive(Debug)]
pub struct Pulse {
    seq: AtomicU64,
    ply: AtomicU32,
    connected: [AtomicBool; 2],
    over: AtomicBool,
    /// In milliseconds; [`NOTHING_OWED`] if nothing is.
    owes_since: AtomicU64,
}

/// The end of all time.
const NOTHING_OWED: u64 = u64::MAX;

impl Default for Pulse {
    fn default() -> Self {
        Self {
            seq: AtomicU64::default(),
            ply: AtomicU32::default(),
            connected: Default::default(),
            over: AtomicBool::default(),
            owes_since: AtomicU64::new(NOTHING_OWED),
        }
    }
}

impl Pulse {
    /// The newest event.
    #[must_use]
    pub fn seq(&self) -> Seq {
        Seq(self.seq.load(Ordering::Relaxed))
    }

    /// Moves made.
    #[must_use]
    pub fn ply(&self) -> Ply {
        Ply(self.ply.load(Ordering::Relaxed))
    }

    /// Whether the player of this seat follows the match at a connection.
    #[must_use]
    pub fn is_connected(&self, seat: Seat) -> bool {
        self.connected[seat.index()].load(Ordering::Relaxed)
    }

    /// Whether the match is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Since when a player may be owed time of which the log does not tell yet.
    #[must_use]
    pub fn owes_since(&self) -> Option<Millis> {
        let since = self.owes_since.load(Ordering::Relaxed);
        (since != NOTHING_OWED).then_some(Millis(since))
    }

    pub(super) fn set_owes_since(&self, since: Option<Millis>) {
        let since = since.map_or(NOTHING_OWED, |since| since.0);
        self.owes_since.store(since, Ordering::Relaxed);
    }

    /// What counts from this moment may come to be owed.
    pub(super) fn may_owe_since(&self, since: Millis) {
        self.owes_since.fetch_min(since.0, Ordering::Relaxed);
    }

    pub(super) fn set(&self, seq: Seq, ply: Ply, over: bool) {
        self.seq.store(seq.0, Ordering::Relaxed);
        self.ply.store(ply.0, Ordering::Relaxed);
        self.over.store(over, Ordering::Relaxed);
    }

    pub(super) fn set_connected(&self, connected: [bool; 2]) {
        for (pulse, connected) in self.connected.iter().zip(connected) {
            pulse.store(connected, Ordering::Relaxed);
        }
    }
}
