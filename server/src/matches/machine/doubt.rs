//! Players whose server may be dead. What they lose by that is given back once it is known, and until then no flag falls for them.

use grundy_shared::ids::{Millis, Ply, Seat};
use grundy_shared::referee::Command;

use super::state::Machine;

/// Within this time, in milliseconds, the players of a dead server are credited: it is found dead after two seconds, and at the next look everywhere.
const SETTLED_MS: Millis = Millis(3_000);
/// A way back that took less than this, in milliseconds, is not noted.
const NOTED_MS: Millis = Millis(100);

/// What is not known, or not given back yet.
#[derive(Debug, Default)]
pub(super) struct Doubt {
    /// Until when the server that each player has left may turn out to have been dead.
    until: [Millis; 2],
    /// When another server has given time back last, as it was heard here.
    settled_at: Option<Millis>,
    /// The time that the player to move after these moves has needed for the way here.
    way: Option<(Ply, Millis)>,
}

impl Doubt {
    /// The player has left another server; or that has said nothing for a while.
    pub(super) fn begin(&mut self, now: Millis, seat: Seat) {
        self.until[seat.index()] = now.plus(SETTLED_MS);
    }

    /// Another server has given the time back, and held the clocks.
    pub(super) fn settle(&mut self, now: Millis) {
        self.settled_at = Some(now);
    }
}

impl<C: Clone + Eq, R> Machine<C, R> {
    /// When this server lets the flag of the running clock fall. A player who is connected to another server loses there, if that is alive.
    pub(super) fn flag_falls_at(&self) -> Option<Millis> {
        let at = self.referee.deadline()?;
        let seat = self.referee.to_move();
        Some(
            match self.is_elsewhere(seat) && !self.followers.holds(seat) {
                true => at.plus(SETTLED_MS),
                false => at.max(self.doubt.until[seat.index()]),
            },
        )
    }

    /// The player of this seat has come here from a server that was alive last at this moment. What has passed in the turn until the player came is to be given back.
    pub(super) fn found_back(&mut self, now: Millis, seat: Seat, since: Millis) {
        let settled = self.doubt.settled_at.is_some_and(|at| at >= since);
        if settled || self.referee.to_move() != seat {
            return;
        }
        let (_, came) = self.followers.taken(seat);
        let turn_began = now.since(self.referee.creditable(Millis(u64::MAX), now));
        let way = came.since(since.max(turn_began));
        if way >= NOTED_MS && self.referee.deadline().is_some() {
            self.doubt.way = Some((self.referee.ply(), way));
        }
    }

    /// What the player to move is owed for the way here.
    pub(super) fn way_to_give_back(&mut self) -> Option<Command> {
        let (ply, away_ms) = self.doubt.way.take()?;
        // Who has moved since needs nothing of it any more.
        (ply == self.referee.ply()).then_some(Command::Outage {
            away_ms,
            hold: false,
        })
    }
}
