//! A player's rating in one family: the fold of its log.

use super::event::Rated;
use super::strength::Strength;
use crate::ids::{Millis, Seq};

/// A player's rating in one family.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RatingState {
    /// As of the last pair.
    pub strength: Strength,
    /// How many pairs were rated: the number of the last event.
    pub pairs: Seq,
    /// When the last one was over.
    pub last_at: Millis,
}

/// Why an event does not follow from those before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RatingFault {
    /// The strength before the pair.
    #[error("the strength before the pair is {found:?}, and should be {expected:?}")]
    Before {
        /// As written.
        found: Strength,
        /// As it follows.
        expected: Strength,
    },
    /// The strength after the pair.
    #[error("the strength after the pair is {found:?}, and should be {expected:?}")]
    After {
        /// As written.
        found: Strength,
        /// As it follows.
        expected: Strength,
    },
}

impl RatingState {
    /// The strength at this moment: without play, the deviation grows.
    #[must_use]
    pub fn strength_at(&self, now: Millis) -> Strength {
        match self.pairs {
            Seq(0) => self.strength,
            _ => self.strength.rested(now.since(self.last_at)),
        }
    }

    /// Until when the rating is settled: from then on it is provisional.
    #[must_use]
    pub fn settled_until(&self) -> Millis {
        match self.strength.settled_for() {
            Millis(0) => Millis(0),
            settled => self.last_at.plus(settled),
        }
    }

    /// Whether it rests on too few pairs, or on pairs too long ago, to be compared with others.
    #[must_use]
    pub fn is_provisional(&self, now: Millis) -> bool {
        now >= self.settled_until()
    }

    /// Takes in a pair whose figures are known to be right.
    pub fn take(&mut self, rated: &Rated) {
        self.strength = rated.after;
        self.pairs = self.pairs.next();
        self.last_at = self.last_at.max(rated.at_ms);
    }

    /// Takes in a pair, and computes its figures again.
    ///
    /// # Errors
    /// They are others; the state is then as the event says.
    pub fn check(&mut self, rated: &Rated) -> Result<(), RatingFault> {
        let before = self.strength_at(rated.at_ms);
        let after = rated.before.after_pair(rated.against, rated.score);
        self.take(rated);
        if rated.before != before {
            return Err(RatingFault::Before {
                found: rated.before,
                expected: before,
            });
        }
        match rated.after == after {
            true => Ok(()),
            false => Err(RatingFault::After {
                found: rated.after,
                expected: after,
            }),
        }
    }
}
