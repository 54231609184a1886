//! Reviews of finished matches that were asked for lately: what is not in the store yet, and what is not to be there.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grundy_shared::ids::{MatchId, Millis};
use grundy_shared::review::StoredReview;

/// Bytes of all reviews together.
const BYTES_MAX: usize = 16 << 20;
/// How long a review that the processor time cut off is good enough. With more of it, or on a quieter machine, there is more to
/// say, so it is not kept for good; but its pages are asked for one after the other, and are to fit together.
const CUT_OFF_LASTS: Millis = Millis(60_000);

/// The reviews asked for last.
#[derive(Debug, Default)]
pub struct Reviews {
    kept: Mutex<VecDeque<Kept>>,
}

/// How good a review is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It is in the store.
    Stored,
    /// It is to be stored. What nodes or memory bound comes out the same each time.
    New,
    /// Time ended it at this moment.
    CutOff(Millis),
}

#[derive(Debug)]
struct Kept {
    id: MatchId,
    review: Arc<StoredReview>,
    standing: Standing,
}

impl Reviews {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The review of a match, if it is remembered and good enough now. Cost: linear in the reviews remembered.
    #[must_use]
    pub fn get(&self, id: MatchId, now: Millis) -> Option<Arc<StoredReview>> {
        let mut reviews = self.lock();
        let at = reviews.iter().position(|kept| kept.id == id)?;
        let found = reviews.remove(at)?;
        if let Standing::CutOff(at) = found.standing
            && now.since(at) >= CUT_OFF_LASTS
        {
            return None;
        }
        let review = found.review.clone();
        reviews.push_front(found);
        Some(review)
    }

    /// Remembers a review instead of the one before it, unless that alone is whole; forgets those asked for longest ago.
    pub fn put(&self, id: MatchId, review: Arc<StoredReview>, standing: Standing) {
        let mut reviews = self.lock();
        let is_whole = |kept: &Kept| !matches!(kept.standing, Standing::CutOff(_));
        let known = reviews.iter().find(|kept| kept.id == id);
        if matches!(standing, Standing::CutOff(_)) && known.is_some_and(is_whole) {
            return;
        }
        reviews.retain(|kept| kept.id != id);
        reviews.push_front(Kept {
            id,
            review,
            standing,
        });
        let mut bytes = 0;
        reviews.retain(|kept| {
            bytes += kept.review.as_str().len();
            bytes <= BYTES_MAX
        });
    }

    /// One that is to be stored; it counts as stored from now on.
    pub fn take_new(&self) -> Option<(MatchId, Arc<StoredReview>)> {
        let mut reviews = self.lock();
        let new = |kept: &&mut Kept| kept.standing == Standing::New;
        let kept = reviews.iter_mut().find(new)?;
        kept.standing = Standing::Stored;
        Some((kept.id, kept.review.clone()))
    }
}

#[cfg(test)]
mod tests {
    use grundy_shared::referee::{Referee, Terms};
    use grundy_shared::review::Review;
    use grundy_shared::solver::Budget;

    use super::*;

    /// A review of some length.
    fn review() -> Arc<StoredReview> {
        let terms = Terms {
            position: "nim:3,4,5".to_owned(),
            clock: "none".parse().expect("a time control"),
            rematch_of: None,
            series: None,
        };
        let player = grundy_shared::event::PlayerInfo {
            id: grundy_shared::ids::PlayerId::from_random(1),
            name: "Ann".to_owned(),
            bot: false,
        };
        let first = grundy_shared::ids::Seat::First;
        let (referee, _) = Referee::create(terms, player, first, Millis(0)).expect("lawful terms");
        let review = Review::of(&referee, &Budget::nodes(1_000));
        Arc::new(StoredReview::of(&review).expect("a review is JSON"))
    }

    #[test]
    fn the_reviews_asked_for_longest_ago_are_forgotten() {
        let reviews = Reviews::default();
        let review = review();
        let most = BYTES_MAX / review.as_str().len();
        let id = |bits: usize| MatchId::from_random(bits as u64);
        for bits in 0..=most {
            assert!(bits == 0 || reviews.get(id(0), Millis(0)).is_some());
            reviews.put(id(bits), review.clone(), Standing::Stored);
        }
        assert!(reviews.get(id(0), Millis(0)).is_some(), "asked for again");
        assert!(reviews.get(id(1), Millis(0)).is_none());
        assert!(reviews.get(id(2), Millis(0)).is_some());
    }

    #[test]
    fn each_new_review_is_taken_once_and_those_cut_off_are_not() {
        let reviews = Reviews::default();
        let id = MatchId::from_random;
        reviews.put(id(1), review(), Standing::Stored);
        reviews.put(id(2), review(), Standing::New);
        reviews.put(id(3), review(), Standing::CutOff(Millis(5)));
        assert_eq!(reviews.take_new().map(|(of, _)| of), Some(id(2)));
        assert_eq!(reviews.take_new(), None);
        let late = Millis(5).plus(CUT_OFF_LASTS);
        assert!(reviews.get(id(3), Millis(late.0 - 1)).is_some());
        assert!(reviews.get(id(3), late).is_none());
        assert!(reviews.get(id(2), late).is_some());
        reviews.put(id(2), review(), Standing::CutOff(late));
        assert!(reviews.get(id(2), late.plus(CUT_OFF_LASTS)).is_some());
    }
}
