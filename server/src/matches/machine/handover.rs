//! A server that stops leaves its players to the other servers on the same store, and so does one that dies. Nobody pays for the way: the clocks are held, and each starts with its player;
//! or the way is given back to those who came before that.

use grundy_shared::event::TimeControl;
use grundy_shared::ids::{Millis, Seat};
use grundy_shared::referee::{Command, Status};

use super::policy::Policy;
use super::state::Machine;

impl<C: Clone + Eq, R> Machine<C, R> {
    /// The server begins to stop. A server that has its store for itself credits the time when it starts again.
    pub(super) fn drain(&mut self) {
        if self.draining {
            return;
        }
        self.draining = true;
        let timed = self.referee.clock_control() != TimeControl::Untimed {};
        let live = timed && self.referee.status() == Status::Live;
        self.hands_over = live && self.is_shared() && self.followers.seated().next().is_some();
    }

    /// Holds the clocks once, when what was asked for before is done.
    pub(super) fn hold_before_stop(&mut self) -> Option<Command> {
        std::mem::take(&mut self.hands_over).then_some(Command::Outage {
            away_ms: Millis(0),
            hold: true,
        })
    }

    /// Another server has held the clocks: a player who was connected there is on the way to another one.
    pub(super) fn players_find_back(&mut self, now: Millis) {
        let until = now.plus(Policy::FIND_BACK_MS);
        self.doubt.settle(now);
        self.hold.both = false;
        self.hold.until = self.hold.until.max(until);
        if let Some(after) = self.referee.claim_after() {
            self.claims_from = self.claims_from.max(until.plus(after));
        }
        self.attendance.excuse(until);
    }

    /// The player of this seat has come here from a server that was alive last at this moment. What has passed in the turn until the player came is to be given back.
    pub(super) fn found_back(&mut self, now: Millis, seat: Seat, since: Millis) {
        if self.referee.to_move() != seat || self.referee.deadline().is_none() {
            return;
        }
        let (_, came) = self.followers.taken(seat);
        let turn_began = now.since(self.referee.creditable(Millis(u64::MAX), now));
        let way = came.since(since.max(turn_began));
        self.doubt.came(self.referee.ply(), since, way);
    }

    /// Gives the player to move the way from a dead server back.
    pub(super) fn way_to_give_back(&mut self) -> Option<Command> {
        let away_ms = self.doubt.take_way(self.referee.ply())?;
        Some(Command::Outage {
            away_ms,
            hold: false,
        })
    }
}
