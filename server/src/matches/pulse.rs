//! How far a match has come, to be read without its lock.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use grundy_shared::ids::{Ply, Seat, Seq};

/// How far a match has come.
#[derive(Debug, Default)]
pub struct Pulse {
    seq: AtomicU64,
    ply: AtomicU32,
    connected: [AtomicBool; 2],
    over: AtomicBool,
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
