//! Fractions as long as they are small enough to be written down.

use std::cmp::Ordering;
use std::fmt;

/// A fraction from 0 to 1 in its lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fraction {
    over: u128,
    under: u128,
}

impl Fraction {
    /// 0.
    pub const ZERO: Self = Self { over: 0, under: 1 };
    /// 1.
    pub const ONE: Self = Self { over: 1, under: 1 };

    /// `over / under`; `None` where the fraction is above 1, or `under` is 0. O(digits).
    #[must_use]
    pub fn new(over: u128, under: u128) -> Option<Self> {
        (under > 0 && over <= under).then(|| Self::reduced(over, under))
    }

    fn reduced(over: u128, under: u128) -> Self {
        let divisor = gcd(over, under).max(1);
        Self {
            over: over / divisor,
            under: under / divisor,
        }
    }

    /// What is missing to 1.
    #[must_use]
    pub fn rest(self) -> Self {
        Self {
            over: self.under - self.over,
            under: self.under,
        }
    }

    /// Which is greater; `None` where that takes too many digits.
    pub(super) fn compared(self, other: Self) -> Option<Ordering> {
        let mine = self.over.checked_mul(other.under)?;
        Some(mine.cmp(&other.over.checked_mul(self.under)?))
    }

    /// The product; `None` where it has too many digits.
    pub(super) fn times(self, other: Self) -> Option<Self> {
        // Reduced crosswise first, so that the products are as small as they can be.
        let one = Self::reduced(self.over, other.under);
        let two = Self::reduced(other.over, self.under);
        Some(Self {
            over: one.over.checked_mul(two.over)?,
            under: one.under.checked_mul(two.under)?,
        })
    }

    /// The sum, which the caller knows to be at most 1; `None` where it has too many digits.
    pub(super) fn plus(self, other: Self) -> Option<Self> {
        let divisor = gcd(self.under, other.under);
        let (mine, others) = (other.under / divisor, self.under / divisor);
        let over = self.over.checked_mul(mine)?;
        let over = over.checked_add(other.over.checked_mul(others)?)?;
        Some(Self::reduced(over, self.under.checked_mul(mine)?))
    }
}

impl fmt::Display for Fraction {
    /// `14/15`; `0` and `1` without a denominator.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.under {
            1 => write!(out, "{}", self.over),
            under => write!(out, "{}/{under}", self.over),
        }
    }
}

fn gcd(mut one: u128, mut two: u128) -> u128 {
    while two != 0 {
        (one, two) = (two, one % two);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_reduced_and_never_wrong() {
        let half = Fraction::new(2, 4).expect("at most 1");
        let third = Fraction::new(1, 3).expect("at most 1");
        assert_eq!(half.to_string(), "1/2");
        assert_eq!(half.times(third), Fraction::new(1, 6));
        assert_eq!(half.plus(third), Fraction::new(5, 6));
        assert_eq!(half.plus(half).expect("1").to_string(), "1");
        assert_eq!(third.rest(), Fraction::new(2, 3).expect("at most 1"));
        assert_eq!(half.compared(third), Some(Ordering::Greater));
        assert_eq!(Fraction::new(2, 1), None);
        assert_eq!(Fraction::new(0, 0), None);
        // What does not fit is not rounded.
        let tiny = Fraction::new(1, u128::MAX).expect("at most 1");
        assert_eq!(tiny.times(half), None);
        assert_eq!(tiny.plus(half), None);
        let two = Fraction::new(2, u128::MAX).expect("at most 1");
        assert_eq!(two.compared(tiny), None);
        assert_eq!(tiny.times(Fraction::ONE), Some(tiny));
        assert_eq!(tiny.plus(Fraction::ZERO), Some(tiny));
    }
}
