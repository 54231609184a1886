//! Sets of small numbers.

/// A set of small numbers, all below a bound.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Bits(Box<[u64]>);

impl Bits {
    pub(super) fn new(bound: usize) -> Self {
        Self(vec![0; bound.div_ceil(64)].into())
    }

    pub(super) fn insert(&mut self, number: u16) {
        self.0[usize::from(number) / 64] |= 1 << (number % 64);
    }

    pub(super) fn has(&self, number: u16) -> bool {
        self.0[usize::from(number) / 64] >> (number % 64) & 1 == 1
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(super) fn unite(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own |= other;
        }
    }

    pub(super) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    pub(super) fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// The numbers in it, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        (0..).zip(&self.0).flat_map(|(place, word): (u16, &u64)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as u16)?;
                rest &= rest - 1;
                Some(place * 64 + bit)
            })
        })
    }
}
