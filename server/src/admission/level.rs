//! How much the server gives up.

/// How much the server gives up, from 0 (nothing) to 4. Each level gives up what the levels below it do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Level(u8);

impl Level {
    /// Nothing is refused.
    pub const CALM: Self = Self(0);
    /// New guests are refused.
    pub const GUESTS: Self = Self(1);
    /// New matches are refused too.
    pub const MATCHES: Self = Self(2);
    /// Analyses are refused too, and the server is not ready for new work.
    pub const ANALYSIS: Self = Self(3);
    /// New watchers are refused too. There is no higher level: matches that run are served whatever happens.
    pub const WATCHERS: Self = Self(4);

    /// The number, 0 to 4; what is beyond counts as 4.
    #[must_use]
    pub fn new(number: u8) -> Self {
        Self(number.min(Self::WATCHERS.0))
    }

    /// The number, 0 to 4.
    #[must_use]
    pub fn number(self) -> u8 {
        self.0
    }

    /// One less; nothing is below 0.
    #[must_use]
    pub(super) fn lower(self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}
