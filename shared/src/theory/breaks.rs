//! Ways of breaking a heap in two or three non-empty heaps: counted, numbered, and picked by the value they have together.

use crate::theory::take_and_break::Table;
use crate::theory::{Meter, Replies, Stopped};

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

/// The pairs `low` <= a <= b with a + b = n whose values have this xor, by the smaller part. The table reaches n.
///
/// With a proved period, parts beyond its start are taken by their remainders: O(start + period), however large n is.
pub fn pairs_of_value(
    table: &Table,
    n: u64,
    xor: u64,
    low: u64,
    want: usize,
    meter: &mut Meter<'_>,
) -> Result<Replies<(u64, u64)>, Stopped> {
    let half = n / 2;
    let mut found = Replies::default();
    let fits = |a: u64| match (table.value(a), table.value(n - a)) {
        (Some(x), Some(y)) => x ^ y == xor,
        _ => false,
    };
    let periodic = table
        .period()
        .map(|period| (period.start.max(low), period.length));
    let direct = match periodic {
        Some((start, length)) if half > start.saturating_add(length) => start - 1,
        _ => half,
    };
    for a in low..=direct {
        meter.work(u64::from(a % 4 == 0))?;
        if fits(a) {
            found.push(want, || (a, n - a));
        }
    }
    let Some((start, length)) = periodic.filter(|_| direct < half) else {
        return Ok(found);
    };
    meter.work(length / 16)?;
    let first: Vec<u64> = (start..start + length).filter(|a| fits(*a)).collect();
    let counts = first.iter().map(|a| u128::from((half - a) / length) + 1);
    let total: u128 = counts.sum();
    let rounds = (0..).map(|round| round * length);
    let all = rounds.flat_map(|offset| first.iter().map(move |a| a + offset));
    let room = (want - found.first.len()).min(usize::try_from(total).unwrap_or(usize::MAX));
    let listed = all.take_while(|a| *a <= half).take(room);
    found.append(Replies {
        first: listed.map(|a| (a, n - a)).collect(),
        total,
    });
    Ok(found)
}

/// The triples a <= b <= c with a + b + c = n whose values have this xor, in order. The table reaches n.
///
/// With a proved period they are counted by remainders: O((start + period)²), however large n is; otherwise O(n²).
pub fn triples_of_value(
    table: &Table,
    n: u64,
    xor: u64,
    want: usize,
    meter: &mut Meter<'_>,
) -> Result<Replies<[u64; 3]>, Stopped> {
    let total = match table.period() {
        Some(period) if n > 4 * (period.start + period.length + 1) => {
            Some(Classes::new(table, period.start.max(1), period.length).triples(n, xor, meter)?)
        }
        _ => None,
    };
    let mut found = Replies::default();
    for a in 1..=n / 3 {
        if total.is_some_and(|total| found.first.len() as u128 >= total.min(want as u128)) {
            break;
        }
        meter.work(1)?;
        let Some(value) = table.value(a) else { break };
        let room = want - found.first.len();
        let pairs = pairs_of_value(table, n - a, xor ^ value, a, room, meter)?;
        found.append(pairs.map(|(b, c)| [a, b, c]));
    }
    found.total = total.unwrap_or(found.total);
    Ok(found)
}

/// Heaps by what counts of them: small ones by size, large ones by remainder.
struct Classes {
    /// Values of the heaps 0 to start - 1.
    small: Vec<u64>,
    /// Values of the heaps start, start + 1, … over one period.
    large: Vec<u64>,
}

impl Classes {
    fn new(table: &Table, start: u64, length: u64) -> Self {
        let known = |heap| {
            table
                .value(heap)
                .expect("a table with a proved period has every value")
        };
        Self {
            small: (0..start).map(known).collect(),
            large: (start..start + length).map(known).collect(),
        }
    }

