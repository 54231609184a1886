//! Games of a tournament: who does not come, stays away or has withdrawn loses.

use grundy_shared::event::EndReason;
use grundy_shared::ids::{Millis, Seat};
use grundy_shared::referee::{Command, Status};

use super::state::Machine;

/// The one of both who loses; both: nobody wins.
fn loser_of(lost: [bool; 2]) -> Option<Option<Seat>> {
    match lost {
        [false, false] => None,
        [true, false] => Some(Some(Seat::First)),
        [false, true] => Some(Some(Seat::Second)),
        [true, true] => Some(None),
    }
}

impl<C: Clone + Eq, R> Machine<C, R> {
    /// A player came or went.
    pub(super) fn note_attendance(&mut self, now: Millis, seat: Seat) {
        let here = self.is_here(seat);
        let since = now.max(self.attendance.counts_from);
        self.attendance.away_since[seat.index()] = (!here).then_some(since);
    }

    /// The time to come is over: whoever is not here loses.
    pub(super) fn no_show(&self) -> Option<Command> {
        self.referee.tournament()?;
        // The first player may have moved before the second one came.
        if self.referee.moves().len() > 1 {
            return None;
        }
        let missing = Seat::BOTH.map(|seat| self.referee.is_held(seat) && !self.is_here(seat));
        let loser = loser_of(missing)?;
        let reason = EndReason::NoShow;
        Some(Command::Forfeit { loser, reason })
    }

    /// When the next absence has lasted too long.
    pub(super) fn forfeits_at(&self) -> Option<Millis> {
        if self.referee.status() != Status::Live {
            return None;
        }
        let game = self.referee.tournament()?;
        if self.attendance.ordered.is_some() {
            return Some(Millis(0));
        }
        let away = self.attendance.away_since.into_iter().enumerate();
        let due = away.filter_map(|(seat, since)| {
            let seat = Seat::BOTH[seat];
            // Whose clock was never started is waited for by the rule for those who do not come.
            let counts = !self.is_here(seat) && !self.referee.is_held(seat);
            since
                .filter(|_| counts)
                .map(|since| since.plus(game.away_ms))
        });
        due.min()
    }

    /// The end that an absence or the tournament brings.
    pub(super) fn forfeit_that_is_due(&self, now: Millis) -> Option<Command> {
        if self.forfeits_at()? > now {
            return None;
        }
        if let Some((loser, reason)) = self.attendance.ordered {
            return Some(Command::Forfeit { loser, reason });
        }
        let game = self.referee.tournament()?;
        let gone = Seat::BOTH.map(|seat| {
            let since = self.attendance.away_since[seat.index()];
            !self.is_here(seat)
                && !self.referee.is_held(seat)
                && since.is_some_and(|since| since.plus(game.away_ms) <= now)
        });
        let loser = loser_of(gone)?;
        let reason = EndReason::Disconnected;
        Some(Command::Forfeit { loser, reason })
    }
}
