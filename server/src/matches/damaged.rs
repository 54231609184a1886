//! The matches whose logs were found damaged since the start.

use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};

use grundy_shared::ids::MatchId;
use grundy_shared::protocol::ErrorBody;
use rustc_hash::FxHashSet;

use super::refusal;

/// The damaged matches: each is logged once, and refused without being read again.
#[derive(Debug, Default)]
pub(crate) struct Damaged(Mutex<FxHashSet<MatchId>>);

impl Damaged {
    fn lock(&self) -> MutexGuard<'_, FxHashSet<MatchId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what was found; whether it is news.
    pub(super) fn note(&self, id: MatchId, error: &dyn Display) -> bool {
        let news = self.lock().insert(id);
        if news {
            tracing::error!(match_id = %id, %error, "the log of the match is damaged; grundy-server fsck tells more");
        }
        news
    }

    /// Checks that nothing was found of this match.
    ///
    /// # Errors
    /// The refusal of a damaged match.
    pub(crate) fn check(&self, id: MatchId) -> Result<(), ErrorBody> {
        match self.lock().contains(&id) {
            true => Err(refusal::damaged()),
            false => Ok(()),
        }
    }
}
