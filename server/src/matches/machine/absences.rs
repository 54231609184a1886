//! Absences that the log does not show yet.

use grundy_shared::ids::{Millis, Seat};

/// Absences that the log does not show yet, and how often each player's were noted since the player's last move.
#[derive(Debug, Default)]
pub(super) struct Absences {
    pub(super) due: [Option<Millis>; 2],
    pub(super) noted: [u32; 2],
}

impl Absences {
    /// When the next is to be noted.
    pub(super) fn next(&self) -> Option<Millis> {
        self.due.into_iter().flatten().min()
    }

    /// A player who moves is here to play.
    pub(super) fn forgive(&mut self, seat: Seat) {
        self.noted[seat.index()] = 0;
    }

    /// The log shows it.
    pub(super) fn was_noted(&mut self, seat: Seat, online: bool) {
        if !online && self.due[seat.index()].take().is_some() {
            self.noted[seat.index()] += 1;
        }
    }

    /// The match is over: its log shows no more absences.
    pub(super) fn clear(&mut self) {
        self.due = [None, None];
    }
}
