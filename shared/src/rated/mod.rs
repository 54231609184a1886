//! Rated pairs. What is rated is a pair: two games from one start with sides swapped, because the start alone decides a game between perfect
//! players (docs/decisions/0018). Each player has a rating for each game family, and each rating is a log.
//!
//! The arithmetic is that of [`rating`](crate::rating).

mod event;
mod family;
mod pair;
mod start;
mod state;
mod strength;

pub use crate::event::PairScore;
pub use event::{Rated, RatingEvent};
pub use family::{Family, UnknownFamily};
pub use pair::RatedPair;
pub use start::is_forced;
pub use state::{RatingFault, RatingState};
pub use strength::{PERIOD_MS, Strength, TAU};
