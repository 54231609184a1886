//! How far positions go of which everything is told: no more than 100,000 others can be reached from them.

use crate::erased::Component;

/// Unfinished parts from which on more than 100,000 positions can be reached: each is moved in once or not.
pub(super) const MANY_PARTS: usize = 17;

/// Whether more than 100,000 positions can be reached for sure, so that it need not be told how soon it ends.
pub(super) fn reaches_many<'c>(mut components: impl Iterator<Item = &'c Component>) -> bool {
    let mut free = 0;
    components.any(|component| {
        free += component.free_choices();
        free >= MANY_PARTS
    })
}

/// Work on what is told of positions from which 100,000 can be reached, in nodes: enough for the games that exist.
pub(super) const BOUNDED_NODES: u64 = 40_000_000;

/// Parts that are met before a value is given up: more than 100,000 positions can be reached then.
pub(super) const BOUNDED_PARTS: usize = 120_000;
