//! What a built-in bot is wanted to think about, for the thread that works it out: it does not lock the match.

use std::sync::atomic::{AtomicU64, Ordering};

use grundy_shared::ids::Seq;

/// The event after which a bot is to move; nothing at first. No event has the number 0.
#[derive(Default, Debug)]
pub(in crate::matches) struct ThinksAbout(AtomicU64);

impl ThinksAbout {
    pub(in crate::matches) fn set(&self, after: Option<Seq>) {
        self.0
            .store(after.map_or(0, |after| after.0), Ordering::Relaxed);
    }

    pub(in crate::matches) fn get(&self) -> Option<Seq> {
        let after = Seq(self.0.load(Ordering::Relaxed));
        (after != Seq(0)).then_some(after)
    }
}
