//! The state of a match as it is shown to those who come.

use grundy_shared::ids::{Millis, Seat};
use grundy_shared::protocol::client::ListStatus;
use grundy_shared::protocol::server::Snapshot;
use grundy_shared::referee::Status;

use super::state::Machine;
use crate::matches::sight;
use crate::planted;

impl<C: Clone + Eq, R> Machine<C, R> {
    /// The state of the match as a player with this seat, or a watcher, may see it.
    pub(super) fn snapshot_for(&self, seat: Option<Seat>, now: Millis) -> Snapshot {
        let whole = self.snapshot(now);
        let seq = self.watched_seq();
        if seat.is_some() || seq == whole.seq {
            return whole;
        }
        let ply = sight::watched_ply(&self.referee, self.policy.rated_delay_moves);
        Snapshot {
            seq,
            position: self.referee.position_after(ply).to_string(),
            ply,
            to_move: Seat::to_move_at(ply),
            clocks: self.referee.clocks_after(ply),
            // The time at which the clock was started again is hidden from watchers.
            held: true,
            ..whole
        }
    }

    /// The state of the match now.
    #[must_use]
    pub fn snapshot(&self, now: Millis) -> Snapshot {
        let referee = &self.referee;
        let now = now.max(referee.last_at());
        let (outcome, reason) = referee.outcome().unzip();
        Snapshot {
            match_id: self.id,
            seq: referee.seq(),
            start: referee.start().to_string(),
            position: match planted::is("stale_snapshot") {
                true => referee.start().to_string(),
                false => referee.position().to_string(),
            },
            ply: referee.ply(),
            to_move: referee.to_move(),
            clock: referee.clock_control(),
            series: referee.series(),
            clocks: match referee.status() {
                Status::Waiting => None,
                Status::Live | Status::Over => referee.clocks_at(now),
            },
            at_ms: now,
            held: referee.paused_until().is_none() && referee.is_held(referee.to_move()),
            paused_until_ms: referee.paused_until(),
            adjourned: referee.is_adjourned(),
            first: referee.player(Seat::First).cloned(),
            second: referee.player(Seat::Second).cloned(),
            status: match referee.status() {
                Status::Waiting => ListStatus::Waiting,
                Status::Live => ListStatus::Live,
                Status::Over => ListStatus::Over,
            },
            outcome,
            reason,
        }
    }
}
