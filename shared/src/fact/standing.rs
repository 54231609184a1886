//! What a compound asks of one component.

use serde::{Deserialize, Serialize};

use crate::json::wide;

/// What the law of a compound asks of one component, alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "standing", rename_all = "snake_case")]
pub enum Standing {
    /// `@every`: how long it lasts if its winner delays and its loser hurries.
    Suspense {
        /// In plies.
        #[serde(with = "wide")]
        plies: u64,
    },
    /// `@conjunctive`: how long it lasts if its winner hurries and its loser delays.
    Remoteness {
        /// In plies.
        #[serde(with = "wide")]
        plies: u64,
    },
    /// `@selective` and `@shortselective`: whether the player to move loses it.
    Outcome {
        /// Whether that player loses.
        lost: bool,
    },
    /// `@shortsum`: its foreclosed value.
    Foreclosed {
        /// The value.
        #[serde(with = "wide")]
        value: u64,
    },
    /// `@shortsum` in normal play: a move ends it, and wins.
    Hot {},
    /// A short compound: it has no move left, which ends the game.
    Over {},
    /// `@zero`: its nim-value.
    NimValue {
        /// The value.
        #[serde(with = "wide")]
        value: u64,
    },
}
