//! What other servers have stored, as far as it is not known here: hints of it, and connections that ask for it.

use grundy_shared::ids::{Millis, Seat, Seq};

use super::effect::Effect;
use super::hints::FRUITLESS_MS;
use super::late::{LATE_MAX, Late};
use super::state::Machine;
use crate::matches::refusal;

impl<C: Clone + Eq, R> Machine<C, R> {
    /// Lets a connection follow; after a look at the log, if another server may have stored what makes it possible.
    pub(super) fn attach_late(
        &mut self,
        now: Millis,
        late: Late<C, R>,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        let is_behind = self.is_shared()
            && !self.stopping
            && !self.damaged
            && self
                .may_attach(late.player, late.seated, late.since)
                .is_err();
        if !is_behind {
            self.attach_now(now, late, effects);
        } else if self.draining || self.late.len() == LATE_MAX {
            Self::refuse_late(late, effects);
        } else {
            self.late.push(late);
            self.look_at = Some(now);
        }
    }

    /// The log was not read, so this server does not know whether the event exists.
    fn refuse_late(late: Late<C, R>, effects: &mut Vec<Effect<C, R>>) {
        let busy = refusal::busy("this server does not know yet how far the match has come");
        let reply = late.reply.map(|(reply, _)| reply);
        effects.extend(reply.map(|reply| Effect::Refuse(reply, busy)));
    }

    fn attach_now(&mut self, now: Millis, late: Late<C, R>, effects: &mut Vec<Effect<C, R>>) {
        let Late {
            connection,
            reply,
            player,
            seated,
            since,
            asked: _,
        } = late;
        self.attach(now, connection, reply, player, seated, since, effects);
    }

    /// Answers the connections that came before the log was read. The others may have seen events that were stored since, and wait for the next read.
    pub(super) fn admit_late(&mut self, now: Millis, effects: &mut Vec<Effect<C, R>>) {
        for late in self
            .late
            .extract_if(.., |late| late.asked)
            .collect::<Vec<_>>()
        {
            self.attach_now(now, late, effects);
        }
        if !self.late.is_empty() {
            self.look_at = Some(now);
        }
    }

    /// Answers the waiting connections, because the log could not be read or this server stops. Those that need no newer event follow the match all the same.
    pub(super) fn refuse_all_late(&mut self, now: Millis, effects: &mut Vec<Effect<C, R>>) {
        for late in std::mem::take(&mut self.late) {
            let refused = self
                .may_attach(late.player, late.seated, late.since)
                .is_err();
            if refused && !self.stopping && !self.damaged {
                Self::refuse_late(late, effects);
            } else {
                self.attach_now(now, late, effects);
            }
        }
    }

    /// A connection that waits is gone.
    pub(super) fn forget_late(&mut self, connection: &C) {
        self.late.retain(|late| late.connection != *connection);
    }

    /// Which players are connected to another server, and how many connections here are older than that.
    pub(super) fn seats_elsewhere(
        &mut self,
        now: Millis,
        seats: [Option<u64>; 2],
        effects: &mut Vec<Effect<C, R>>,
    ) {
        for (seat, older) in Seat::BOTH.into_iter().zip(seats) {
            let was = std::mem::replace(&mut self.elsewhere[seat.index()], older.is_some());
            if was && older.is_none() {
                self.doubt.begin(now, seat);
            }
            if older.is_some_and(|older| self.followers.taken(seat).0 <= older) {
                self.followers.supersede(self.id, seat, effects);
            }
            match (was, older.is_some()) {
                (false, true) => {
                    self.offerer_came(seat);
                    self.look_for(now, seat);
                }
                (true, false) if !self.followers.holds(seat) => self.player_went(now, seat, false),
                _ => {}
            }
        }
    }

    /// Another server may have stored events up to this one.
    pub(super) fn hint(&mut self, now: Millis, last: Seq) {
        if self.is_shared() && last > self.referee.seq() {
            self.hints.newest = self.hints.newest.max(last);
            self.hints.fresh = true;
            self.look_for_hint(now);
        }
    }

    fn look_for_hint(&mut self, now: Millis) {
        let at = now.max(self.hints.heeded_from);
        self.look_at = Some(self.look_at.map_or(at, |look_at| look_at.min(at)));
    }

    /// The log is asked now.
    pub(super) fn asks_log(&mut self) {
        self.hints.fresh = false;
        for late in &mut self.late {
            late.asked = true;
        }
    }

    /// What the log said is known here.
    pub(super) fn has_looked(&mut self, now: Millis) {
        if self.hints.newest <= self.referee.seq() {
            self.hints.newest = Seq(0);
        } else if self.hints.fresh {
            // It came after the question.
            self.look_for_hint(now);
        } else {
            self.hints.newest = Seq(0);
            self.hints.heeded_from = now.plus(FRUITLESS_MS);
        }
    }
}
