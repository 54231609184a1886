//! The state of a match as it is shown to those who come.

use grundy_shared::Position;
use grundy_shared::ids::{Millis, PlayerId, Ply, Seat};
use grundy_shared::protocol::client::ListStatus;
use grundy_shared::protocol::server::Snapshot;
use grundy_shared::referee::Status;

use super::state::Machine;
use crate::matches::sight::{self, WatchedBoard};
use crate::planted;

impl<C: Clone + Eq, R> Machine<C, R> {
    /// The state of the match as a player with this seat, or a watcher, may see it.
    pub(super) fn snapshot_for(&mut self, seat: Option<Seat>, now: Millis) -> Snapshot {
        let whole = self.snapshot(now);
        let seq = self.watched_seq();
        if seat.is_some() || seq == whole.seq {
            return whole;
        }
        let (position, ply) = self.watched_position();
        Snapshot {
            seq,
            position: position.to_string(),
            ply,
            to_move: Seat::to_move_at(ply),
            clocks: self.referee.clocks_after(ply),
            // Watchers may not see whether the clock runs, or whether a pause began or ended.
            held: true,
            paused_until_ms: None,
            adjourned: false,
            ..whole
        }
    }

    /// The position that watchers may know of, and the moves that led to it.
    fn watched_position(&mut self) -> (Position, Ply) {
        let referee = &self.referee;
        let ply = sight::watched_ply(referee, self.policy.rated_delay_moves);
        if !sight::is_delayed(referee) {
            return (referee.position().clone(), ply);
        }
        let board = self
            .watched_board
            .get_or_insert_with(|| WatchedBoard::at_start(referee));
        (board.at(referee, ply).clone(), ply)
    }

    /// The position that this player may know of, and who is to move in it.
    pub fn board_for(&mut self, player: PlayerId) -> (Position, Seat) {
        let (position, ply) = match self.referee.seat_of(player) {
            Some(_) => (self.referee.position().clone(), self.referee.ply()),
            None => self.watched_position(),
        };
        (position, Seat::to_move_at(ply))
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
