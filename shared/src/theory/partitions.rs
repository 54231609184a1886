//! Splitting a heap in any number of parts: how many ways there are, which is which, and the values of the game that may do so.
//!
//! For the values of heaps that may be taken from or split in any number of parts no rule is known: that of Lasker's game, often given for it, is wrong from a
//! heap of 8 on. A heap's value is found from all xors that its splits reach.

use std::sync::{Arc, LazyLock};

use crate::theory::cache::Cache;
use crate::theory::{Meter, MoveList, Stopped};

/// The largest heap.
pub const LARGEST: u64 = 1_000;

/// Words of 64 bits for a set of values: those of heaps up to [`LARGEST`] and their xors are below 2,048.
const WORDS: usize = 32;

/// Ways below which they are listed rather than counted by value.
const LISTED: u128 = 200_000;

/// `COUNTS[n][m]`: in how many ways n is a sum of m parts (L. Euler 1748).
static COUNTS: LazyLock<Vec<Vec<u128>>> = LazyLock::new(|| {
    let mut counts: Vec<Vec<u128>> = vec![vec![1]];
    for n in 1..=LARGEST as usize {
        let row = (0..=n).map(|m| match m {
            0 => 0,
            // One part is 1, or all can be made smaller by 1.
            _ => counts[n - 1][m - 1] + counts[n - m].get(m).copied().unwrap_or(0),
        });
        let row = row.collect();
        counts.push(row);
    }
    counts
});

/// In how many ways a heap can be split in two or more parts.
static SPLITS: LazyLock<Vec<u128>> = LazyLock::new(|| {
    let all = COUNTS.iter().map(|row| row.iter().skip(2).sum());
    all.collect()
});

/// In how many ways a heap can be split in two or more parts.
#[must_use]
pub fn split_count(heap: u64) -> u128 {
    SPLITS[heap as usize]
}

/// The split of this number, from 0: ordered by how many parts, then by the smallest part, the next, and so on. There are more than `index`. O(heap).
#[must_use]
pub fn nth_split(heap: u64, mut index: u128) -> Vec<u64> {
    let mut left = 2;
    while index >= COUNTS[heap as usize][left] {
        index -= COUNTS[heap as usize][left];
        left += 1;
    }
    // All parts are at least `low`; taking low - 1 off each of them keeps their number.
    let (mut rest, mut low) = (heap as usize, 1);
    let mut parts = Vec::with_capacity(left);
    while left > 1 {
        let with_low = COUNTS[rest - (low - 1) * left - 1][left - 1];
        if index < with_low {
            parts.push(low as u64);
            rest -= low;
            left -= 1;
        } else {
            index -= with_low;
            low += 1;
        }
    }
    parts.push(rest as u64);
    parts
}

/// A set of small numbers.
#[derive(Clone, Copy, Debug)]
struct Values([u64; WORDS]);

impl Values {
    /// Adds the xor of each member of another set with a number.
    fn add(&mut self, other: &Self, xor: u64) {
        for (index, word) in other.0.iter().enumerate() {
            let mut word = *word;
            for (bit, mask) in [
                0x5555_5555_5555_5555u64,
                0x3333_3333_3333_3333,
                0x0f0f_0f0f_0f0f_0f0f,
                0x00ff_00ff_00ff_00ff,
                0x0000_ffff_0000_ffff,
                0x0000_0000_ffff_ffff,
            ]
            .into_iter()
            .enumerate()
            {
                if xor >> bit & 1 == 1 {
                    let shift = 1 << bit;
                    word = (word & mask) << shift | word >> shift & mask;
                }
            }
            self.0[index ^ (xor >> 6) as usize] |= word;
        }
    }

    fn insert(&mut self, value: u64) {
        self.0[(value >> 6) as usize] |= 1 << (value & 63);
    }

    fn least_free(&self) -> u64 {
        let word = self.0.iter().position(|word| *word != u64::MAX);
        let word = word.expect("a heap up to the largest has fewer values than the set has places");
        word as u64 * 64 + u64::from(self.0[word].trailing_ones())
    }
}

/// The values of the game, as far as computed.
#[derive(Clone, Debug, Default)]
pub struct Table {
    values: Vec<u64>,
    /// The xors that a heap reaches as it is or split.
    reached: Vec<Values>,
}

static TABLES: Cache<(), Table> = Cache::new(1 << 22);

