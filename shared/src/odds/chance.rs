//! The chance of an event, as a number and where possible as a fraction.

use std::cmp::Ordering;

use super::fraction::Fraction;

/// A probability. Its number is the result of averages only, so its relative error is at most the plies of the longest play times the
/// moves of a position times 2^-52: below 10^-9 within [`super::MAX_MOVES`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chance {
    /// From 0 to 1.
    pub value: f64,
    /// The same without rounding; `None` where it, or a number on the way to it, has more than 38 digits.
    pub exact: Option<Fraction>,
}

impl Chance {
    /// It never happens.
    pub const NEVER: Self = Self {
        value: 0.0,
        exact: Some(Fraction::ZERO),
    };
    /// It always happens.
    pub const ALWAYS: Self = Self {
        value: 1.0,
        exact: Some(Fraction::ONE),
    };

    /// `over / under`, at most 1.
    pub(super) fn of(over: u64, under: u64) -> Option<Self> {
        let exact = Fraction::new(over.into(), under.into())?;
        Some(Self {
            value: over as f64 / under as f64,
            exact: Some(exact),
        })
    }

    /// That it does not happen.
    #[must_use]
    pub fn rest(self) -> Self {
        Self {
            value: 1.0 - self.value,
            exact: self.exact.map(Fraction::rest),
        }
    }

    /// One of these, all equally likely; at least one. O(length).
    pub(super) fn mean(all: &[Self]) -> Self {
        let total: f64 = all.iter().map(|one| one.value).sum();
        let share = Fraction::new(1, all.len() as u128);
        let exact = share.and_then(|share| {
            all.iter().try_fold(Fraction::ZERO, |sum, one| {
                sum.plus(one.exact?.times(share)?)
            })
        });
        Self {
            value: total / all.len() as f64,
            exact,
        }
    }

    /// The greatest of these; at least one. O(length).
    pub(super) fn greatest(all: &[Self]) -> Self {
        let mut greatest = all[0];
        for one in &all[1..] {
            let exactly = one.exact.zip(greatest.exact);
            match exactly.and_then(|(one, other)| one.compared(other)) {
                Some(Ordering::Greater) => greatest = *one,
                Some(_) => {}
                // Rounded numbers do not tell which of two fractions is the greater one.
                None => {
                    greatest = Self {
                        value: greatest.value.max(one.value),
                        exact: None,
                    }
                }
            }
        }
        greatest
    }

    /// `one` with this probability, otherwise `other`.
    pub(super) fn choose(self, one: Self, other: Self) -> Self {
        let both = |one: Self, other: Self| {
            let one = self.exact?.times(one.exact?)?;
            one.plus(self.exact?.rest().times(other.exact?)?)
        };
        Self {
            value: self.value * one.value + (1.0 - self.value) * other.value,
            exact: both(one, other),
        }
    }
}
