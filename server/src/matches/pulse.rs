//! How far a match has come, to be read without its lock.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use grundy_shared::ids::{Millis, Ply, Seat, Seq};

/// How far a match has come.
#[derive(Debug)]
pub struct Pulse {
    seq: AtomicU64,
    ply: AtomicU32,
    connected: [AtomicBool; 2],
    taken: [AtomicU64; 2],
    taken_at: [AtomicU64; 2],
    elsewhere: [AtomicBool; 2],
    watched: AtomicBool,
    over: AtomicBool,
    adjourned: AtomicBool,
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
            taken: Default::default(),
            taken_at: Default::default(),
            elsewhere: Default::default(),
            watched: AtomicBool::default(),
            over: AtomicBool::default(),
            adjourned: AtomicBool::default(),
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

    /// How often a connection has taken this seat here.
    #[must_use]
    pub fn taken(&self, seat: Seat) -> u64 {
        self.taken[seat.index()].load(Ordering::Relaxed)
    }

    /// When a connection took this seat here last.
    #[must_use]
    pub fn taken_at(&self, seat: Seat) -> Millis {
        Millis(self.taken_at[seat.index()].load(Ordering::Relaxed))
    }

    /// Whether the player of this seat is connected to another server, as far as is known.
    #[must_use]
    pub fn is_elsewhere(&self, seat: Seat) -> bool {
        self.elsewhere[seat.index()].load(Ordering::Relaxed)
    }

    /// Whether any player follows the match at a connection.
    #[must_use]
    pub fn is_anybody_seated(&self) -> bool {
        Seat::BOTH.into_iter().any(|seat| self.is_connected(seat))
    }

    /// Whether anybody without a seat follows the match.
    #[must_use]
    pub fn is_watched(&self) -> bool {
        self.watched.load(Ordering::Relaxed)
    }

    /// Whether the match is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Whether the match is adjourned.
    #[must_use]
    pub fn is_adjourned(&self) -> bool {
        self.adjourned.load(Ordering::Relaxed)
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

    pub(super) fn set_adjourned(&self, adjourned: bool) {
        self.adjourned.store(adjourned, Ordering::Relaxed);
    }

    pub(super) fn set_watched(&self, watched: bool) {
        self.watched.store(watched, Ordering::Relaxed);
    }

    /// How often the seat was taken is set last: whoever sees it sees the rest.
    pub(super) fn set_seat(
        &self,
        seat: Seat,
        connected: bool,
        taken: (u64, Millis),
        elsewhere: bool,
    ) {
        let seat = seat.index();
        self.connected[seat].store(connected, Ordering::Relaxed);
        self.elsewhere[seat].store(elsewhere, Ordering::Relaxed);
        self.taken_at[seat].store(taken.1.0, Ordering::Relaxed);
        self.taken[seat].store(taken.0, Ordering::Relaxed);
    }
}
