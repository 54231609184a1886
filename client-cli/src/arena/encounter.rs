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

/// An encounter, and what it has brought so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Met {
    pub(crate) encounter: Encounter,
    /// Half points of both bots from its complete pairs. A game that nobody played because both bots were out brings none.
    pub(crate) halves: [u32; 2],
    /// Complete pairs.
    pub(crate) pairs: u32,
}

impl Met {
    /// Nothing is played yet.
    pub(crate) fn begun(encounter: Encounter) -> Self {
        Self {
            encounter,
            halves: [0, 0],
            pairs: 0,
        }
    }

    /// Whether all its pairs are complete.
    pub(crate) fn is_complete(&self) -> bool {
        self.pairs >= self.encounter.pairs
    }

    /// All its pairs are played, and brought this.
    #[cfg(test)]
    pub(crate) fn over(encounter: Encounter, halves: [u32; 2]) -> Self {
        Self {
            encounter,
            halves,
            pairs: encounter.pairs,
        }
    }
}
