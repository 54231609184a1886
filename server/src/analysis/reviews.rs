//! Reviews of finished matches that were asked for lately: the pages of one review are worked out once.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grundy_shared::ids::{MatchId, Millis};
use grundy_shared::review::Review;

/// Plies of all reviews together; one takes some hundred bytes.
const PLIES_MAX: usize = 20_000;
/// How long a review that the processor time cut off is good enough. With more of it, or on a quieter machine, there is more to
/// say, so it is not kept for good; but its pages are asked for one after the other, and are to fit together.
const CUT_OFF_LASTS: Millis = Millis(60_000);

/// The reviews asked for last.
#[derive(Debug, Default)]
pub struct Reviews {
    kept: Mutex<VecDeque<Kept>>,
    /// How often a review was forgotten because its match was rewritten.
    forgotten: AtomicU64,
}

/// The state of the matches when a review was begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Begun(u64);

#[derive(Debug)]
struct Kept {
    id: MatchId,
    review: Arc<Review>,
    /// When it was cut off. What nodes or memory bound comes out the same each time, and is kept like one that is whole.
    cut_off_at: Option<Millis>,
}

impl Reviews {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// To be asked before the match is read of which a review is made.
    #[must_use]
    pub fn begin(&self) -> Begun {
        Begun(self.forgotten.load(Ordering::SeqCst))
    }

    /// Forgets the review of a match whose log was rewritten, and every one that is being made.
    pub fn forget(&self, id: MatchId) {
        let mut reviews = self.lock();
        self.forgotten.fetch_add(1, Ordering::SeqCst);
        reviews.retain(|kept| kept.id != id);
    }

    /// The review of a match, if it is remembered and good enough now. Cost: linear in the reviews remembered.
    #[must_use]
    pub fn get(&self, id: MatchId, now: Millis) -> Option<Arc<Review>> {
        let mut reviews = self.lock();
        let at = reviews.iter().position(|kept| kept.id == id)?;
        let found = reviews.remove(at)?;
        let review = found.review.clone();
        let good = found
            .cut_off_at
            .is_none_or(|at| now.since(at) < CUT_OFF_LASTS);
        reviews.push_front(found);
        good.then_some(review)
    }

    /// Remembers a review, if it says more than the one remembered; forgets those asked for longest ago. `cut_off_at` tells when
    /// time ended it. One that was begun before a match was rewritten is not remembered.
    pub fn put(&self, id: MatchId, begun: Begun, review: Arc<Review>, cut_off_at: Option<Millis>) {
        let mut reviews = self.lock();
        if begun != self.begin() {
            return;
        }
        let known = reviews.iter().position(|kept| kept.id == id);
        let known = known.and_then(|at| reviews.remove(at));
        reviews.push_front(match known {
            Some(known) if known.review.unknown_positions < review.unknown_positions => Kept {
                cut_off_at: known.cut_off_at.and(cut_off_at),
                ..known
            },
            _ => Kept {
                id,
                review,
                cut_off_at,
            },
        });
        let mut plies = 0;
        reviews.retain(|kept| {
            plies += kept.review.plies.len();
            plies <= PLIES_MAX
        });
    }
}
