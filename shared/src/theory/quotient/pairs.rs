//! Classes with copies of a new heap, and which of them are alike.

use rustc_hash::FxHashMap;

use super::bits::Bits;
use super::monoid::{MAX_ORDER, MAX_REFINED, Quotient};
use crate::theory::{Meter, Stopped};

/// Pairs that are alike, taken together.
pub(super) struct Alike {
    /// The class of each pair.
    pub(super) class_of: Vec<u16>,
    /// The first pair of each class.
    pub(super) firsts: Vec<usize>,
}

/// Classes with a number of copies of a new heap: pair number p is class p % order with p / order copies.
pub(super) struct Pairs<'b> {
    quotient: &'b Quotient,
    columns: &'b [Bits],
    /// From this number of copies on they repeat.
    start: usize,
    /// So many are different.
    copies: usize,
}

impl<'b> Pairs<'b> {
    pub(super) fn new(quotient: &'b Quotient, columns: &'b [Bits]) -> Self {
        let copies = columns.len() - 1;
        let start = columns.iter().position(|column| *column == columns[copies]);
        Self {
            quotient,
            columns,
            start: start.unwrap_or(0),
            copies,
        }
    }

    fn len(&self) -> usize {
        self.quotient.order * self.copies
    }

    /// One copy of the new heap.
    pub(super) fn copy(&self) -> usize {
        self.fold(1) * self.quotient.order
    }

    fn fold(&self, copies: usize) -> usize {
        match copies.checked_sub(self.start) {
            Some(beyond) => self.start + beyond % (self.copies - self.start),
            None => copies,
        }
    }

    pub(super) fn product(&self, a: usize, b: usize) -> usize {
        let order = self.quotient.order;
        let class = self.quotient.products[a % order * order + b % order];
        usize::from(class) + self.fold(a / order + b / order) * order
    }

    pub(super) fn is_lost(&self, pair: usize) -> bool {
        let order = self.quotient.order;
        self.columns[pair / order].has((pair % order) as u16)
    }

    /// Two pairs are alike when they are lost beside the same pairs.
    pub(super) fn alike(&self, meter: &mut Meter<'_>) -> Result<Option<Alike>, Stopped> {
        if self.len() > 4 * MAX_REFINED {
            return Ok(None);
        }
        let mut numbers: FxHashMap<Bits, u16> = FxHashMap::default();
        let mut class_of = Vec::with_capacity(self.len());
        let mut firsts = Vec::new();
        for pair in 0..self.len() {
            meter.work(1 + self.len() as u64 / 16)?;
            let mut beside = Bits::new(self.len());
            for other in 0..self.len() {
                if self.is_lost(self.product(pair, other)) {
                    beside.insert(other as u16);
                }
            }
            let next = firsts.len() as u16;
            let class = *numbers.entry(beside).or_insert(next);
            if class == next {
                firsts.push(pair);
                meter.hold(self.len() as u64 / 8 + 48)?;
                if firsts.len() > MAX_ORDER {
                    return Ok(None);
                }
            }
            class_of.push(class);
        }
        meter.release((firsts.len() * (self.len() / 8 + 48)) as u64);
        Ok(Some(Alike { class_of, firsts }))
    }
}
