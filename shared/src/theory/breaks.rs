//! Ways of breaking a heap in two or three non-empty heaps: counted, numbered, and picked by what the parts are worth.

use std::ops::RangeInclusive;

use crate::theory::period::Period;
use crate::theory::{Meter, MoveList, Stopped};

/// How many pairs 1 <= a <= b with a + b = n there are.
#[must_use]
pub fn pair_count(n: u64) -> u128 {
    u128::from(n / 2)
}

/// How many triples 1 <= a <= b <= c with a + b + c = n there are: n²/12, rounded to the nearest.
#[must_use]
pub fn triple_count(n: u64) -> u128 {
    let n = u128::from(n);
    (n * n + 6) / 12
}

/// Triple number `index` from 0, ordered by the smallest, then by the middle part; there are more than `index`. O(log n).
#[must_use]
pub fn nth_triple(n: u64, index: u128) -> [u64; 3] {
    let whole = u128::from(n);
    // How many have a smallest part of at most a: the sum of ⌊(n-x)/2⌋ - x + 1 over x from 1 to a.
    let up_to = |a: u128| {
        let halves = |m: u128| m * m / 4;
        halves(whole - 1) + a - halves(whole - a - 1) - a * (a + 1) / 2
    };
    let (mut low, mut high) = (1, whole / 3);
    while low < high {
        let middle = (low + high) / 2;
        match up_to(middle) > index {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    let a = low as u64;
    let b = a + (index - up_to(low - 1)) as u64;
    [a, b, n - a - b]
}

/// A number for each heap, such as its Grundy value.
pub trait Numbers {
    /// The number of this heap, where it is known.
    fn number(&self, heap: u64) -> Option<u64>;
    /// The period of the numbers, where it is proved; then every heap has one.
    fn period(&self) -> Option<Period>;
}

/// The pairs a <= b with a + b = n whose numbers fit, a in `range`, by a. Every heap up to n has a number.
///
/// With a proved period, parts beyond its start are taken by their remainders: O(start + period), however large n is.
pub fn pairs(
    numbers: &impl Numbers,
    n: u64,
    range: RangeInclusive<u64>,
    want: usize,
    meter: &mut Meter<'_>,
    fits: impl Fn(u64, u64) -> bool,
) -> Result<MoveList<(u64, u64)>, Stopped> {
    let (low, high) = range.into_inner();
    let mut found = MoveList::default();
    let fits = |a: u64| match (numbers.number(a), numbers.number(n - a)) {
        (Some(x), Some(y)) => fits(x, y),
        _ => false,
    };
    let periodic = numbers
        .period()
        .map(|period| (period.start.max(low), period.length));
    // Up to here a is looked at one by one; beyond, both parts are above the start of the period.
    let direct = match periodic {
        Some((start, length)) if high > start.saturating_add(length) => start - 1,
        _ => high,
    };
    for a in low..=direct {
        meter.work(u64::from(a % 4 == 0))?;
        if fits(a) {
            found.push(want, || (a, n - a));
        }
    }
    let Some((start, length)) = periodic.filter(|_| direct < high) else {
        return Ok(found);
    };
    meter.work(length / 16)?;
    let first: Vec<u64> = (start..start + length).filter(|a| fits(*a)).collect();
    let counts = first.iter().map(|a| u128::from((high - a) / length) + 1);
    let total: u128 = counts.sum();
    let rounds = (0..).map(|round| round * length);
    let all = rounds.flat_map(|offset| first.iter().map(move |a| a + offset));
    let room = (want - found.first.len()).min(usize::try_from(total).unwrap_or(usize::MAX));
    let listed = all.take_while(|a| *a <= high).take(room);
    found.append(MoveList {
        first: listed.map(|a| (a, n - a)).collect(),
        total,
    });
    Ok(found)
}

/// The triples a <= b <= c with a + b + c = n whose numbers fit, in whatever order they are given; in order. Every heap up
/// to n has a number.
///
/// With a proved period they are counted by remainders: O((start + period)²), however large n is; otherwise O(n²).
pub fn triples(
    numbers: &impl Numbers,
    n: u64,
    want: usize,
    meter: &mut Meter<'_>,
    fits: impl Fn(u64, u64, u64) -> bool,
) -> Result<MoveList<[u64; 3]>, Stopped> {
    let total = match numbers.period() {
        Some(period) if n > 4 * (period.start + period.length + 1) => {
            let classes = Classes::new(numbers, period.start.max(1), period.length);
            Some(classes.triples(n, meter, &fits)?)
        }
        _ => None,
    };
    let mut found = MoveList::default();
    for a in 1..=n / 3 {
        if total.is_some_and(|total| found.first.len() as u128 >= total.min(want as u128)) {
            break;
        }
        meter.work(1)?;
        let Some(x) = numbers.number(a) else { break };
        let room = want - found.first.len();
        let range = a..=(n - a) / 2;
        let rest = pairs(numbers, n - a, range, room, meter, |y, z| fits(x, y, z))?;
        found.append(rest.map(|(b, c)| [a, b, c]));
    }
    found.total = total.unwrap_or(found.total);
    Ok(found)
}

/// Heaps by what counts of them: small ones by size, large ones by remainder.
struct Classes {
    /// Numbers of the heaps 0 to start - 1.
    small: Vec<u64>,
    /// Numbers of the heaps start, start + 1, … over one period.
    large: Vec<u64>,
}

impl Classes {
    fn new(numbers: &impl Numbers, start: u64, length: u64) -> Self {
        let known = |heap| {
            numbers
                .number(heap)
                .expect("with a proved period every heap has a number")
        };
        Self {
            small: (0..start).map(known).collect(),
            large: (start..start + length).map(known).collect(),
        }
    }

    /// How many triples fit. Each is counted once: (all ordered ones + 3 × those that a swap of two given places
    /// leaves alone + 2 × those of three equal parts) / 6, by Burnside's lemma. Needs n of more than four starts and periods.
    fn triples(
        &self,
        n: u64,
        meter: &mut Meter<'_>,
        fits: &impl Fn(u64, u64, u64) -> bool,
    ) -> Result<u128, Stopped> {
        let (start, length) = (self.small.len() as u64, self.large.len() as u64);
        let mut ordered: u128 = 0;
        for (x, first) in self.large.iter().enumerate() {
            meter.work(length / 16 + 1)?;
            for (y, second) in self.large.iter().enumerate() {
                let rest = i128::from(n) - 3 * i128::from(start) - x as i128 - y as i128;
                if let Some((rounds, third)) = self.last(rest)
                    && fits(*first, *second, third)
                {
                    ordered += (rounds + 1) * (rounds + 2) / 2;
                }
            }
        }
        for (a, first) in self.small.iter().enumerate().skip(1) {
            meter.work((start + length) / 16 + 1)?;
            for (x, second) in self.large.iter().enumerate() {
                let rest = i128::from(n) - a as i128 - 2 * i128::from(start) - x as i128;
                if let Some((rounds, third)) = self.last(rest)
                    && fits(*first, *second, third)
                {
                    ordered += 3 * (rounds + 1);
                }
            }
            for (b, second) in self.small.iter().enumerate().skip(1) {
                let rest = i128::from(n) - a as i128 - b as i128 - i128::from(start);
                if let Some((_, third)) = self.last(rest) {
                    ordered += 3 * u128::from(fits(*first, *second, third));
                }
            }
        }
        let third = self.number(n / 3);
        let alike = n.is_multiple_of(3) && fits(third, third, third);
        Ok((ordered + 3 * self.with_two_alike(n, fits) + 2 * u128::from(alike)) / 6)
    }

    /// Of what is left for a large heap above its start: whole periods, and the number of the remainder.
    fn last(&self, rest: i128) -> Option<(u128, u64)> {
        let rest = u128::try_from(rest).ok()?;
        let length = self.large.len() as u128;
        Some((rest / length, self.large[(rest % length) as usize]))
    }

    fn number(&self, heap: u64) -> u64 {
        match heap.checked_sub(self.small.len() as u64) {
            None => self.small[heap as usize],
            Some(beyond) => self.large[(beyond % self.large.len() as u64) as usize],
        }
    }

    /// How many a >= 1 there are with a + a + c = n for some c >= 1 so that the three fit.
    fn with_two_alike(&self, n: u64, fits: &impl Fn(u64, u64, u64) -> bool) -> u128 {
        let (start, length) = (self.small.len() as u64, self.large.len() as u64);
        let alike = |a: u64| {
            let twice = self.number(a);
            fits(twice, twice, self.number(n - 2 * a))
        };
        // The last a whose c is large; beyond it c is small.
        let last = (n - start) / 2;
        let small_a = (1..start).filter(|a| alike(*a)).count();
        let small_c = (last + 1..=(n - 1) / 2).filter(|a| alike(*a)).count();
        let large = (start..start + length).filter(|a| alike(*a));
        let large: u128 = large.map(|a| u128::from((last - a) / length) + 1).sum();
        (small_a + small_c) as u128 + large
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::take_and_break::{self, Rule};

    #[test]
    fn triples_are_numbered_in_order() {
        for n in 0..60u64 {
            let mut index = 0;
            for a in 1..=n / 3 {
                for b in a..=(n - a) / 2 {
                    assert_eq!(nth_triple(n, index), [a, b, n - a - b]);
                    index += 1;
                }
            }
            assert_eq!(triple_count(n), index);
        }
        let large = 1_000_000_000_000_000_000;
        let last = nth_triple(large, triple_count(large) - 1);
        assert_eq!(last[0], large / 3);
        assert_eq!(last.iter().sum::<u64>(), large);
    }

    #[test]
    fn counting_by_remainders_agrees_with_listing() {
        let mut meter = Meter::new(1 << 40, 1 << 30, &|| false);
        for digits in [
            &[0u8, 7, 7][..],
            &[0, 15],
            &[0, 1, 3, 7],
            &[8, 3],
            &[0, 12, 3],
        ] {
            let table = take_and_break::table(&Rule::code(digits), 4_000, &mut meter);
            let Some(period) = table.period() else {
                continue;
            };
            assert!(period.length < 40, "{digits:?} {period:?}");
            for n in [300u64, 431, 600] {
                for xor in 0..4 {
                    let value = |a: u64| table.value(a).expect("proved");
                    let expected = (1..=n / 2).filter(|a| value(*a) ^ value(n - a) == xor);
                    let expected: Vec<(u64, u64)> = expected.map(|a| (a, n - a)).collect();
                    let found = pairs(&*table, n, 1..=n / 2, 20, &mut meter, |x, y| x ^ y == xor);
                    let found = found.expect("budget");
                    assert_eq!(found.total, expected.len() as u128);
                    assert_eq!(found.first, expected[..expected.len().min(20)]);
                    // One that the parts' values do not decide by their xor alone.
                    let fits = |x: u64, y: u64, z: u64| (x + y + z + x * y * z) % 5 == xor;
                    let numbers = 0..triple_count(n);
                    let expected = numbers.map(|index| nth_triple(n, index));
                    let expected =
                        expected.filter(|[a, b, c]| fits(value(*a), value(*b), value(*c)));
                    let expected: Vec<[u64; 3]> = expected.collect();
                    let found = triples(&*table, n, 20, &mut meter, fits).expect("budget");
                    assert_eq!(found.total, expected.len() as u128, "{digits:?} {n} {xor}");
                    assert_eq!(found.first, expected[..expected.len().min(20)]);
                }
            }
        }
    }
}
