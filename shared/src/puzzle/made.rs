//! A puzzle, and the criteria by which a position becomes one.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::difficulty::Difficulty;
use crate::ids::{PuzzleId, Seat};
use crate::position::Position;
use crate::practice::{Attempt, Exercise, Key, Theme};
use crate::rated::Family;
use crate::solver::{Budget, reasons, solve};

/// At least so many moves are to choose from.
pub const MIN_MOVES: u64 = 4;
/// At least so many bits: at most half of the moves win.
pub const MIN_BITS: f64 = 1.0;
/// A puzzle lasts at least so many plies if its winner hurries: it is not won by the next move.
pub const MIN_REMOTENESS: u64 = 3;
/// Longer positions do not fit on a screen.
pub const MAX_POSITION_BYTES: usize = 100;

/// A position in which the player to move can force a win.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// The position and who is to move.
    #[serde(rename = "position", with = "key_as_text")]
    pub key: Key,
    /// The idea that wins.
    pub theme: Theme,
    /// How many moves win, at least 1.
    pub winning: u64,
    /// How many moves there are.
    pub legal: u64,
}

/// Why a position is no puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unfit {
    /// The player to move cannot force a win, or that is unknown within the budget.
    #[error("it is not known that the player to move wins")]
    NotWon,
    /// The winning moves were not all found within the budget.
    #[error("the number of winning moves is not known")]
    NotCounted,
    /// Below [`MIN_MOVES`], or below [`MIN_BITS`].
    #[error("there are fewer than {MIN_MOVES} moves, or more than half of them win")]
    TooEasy,
    /// Below [`MIN_REMOTENESS`].
    #[error("the next move ends it")]
    TooShort,
    /// Above [`MAX_POSITION_BYTES`].
    #[error("its text is longer than {MAX_POSITION_BYTES} bytes")]
    TooLong,
}

impl Puzzle {
    /// Makes a puzzle of an exercise.
    ///
    /// # Errors
    /// It does not meet the criteria.
    pub fn of(exercise: &Exercise, budget: &Budget<'_>) -> Result<Self, Unfit> {
        Self::at(&exercise.position, exercise.to_move, budget)
    }

    /// Makes a puzzle of a position. The solver is asked twice, each time within the budget.
    ///
    /// # Errors
    /// It does not meet the criteria.
    pub fn at(position: &Position, to_move: Seat, budget: &Budget<'_>) -> Result<Self, Unfit> {
        let key = Key::of(position, to_move);
        if key.as_str().len() > MAX_POSITION_BYTES {
            return Err(Unfit::TooLong);
        }
        let solution = solve(position, to_move, budget, 0);
        if solution.outcome.winner(to_move) != Some(to_move) {
            return Err(Unfit::NotWon);
        }
        let winning = solution.winning_moves_total.filter(|winning| *winning > 0);
        let (Some(winning), Some(legal)) = (winning, solution.legal_moves) else {
            return Err(Unfit::NotCounted);
        };
        if legal < MIN_MOVES || bits(winning, legal) < MIN_BITS {
            return Err(Unfit::TooEasy);
        }
        if solution
            .remoteness
            .is_some_and(|plies| plies < MIN_REMOTENESS)
        {
            return Err(Unfit::TooShort);
        }
        Ok(Self {
            key,
            theme: Theme::of(position, &reasons(position, to_move, &[], budget)),
            winning,
            legal,
        })
    }

    /// Its id: the first 16 bytes of the SHA-256 of its key.
    #[must_use]
    pub fn id(&self) -> PuzzleId {
        let digest = Sha256::new()
            .chain_update(b"grundy/puzzle/1/")
            .chain_update(self.key.as_str())
            .finalize();
        PuzzleId::from_bytes(&digest[..16]).expect("sixteen bytes of 32")
    }

    /// How hard it is to find a winning move by chance: log2(legal moves / winning moves).
    #[must_use]
    pub fn bits(&self) -> f64 {
        bits(self.winning, self.legal)
    }

    /// How hard it is.
    #[must_use]
    pub fn difficulty(&self) -> Difficulty {
        Difficulty::of(self.bits())
    }

    /// The position, and who is to move.
    #[must_use]
    pub fn position(&self) -> (Position, Seat) {
        self.key.position().expect("a key is made from a position")
    }

    /// The game family.
    #[must_use]
    pub fn family(&self) -> Family {
        Family::of(&self.position().0)
    }

    /// A new attempt at it.
    #[must_use]
    pub fn attempt(&self) -> Attempt {
        let (position, to_move) = self.position();
        Attempt::at(position, to_move, self.theme)
    }
}

fn bits(winning: u64, legal: u64) -> f64 {
    (legal as f64 / winning as f64).log2()
}

/// Keys as text, read with all checks of the notation.
mod key_as_text {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::practice::Key;

    pub(super) fn serialize<S: Serializer>(key: &Key, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(key)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Key, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