    /// How many triples have this xor. Each is counted once: (all ordered ones + 3 × those that a swap of two given places
    /// leaves alone + 2 × those of three equal parts) / 6, by Burnside's lemma. Needs n of more than three starts.
    fn triples(&self, n: u64, xor: u64, meter: &mut Meter<'_>) -> Result<u128, Stopped> {
        let (start, length) = (self.small.len() as u64, self.large.len() as u64);
        let mut ordered: u128 = 0;
        for (x, first) in self.large.iter().enumerate() {
            meter.work(length / 16 + 1)?;
            for (y, second) in self.large.iter().enumerate() {
                let rest = i128::from(n) - 3 * i128::from(start) - x as i128 - y as i128;
                if let Some((rounds, value)) = self.last(rest)
                    && first ^ second ^ value == xor
                {
                    ordered += (rounds + 1) * (rounds + 2) / 2;
                }
            }
        }
        for (a, first) in self.small.iter().enumerate().skip(1) {
            meter.work((start + length) / 16 + 1)?;
            for (x, second) in self.large.iter().enumerate() {
                let rest = i128::from(n) - a as i128 - 2 * i128::from(start) - x as i128;
                if let Some((rounds, value)) = self.last(rest)
                    && first ^ second ^ value == xor
                {
                    ordered += 3 * (rounds + 1);
                }
            }
            for (b, second) in self.small.iter().enumerate().skip(1) {
                let rest = i128::from(n) - a as i128 - b as i128 - i128::from(start);
                if let Some((_, value)) = self.last(rest) {
                    ordered += 3 * u128::from(first ^ second ^ value == xor);
                }
            }
        }
        let alike = n.is_multiple_of(3) && self.value(n / 3) == xor;
        Ok((ordered + 3 * self.odd_ones(n, xor) + 2 * u128::from(alike)) / 6)
    }

    /// Of what is left for a large heap above its start: whole periods, and the value of the remainder.
    fn last(&self, rest: i128) -> Option<(u128, u64)> {
        let rest = u128::try_from(rest).ok()?;
        let length = self.large.len() as u128;
        Some((rest / length, self.large[(rest % length) as usize]))
    }

    fn value(&self, heap: u64) -> u64 {
        match heap.checked_sub(self.small.len() as u64) {
            None => self.small[heap as usize],
            Some(beyond) => self.large[(beyond % self.large.len() as u64) as usize],
        }
    }

    /// How many c of value `xor` there are with a + a + c = n for some a >= 1, c >= 1.
    fn odd_ones(&self, n: u64, xor: u64) -> u128 {
        let (start, round) = (self.small.len() as u64, 2 * self.large.len() as u64);
        let fits = |c: u64| c % 2 == n % 2 && self.value(c) == xor;
        let small = (1..start).filter(|c| fits(*c)).count() as u128;
        let large = (start..start + round).filter(|c| *c <= n - 2 && fits(*c));
        small
            + large
                .map(|c| u128::from((n - 2 - c) / round) + 1)
                .sum::<u128>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::take_and_break;

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
            let table = take_and_break::table(digits, 4_000, &mut meter);
            let Some(period) = table.period() else {
                continue;
            };
            assert!(period.length < 40, "{digits:?} {period:?}");
            for n in [300u64, 431, 600] {
                for xor in 0..4 {
                    let value = |a: u64| table.value(a).expect("proved");
                    let pairs = (1..=n / 2).filter(|a| value(*a) ^ value(n - a) == xor);
                    let pairs: Vec<(u64, u64)> = pairs.map(|a| (a, n - a)).collect();
                    let found = pairs_of_value(&table, n, xor, 1, 20, &mut meter).expect("budget");
                    assert_eq!(found.total, pairs.len() as u128);
                    assert_eq!(found.first, pairs[..pairs.len().min(20)]);
                    let numbers = 0..triple_count(n);
                    let triples = numbers.map(|index| nth_triple(n, index));
                    let fits =
                        |parts: &[u64; 3]| parts.iter().fold(0, |x, part| x ^ value(*part)) == xor;
                    let triples: Vec<[u64; 3]> = triples.filter(fits).collect();
                    let found = triples_of_value(&table, n, xor, 20, &mut meter).expect("budget");
                    assert_eq!(found.total, triples.len() as u128, "{digits:?} {n} {xor}");
                    assert_eq!(found.first, triples[..triples.len().min(20)]);
                }
            }
        }
    }
}
