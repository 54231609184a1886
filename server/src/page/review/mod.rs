//! The pages of a review: the board after each move, who holds the win, the marks, why a win was given away, and its positions as exercises.
//!
//! The server paints a review whole, at the ply that the address names, so that it can be read and walked through without scripts. The review itself is
//! made by the solver's threads only, for those who ask for it by the protocol; here it is shown once it is known.

mod ending;
mod learn;
mod place;
mod row;
mod shown;
mod totals;

pub(super) use self::learn::show as learn;
pub(super) use self::shown::show;
