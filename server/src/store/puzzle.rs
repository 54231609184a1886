//! Puzzles as the store keeps them, and the ratings that follow from the logs of puzzles and of the players who try them.

use grundy_shared::ids::{PlayerId, PuzzleId};
use grundy_shared::puzzle::Puzzle;
use grundy_shared::rated::{Family, RatingState};

/// The most puzzles that one [`Store::puzzles_near`](super::Store::puzzles_near) returns.
pub const PUZZLES_PAGE: usize = 16;

/// A puzzle and its rating.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleRow {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// What its log comes to; its first rating while it has none.
    pub state: RatingState,
}

/// A player's first answer to a puzzle: what the logs of both come to with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PuzzleAttempt {
    /// Who.
    pub player: PlayerId,
    /// The rating of the player. The number of the attempt in the player's log is that of its pairs.
    pub solving: RatingState,
    /// Which puzzle.
    pub puzzle: PuzzleId,
    /// The rating of the puzzle.
    pub tried: RatingState,
}

/// Puzzles for a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PuzzlesWanted {
    /// Who has tried none of them.
    pub player: PlayerId,
    /// Of which family; `None`: of any.
    pub family: Option<Family>,
    /// The rating that theirs are to be near, in hundredths of a point.
    pub rating: i32,
    /// At most so many; cut to [`PUZZLES_PAGE`].
    pub limit: usize,
}