impl Table {
    /// The value of a heap, if the table reaches so far.
    #[must_use]
    pub fn value(&self, heap: u64) -> Option<u64> {
        self.values.get(heap as usize).copied()
    }

    /// The heap that has this value: of two heaps one can be brought to the other, so they differ.
    #[must_use]
    pub fn heap_of(&self, value: u64) -> Option<u64> {
        let place = self.values.iter().position(|known| *known == value);
        place.map(|place| place as u64)
    }

    fn extend(&mut self, heap: u64, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        while self.values.len() as u64 <= heap {
            let heap = self.values.len();
            meter.work(heap as u64 / 2 + 1)?;
            meter.hold(8 * WORDS as u64 + 8)?;
            let mut reached = Values([0; WORDS]);
            for part in 1..=heap / 2 {
                reached.add(&self.reached[heap - part], self.values[part]);
            }
            let mut options = reached;
            self.values.iter().for_each(|value| options.insert(*value));
            let value = options.least_free();
            reached.insert(value);
            self.values.push(value);
            self.reached.push(reached);
        }
        Ok(())
    }
}

/// The table that reaches this heap of at most [`LARGEST`], if the budget allows. O(heap²) once.
pub fn table(heap: u64, meter: &mut Meter<'_>) -> Arc<Table> {
    let known = TABLES.find(|()| true).unwrap_or_default();
    if known.value(heap).is_some() {
        return known;
    }
    let mut table = (*known).clone();
    let _stopped = table.extend(heap, meter);
    let table = Arc::new(table);
    TABLES.put((), Arc::clone(&table), table.values.len() * (8 * WORDS + 8));
    table
}

/// The splits of a heap whose parts' values have this xor, in order; the first `want` of them. `but_ones` leaves out the split into ones.
///
/// Those of large heaps are counted by [`count_splits`], else all are listed.
pub fn splits_of_value(
    table: &Table,
    heap: u64,
    xor: u64,
    but_ones: bool,
    want: usize,
    meter: &mut Meter<'_>,
) -> Result<MoveList<Vec<u64>>, Stopped> {
    let total = match split_count(heap) > LISTED {
        true => {
            Some(count_splits(table, heap, xor, meter)? - u128::from(but_ones && heap % 2 == xor))
        }
        false => None,
    };
    let mut listing = Listing {
        values: &table.values,
        parts: Vec::new(),
        most_parts: heap as usize - usize::from(but_ones && heap > 0),
        enough: total.map_or(usize::MAX, |total| {
            want.min(usize::try_from(total).unwrap_or(want))
        }),
        want,
        found: MoveList::default(),
    };
    for parts in 2..=listing.most_parts {
        listing.visit(heap as usize, 1, parts, xor, meter)?;
    }
    let mut found = listing.found;
    found.total = total.unwrap_or(found.total);
    Ok(found)
}

/// How many splits of a heap have this xor.
///
/// Parts of up to a quarter of the heap are counted one after the other: how many sums of them have which size and xor. At most three parts of a split are
/// larger, and all ways of choosing these are walked through. O(heap² x values of the small parts + heap³ / 2,000).
fn count_splits(
    table: &Table,
    heap: u64,
    xor: u64,
    meter: &mut Meter<'_>,
) -> Result<u128, Stopped> {
    let size = heap as usize;
    let small = size / 4;
    let places_to = |part: usize| {
        let most = table.values[..=part]
            .iter()
            .max()
            .map_or(1, |most| most + 1);
        most.next_power_of_two() as usize
    };
    let places = places_to(small);
    meter.hold((size as u64 + 1) * places as u64 * 16)?;
    let mut ways = vec![vec![0u128; places]; size + 1];
    ways[0][0] = 1;
    for part in 1..=small {
        let value = table.values[part] as usize;
        // Larger xors are of larger parts only.
        let places = places_to(part);
        for sum in part..=size {
            meter.work(places as u64 / 64 + 1)?;
            let (before, from) = ways.split_at_mut(sum);
            for (place, more) in before[sum - part][..places].iter().enumerate() {
                from[0][place ^ value] += more;
            }
        }
    }
    let counted = Counted {
        table,
        size,
        ways: &ways,
    };
    counted.with_parts_from(small + 1, size, xor, meter)
}

/// How many sums of small parts have which size and xor, for splits of a heap of this size.
struct Counted<'c> {
    table: &'c Table,
    size: usize,
    ways: &'c [Vec<u128>],
}

