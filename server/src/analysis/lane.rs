//! The lanes in which jobs wait.

/// Where a job waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lane {
    /// For its first few milliseconds. Most jobs need no more.
    Quick,
    /// A move of a built-in bot that needs more.
    Play,
    /// A password.
    Secret,
    /// An analysis that needs more.
    Study,
}

impl Lane {
    pub(super) const ALL: [Self; 4] = [Self::Quick, Self::Play, Self::Secret, Self::Study];

    pub(super) fn index(self) -> usize {
        match self {
            Self::Quick => 0,
            Self::Play => 1,
            Self::Secret => 2,
            Self::Study => 3,
        }
    }
}
