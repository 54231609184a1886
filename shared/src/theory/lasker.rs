//! Values of Lasker's game, and the splits of a heap that have a given value, by arithmetic alone.
//!
//! E. Lasker, *Brettspiele der Völker* (1931): 4k+1 and 4k+2 are worth their size, 4k+3 and 4k+4 are worth each other's.

use crate::theory::MoveList;

/// The Grundy value of a heap. It is its own inverse: the value of a heap of `value(n)` is n.
#[must_use]
pub fn value(heap: u64) -> u64 {
    match heap % 4 {
        0 if heap > 0 => heap - 1,
        3 => heap + 1,
        _ => heap,
    }
}

/// The pairs 1 <= a <= b with a + b = n whose values have this xor, by the smaller part; the first `want` of them. O(1 + want).
///
/// Let A and B be the values of a and b. For each remainder of a by 4, A - a and B - b are known, and so is the sum S = A + B. From
/// A + B = (A xor B) + 2 (A and B) follows (A and B) = (S - xor) / 2: each bit of the xor goes to A or to B, freely but for the two
/// lowest, which the remainder fixes.
#[must_use]
pub fn pairs_of_value(n: u64, xor: u64, want: usize) -> MoveList<(u64, u64)> {
    let mut ordered: u128 = 0;
    let mut first = Vec::new();
    let high = xor & !3;
    for remainder in 0..4 {
        let Some(class) = Class::new(n, xor, remainder) else {
            continue;
        };
        ordered += (1u128 << high.count_ones()) - class.empty_parts(xor);
        let mut bits = 0u64;
        let mut taken = 0;
        while taken < want {
            let a = class.part(class.base | bits);
            if a.is_some_and(|a| a > n / 2) {
                break;
            }
            if let Some(a) = a.filter(|a| *a > 0 && *a < n) {
                first.push((a, n - a));
                taken += 1;
            }
            bits = bits.wrapping_sub(high) & high;
            if bits == 0 {
                break;
            }
        }
    }
    first.sort_unstable();
    first.truncate(want);
    let alike = u128::from(xor == 0 && n.is_multiple_of(2) && n > 0);
    MoveList {
        first,
        total: (ordered + alike) / 2,
    }
}

/// The pairs whose first part has this remainder by 4.
struct Class {
    remainder: u64,
    /// The bits of A that are fixed.
    base: u64,
    /// The bits that A and B share.
    shared: u64,
    /// The remainder of B by 4, as a value.
    other: u64,
}

/// The remainder by 4 of the value of a heap with this remainder.
fn image(remainder: u64) -> u64 {
    match remainder {
        0 => 3,
        3 => 0,
        same => same,
    }
}

impl Class {
    fn new(n: u64, xor: u64, remainder: u64) -> Option<Self> {
        let rest = (n + 4 - remainder) % 4;
        let gains = [remainder, rest].map(|part| match part {
            0 => -1,
            3 => 1,
            _ => 0,
        });
        let sum = n.checked_add_signed(gains[0] + gains[1])?;
        let twice = sum.checked_sub(xor)?;
        let shared = twice / 2;
        let low = image(remainder) ^ (shared & 3);
        let fits = twice.is_multiple_of(2)
            && shared & xor == 0
            && low & shared & 3 == 0
            && low & !xor == 0;
        fits.then_some(Self {
            remainder,
            base: shared | low,
            shared,
            other: image(rest),
        })
    }

    /// The part that has this value: none where it would be below zero.
    fn part(&self, value: u64) -> Option<u64> {
        match self.remainder {
            0 => Some(value + 1),
            3 => value.checked_sub(1),
            _ => Some(value),
        }
    }

    /// How many of the ways give A or B the value 0, which no heap of this remainder has.
    fn empty_parts(&self, xor: u64) -> u128 {
        let first = self.shared == 0 && self.remainder == 3;
        let second = self.shared == 0 && self.other == 0 && image(self.remainder) == xor & 3;
        u128::from(first) + u128::from(second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::mex;

    #[test]
    fn values_agree_with_the_definition() {
        let mut values: Vec<u64> = Vec::new();
        for heap in 0..200usize {
            let mut options = values.clone();
            options.extend((1..heap).map(|a| values[a] ^ values[heap - a]));
            values.push(mex(&options));
            assert_eq!(value(heap as u64), values[heap]);
            assert_eq!(value(values[heap]), heap as u64);
        }
    }

    #[test]
    fn splits_agree_with_listing() {
        for n in 0..130u64 {
            for xor in 0..140 {
                let pairs = (1..=n / 2).map(|a| (a, n - a));
                let pairs: Vec<(u64, u64)> = pairs
                    .filter(|(a, b)| value(*a) ^ value(*b) == xor)
                    .collect();
                let found = pairs_of_value(n, xor, 5);
                assert_eq!(found.total, pairs.len() as u128, "{n} {xor}");
                assert_eq!(found.first, pairs[..pairs.len().min(5)], "{n} {xor}");
                assert_eq!(pairs_of_value(n, xor, 1_000).first, pairs, "{n} {xor}");
            }
        }
    }
}
