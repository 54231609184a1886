//! The size up to which everything is reported about a position: at most 100,000 positions can be reached from it.

use crate::erased::Component;

/// With this many unfinished parts, more than 100,000 positions can be reached, because each part has been moved in or not.
pub(super) const MANY_PARTS: usize = 17;

/// Whether certainly more than 100,000 positions can be reached, so that the remoteness need not be reported.
pub(super) fn reaches_many<'c>(mut components: impl Iterator<Item = &'c Component>) -> bool {
    let mut free = 0;
    components.any(|component| {
        free += component.free_choices();
        free >= MANY_PARTS
    })
}

/// Work on a position from which at most 100,000 can be reached, in nodes: enough for every registered game.
pub(super) const BOUNDED_NODES: u64 = 40_000_000;

/// Once this many parts were met, the value is given up: more than 100,000 positions can be reached.
pub(super) const BOUNDED_PARTS: usize = 120_000;
