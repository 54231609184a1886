//! Time: clocks that are held, flags that fall, matches that nobody comes to, and time that the server owes the players.

use grundy_shared::event::TimeControl;
use grundy_shared::ids::{Millis, Seat};
use grundy_shared::referee::{Command, Status};

use super::flight::Flight;
use super::state::Machine;
use crate::planted;

/// What is announced so long after it was received costs the other player no time.
const LATE_MS: Millis = Millis(500);

/// The moment for which flags are looked at.
pub(super) fn seen_at(now: Millis) -> Millis {
    match planted::is("flag_early") {
        true => now.plus(Millis(3_000)),
        false => now,
    }
}

impl<C: Clone + Eq, R> Machine<C, R> {
    /// Since when a player may be owed time of which the log does not tell yet: what is decided, or was refused by the store, counts from
    /// the moment for which it is decided. `None` if nothing is owed.
    #[must_use]
    pub fn owes_since(&self) -> Option<Millis> {
        let timed = self.referee.clock_control() != TimeControl::Untimed {};
        if !timed || self.damaged || self.referee.status() == Status::Over {
            return None;
        }
        let flight = self.flight.as_ref().and_then(Flight::owes_since);
        let waiting = self.queue.oldest();
        let bot = self.bot_time.owes_since();
        let owed = [self.stalled_since, self.owed_since, flight, waiting, bot];
        owed.into_iter().flatten().min()
    }

    /// When held clocks start in any case.
    pub(super) fn clocks_start_at(&self) -> Option<Millis> {
        // In a pause they stand still for another reason.
        let held = self.referee.paused_until().is_none()
            && Seat::BOTH
                .into_iter()
                .any(|seat| self.referee.is_held(seat));
        held.then_some(self.hold.until)
    }

    /// The clock that is held without a reason, if there is one.
    pub(super) fn clock_to_start(&self, now: Millis) -> Option<Command> {
        let until = self.clocks_start_at()?;
        if now >= until {
            return Some(self.no_show().unwrap_or(Command::StartClock { seat: None }));
        }
        if self.hold.both {
            let all_here = Seat::BOTH.into_iter().all(|seat| self.is_here(seat));
            return all_here.then_some(Command::StartClock { seat: None });
        }
        // Each server starts the clocks of its own players. Information about a connection to another server can be older than the death of that server.
        let back = |seat: &Seat| {
            let comes = self.is_served_here(*seat)
                || (planted::is("count_dead_seats") && self.is_elsewhere(*seat));
            self.referee.is_held(*seat) && comes
        };
        let seat = Seat::BOTH.into_iter().find(back)?;
        Some(Command::StartClock { seat: Some(seat) })
    }

    /// When a pause ends by itself: after a start of the server not before both players are back, or have had their time for it.
    pub(super) fn pause_ends_at(&self) -> Option<Millis> {
        let until = self.referee.paused_until()?;
        let all_here = Seat::BOTH.into_iter().all(|seat| self.is_here(seat));
        Some(match all_here {
            true => until,
            false => until.max(self.hold.until),
        })
    }

    /// The end of a pause that has lasted long enough.
    pub(super) fn pause_that_ends(&self, now: Millis) -> Option<Command> {
        let until = self.pause_ends_at()?;
        (until <= now).then_some(Command::Continue { player: None })
    }

    /// When this server lets the flag of the running clock fall. A player who is connected to another server loses there, if that is alive.
    pub(super) fn flag_falls_at(&self) -> Option<Millis> {
        let at = self.referee.deadline()?;
        let seat = self.referee.to_move();
        let elsewhere = self.is_elsewhere(seat) && !self.followers.holds(seat);
        Some(self.doubt.falls_at(at, seat, elsewhere))
    }

    /// A flag that has fallen, or a match that comes to nothing.
    pub(super) fn end_that_is_due(&self, now: Millis) -> Option<Command> {
        let has_come = |at: Option<Millis>| at.is_some_and(|at| at <= now);
        match self.referee.status() {
            Status::Waiting if self.expires_at() <= now => Some(Command::Expire),
            Status::Live if self.bot_time.waits() => None,
            Status::Live if self.flag_falls_at().is_some_and(|at| at <= seen_at(now)) => {
                Some(Command::ClockCheck)
            }
            Status::Live if has_come(self.abandoned_at()) => Some(Command::Expire),
            _ => None,
        }
    }

    /// When a match that nobody has joined comes to its end: with its code, or when its creator has been away for too long.
    pub(super) fn expires_at(&self) -> Millis {
        let with_code = self.referee.created_at().plus(self.policy.join_code_ms);
        let here = Seat::BOTH
            .into_iter()
            .any(|seat| self.is_followed_from(seat));
        match self.lasts || here {
            true => with_code,
            false => with_code.min(self.left_at.plus(self.policy.invitation_away_ms)),
        }
    }

    /// When a match without clocks that both players have left comes to its end; the log alone decides it, so a restart
    /// changes nothing.
    pub(super) fn abandoned_at(&self) -> Option<Millis> {
        let untimed = self.referee.clock_control() == TimeControl::Untimed {};
        let here = |seat| self.is_person(seat) && self.referee.online(seat);
        (untimed && !Seat::BOTH.into_iter().any(here))
            .then(|| self.referee.last_at().plus(self.policy.abandoned_ms))
    }

    /// The next player's clock runs since the move was received, or the seat taken: what the server took to announce it is
    /// given back, if it was long.
    pub(super) fn late_announcement(&mut self, now: Millis) -> Option<Command> {
        let since = self.owed_since.take()?.max(self.referee.last_at());
        let away_ms = now.since(since);
        let late = away_ms >= LATE_MS && self.referee.deadline().is_some();
        late.then_some(Command::Outage {
            away_ms,
            hold: false,
        })
    }
}
