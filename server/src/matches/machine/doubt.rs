//! Players whose server may be dead. What they lose by that is given back once it is known, and until then no flag falls for them.

use grundy_shared::ids::{Millis, Ply, Seat};

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

    /// When the flag of this player falls here that is due at this moment; `elsewhere` if the player is connected to another server.
    pub(super) fn falls_at(&self, at: Millis, seat: Seat, elsewhere: bool) -> Millis {
        match elsewhere {
            true => at.plus(SETTLED_MS),
            false => at.max(self.until[seat.index()]),
        }
    }

    /// The player to move after these moves has come here from a server that was alive last at `since`, and could not play until then.
    pub(super) fn came(&mut self, ply: Ply, since: Millis, way: Millis) {
        let settled = self.settled_at.is_some_and(|at| at >= since);
        if !settled && way >= NOTED_MS {
            self.way = Some((ply, way));
        }
    }

    /// What the player to move after these moves is owed for the way here; who has moved since needs nothing of it any more.
    pub(super) fn take_way(&mut self, ply: Ply) -> Option<Millis> {
        let (then, way) = self.way.take()?;
        (then == ply).then_some(way)
    }
}
