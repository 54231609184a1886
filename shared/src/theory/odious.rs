//! Odious numbers, those with an odd number of binary ones: the values of the game that replaces a heap by two smaller ones.
//!
//! E. Berlekamp, J. Conway, R. Guy, *Winning Ways* (1982), chapter 14 (Mock Turtles): 1, 2, 4, 7, 8, 11, 13, 14, …

use crate::theory::MoveList;

/// The odious number in this place, counted from 1; 0 in place 0.
#[must_use]
pub fn value(place: u64) -> u64 {
    match place.checked_sub(1) {
        None => 0,
        Some(rank) => 2 * rank + u64::from(rank.count_ones().is_multiple_of(2)),
    }
}

/// The place of a value, if it is 0 or odious.
#[must_use]
pub fn place(value: u64) -> Option<u64> {
    match value {
        0 => Some(0),
        _ => is_odious(value).then_some(value / 2 + 1),
    }
}

fn is_odious(number: u64) -> bool {
    !number.count_ones().is_multiple_of(2)
}

/// The pairs 0 <= a <= b < n whose values have this xor, by the smaller part; the first `want` of them. O(64 + want).
#[must_use]
pub fn pairs_of_value(n: u64, xor: u64, want: usize) -> MoveList<(u64, u64)> {
    if xor == 0 {
        return MoveList {
            first: (0..n).take(want).map(|part| (part, part)).collect(),
            total: u128::from(n),
        };
    }
    if is_odious(xor) {
        // The xor of two odious numbers is not odious: one of the parts is empty.
        let mut replies = MoveList::default();
        if let Some(part) = place(xor).filter(|part| *part < n) {
            replies.push(want, || (0, part));
        }
        return replies;
    }
    let top = xor.ilog2();
    let blocks = blocks(value(n), xor, top);
    let total = blocks.iter().map(|block| block.count(top)).sum();
    let values = blocks.iter().flat_map(|block| block.odious(top));
    let pair = |first: u64| (first / 2 + 1, (first ^ xor) / 2 + 1);
    MoveList {
        first: values.take(want).map(pair).collect(),
        total,
    }
}

/// The numbers that have the same bits as `start` from bit `size` on.
struct Block {
    start: u64,
    size: u32,
}

/// The numbers A without bit `top`, the highest of the xor, for which A and A xor `xor` are below the bound: in blocks, ascending.
fn blocks(bound: u64, xor: u64, top: u32) -> Vec<Block> {
    let below = |size: u32| (bound >> size & 1 == 1).then(|| bound >> (size + 1) << (size + 1));
    // Both agree above `top`; either they are below the bound there already,
    let apart = (top + 1..63).filter_map(|size| {
        Some(Block {
            start: below(size)?,
            size,
        })
    });
    let mut blocks: Vec<Block> = apart.collect();
    // or they are equal to it, and the greater one, which has bit `top`, is below it further down.
    if bound >> top & 1 == 1 {
        let near = (0..top).filter_map(|size| {
            let start = (below(size)? ^ xor) >> size << size;
            Some(Block { start, size })
        });
        blocks.extend(near);
    }
    blocks.sort_unstable_by_key(|block| block.start);
    blocks
}

impl Block {
    /// How many of its numbers are odious and have no bit `top`.
    fn count(&self, top: u32) -> u128 {
        match self.size {
            0 => u128::from(is_odious(self.start)),
            // Here bit `top` of the block is free, and not the lowest, since xor is not odious.
            size if size > top => 1 << (size - 2),
            size => 1 << (size - 1),
        }
    }

    fn odious(&self, top: u32) -> impl Iterator<Item = u64> {
        let end = self.start + (1 << self.size);
        let mut next = self.start;
        std::iter::from_fn(move || {
            while next < end {
                if next >> top & 1 == 1 {
                    next = ((next >> top) + 1) << top;
                    continue;
                }
                next += 1;
                if is_odious(next - 1) {
                    return Some(next - 1);
                }
            }
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::mex;

    #[test]
    fn values_agree_with_the_definition() {
        let mut values: Vec<u64> = Vec::new();
        for heap in 0..90u64 {
            let pairs = values
                .iter()
                .flat_map(|a| values.iter().map(move |b| a ^ b));
            let options: Vec<u64> = pairs.collect();
            values.push(mex(&options));
            assert_eq!(value(heap), values[heap as usize]);
            assert_eq!(place(value(heap)), Some(heap));
        }
        assert_eq!(values[1..9], [1, 2, 4, 7, 8, 11, 13, 14], "A000069");
    }

    #[test]
    fn pairs_agree_with_listing() {
        for n in 0..40u64 {
            for xor in 0..130 {
                let pairs = (0..n).flat_map(|a| (a..n).map(move |b| (a, b)));
                let pairs: Vec<(u64, u64)> = pairs
                    .filter(|(a, b)| value(*a) ^ value(*b) == xor)
                    .collect();
                let found = pairs_of_value(n, xor, 4);
                assert_eq!(found.total, pairs.len() as u128, "{n} {xor}");
                assert_eq!(found.first, pairs[..pairs.len().min(4)], "{n} {xor}");
            }
        }
    }
}
