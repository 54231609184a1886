//! Marks of moves: exact, because the outcome of every position is known; otherwise there is no mark.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The mark of one move. Let `W` be the number of moves that kept a win, and `m` the number of legal moves.
///
/// There is no plain `?`: a move gives a win away or it does not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// `!!`: like `!`, and no move that a beginner tries would have found it.
    Brilliant,
    /// `!`: W = 1, m ≥ 3, and this was the one.
    OnlyMove,
    /// `!?`: lost already, and this is a move with the highest trap rate, which is 80 % or more.
    Trap,
    /// `?!`: lost already, and the trap rate is 25 points or more below the best.
    Soft,
    /// `??`: there was a win, and this gave it away; or there was a draw, and this lost it.
    Blunder,
    /// `[]`: m = 1.
    Forced,
}

impl Mark {
    /// All, in the order of the summary.
    pub const ALL: [Self; 6] = [
        Self::Brilliant,
        Self::OnlyMove,
        Self::Trap,
        Self::Soft,
        Self::Blunder,
        Self::Forced,
    ];

    /// As printed.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Brilliant => "!!",
            Self::OnlyMove => "!",
            Self::Trap => "!?",
            Self::Soft => "?!",
            Self::Blunder => "??",
            Self::Forced => "[]",
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Mark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Mark {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mark = Self::ALL.into_iter().find(|mark| mark.as_str() == text);
        mark.ok_or_else(|| serde::de::Error::custom(format_args!("'{text}' is not a mark")))
    }
}

/// The share of the opponent's replies to a move that throw the win back: `losing` of `replies`, both below 2^53.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrapRate {
    losing: u64,
    replies: u64,
}

impl TrapRate {
    /// If there is no reply, the match is over and no win can be thrown back.
    pub(super) fn new(replies: u64, winning: u64) -> Self {
        Self {
            losing: replies - winning,
            replies: replies.max(1),
        }
    }

    pub(super) fn as_fraction(self) -> f64 {
        self.losing as f64 / self.replies as f64
    }

    /// Both sides over the common denominator: below 2^106, so nothing is rounded.
    fn crossed(self, other: Self) -> (u128, u128) {
        let of = |a: Self, b: Self| u128::from(a.losing) * u128::from(b.replies);
        (of(self, other), of(other, self))
    }

    pub(super) fn is_below(self, other: Self) -> bool {
        let (own, others) = self.crossed(other);
        own < others
    }

    /// The mark of a lost position's move, from its rate and the best one there was.
    pub(super) fn mark(self, best: Self) -> Option<Mark> {
        let (own, highest) = self.crossed(best);
        let whole = u128::from(self.replies) * u128::from(best.replies);
        if own == highest && 5 * own >= 4 * whole {
            Some(Mark::Trap)
        } else if 4 * (highest - own) >= whole {
            Some(Mark::Soft)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_of_trap_rates_are_exact() {
        let rate = |losing: u64, replies: u64| TrapRate::new(replies, replies - losing);
        assert_eq!(rate(4, 5).mark(rate(8, 10)), Some(Mark::Trap));
        assert_eq!(rate(79, 100).mark(rate(79, 100)), None);
        assert_eq!(rate(4, 5).mark(rate(9, 10)), None);
        assert_eq!(rate(1, 2).mark(rate(3, 4)), Some(Mark::Soft));
        assert_eq!(rate(51, 100).mark(rate(3, 4)), None);
        assert_eq!(rate(0, 0).mark(rate(0, 1)), None);
        let most = (1 << 53) - 1;
        assert_eq!(
            rate(most - 1, most).mark(rate(most - 1, most)),
            Some(Mark::Trap)
        );
        assert!(rate(most - 2, most).is_below(rate(most - 1, most)));
    }
}
