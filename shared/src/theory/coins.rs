//! Values of single heads in coin-turning games: a row is worth the xor of its heads (Lenstra 1977; Berlekamp, Conway, Guy 1982, chapter 14).

use std::sync::Arc;

use crate::theory::cache::Cache;
use crate::theory::{Meter, Stopped, odious};

/// Values from here on are not tabulated.
const MAX_VALUE: usize = 1 << 20;

/// Tables that were computed, by the numbers of coins that may be turned.
static TABLES: Cache<Vec<u32>, Table> = Cache::new(1 << 24);

/// Values of single heads.
#[derive(Clone, Debug, Default)]
struct Table {
    /// By place, from 1.
    values: Arc<Vec<u64>>,
    /// In rows of so many coins, each row of value 0 with a move has one to value 1 ([`are_fickle`]).
    fickle: usize,
}

/// The largest power of two that divides a number; it is not 0.
#[must_use]
pub fn low_bit(n: u64) -> u64 {
    n & n.wrapping_neg()
}

/// The value of a head at place `coin`, from 1, where a run of at most `longest` coins is turned: the largest power of
/// two that divides the place and is no longer than a run.
#[must_use]
pub fn run_value(coin: u64, longest: u64) -> u64 {
    let largest = 1 << longest.max(1).ilog2();
    low_bit(coin).min(largest)
}

/// The value of a head with so many coins to its left, where three coins equally far apart are turned (Turnips): the odious number whose place is that of the lowest digit 2
/// of this number in base 3, from the right; 0 without such a digit. O(digits).
#[must_use]
pub fn equally_spaced_value(mut left: u64) -> u64 {
    let mut place = 0;
    while left > 0 {
        place += 1;
        if left % 3 == 2 {
            return odious::value(place);
        }
        left /= 3;
    }
    0
}

/// The values of heads at places 1 to `coins`, where the number of coins turned is one of `counts`, ascending, the
/// others anywhere to the left. Shorter than asked for where values are too large for the table.
pub fn count_values(
    counts: &[u32],
    coins: usize,
    meter: &mut Meter<'_>,
) -> Result<Arc<Vec<u64>>, Stopped> {
    meter.work(coins as u64 / 16)?;
    let closed: Option<fn(u64) -> u64> = match counts {
        [1] => Some(|_| 1),
        [2] => Some(|coin| coin - 1),
        [1, 2] => Some(|coin| coin),
        // Mock Turtles.
        [1, 2, 3] => Some(odious::value),
        _ => None,
    };
    if let Some(value) = closed {
        return Ok(Arc::new((1..=coins as u64).map(value).collect()));
    }
    Ok(Arc::clone(&table(counts, coins, meter)?.values))
}

/// Whether each row of so many coins whose value is 0 and that has a move has one to value 1, as far as it is known. Then all rows of value 0 or 1 are *fickle* ([`super::fickle`]).
///
/// Call a place *stuck* if a head there has a move, but none that changes the value by 1. If the values of the stuck places are independent as vectors of bits, a row of value
/// 0 with a move cannot have heads on stuck places only: their xor would be 0. So it has a head that can change the value by 1. For Mock Turtles, heads counted from 0, place n is stuck only if no two smaller
/// numbers have the xor n, so if n is 0 or a power of two.
pub fn are_fickle(counts: &[u32], coins: usize, meter: &mut Meter<'_>) -> Result<bool, Stopped> {
    Ok(match counts {
        [1] | [1, 2, 3] => true,
        [2] | [1, 2] => false,
        _ => table(counts, coins, meter)?.fickle >= coins,
    })
}

fn table(counts: &[u32], coins: usize, meter: &mut Meter<'_>) -> Result<Arc<Table>, Stopped> {
    if let Some(table) = TABLES.find(|known| known == counts)
        && table.values.len() >= coins
    {
        return Ok(table);
    }
    let table = Arc::new(tabulate(counts, coins, meter)?);
    TABLES.put(counts.to_vec(), Arc::clone(&table), table.values.len() * 8);
    Ok(table)
}

/// The mex of what each head may become, coin by coin: `reached[j]` holds the xors of exactly j heads further left.
fn tabulate(counts: &[u32], coins: usize, meter: &mut Meter<'_>) -> Result<Table, Stopped> {
    let most = counts.last().map_or(0, |count| *count as usize);
    let mut reached = vec![Bits::default(); most];
    if let Some(none) = reached.first_mut() {
        none.words = vec![1];
    }
    let mut values = Vec::with_capacity(coins);
    let mut stuck = Vec::new();
    let mut fickle = None;
    for place in 0..coins {
        let mut options = Bits::default();
        for count in counts {
            options.add(&reached[*count as usize - 1], 0);
        }
        let value = options.first_free();
        if value >= MAX_VALUE {
            break;
        }
        values.push(value as u64);
        let is_stuck = !options.words.is_empty() && !options.has(value ^ 1);
        if is_stuck && !is_independent(&mut stuck, value as u64) {
            fickle = fickle.or(Some(place));
        }
        let words: usize = reached.iter().map(|bits| bits.words.len()).sum();
        meter.work(1 + words as u64 / 8)?;
        for j in (1..reached.len()).rev() {
            let (fewer, more) = reached.split_at_mut(j);
            more[0].add(&fewer[j - 1], value);
        }
    }
    Ok(Table {
        fickle: fickle.unwrap_or(values.len()),
        values: Arc::new(values),
    })
}

