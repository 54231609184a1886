//! The one analysis of a connection that is not answered yet: its client can cancel it, and is told how far it has come.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grundy_shared::ids::MatchId;
use grundy_shared::protocol::{ErrorBody, ErrorCode, Notice};

use crate::analysis::Progress;
use crate::matches::outbox::Analysing;
use crate::matches::{Frame, Matches, Outbox, Outgoing, ReplyTo};

/// Time between two notices about an analysis.
const TELL_EVERY: Duration = Duration::from_millis(250);

/// What is not answered yet.
struct Asked {
    /// Tells analyses apart: a client can use an id again.
    number: u64,
    id: u64,
    may_be_cancelled: bool,
    reply: ReplyTo,
    /// The next may be asked for as soon as this one is answered.
    _place: Analysing,
}

#[derive(Default)]
struct State {
    asked: Option<Asked>,
    numbers: u64,
}

/// The place for one analysis. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Running(Arc<Mutex<State>>);

/// One analysis, as long as it is not answered. Cheap to clone.
#[derive(Clone)]
pub(super) struct Key {
    running: Running,
    number: u64,
}

/// The duty to answer an analysis, which its client can take away. If it is dropped, the answer is `internal`.
pub(super) struct Due(Key);

/// A review whose client wants to know how far it has come.
#[derive(Clone)]
pub(super) struct Shown {
    pub(super) progress: Progress,
    pub(super) match_id: MatchId,
    /// The start of the match and the position after each move.
    pub(super) positions: u32,
}

impl Running {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a request that is not answered yet.
    pub(super) fn begin(
        &self,
        id: u64,
        may_be_cancelled: bool,
        reply: ReplyTo,
        place: Analysing,
    ) -> Due {
        let mut state = self.lock();
        state.numbers += 1;
        let number = state.numbers;
        state.asked = Some(Asked {
            number,
            id,
            may_be_cancelled,
            reply,
            _place: place,
        });
        let running = self.clone();
        Due(Key { running, number })
    }

    /// Refuses the analysis that was asked for with this id, if it is not answered yet.
    pub(super) fn cancel(&self, id: u64) {
        let is_it = |asked: &mut Asked| asked.id == id && asked.may_be_cancelled;
        let cancelled = self.lock().asked.take_if(is_it);
        if let Some(asked) = cancelled {
            let words = "you have cancelled this analysis";
            let error = ErrorBody::new(ErrorCode::Cancelled, words);
            asked.reply.refuse(error);
        }
    }
}

impl Key {
    /// Whether it is answered, or its client has cancelled it.
    pub(super) fn is_answered(&self) -> bool {
        let state = self.running.lock();
        let asked = state.asked.as_ref();
        asked.is_none_or(|asked| asked.number != self.number)
    }

    /// Tells the client how far the analysis has come until it is answered: only changes, and only if it takes long.
    pub(super) async fn tell(self, shown: Shown, matches: Arc<Matches>, outbox: Outbox) {
        let mut told = None;
        loop {
            tokio::time::sleep(TELL_EVERY).await;
            let done = shown.progress.done().min(shown.positions);
            let now = (matches.place_of(&shown.progress), done);
            if outbox.is_gone() || !self.tell_now(&shown, now, told.replace(now), &outbox) {
                return;
            }
        }
    }

    /// Whether the analysis is not answered yet. The lock holds back the answer until the notice is queued.
    fn tell_now(
        &self,
        shown: &Shown,
        now: (Option<u32>, u32),
        told: Option<(Option<u32>, u32)>,
        outbox: &Outbox,
    ) -> bool {
        let state = self.running.lock();
        let asked = state.asked.as_ref();
        let Some(asked) = asked.filter(|asked| asked.number == self.number) else {
            return false;
        };
        if told != Some(now) {
            let (place, positions_done) = now;
            let notice = Notice::Reviewing {
                request: asked.id,
                match_id: shown.match_id,
                place,
                positions_done,
                positions: shown.positions,
            };
            // Whoever reads slowly misses some.
            let _ = outbox.push_spare(Outgoing::Frame(Frame::notice(&notice)));
        }
        true
    }
}

impl Due {
    /// The analysis that it is about.
    pub(super) fn key(&self) -> Key {
        self.0.clone()
    }

    /// The duty itself, unless the client has taken it away.
    pub(super) fn take(self) -> Option<ReplyTo> {
        self.take_asked().map(|asked| asked.reply)
    }

    fn take_asked(&self) -> Option<Asked> {
        let is_it = |asked: &mut Asked| asked.number == self.0.number;
        self.0.running.lock().asked.take_if(is_it)
    }
}

impl Drop for Due {
    fn drop(&mut self) {
        drop(self.take_asked());
    }
}
