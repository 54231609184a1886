//! Periods of tables of values, with proof.

use crate::theory::{Meter, Stopped};

/// From `start` on, values repeat every `length` places: proved, for all places whatever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    /// The first place from which it holds.
    pub start: u64,
    /// The period.
    pub length: u64,
}

impl Period {
    /// The place in the table that has the value of this place.
    #[must_use]
    pub fn fold(self, place: u64) -> u64 {
        match place.checked_sub(self.start) {
            Some(beyond) => self.start + beyond % self.length,
            None => place,
        }
    }
}

/// Looks for a period that the values already prove.
///
/// *Guy–Smith bound* (R. K. Guy, C. A. B. Smith, The G-values of various games, 1956; here for up to m parts). A heap of n becomes
/// at most `parts` = m non-empty heaps that together are n - i, where i is at most `reach` = k. If G(n+p) = G(n) for all n with
/// n0 <= n < m·n0 + (m-1)·p + k, n0 >= 1, then for all n >= n0. Proof: let N be the first n beyond. An option of N+p has a largest part b of
/// at least (N+p-k)/m >= n0 + p, so replacing b by b-p >= 1 gives an option of N with the same value; an option of N has a
/// largest part of at least (N-k)/m >= n0, so adding p gives an option of N+p. Both have the same options' values. ∎ For m = 1, a
/// subtraction set, it says that k values in a row repeat.
///
/// O(values).
pub fn find<T: Copy + Eq>(
    values: &[T],
    parts: u64,
    reach: u64,
    meter: &mut Meter<'_>,
) -> Result<Option<Period>, Stopped> {
    let length = values.len();
    // What follows is forgotten before the answer is used.
    let held = length as u64 * 4;
    meter.hold(held)?;
    let matches = backward_matches(values, meter)?;
    meter.release(held);
    for (period, matched) in matches.iter().enumerate().skip(1) {
        let start = length - period - *matched as usize;
        let proof = parts * start.max(1) as u64 + (parts - 1) * period as u64 + reach;
        if proof + period as u64 <= length as u64 {
            return Ok(Some(Period {
                start: start as u64,
                length: period as u64,
            }));
        }
    }
    Ok(None)
}

/// For each shift p, how many values from the end backwards are equal to those p places before (the Z-function of the
/// reversed list; Gusfield 1997). O(values); tables are shorter than 2^32.
fn backward_matches<T: Copy + Eq>(
    values: &[T],
    meter: &mut Meter<'_>,
) -> Result<Vec<u32>, Stopped> {
    let n = values.len();
    let at = |index: usize| values[n - 1 - index];
    let mut z = vec![0u32; n];
    let (mut left, mut right) = (0, 0);
    for i in 1..n {
        if i % 64 == 0 {
            meter.work(1)?;
        }
        let mut matched = match i < right {
            true => (z[i - left] as usize).min(right - i),
            false => 0,
        };
        while i + matched < n && at(matched) == at(i + matched) {
            matched += 1;
            if matched % 4_096 == 0 {
                meter.work(64)?;
            }
        }
        if i + matched > right {
            (left, right) = (i, i + matched);
        }
        z[i] = matched as u32;
    }
    Ok(z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_that_was_only_seen_is_not_claimed() {
        let mut meter = Meter::new(1 << 20, 1 << 20, &|| false);
        let mut found = |values: &[u8], parts, reach| {
            find(values, parts, reach, &mut meter).expect("a large budget")
        };
        let seen = [9, 0, 1, 2, 0, 1, 2];
        let period = Period {
            start: 1,
            length: 3,
        };
        assert_eq!(found(&seen, 1, 3), Some(period));
        assert_eq!(found(&seen, 1, 4), None);
        assert_eq!(found(&seen, 2, 3), None);
        assert_eq!(found(&[], 2, 3), None);
    }
}
