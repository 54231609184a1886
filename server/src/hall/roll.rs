//! Which servers live, as the words say.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::spoken::Life;

/// The lives that began, and those that are over. Bounded by how many servers there ever were.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Roll {
    living: BTreeMap<u32, u64>,
    gone: BTreeMap<u32, u64>,
}

impl Roll {
    /// A life begins.
    pub(super) fn born(&mut self, life: Life) {
        if !self.is_gone(life) {
            self.living.insert(life.node, life.epoch);
        }
    }

    /// A life and those before it are over.
    pub(super) fn leave(&mut self, life: Life) {
        let gone = self.gone.entry(life.node).or_insert(0);
        *gone = life.epoch.max(*gone);
        let over = |epoch: &u64| *epoch <= life.epoch;
        if self.living.get(&life.node).is_some_and(over) {
            self.living.remove(&life.node);
        }
    }

    /// Whether a life is over.
    pub(super) fn is_gone(&self, life: Life) -> bool {
        let gone = self.gone.get(&life.node);
        gone.is_some_and(|gone| life.epoch <= *gone)
    }

    /// Whether a life began that is over with this one, and nobody has said so.
    pub(super) fn has(&self, life: Life) -> bool {
        let living = self.living.get(&life.node);
        living.is_some_and(|epoch| *epoch <= life.epoch)
    }

    /// Whether this one does what only one has to do. The words decide wherever two do it.
    pub(super) fn leads(&self, life: Life) -> bool {
        let first = self.living.first_key_value();
        first.is_some_and(|(node, epoch)| (*node, *epoch) == (life.node, life.epoch))
    }

    /// The place of this life among those that live, from 0 on, and how many they are; `None` if it is not among them.
    pub(super) fn place(&self, life: Life) -> Option<(usize, usize)> {
        let place = self.living.keys().position(|node| *node == life.node)?;
        Some((place, self.living.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn life(node: u32, epoch: u64) -> Life {
        Life { node, epoch }
    }

    #[test]
    fn the_first_that_lives_leads_and_no_life_comes_back() {
        let mut roll = Roll::default();
        roll.born(life(2, 1));
        roll.born(life(7, 4));
        assert!(roll.leads(life(2, 1)) && !roll.leads(life(7, 4)));
        assert_eq!(roll.place(life(2, 1)), Some((0, 2)));
        assert_eq!(roll.place(life(7, 4)), Some((1, 2)));
        assert_eq!(roll.place(life(3, 1)), None);
        // A take-over counts the next life before it begins.
        roll.leave(life(2, 2));
        assert!(roll.leads(life(7, 4)) && roll.is_gone(life(2, 1)));
        roll.born(life(2, 1));
        assert!(!roll.has(life(2, 9)), "a life that is over begins again");
        roll.born(life(2, 3));
        assert!(roll.leads(life(2, 3)) && roll.has(life(2, 3)));
        roll.leave(life(2, 2));
        assert!(roll.leads(life(2, 3)), "the end of an older life ends it");
    }
}
