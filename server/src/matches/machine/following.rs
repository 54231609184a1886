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
use crate::matches::sight::{self, Announcement};
use crate::planted;

/// Events that are remembered: as many as a short absence misses.
pub(super) const RECENT_MAX: usize = 4;
/// Maximum number of delayed events of a rated match kept in memory for its watchers. Watchers read the others from the log.
const KEPT_MAX: usize = 32;

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
        let left = self
            .followers
            .add(now, self.id, connection, seat, pace, effects);
        if let Some(left) = left.filter(|left| Some(*left) != seat) {
            self.player_went(now, left, true);
        }
        if let Some(seat) = seat {
            self.offerer_came(seat);
            self.look_for(now, seat);
        }
    }

    fn attached(
        &mut self,
        now: Millis,
        player: PlayerId,
        seat: Option<Seat>,
        invites: bool,
    ) -> Reply {
        let own = self.referee.seat_of(player).is_some();
        let shown = self.invitation().filter(|_| own && invites);
        let (code, expires_at_ms) = shown.unzip();
        Reply::Attached {
            seat,
            snapshot: self.snapshot_for(seat, now),
            code,
            expires_at_ms,
        }
    }

    pub(super) fn may_attach(
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
        let upto = self.seq_for(seat);
        if since > upto {
            return Err(refusal::not_so_far(since).limit(upto));
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
        let seat = self.referee.seat_of(player);
        let left = Reply::Done {
            match_id: Some(self.id),
            seq: Some(self.seq_for(seat)),
            proposed: false,
        };
        effects.push(Effect::Reply(reply, left));
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

    pub(super) fn player_went(&mut self, now: Millis, seat: Seat, by_choice: bool) {
        self.left_at = now;
        self.offerer_went(now, seat, by_choice);
        self.look_for(now, seat);
    }

    /// Keeps an event for those who come soon.
    pub(super) fn remember(&mut self, announcement: Announcement) {
        if self.recent.len() == RECENT_MAX {
            self.recent.pop_front();
        }
        self.recent.push_back(announcement);
    }

    /// Sends a new event to the players, and to the watchers unless it is hidden from them for now.
    pub(super) fn tell(&mut self, told: &Announcement, effects: &mut Vec<Effect<C, R>>) {
        self.followers.tell_players(told, effects);
        if !self.referee.is_rated() {
            self.followers
                .tell_watchers(told.for_seat(None).clone(), effects);
            return;
        }
        if self.followers.is_watched() && self.kept.len() < KEPT_MAX {
            self.kept.push_back(told.clone());
        }
    }

    /// In a rated match: sends the watchers the delayed events that they may see by now.
    pub(super) fn tell_what_was_kept(&mut self, effects: &mut Vec<Effect<C, R>>) {
        if !self.referee.is_rated() {
            return;
        }
        let (from, upto) = (self.watched, self.watched_seq());
        if upto <= from {
            return;
        }
        self.watched = upto;
        let mut next = from.next();
        while self.kept.front().is_some_and(|kept| kept.seq <= upto) {
            if let Some(kept) = self.kept.pop_front()
                && kept.seq == next
            {
                self.followers.tell_watchers(kept.into_open(), effects);
                next = next.next();
            }
        }
        if next > upto {
            return;
        }
        // The earlier events are not in memory: nobody watched at that time, or there were too many.
        self.followers.tell_all(effects);
        let after = Seq(next.0 - 1);
        for connection in self.followers.live_watchers().cloned().collect::<Vec<_>>() {
            let pace = self.bring_up(&connection, None, after, effects);
            self.followers.set_pace(&connection, pace);
        }
    }

    /// The last event that watchers may see.
    pub(super) fn watched_seq(&self) -> Seq {
        sight::watched_seq(&self.referee, self.policy.rated_delay_moves)
    }

    /// The last event that a follower with this seat may see.
    fn seq_for(&self, seat: Option<Seat>) -> Seq {
        match seat {
            Some(_) => self.referee.seq(),
            None => self.watched_seq(),
        }
    }

    /// Sends a connection what it misses after `since`, or has it read the log first.
    fn bring_up(
        &mut self,
        connection: &C,
        seat: Option<Seat>,
        since: Seq,
        effects: &mut Vec<Effect<C, R>>,
    ) -> Pace {
        let upto = self.seq_for(seat);
        let since = match planted::shows("resume_too_late", 5) {
            true => since.next().min(upto),
            false => since,
        };
        let missed = |told: &&Announcement| told.seq > since && told.seq <= upto;
        let missing = upto.0.saturating_sub(since.0);
        let remembered = self.recent.iter().filter(missed).count() as u64;
        if missing <= remembered {
            effects.extend(self.recent.iter().filter(missed).map(|told| Effect::Send {
                to: connection.clone(),
                frame: told.for_seat(seat).clone(),
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
            let notice = Notice::Snapshot(Box::new(self.snapshot_for(None, now)));
            effects.push(Effect::Send {
                to: connection,
                frame: Frame::notice(&notice),
                seated: false,
            });
        }
    }
}
