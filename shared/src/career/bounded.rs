//! A table with a bound: what comes when it is full is counted, not kept.

use std::collections::BTreeMap;

/// Bytes of the text of a position that is kept. Longer ones are left out.
pub(super) const TEXT_MAX: usize = 256;

/// At most so many entries.
#[derive(Clone, Debug)]
pub(super) struct Bounded<K, V> {
    entries: BTreeMap<K, V>,
    most: usize,
    left_out: u64,
}

impl<K: Ord, V: Default> Bounded<K, V> {
    pub(super) fn new(most: usize) -> Self {
        Self {
            entries: BTreeMap::new(),
            most,
            left_out: 0,
        }
    }

    /// The entry of this key; `None`, and counted, if it is new and the table is full.
    pub(super) fn entry(&mut self, key: K) -> Option<&mut V> {
        if self.entries.len() >= self.most && !self.entries.contains_key(&key) {
            self.leave_out();
            return None;
        }
        Some(self.entries.entry(key).or_default())
    }

    /// Counts something that does not fit.
    pub(super) fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// What was left out.
    pub(super) fn left_out(&self) -> u64 {
        self.left_out
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.entries.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_table_goes_on_with_what_it_has() {
        let mut table = Bounded::<&str, u32>::new(1);
        for key in ["a", "b", "a", "c"] {
            if let Some(count) = table.entry(key) {
                *count += 1;
            }
        }
        assert_eq!(table.iter().collect::<Vec<_>>(), [(&"a", &2)]);
        assert_eq!(table.left_out(), 2);
    }
}