/// Whether a number is independent of the others as a vector of bits; it is one of them from now on. `basis` holds them reduced.
fn is_independent(basis: &mut Vec<u64>, value: u64) -> bool {
    let reduced = basis.iter().fold(value, |left, one| left.min(left ^ one));
    if reduced > 0 {
        basis.push(reduced);
    }
    reduced > 0
}

/// A set of small numbers.
#[derive(Clone, Default)]
struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Adds every number of the other set, each xored with `by`.
    fn add(&mut self, other: &Self, by: usize) {
        let (far, near) = (by / 64, by % 64);
        for (index, word) in other
            .words
            .iter()
            .enumerate()
            .filter(|(_, word)| **word != 0)
        {
            let place = index ^ far;
            if self.words.len() <= place {
                self.words.resize(place + 1, 0);
            }
            self.words[place] |= xored(*word, near);
        }
    }

    fn has(&self, number: usize) -> bool {
        let word = self.words.get(number / 64).copied().unwrap_or(0);
        word >> (number % 64) & 1 == 1
    }

    fn first_free(&self) -> usize {
        let full = self
            .words
            .iter()
            .take_while(|word| **word == u64::MAX)
            .count();
        full * 64
            + self
                .words
                .get(full)
                .map_or(0, |word| word.trailing_ones() as usize)
    }
}

/// The word whose bit i ^ by is bit i of this one.
fn xored(mut word: u64, by: usize) -> u64 {
    const LOW: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0f0f_0f0f_0f0f_0f0f,
        0x00ff_00ff_00ff_00ff,
        0x0000_ffff_0000_ffff,
        0x0000_0000_ffff_ffff,
    ];
    for (bit, low) in LOW.iter().enumerate() {
        if by >> bit & 1 == 1 {
            let shift = 1 << bit;
            word = (word & low) << shift | word >> shift & low;
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::mex;

    #[test]
    fn turnips_are_odious_by_digits_in_base_three() {
        let mut values: Vec<u64> = Vec::new();
        for left in 0..1_500 {
            let turns = (1..=left / 2).map(|d| values[left - d] ^ values[left - 2 * d]);
            values.push(mex(&turns.collect::<Vec<_>>()));
            assert_eq!(equally_spaced_value(left as u64), values[left], "{left}");
        }
    }

    /// The rank of numbers as vectors of bits.
    fn rank(values: &[u64]) -> usize {
        let mut basis: Vec<u64> = Vec::new();
        for value in values {
            is_independent(&mut basis, *value);
        }
        basis.len()
    }

    /// The lost rows of a game that turns fewer than d coins are the words of a lexicographic code of distance d (J. H. Conway, N. J. A. Sloane 1986): with 18 coins of Moebius
    /// one of dimension 9, with 24 of Mogul the Golay code, of dimension 12.
    #[test]
    fn lost_rows_are_codes() {
        let mut meter = Meter::new(1 << 30, 1 << 30, &|| false);
        for (most, coins, dimension) in [(3, 8, 4), (5, 18, 9), (7, 24, 12)] {
            let counts: Vec<u32> = (1..=most).collect();
            let values = count_values(&counts, coins, &mut meter).expect("a small table");
            assert_eq!(coins - rank(&values[..coins]), dimension, "{most}");
        }
    }

    #[test]
    fn published_values() {
        let mut meter = Meter::new(1 << 30, 1 << 30, &|| false);
        // A054016, and the odious numbers against their closed form.
        let fives = count_values(&[1, 2, 3, 4, 5], 12, &mut meter).expect("a small table");
        assert_eq!(
            fives[..12],
            [1, 2, 4, 8, 16, 31, 32, 64, 103, 128, 171, 213]
        );
        for counts in [&[1][..], &[2], &[1, 2], &[1, 2, 3]] {
            let closed = count_values(counts, 300, &mut meter).expect("closed");
            let table = tabulate(counts, 300, &mut meter).expect("a table");
            assert_eq!(closed, table.values);
            let fickle = are_fickle(counts, 300, &mut meter).expect("closed");
            assert_eq!(fickle, table.fickle == 300, "{counts:?}");
        }
    }
}
