//! Reviews of finished matches that were asked for lately: the pages of one review are worked out once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grundy_shared::ids::MatchId;
use grundy_shared::review::Review;

/// Plies of all reviews together; one takes some hundred bytes.
const PLIES_MAX: usize = 20_000;

/// The reviews asked for last.
#[derive(Debug, Default)]
pub struct Reviews(Mutex<VecDeque<(MatchId, Arc<Review>)>>);

impl Reviews {
    fn lock(&self) -> MutexGuard<'_, VecDeque<(MatchId, Arc<Review>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The review of a match, if it is remembered. Cost: linear in the reviews remembered.
    #[must_use]
    pub fn get(&self, id: MatchId) -> Option<Arc<Review>> {
        let mut reviews = self.lock();
        let at = reviews.iter().position(|(known, _)| *known == id)?;
        let found = reviews.remove(at)?;
        let review = found.1.clone();
        reviews.push_front(found);
        Some(review)
    }

    /// Remembers a review, and forgets those asked for longest ago.
    pub fn put(&self, id: MatchId, review: Arc<Review>) {
        let mut reviews = self.lock();
        reviews.retain(|(known, _)| *known != id);
        reviews.push_front((id, review));
        let mut plies = 0;
        reviews.retain(|(_, review)| {
            plies += review.plies.len();
            plies <= PLIES_MAX
        });
    }
}
