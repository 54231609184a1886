//! A player's rating in one family: the fold of its log.

use super::event::Rated;
use super::strength::Strength;
use crate::ids::{Millis, Seq};

/// A player's rating in one family, or the rating of a player or a puzzle in solving: there each attempt counts as a pair.
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
        self.advance(rated.at_ms, rated.after);
    }

    /// Takes in a contest of this moment after which the strength is this.
    pub fn advance(&mut self, at: Millis, after: Strength) {
        self.strength = after;
        self.pairs = self.pairs.next();
        self.last_at = self.last_at.max(at);
    }

    /// Takes in a pair, and computes its figures again.
    ///
    /// # Errors
    /// They are others; the state is then as the event says.
    pub fn check(&mut self, rated: &Rated) -> Result<(), RatingFault> {
        let before = self.strength_at(rated.at_ms);
        let found = [rated.before, rated.after];
        let after = rated.before.after_pair(rated.against, rated.score);
        self.follow(rated.at_ms, found, [before, after])
    }

    /// Takes in a contest as it is written: the strength before and after it. Compares both with those that were computed again.
    ///
    /// # Errors
    /// They are others; the state is then as it is written.
    pub fn follow(
        &mut self,
        at: Millis,
        found: [Strength; 2],
        expected: [Strength; 2],
    ) -> Result<(), RatingFault> {
        self.advance(at, found[1]);
        if found[0] != expected[0] {
            return Err(RatingFault::Before {
                found: found[0],
                expected: expected[0],
            });
        }
        match found[1] == expected[1] {
            true => Ok(()),
            false => Err(RatingFault::After {
                found: found[1],
                expected: expected[1],
            }),
        }
    }
}