impl Counted<'_> {
    /// How many sums of small parts and parts of at least `low` have this size and xor. The heap itself is no part.
    fn with_parts_from(
        &self,
        low: usize,
        rest: usize,
        xor: u64,
        meter: &mut Meter<'_>,
    ) -> Result<u128, Stopped> {
        meter.work(1)?;
        let mut all = self.ways[rest].get(xor as usize).copied().unwrap_or(0);
        for part in low..=rest.min(self.size - 1) {
            all += self.with_parts_from(part, rest - part, xor ^ self.table.values[part], meter)?;
        }
        Ok(all)
    }
}

/// A walk through the splits in order.
struct Listing<'t> {
    values: &'t [u64],
    parts: Vec<u64>,
    most_parts: usize,
    /// Stops when so many are found.
    enough: usize,
    want: usize,
    found: MoveList<Vec<u64>>,
}

impl Listing<'_> {
    /// All ways of making `rest` of so many parts of at least `low` with this xor.
    fn visit(
        &mut self,
        rest: usize,
        low: usize,
        parts: usize,
        xor: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        if parts == 1 {
            if self.values[rest] == xor {
                let split = &self.parts;
                self.found.push(self.want, || {
                    let mut split = split.clone();
                    split.push(rest as u64);
                    split
                });
            }
            return Ok(());
        }
        for part in low..=rest / parts {
            if self.found.total >= self.enough as u128 {
                break;
            }
            meter.work(1)?;
            self.parts.push(part as u64);
            self.visit(rest - part, part, parts - 1, xor ^ self.values[part], meter)?;
            self.parts.pop();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::mex;

    fn meter() -> Meter<'static> {
        Meter::new(1 << 34, 1 << 30, &|| false)
    }

    #[test]
    fn splits_are_numbered_in_order() {
        assert_eq!(split_count(4), 4);
        let four: Vec<Vec<u64>> = (0..4).map(|index| nth_split(4, index)).collect();
        assert_eq!(
            four,
            [vec![1, 3], vec![2, 2], vec![1, 1, 2], vec![1, 1, 1, 1]]
        );
        for heap in 2..25 {
            let splits: Vec<Vec<u64>> = (0..split_count(heap))
                .map(|index| nth_split(heap, index))
                .collect();
            assert!(
                splits
                    .windows(2)
                    .all(|two| (two[0].len(), &two[0]) < (two[1].len(), &two[1]))
            );
            assert!(splits.iter().all(|parts| parts.iter().sum::<u64>() == heap));
            assert!(splits.iter().all(|parts| parts.is_sorted() && parts[0] > 0));
        }
        let last = nth_split(LARGEST, split_count(LARGEST) - 1);
        assert_eq!(last, vec![1; LARGEST as usize]);
    }

    #[test]
    fn values_agree_with_the_definition() {
        let table = table(LARGEST, &mut meter());
        let mut values: Vec<u64> = vec![0];
        for heap in 1..28u64 {
            let splits = (0..split_count(heap)).map(|index| nth_split(heap, index));
            let xors = splits.map(|parts| {
                parts
                    .iter()
                    .fold(0, |xor, part| xor ^ values[*part as usize])
            });
            let options: Vec<u64> = values.iter().copied().chain(xors).collect();
            values.push(mex(&options));
        }
        assert_eq!(table.values[..28], values);
        assert_eq!(
            values[1..17],
            [
                1, 2, 4, 3, 5, 6, 8, 10, 9, 13, 15, 16, 18, 17, 21, values[16]
            ]
        );
        assert_eq!(table.heap_of(10), Some(8));
    }

    #[test]
    fn counting_by_value_agrees_with_listing() {
        let table = table(30, &mut meter());
        for heap in [2u64, 7, 30] {
            let mut all = 0;
            for xor in 0..64 {
                let listed =
                    splits_of_value(&table, heap, xor, false, 3, &mut meter()).expect("budget");
                let counted = count_splits(&table, heap, xor, &mut meter()).expect("budget");
                assert_eq!(listed.total, counted, "{heap} {xor}");
                all += counted;
            }
            assert_eq!(all, split_count(heap));
        }
    }

    #[test]
    fn all_splits_of_a_large_heap_have_a_value() {
        let table = table(120, &mut meter());
        let all = (0..256).map(|xor| count_splits(&table, 120, xor, &mut meter()).expect("budget"));
        assert_eq!(all.sum::<u128>(), split_count(120));
    }
}
