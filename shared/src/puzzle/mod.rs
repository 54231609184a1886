//! Puzzles: won positions of real matches in which a player threw the win away, chosen by exact criteria.
//!
//! A [`Puzzle`] is made of an [`Exercise`](crate::practice::Exercise) and solved as an [`Attempt`](crate::practice::Attempt). A
//! [`Collection`] is a file of puzzles; one comes with the program and has the puzzle of each day. On a server an attempt is a game of Glicko-2 between
//! the player and the puzzle: [`rate`].

mod collection;
mod difficulty;
mod made;
mod rated;

pub use collection::{Collection, CollectionError, FIRST_DAY, SECOND_EDITION_DAY};
pub use difficulty::{Difficulty, UnknownDifficulty};
pub use made::{MAX_POSITION_BYTES, MIN_BITS, MIN_MOVES, MIN_REMOTENESS, Puzzle, Unfit};
pub use rated::{Attempted, Given, PuzzleEvent, SolvingEvent, Tried, first_rating, rate};
