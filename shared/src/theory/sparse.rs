//! Sparse space: how values of games that leave two heaps at most are found without looking at every split
//! (E. Berlekamp, J. Conway, R. Guy, *Winning Ways*, 1982, chapter 4).
//!
//! A heap is *rare* when its value has an even number of ones under a mask (in some games: when this number and the size of
//! the heap together are even). Two rare heaps or two others make an even sum, a rare and another one make an odd one. So the options of
//! odd sums are all found by pairing the few rare heaps with the others, and the least odd number that is none of
//! them bounds the value from above; only even numbers below it are looked for among all splits, and mostly found soon.
//!
//! What a rest may be split into is the same whatever was taken, so the next heaps look at it again: it is kept for them.

use crate::theory::subtraction::Marks;
use crate::theory::{Meter, Stopped};

/// Bytes of one rare heap.
const RARE_BYTES: usize = size_of::<(u32, u16)>();

/// Splits of one rest, from each end, that are looked at before it is asked whether they suffice.
const FIRST_PORTION: usize = 16;
/// The same later on, at most: as many as were looked at before.
const MOST_PORTION: usize = 128;

/// The splits of one rest, as far as they were looked at.
#[derive(Debug, Default)]
struct Split {
    /// The rest, and the mask and the way of the space under which its rare parts were looked at.
    of: Option<(usize, u16, bool)>,
    /// The values of those looked at.
    marks: Marks,
    /// How many were looked at from each end.
    scanned: usize,
}

/// The splits of the last rests.
#[derive(Debug, Default)]
pub(crate) struct Splits {
    /// By the remainder of the rest.
    kept: Vec<Split>,
}

impl Splits {
    /// Keeps those of so many rests that follow one another.
    fn keep(&mut self, rests: usize) {
        if self.kept.len() < rests {
            self.kept.resize_with(rests, Split::default);
        }
    }

    fn of(&mut self, rest: usize) -> &mut Split {
        let place = rest % self.kept.len();
        &mut self.kept[place]
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.kept.iter().map(|split| split.marks.bytes()).sum()
    }
}

impl Split {
    /// Makes room for numbers below the width.
    fn widen(&mut self, width: usize, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        meter.hold(width.saturating_sub(self.marks.bytes()) as u64)?;
        self.marks.widen(width);
        Ok(())
    }
}

/// A mask with the heaps that are rare under it.
#[derive(Clone, Debug)]
pub(crate) struct Space {
    /// Not 0, so that there are odd numbers.
    mask: u16,
    /// Whether the size of a heap counts, too.
    alternating: bool,
    /// Whether it may: the sums of two heaps that are left of one heap are all even or all odd.
    may_alternate: bool,
    /// The first odd numbers for heaps of even size, and where sizes count for those of odd size.
    odd: [Vec<u16>; 2],
    /// The rare heaps, from 1, ascending, with their values.
    rare: Vec<(u32, u16)>,
    /// A power of two above all values.
    width: usize,
}

impl Space {
    /// The space of a table without values.
    pub(crate) fn new(may_alternate: bool) -> Self {
        Self {
            mask: 1,
            alternating: false,
            may_alternate,
            odd: [Vec::new(), Vec::new()],
            rare: Vec::new(),
            width: 1,
        }
    }

    /// Whether a value is even where heaps of this size together have it.
    fn is_even(&self, value: u16, size: usize) -> bool {
        let size = if self.alternating { size } else { 0 };
        ((value & self.mask).count_ones() as usize + size).is_multiple_of(2)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.rare.len() * RARE_BYTES
    }

    /// The least number that is neither marked nor the value of a split. `rests` are the sizes left to be split, descending, each with the
    /// number of its splits 1 <= a <= b; what is marked already are the other options.
    ///
    /// O(rare heaps) for each rest that is not kept, and O(heap) for a heap that turns out to be rare.
    pub(crate) fn least_free(
        &self,
        values: &[u16],
        rests: &[(usize, usize)],
        kept: &mut Splits,
        marks: &mut Marks,
        meter: &mut Meter<'_>,
    ) -> Result<u16, Stopped> {
        let ([(size, _), ..], [.., (least, _)]) = (rests, rests) else {
            return marks.mex().ok_or(Stopped);
        };
        kept.keep(size - least + 1);
        for (rest, splits) in rests {
            let split = kept.of(*rest);
            let of = Some((*rest, self.mask, self.alternating));
            if split.of != of {
                split.scanned = 0;
                split.marks.clear();
                split.widen(self.width, meter)?;
                self.mark_rare(values, *rest, *splits, &mut split.marks, meter)?;
                split.of = of;
            }
            meter.work(self.width as u64 / 1_024)?;
            marks.mark_all(&split.marks);
        }
        let odd = self.least_odd(*size, marks).ok_or(Stopped)?;
        self.scan(values, rests, odd, kept, marks, meter)
    }

    /// Marks the splits of a rest that have a rare part.
    fn mark_rare(
        &self,
        values: &[u16],
        rest: usize,
        splits: usize,
        marks: &mut Marks,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        meter.work(self.rare.len() as u64 / 64)?;
        let below = self
            .rare
            .partition_point(|(part, _)| (*part as usize) < rest);
        let rare = &self.rare[..below];
        // Where half of the rest is no part, a rare half is passed over.
        let half = match rest.is_multiple_of(2) && splits * 2 < rest {
            true => rare.binary_search_by_key(&(2 * rest), |(part, _)| 4 * *part as usize),
            false => Err(0),
        };
        let (before, after) = match half {
            Ok(place) => (&rare[..place], &rare[place + 1..]),
            Err(_) => (rare, &[][..]),
        };
        for rare in [before, after] {
            let pairs = rare.iter();
            let pairs = pairs.map(|(part, value)| (*value, values[rest - *part as usize]));
            marks.mark_xors(self.width, pairs);
        }
        Ok(())
    }

