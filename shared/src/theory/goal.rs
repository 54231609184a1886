//! What a player aims at in one part of a sum.

use crate::theory::Tally;

/// Where a player wants to bring one part of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// To this Grundy value.
    Value(u64),
    /// To one that is lost for the player to move in misère play, with nothing beside it but parts of value at most 1 whose
    /// xor is this; 0 where nothing else is on the board.
    MisereLoss(u64),
}

impl Goal {
    /// What a part must become so that the opponent loses beside others; in misère play all are tame.
    #[must_use]
    pub fn beside(others: Tally, misere: bool) -> Self {
        match misere && others.large == 0 {
            true => Self::MisereLoss(others.xor),
            false => Self::Value(others.xor),
        }
    }

    /// The Grundy value that a tame part must be brought to where no move makes several parts of it.
    #[must_use]
    pub fn of_one_part(self) -> u64 {
        match self {
            Self::Value(value) => value,
            Self::MisereLoss(beside) => beside ^ 1,
        }
    }
}
