//! Connections that want to follow a match in a state that this server does not know yet: another one may have stored it.
//!
//! A player who comes from another server may have seen more than is known here, and a watcher may know a match that somebody has joined there. They are answered
//! after a look at the log.

use grundy_shared::ids::{Millis, PlayerId, Seq};

use super::effect::Effect;
use super::state::Machine;

/// Connections that wait for a look. Further ones are answered at once.
const LATE_MAX: usize = 64;

/// A connection that waits for a look.
#[derive(Debug)]
pub(super) struct Late<C, R> {
    pub(super) connection: C,
    pub(super) reply: Option<(R, bool)>,
    pub(super) player: PlayerId,
    pub(super) seated: bool,
    pub(super) since: Seq,
}

impl<C: Clone + Eq, R> Machine<C, R> {
    /// Lets a connection follow; after a look at the log, if another server may have stored what makes it possible.
    pub(super) fn attach_late(
        &mut self,
        now: Millis,
        late: Late<C, R>,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        let may_wait = self.is_shared() && self.looks_by_itself() && self.late.len() < LATE_MAX;
        if may_wait
            && self
                .may_attach(late.player, late.seated, late.since)
                .is_err()
        {
            self.late.push(late);
            self.look_at = Some(now);
        } else {
            self.attach_now(now, late, effects);
        }
    }

    fn attach_now(&mut self, now: Millis, late: Late<C, R>, effects: &mut Vec<Effect<C, R>>) {
        let Late {
            connection,
            reply,
            player,
            seated,
            since,
        } = late;
        self.attach(now, connection, reply, player, seated, since, effects);
    }

    /// Whether the match will look at the log without being asked.
    fn looks_by_itself(&self) -> bool {
        !self.draining && !self.stopping && !self.damaged && self.retry_at.is_none()
    }

    /// Answers those who have waited, if the log was asked or cannot be asked.
    pub(super) fn admit_late(
        &mut self,
        now: Millis,
        looked: bool,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        if self.late.is_empty() || !(looked || !self.looks_by_itself()) {
            return;
        }
        for late in std::mem::take(&mut self.late) {
            self.attach_now(now, late, effects);
        }
    }

    /// A connection that waits is gone.
    pub(super) fn forget_late(&mut self, connection: &C) {
        self.late.retain(|late| late.connection != *connection);
    }
}
