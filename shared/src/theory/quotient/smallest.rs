//! The smallest reaches of each class.

use rustc_hash::FxHashMap;

use super::bits::Bits;

/// For each class the reaches that contain no other one.
#[derive(Clone, Debug, Default)]
pub(super) struct Smallest(FxHashMap<u16, Vec<Bits>>);

impl Smallest {
    /// Adds a reach, unless a smaller one or itself is there.
    pub(super) fn insert(&mut self, class: u16, reach: Bits) -> bool {
        let known = self.0.entry(class).or_default();
        if known.iter().any(|smaller| smaller.is_within(&reach)) {
            return false;
        }
        known.retain(|larger| !reach.is_within(larger));
        known.push(reach);
        true
    }

    pub(super) fn has(&self, class: u16, reach: &Bits) -> bool {
        self.0
            .get(&class)
            .is_some_and(|known| known.contains(reach))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u16, Bits)> + '_ {
        let classes = self.0.iter();
        classes.flat_map(|(class, known)| known.iter().map(|reach| (*class, reach.clone())))
    }
}
