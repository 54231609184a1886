//! A meeting of two bots, of one pair of games or more.

/// Two bots that meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Encounter {
    /// From 1.
    pub(crate) round: u32,
    /// The bots by their places; the first one moves first in the first game of each pair.
    pub(crate) bots: [usize; 2],
    pub(crate) pairs: u32,
    /// The first start of the suite that they use.
    pub(crate) from_start: u32,
}
