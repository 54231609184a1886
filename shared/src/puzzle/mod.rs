//! Puzzles: won positions of real matches in which a player threw the win away, chosen by exact criteria.
//!
//! A [`Puzzle`] is made of an [`Exercise`](crate::practice::Exercise) and solved as an [`Attempt`](crate::practice::Attempt). A
//! [`Collection`] is a file of puzzles; one comes with the program and has the puzzle of each day.

mod collection;
mod difficulty;
mod made;

pub use collection::{Collection, CollectionError, FIRST_DAY};
pub use difficulty::{Difficulty, UnknownDifficulty};
pub use made::{MAX_POSITION_BYTES, MIN_BITS, MIN_MOVES, MIN_REMOTENESS, Puzzle, Unfit};