    /// The least odd number that is not marked.
    fn least_odd(&self, size: usize, marks: &Marks) -> Option<u16> {
        let listed = &self.odd[usize::from(self.alternating) & size];
        let is_free = |value: &u16| !marks.has(*value);
        let odd = listed.iter().copied().find(is_free);
        odd.or_else(|| {
            let beyond = match listed.last() {
                Some(last) => last.checked_add(1)?,
                None => 0,
            };
            (beyond..=u16::MAX)
                .filter(is_free)
                .find(|value| !self.is_even(*value, size))
        })
    }

    /// The least number that is no option, where it is known to be `bound` at most: marks values of splits until every number
    /// below is marked, or no split is left. Those with the least and those with the most even parts come first, for
    /// all rests in turn: gone through rest by rest, Kayles takes a thousand times as long.
    fn scan(
        &self,
        values: &[u16],
        rests: &[(usize, usize)],
        bound: u16,
        kept: &mut Splits,
        marks: &mut Marks,
        meter: &mut Meter<'_>,
    ) -> Result<u16, Stopped> {
        let mut least = marks.least_free(0, bound);
        let most = rests.iter().map(|(_, splits)| splits.div_ceil(2)).max();
        let mut from = 0;
        let mut portion = FIRST_PORTION;
        while least < bound && from < most.unwrap_or(0) {
            meter.work(1 + (portion * rests.len()) as u64 / 32)?;
            for (rest, splits) in rests {
                let split = kept.of(*rest);
                let to = (from + portion).min(splits.div_ceil(2));
                let from = split.scanned;
                if from >= to {
                    continue;
                }
                split.widen(self.width, meter)?;
                split.scanned = to;
                // Parts from+1, …, to from below and as many from the middle, each with its other half.
                for first in [from + 1, splits + 1 - to] {
                    let parts = &values[first..first + to - from];
                    let others = &values[rest + 1 - first - parts.len()..rest + 1 - first];
                    let pairs = parts.iter().zip(others.iter().rev());
                    split
                        .marks
                        .mark_xors(self.width, pairs.map(|(a, b)| (*a, *b)));
                }
                marks.mark_all(&split.marks);
            }
            from += portion;
            portion = from.min(MOST_PORTION);
            least = marks.least_free(least, bound);
        }
        Ok(least)
    }

    /// Notes the value of the next heap, before it is put behind the others. At powers of two the mask is chosen anew.
    pub(crate) fn add(
        &mut self,
        heap: usize,
        value: u16,
        values: &[u16],
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        self.width = self.width.max((usize::from(value) + 1).next_power_of_two());
        if heap >= 16 && heap.is_power_of_two() {
            meter.work(heap as u64 / 16)?;
            self.choose(values);
            let sizes = 1..values.len();
            let rare = sizes.filter(|size| self.is_even(values[*size], *size));
            let rare: Vec<(u32, u16)> = rare.map(|size| (size as u32, values[size])).collect();
            meter.hold((rare.len().saturating_sub(self.rare.len()) * RARE_BYTES) as u64)?;
            self.rare = rare;
        }
        if heap > 0 && self.is_even(value, heap) {
            meter.hold(RARE_BYTES as u64)?;
            self.rare.push((heap as u32, value));
        }
        Ok(())
    }

    /// Takes the mask under which the fewest heaps are rare: O(heaps + values × log values), by the Walsh–Hadamard transform, which
    /// gives for each mask the even heaps less the odd ones.
    fn choose(&mut self, values: &[u16]) {
        let largest = values.iter().copied().max().unwrap_or(0);
        let width = (usize::from(largest) + 1).next_power_of_two().max(2);
        let ways: &[bool] = if self.may_alternate {
            &[false, true]
        } else {
            &[false]
        };
        let mut best = i64::MAX;
        for alternating in ways {
            let mut surplus = vec![0i64; width];
            for (size, value) in values.iter().enumerate().skip(1) {
                let odd = *alternating && size % 2 == 1;
                surplus[usize::from(*value)] += if odd { -1 } else { 1 };
            }
            walsh_hadamard(&mut surplus);
            for (mask, surplus) in (0..=u16::MAX).zip(surplus).skip(1) {
                if surplus < best {
                    best = surplus;
                    self.mask = mask;
                    self.alternating = *alternating;
                }
            }
        }
        self.odd = [0, 1].map(|size| {
            let numbers = (0..=u16::MAX).take(2 * width);
            numbers
                .filter(|value| !self.is_even(*value, size))
                .collect()
        });
    }
}

/// The transform in place; the length is a power of two.
fn walsh_hadamard(list: &mut [i64]) {
    let mut half = 1;
    while half < list.len() {
        for block in list.chunks_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes with many sevens have values of about twice the size of their heaps.
    #[test]
    fn a_table_ends_before_a_value_that_it_cannot_hold() {
        let mut marks = Marks::default();
        (0..=u16::MAX).for_each(|value| marks.mark(value));
        assert_eq!(marks.mex(), None);
        let mut space = Space::new(false);
        assert_eq!(space.least_odd(0, &marks), None);
        space.odd[0] = vec![1, u16::MAX];
        assert_eq!(space.least_odd(0, &marks), None);
        let found = space.least_free(
            &[0, 1, 2],
            &[(2, 1)],
            &mut Splits::default(),
            &mut marks,
            &mut Meter::new(1 << 20, 1 << 20, &|| false),
        );
        assert_eq!(found, Err(Stopped));
    }
}
