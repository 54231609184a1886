//! A finite commutative monoid with lost and other classes, and the bounds of its search.

use super::bits::Bits;

/// Classes of a quotient above which it is given up.
pub const MAX_ORDER: usize = 1_024;

/// Equal heaps that are put side by side in search of a repetition before it is given up.
pub(super) const MAX_COPIES: usize = 32;

/// Classes of sums told apart by their options, above which a heap is given up.
pub(super) const MAX_REFINED: usize = 2_048;

/// The class of the empty sum.
pub const ONE: u16 = 0;

/// A finite commutative monoid whose elements are lost or not.
#[derive(Clone, Debug)]
pub struct Quotient {
    pub(super) order: usize,
    /// Row by row.
    pub(super) products: Vec<u16>,
    pub(super) lost: Bits,
}

impl Quotient {
    /// The quotient of no heaps at all: one class, not lost.
    pub(super) fn trivial() -> Self {
        Self {
            order: 1,
            products: vec![ONE],
            lost: Bits::new(1),
        }
    }

    /// How many classes there are.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// How many of them are lost for the player to move.
    #[must_use]
    pub fn lost_order(&self) -> usize {
        self.lost.len()
    }

    /// The class of two sums side by side.
    #[must_use]
    pub fn product(&self, a: u16, b: u16) -> u16 {
        self.products[usize::from(a) * self.order + usize::from(b)]
    }

    /// Whether the player to move loses.
    #[must_use]
    pub fn is_lost(&self, class: u16) -> bool {
        self.lost.has(class)
    }

    /// Every class.
    pub(super) fn classes(&self) -> impl Iterator<Item = u16> + use<> {
        (0..=u16::MAX).take(self.order)
    }

    /// The classes beside which this one is lost.
    pub(super) fn lost_beside(&self, class: u16) -> Bits {
        self.shifted(&self.lost, class)
    }

    /// The classes whose product with this one is in the set.
    pub(super) fn shifted(&self, set: &Bits, by: u16) -> Bits {
        let mut shifted = Bits::new(self.order);
        for class in self.classes() {
            if set.has(self.product(class, by)) {
                shifted.insert(class);
            }
        }
        shifted
    }

    /// The classes beside which one of the options is lost.
    pub(super) fn reach(&self, options: &Bits) -> Bits {
        let mut reach = Bits::new(self.order);
        for option in options.iter() {
            reach.unite(&self.lost_beside(option));
        }
        reach
    }
}
