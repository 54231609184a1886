//! Where the options of heaps come from: the rule of a take-and-break game, or a list.

use super::bits::Bits;
use super::heap::Heap;
use super::monoid::{ONE, Quotient};
use crate::theory::take_and_break::Rule;
use crate::theory::{Meter, Stopped};

/// Games, here called heaps, numbered from 0 such that a move makes of each a sum of heaps with smaller numbers.
pub trait Family {
    /// Adds the class of each option of a heap; the classes of all heaps with smaller numbers are known.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the budget is used up.
    fn options(
        &self,
        heap: usize,
        found: &mut OptionClasses<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped>;

    /// More than the weights of all heaps together that one move makes of this one; a heap with a larger number weighs no less.
    fn weight(&self, heap: usize) -> u64;
}

/// The classes of the options of a heap, as they are found.
#[derive(Debug)]
pub struct OptionClasses<'q> {
    quotient: &'q Quotient,
    heaps: &'q [Heap],
    options: Bits,
}

impl<'q> OptionClasses<'q> {
    pub(super) fn new(quotient: &'q Quotient, heaps: &'q [Heap]) -> Self {
        Self {
            quotient,
            heaps,
            options: Bits::new(quotient.order()),
        }
    }

    /// Adds an option: the sum of these heaps.
    pub fn add(&mut self, heaps: impl IntoIterator<Item = usize>) {
        let product = |sum, heap: usize| self.quotient.product(sum, self.heaps[heap].class);
        let class = heaps.into_iter().fold(ONE, product);
        self.options.insert(class);
    }

    pub(super) fn into_bits(self) -> Bits {
        self.options
    }
}

impl Family for Rule {
    fn options(
        &self,
        heap: usize,
        found: &mut OptionClasses<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        for (taken, digit) in self.digits() {
            let Some(rest) = heap.checked_sub(*taken as usize) else {
                break;
            };
            meter.work(1 + rest as u64 / 16)?;
            if *taken > 0 && digit & if rest == 0 { 1 } else { 2 } != 0 {
                found.add([rest]);
            }
            if digit & 4 != 0 {
                for a in 1..=self.splits(rest as u64) as usize {
                    found.add([a, rest - a]);
                }
            }
            if digit & 8 != 0 {
                for a in 1..=rest / 3 {
                    meter.work(1 + rest as u64 / 16)?;
                    for b in a..=(rest - a) / 2 {
                        found.add([a, b, rest - a - b]);
                    }
                }
            }
        }
        Ok(())
    }

    /// n² + 1 for a heap of size n: more than any heaps that together are no larger.
    fn weight(&self, heap: usize) -> u64 {
        heap as u64 * heap as u64 + 1
    }
}

/// Heaps by their options.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    heaps: Vec<(u64, Vec<Box<[u32]>>)>,
}

impl Listed {
    /// Adds the next heap by its options, each the numbers of the heaps that it is the sum of. `weight` is more than the weights of these, and no less than that
    /// of the heap before.
    pub fn push(&mut self, weight: u64, options: Vec<Box<[u32]>>) {
        self.heaps.push((weight, options));
    }

    /// How many heaps there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heaps.len()
    }

    /// Whether there is no heap.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heaps.is_empty()
    }

    pub(super) fn options_of(&self, heap: u32) -> &[Box<[u32]>] {
        &self.heaps[heap as usize].1
    }

    pub(super) fn weight_of(&self, heap: u32) -> u64 {
        self.heaps[heap as usize].0
    }
}

impl Family for Listed {
    fn options(
        &self,
        heap: usize,
        found: &mut OptionClasses<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        for option in &self.heaps[heap].1 {
            meter.work(1)?;
            found.add(option.iter().map(|part| *part as usize));
        }
        Ok(())
    }

    fn weight(&self, heap: usize) -> u64 {
        self.heaps[heap].0
    }
}
