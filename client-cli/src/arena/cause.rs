//! Why a game ended.

use serde::{Deserialize, Serialize};

/// Why a game ended. All but the first two and the last four are faults of a bot, which loses the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Cause {
    /// By the rules: nobody moves any more, or a position came for the third time.
    Normal,
    /// A player gave up.
    Resign,
    /// The time was up, and the answer came late.
    Time,
    /// A move that is not legal.
    Illegal,
    /// A line that is no answer, or far too many of them.
    Malformed,
    /// The process ended.
    Crash,
    /// The time was up, and nothing came.
    Stall,
    /// The bot did not get ready for the game.
    NotReady,
    /// The bot had failed too often in a row and plays no more.
    Withdrawn,
    /// The game reached the move limit, and is a draw.
    Adjudicated,
    /// The solver proved who wins, and the arena ends such games.
    Decided,
}

impl Cause {
    /// Whether it is held against a bot.
    pub(crate) fn is_fault(self) -> bool {
        !matches!(
            self,
            Self::Normal | Self::Resign | Self::Withdrawn | Self::Adjudicated | Self::Decided
        )
    }

    /// As in records.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Resign => "resign",
            Self::Time => "time",
            Self::Illegal => "illegal",
            Self::Malformed => "malformed",
            Self::Crash => "crash",
            Self::Stall => "stall",
            Self::NotReady => "not_ready",
            Self::Withdrawn => "withdrawn",
            Self::Adjudicated => "adjudicated",
            Self::Decided => "decided",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cause::*;

    #[test]
    fn a_fault_is_held_against_its_bot_and_nothing_else_is() {
        for fault in [Time, Illegal, Malformed, Crash, Stall, NotReady] {
            assert!(fault.is_fault(), "{fault:?}");
        }
        for other in [Normal, Resign, Withdrawn, Adjudicated, Decided] {
            assert!(!other.is_fault(), "{other:?}");
        }
    }

    #[test]
    fn the_bots_hear_the_word_that_the_journal_has() {
        for cause in [
            Normal,
            Resign,
            Time,
            Illegal,
            Malformed,
            Crash,
            Stall,
            NotReady,
            Withdrawn,
            Adjudicated,
            Decided,
        ] {
            let written = serde_json::to_value(cause).expect("a word");
            assert_eq!(written, cause.word());
        }
    }
}
