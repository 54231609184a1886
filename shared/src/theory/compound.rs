//! Compounds: in which components a move is made, and when the whole is over.
//!
//! Smith, *Graphs and composite games* (1966); Conway, *On Numbers and Games* (1976), chapter 14.

/// How components are played together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Compound {
    /// `+` alone: a move is made in one component; over when none has a move.
    #[default]
    Sum,
    /// `@every`: a move is made in every component that has one; over when none has.
    Every,
    /// `@selective`: a move is made in one or more components; over when none has one.
    Selective,
    /// `@conjunctive`: a move is made in every component; over as soon as one has none.
    Conjunctive,
    /// `@shortsum`: as `+`, but over as soon as one component has no move.
    ShortSum,
    /// `@shortselective`: as `@selective`, but over as soon as one component has no move.
    ShortSelective,
    /// `@zero`: as `+`, but over as soon as every component has nim-value 0.
    UntilZero,
}

/// In how many components a move is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Breadth {
    /// In exactly one.
    One,
    /// In one or more.
    Any,
    /// In every one that has a move.
    Each,
}

impl Compound {
    /// Those that have a word in the notation.
    pub const NAMED: [Self; 6] = [
        Self::Every,
        Self::Selective,
        Self::Conjunctive,
        Self::ShortSum,
        Self::ShortSelective,
        Self::UntilZero,
    ];

    /// The word after `@`; empty for `+`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Sum => "",
            Self::Every => "every",
            Self::Selective => "selective",
            Self::Conjunctive => "conjunctive",
            Self::ShortSum => "shortsum",
            Self::ShortSelective => "shortselective",
            Self::UntilZero => "zero",
        }
    }

    /// The compound of this word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|named| named.word() == word)
    }

    /// What a title adds to the names of the games; empty for `+`.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Sum => "",
            Self::Every => "every component",
            Self::Selective => "any components",
            Self::Conjunctive => "every component, short",
            Self::ShortSum => "one component, short",
            Self::ShortSelective => "any components, short",
            Self::UntilZero => "one component, until all are 0",
        }
    }

    /// The rule in a sentence; the end rule says who then wins.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::Sum => {
                "A move is made in one component; the game ends when no component has a move."
            }
            Self::Every => {
                "A move is made in every component that has one; the game ends when none has."
            }
            Self::Selective => {
                "A move is made in one or more components; the game ends when no component has a move."
            }
            Self::Conjunctive => {
                "A move is made in every component; the game ends as soon as one component has no move."
            }
            Self::ShortSum => {
                "A move is made in one component; the game ends as soon as one component has no move."
            }
            Self::ShortSelective => {
                "A move is made in one or more components; the game ends as soon as one component has no move."
            }
            Self::UntilZero => {
                "A move is made in one component; the game ends as soon as every component has nim-value 0."
            }
        }
    }

    /// What the rule leaves open where the players have different moves (Conway 1976, chapter 14): a component is over for a player who has no move in it.
    pub const WITH_SIDES: &str = "Only the moves of the player to move count: where only the opponent has a move, there is none.";

    /// Whether it is over as soon as one component has no move.
    #[must_use]
    pub fn is_short(self) -> bool {
        matches!(
            self,
            Self::Conjunctive | Self::ShortSum | Self::ShortSelective
        )
    }

    /// In how many components a move is made.
    #[must_use]
    pub fn breadth(self) -> Breadth {
        match self {
            Self::Sum | Self::ShortSum | Self::UntilZero => Breadth::One,
            Self::Selective | Self::ShortSelective => Breadth::Any,
            Self::Every | Self::Conjunctive => Breadth::Each,
        }
    }
}
