//! How connections begin to follow a match, catch up, and leave.

use grundy_shared::ids::{Millis, PlayerId, Seat, Seq};
use grundy_shared::protocol::{ErrorBody, ErrorCode, Notice, Reply};
use grundy_shared::referee::Refusal;

use super::effect::{Effect, Note};
use super::followers::Pace;
use super::state::Machine;
use crate::matches::frame::Frame;
use crate::matches::outbox::Backlog;
use crate::matches::refusal;
use crate::planted;

/// Events that are remembered: as many as a short absence misses.
pub(super) const RECENT_MAX: usize = 4;

impl<C: Clone + Eq, R> Machine<C, R> {
    /// A connection begins to follow, or follows anew. With the duty to answer comes whether the answer may have the join code.
    #[expect(clippy::too_many_arguments, reason = "the fields of one input")]
    pub(super) fn attach(
        &mut self,
        now: Millis,
        connection: C,
        reply: Option<(R, bool)>,
        player: PlayerId,
        seated: bool,
        since: Seq,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        let seat = match self.may_attach(player, seated, since) {
            Ok(seat) => seat,
            Err(error) => {
                effects.extend(reply.map(|(reply, _)| Effect::Refuse(reply, error)));
                return;
            }
        };
        let asked = reply.is_some();
        if let Some((reply, invites)) = reply {
            let attached = self.attached(now, player, seat, invites);
            effects.push(Effect::Reply(reply, attached));
        }
        effects.push(Effect::Follow(connection.clone(), seat));
        let pace = self.bring_up(&connection, seat, since, effects);
        if asked && seat.is_some() {
            let backlog = pace != Pace::Live;
            effects.push(Effect::Note(Note::Resumed { backlog }));
        }
        let left = self.followers.add(self.id, connection, seat, pace, effects);
        if let Some(left) = left.filter(|left| Some(*left) != seat) {
            self.player_went(now, left, true);
        }
        if let Some(seat) = seat {
            self.offerer_came(seat);
            self.look_for(now, seat);
        }
    }

    fn attached(&self, now: Millis, player: PlayerId, seat: Option<Seat>, invites: bool) -> Reply {
        let own = self.referee.seat_of(player).is_some();
        let shown = self.invitation().filter(|_| own && invites);
        let (code, expires_at_ms) = shown.unzip();
        Reply::Attached {
            seat,
            snapshot: self.snapshot(now),
            code,
            expires_at_ms,
        }
    }

    fn may_attach(
        &self,
        player: PlayerId,
        seated: bool,
        since: Seq,
    ) -> Result<Option<Seat>, ErrorBody> {
        if self.stopping {
            return Err(refusal::shutting_down());
        }
        if self.damaged {
            return Err(refusal::internal());
        }
        let seat = self.referee.seat_of(player);
        if self.is_hidden_from(player) {
            return Err(refusal::no_such_match(&self.id.to_string()));
        }
        if seated && seat.is_none() {
            return Err(refusal::of_referee(&Refusal::NotAPlayer));
        }
        if !seated && seat.is_some() {
            let message = "you play in this match: use `resume` to follow it from your seat";
            return Err(ErrorBody::new(ErrorCode::OwnMatch, message));
        }
        if since > self.referee.seq() {
            return Err(refusal::not_so_far(since).limit(self.referee.seq()));
        }
        Ok(seat)
    }

    /// A connection asks to follow no longer. Who follows has been shown the match, so only others may find it hidden.
    pub(super) fn leave(
        &mut self,
        now: Millis,
        reply: R,
        connection: C,
        player: PlayerId,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        if self.followers.get(&connection).is_none() && self.is_hidden_from(player) {
            let error = refusal::no_such_match(&self.id.to_string());
            effects.push(Effect::Refuse(reply, error));
            return;
        }
        if !planted::is("leave_unheard") {
            self.lose(now, &connection, true);
            effects.push(Effect::Unfollow(connection));
        }
        effects.push(Effect::Reply(reply, self.done_reply()));
    }

    /// A connection no longer follows.
    pub(super) fn lose(&mut self, now: Millis, connection: &C, by_choice: bool) {
        if let Some(Some(seat)) = self.followers.remove(connection) {
            self.player_went(now, seat, by_choice);
        }
    }

    /// Whether the match is to be for this player as if it did not exist: an invitation is shown to its creator alone, also when it has
    /// ended and nobody had joined.
    pub(super) fn is_hidden_from(&self, player: PlayerId) -> bool {
        let mut seats = Seat::BOTH.into_iter();
        let is_invitation = seats.any(|seat| self.referee.player(seat).is_none());
        is_invitation && self.referee.seat_of(player).is_none()
    }

    /// The reply to what the referee refused. A match that is hidden from the player is answered as if it did not exist.
    pub(super) fn refused(&self, player: PlayerId, refused: &Refusal) -> ErrorBody {
        match self.is_hidden_from(player) {
            true => refusal::no_such_match(&self.id.to_string()),
            false => refusal::of_referee(refused),
        }
    }

    fn player_went(&mut self, now: Millis, seat: Seat, by_choice: bool) {
        self.offerer_went(now, seat, by_choice);
        self.look_for(now, seat);
    }

    /// Keeps an event for those who come soon.
    pub(super) fn remember(&mut self, frame: Frame) {
        if self.recent.len() == RECENT_MAX {
            self.recent.pop_front();
        }
        self.recent.push_back(frame);
    }

    /// Sends a connection what it misses after `since`, or has it read the log first.
    fn bring_up(
        &mut self,
        connection: &C,
        seat: Option<Seat>,
        since: Seq,
        effects: &mut Vec<Effect<C, R>>,
    ) -> Pace {
        let upto = self.referee.seq();
        let since = match planted::shows("resume_too_late", 5) {
            true => since.next().min(upto),
            false => since,
        };
        let missing = upto.0.saturating_sub(since.0);
        let remembered = self.recent.len() as u64;
        if missing <= remembered {
            // At most RECENT_MAX, so the number fits.
            let frames = self.recent.iter().skip((remembered - missing) as usize);
            effects.extend(frames.map(|frame| Effect::Send {
                to: connection.clone(),
                frame: frame.clone(),
                seated: seat.is_some(),
            }));
            return Pace::Live;
        }
        self.backlogs += 1;
        let backlog = Backlog {
            number: self.backlogs,
            after: since,
            upto,
        };
        effects.push(Effect::Backlog(connection.clone(), backlog));
        Pace::Reading(backlog.number)
    }

    /// A reader has come to the end of what it was to read: it gets the rest, or more to read.
    pub(super) fn go_live(
        &mut self,
        connection: &C,
        read: Backlog,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        if let Some((Pace::Reading(number), seat)) = self.followers.get(connection)
            && number == read.number
        {
            let pace = self.bring_up(connection, seat, read.after, effects);
            self.followers.set_pace(connection, pace);
        }
    }

    /// Frames for a watcher did not fit.
    pub(super) fn lag(&mut self, connection: &C) {
        if let Some((Pace::Live, None)) = self.followers.get(connection) {
            self.followers.set_pace(connection, Pace::Lagging);
        }
    }

    /// A watcher that missed events has room again.
    pub(super) fn catch_up(&mut self, now: Millis, connection: C, effects: &mut Vec<Effect<C, R>>) {
        if let Some((Pace::Lagging, None)) = self.followers.get(&connection) {
            self.followers.set_pace(&connection, Pace::Live);
            let notice = Notice::Snapshot(Box::new(self.snapshot(now)));
            effects.push(Effect::Send {
                to: connection,
                frame: Frame::notice(&notice),
                seated: false,
            });
        }
    }
}
