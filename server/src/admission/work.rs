//! The kinds of work that can be refused, in the order in which the server gives them up.

use super::level::Level;

/// New work that the server need not begin. What was begun is never among it: moves, ends and resumes of running matches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Work {
    /// A player who was not here before: `hello` without a token.
    Guest,
    /// Whatever leads to a match or tournament that does not exist yet.
    Match,
    /// An analysis that nobody's match waits for.
    Analysis,
    /// Somebody more who watches.
    Watch,
}

impl Work {
    /// All kinds, the first to be refused first.
    pub const ALL: [Self; 4] = [Self::Guest, Self::Match, Self::Analysis, Self::Watch];

    /// The kinds that wait before they are refused. An analysis has a queue of its own, and a watcher sees nothing while it waits.
    pub const THAT_WAITS: [Self; 2] = [Self::Guest, Self::Match];

    /// The level from which on this is refused.
    #[must_use]
    pub fn refused_from(self) -> Level {
        match self {
            Self::Guest => Level::GUESTS,
            Self::Match => Level::MATCHES,
            Self::Analysis => Level::ANALYSIS,
            Self::Watch => Level::WATCHERS,
        }
    }

    /// The kind as metrics name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Guest => "guest",
            Self::Match => "match",
            Self::Analysis => "analysis",
            Self::Watch => "watch",
        }
    }

    /// What a client is told does not begin now.
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Self::Guest => "new guests",
            Self::Match => "new matches",
            Self::Analysis => "analyses",
            Self::Watch => "new watchers",
        }
    }
}
