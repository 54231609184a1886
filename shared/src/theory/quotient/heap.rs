//! A heap in a monoid.

use super::bits::Bits;
use super::monoid::Quotient;

/// A heap in a monoid.
#[derive(Clone, Debug)]
pub(super) struct Heap {
    pub(super) class: u16,
    /// More than the weights of all heaps together that one move makes of it.
    pub(super) weight: u64,
    /// The classes of its options.
    pub(super) options: Bits,
}

impl Heap {
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.class == other.class && self.options == other.options
    }

    /// Both side by side.
    pub(super) fn beside(&self, other: &Self, quotient: &Quotient) -> Self {
        let mut options = Bits::new(quotient.order);
        for option in self.options.iter() {
            options.insert(quotient.product(option, other.class));
        }
        for option in other.options.iter() {
            options.insert(quotient.product(option, self.class));
        }
        Self {
            class: quotient.product(self.class, other.class),
            weight: self.weight + other.weight,
            options,
        }
    }
}
