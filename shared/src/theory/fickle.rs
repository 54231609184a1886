//! Rows of coins in misère play.
//!
//! The value of a row is the xor of the values of its heads, and every move changes it. Call some rows *fickle* and the others *firm*. They are as good as
//! heaps in the words of [`Tally`] if
//!
//! * (A) a fickle row of value 0 that has a move has one to value 1;
//! * (B) a move that changes the value by exactly 1 leaves fickle rows fickle and firm rows firm; fickle rows have value 0 or 1;
//! * (C) a row of value above 1 has, for either f of 0 and 1, a move to a firm row of value f or to a fickle one of value 1 - f.
//!
//! Fickle rows then count with their value, and firm ones of value 0 or 1 as two heaps above 1 with this xor, in sums of such rows and of other tame parts. Proof:
//!
//! * Lost positions have no moves to lost ones. With a value above 1 and xor 0, a move could lead to a lost position only if it left xor 1 and no value above 1. It changes the value of its
//!   row by 1, so by (B) a firm row stays firm, and a row above 1 stays above 1. With none above 1 and xor 1, a move could only lead to xor 0 and a value above 1. It changes the value of a fickle row by 1, and the row stays fickle.
//! * Others have a move to a lost one, or no move, which wins. With a value above 1 and xor 1, some part has an odd value, and a move that makes it smaller by 1 keeps all firm rows firm. With a value above 1 and a larger xor, take the move of normal play, in a
//!   part above 1; if it leaves no value above 1, take that of (C) instead. With none above 1 and xor 0, turn a fickle row of value 1 to 0, or by (A) one of value 0 to 1. ∎
//!
//! Two kinds of games are known to keep this:
//!
//! * [`Fickle::ByValue`]: all rows of value 0 or 1 are fickle. (B) holds of itself, and (C) because a row of value v has moves to all smaller values. For (A) see [`super::coins`].
//! * [`Fickle::InPairs`]: every head has a *key*, and a row is fickle if its keys cancel in pairs, where key 0 counts for nothing. For Turtles and Twins the key is half the value, so a row is fickle if of the
//!   heads of values 2k and 2k + 1 both are there or none, for each k above 0. For Ruler it is the place of the head, and 0 on odd places. (B) A move changes the value by 1 only if it turns such a pair or a head of value 1; in Ruler,
//!   the largest value in a run occurs once, so the run is a single coin on an odd place. (A) Turn that pair, or that head. (C) Some move leads to value f. If it makes the row fickle, a
//!   change of its left end makes a fickle row of value 1 - f: in Turtles, to the coin of the other value in its pair, where no coin at all is paired with a head of value 1; in Ruler, by one coin on an odd place. There is room for this, since else the move itself changed the value by 1.

use crate::theory::Tally;

/// Which rows of a coin game count with their value alone in misère sums.
#[derive(Clone, Copy, Debug)]
pub enum Fickle {
    /// All rows of value 0 or 1.
    ByValue,
    /// Rows in which the keys of the heads, by their places from 1, cancel in pairs; 0 counts for nothing.
    InPairs {
        /// The key of a head.
        key: fn(u32) -> u64,
        /// When a row is fickle, in words that follow `if`.
        when: &'static str,
    },
}

impl Fickle {
    /// Whether a row with these heads and this xor of their values is fickle. O(heads log heads).
    #[must_use]
    pub fn holds(self, heads: &[u32], value: u64) -> bool {
        match self {
            Self::ByValue => value <= 1,
            Self::InPairs { key, .. } => unpaired(heads.iter().map(|head| key(*head))).is_empty(),
        }
    }

    /// What such a row counts with in misère sums. O(heads log heads).
    #[must_use]
    pub fn tally(self, heads: &[u32], value: u64) -> Tally {
        Tally::of_part(value, self.holds(heads, value))
    }
}

/// The keys that occur an odd number of times, without 0, ascending. O(n log n).
#[must_use]
pub fn unpaired(keys: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut keys: Vec<u64> = keys.filter(|key| *key > 0).collect();
    keys.sort_unstable();
    let mut odd: Vec<u64> = Vec::new();
    for key in keys {
        match odd.last() == Some(&key) {
            true => drop(odd.pop()),
            false => odd.push(key),
        }
    }
    odd
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_cancel_in_pairs() {
        assert_eq!(unpaired([3, 1, 0, 3, 2, 1, 1].into_iter()), [1, 2]);
        assert!(unpaired([0, 5, 5, 0, 0].into_iter()).is_empty());
    }
}
