//! Hints that the log has grown, which only bring the next look at it forward. Anybody may have sent them.

use grundy_shared::ids::{Millis, Seq};

use super::state::Machine;

/// After a look that found nothing although a hint had promised it, hints are not heeded for so long.
const FRUITLESS_MS: Millis = Millis(200);

/// What hints have said.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// The newest event that one spoke of; 0: none that is not known here.
    newest: Seq,
    /// One has come since the log was last asked.
    fresh: bool,
    /// Hints are not heeded before.
    heeded_from: Millis,
}

impl<C: Clone + Eq, R> Machine<C, R> {
    /// Another server may have stored events up to this one.
    pub(super) fn hint(&mut self, now: Millis, last: Seq) {
        if last > self.referee.seq() {
            self.hints.newest = self.hints.newest.max(last);
            self.hints.fresh = true;
            self.look_for_hint(now);
        }
    }

    fn look_for_hint(&mut self, now: Millis) {
        let at = now.max(self.hints.heeded_from);
        self.look_at = self.look_at.map(|look_at| look_at.min(at));
    }

    /// The log is asked now.
    pub(super) fn asks_log(&mut self) {
        self.hints.fresh = false;
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
