//! What a disjunctive sum needs to know of its parts' Grundy values, in both end rules.

/// The values of the parts of a sum, added up.
///
/// *Normal play* (Sprague 1935, Grundy 1939): the player to move loses iff the xor is 0.
///
/// *Misère play*: when every part is **tame**, the player to move loses iff the xor is 0 and some part has a value
/// above 1, or the xor is 1 and none has. Tame means that
///
/// * (a) an unfinished part of value 0 has a move to value 1;
/// * (b) no move of a part of value 0 or 1 makes several parts of which one is above 1;
/// * (c) a part above 1 has a move to xor 0 and one to xor 1 that leave no part above 1.
///
/// Where no move makes several parts, (b) and (c) hold of themselves. Proof by induction. (1) Some value above 1, xor 0: two parts
/// at least are above 1, so every move leaves one of them, and an xor that is not 0. (2) All at most 1, xor 1: a move that leaves all at most 1
/// leaves xor 0; any other one makes, by (b), exactly one part above 1, and an xor that is not 0. (3) Some above 1, xor not 0: with exactly one
/// above 1, (c) moves it so that none is above 1 and the xor is 1; with more, the move of normal play leaves one above 1 and xor 0.
/// (4) All at most 1, xor 0: nothing left to move wins by the end rule; with a part of value 1, move it to 0; else a part of
/// value 0 is not finished and moves to 1 by (a); by (b) these moves leave none above 1. ∎
///
/// A part may also count with **several values**, as if it were several heaps, where every move changes exactly one of them, each can be made anything smaller, and
/// while all are 0 and it is not finished one can be made 1. It need not be finished when its heaps are, and they may grow: the odd steps of a staircase. The proof stays: in (1)
/// and (2) a move changes one value, in (3) one is made smaller, and in (4) one is made 0 or 1.
///
/// The coins of [Welter's game](super::welter) are such a part under other conditions, proved there.
///
/// A game that splits breaks the premise as a rule, since of a heap of value 0 or 1 it can make two large ones: in Kayles `1,5` the rule is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The xor of all values.
    pub xor: u64,
    /// How many values are above 1.
    pub large: u64,
}

impl Tally {
    /// With one more part.
    #[must_use]
    pub fn with(self, value: u64) -> Self {
        Self {
            xor: self.xor ^ value,
            large: self.large + u64::from(value > 1),
        }
    }

    /// Of one part that counts with its value alone if it is *fickle*, and otherwise, if this is 0 or 1, as two heaps above 1 with this xor.
    #[must_use]
    pub fn of_part(value: u64, fickle: bool) -> Self {
        match (fickle, value) {
            (false, 0 | 1) => Self {
                xor: value,
                large: 2,
            },
            _ => Self::default().with(value),
        }
    }

    /// With one part fewer; it was there.
    #[must_use]
    pub fn without(self, value: u64) -> Self {
        Self {
            xor: self.xor ^ value,
            large: self.large - u64::from(value > 1),
        }
    }

    /// With the values of another sum beside these.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            xor: self.xor ^ other.xor,
            large: self.large + other.large,
        }
    }

    /// Without those of a part; they were there.
    #[must_use]
    pub fn less(self, part: Self) -> Self {
        Self {
            xor: self.xor ^ part.xor,
            large: self.large - part.large,
        }
    }

    /// Whether the player to move loses: tame parts only where `misere`.
    #[must_use]
    pub fn is_lost(self, misere: bool) -> bool {
        if misere && self.large == 0 {
            self.xor == 1
        } else {
            self.xor == 0
        }
    }

    /// The value that a part must be brought to so that the opponent is lost, where `self` counts the other parts.
    #[must_use]
    pub fn wanted(self, misere: bool) -> u64 {
        if misere && self.large == 0 {
            self.xor ^ 1
        } else {
            self.xor
        }
    }
}

impl FromIterator<u64> for Tally {
    fn from_iter<I: IntoIterator<Item = u64>>(values: I) -> Self {
        values.into_iter().fold(Self::default(), Self::with)
    }
}
