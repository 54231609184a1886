//! How hard a puzzle is.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// How hard it is to find a winning move by chance, from the bits of the position: log2(legal moves / winning moves).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Difficulty {
    /// Below 2 bits: more than one move in four wins.
    Easy,
    /// From 2 bits to below 3.5: at least one move in eleven wins.
    Medium,
    /// From 3.5 bits.
    Hard,
}

impl Difficulty {
    /// Every difficulty, the easiest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];

    /// The difficulty of a position with so many bits.
    #[must_use]
    pub fn of(bits: f64) -> Self {
        match bits {
            bits if bits < 2.0 => Self::Easy,
            bits if bits < 3.5 => Self::Medium,
            _ => Self::Hard,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no difficulty has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no difficulty {0:?}: use easy, medium or hard")]
pub struct UnknownDifficulty(pub String);

impl FromStr for Difficulty {
    type Err = UnknownDifficulty;

    fn from_str(name: &str) -> Result<Self, UnknownDifficulty> {
        let found = Self::ALL.into_iter().find(|one| one.name() == name);
        found.ok_or_else(|| UnknownDifficulty(name.to_owned()))
    }
}
