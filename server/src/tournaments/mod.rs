//! Tournaments: each a log of its own and a pure [`machine`] behind a lock, and what connects the machines with connections,
//! store, time and matches.
//!
//! The end of a match of a tournament comes here before it is stored ([`crate::matches::Tally`]): the tournament adds the result to
//! the commit. Whoever holds the lock of a tournament may lock a match, never the other way round.

mod catalogue;
mod creation;
mod elsewhere;
mod ending;
mod hinted;
mod host;
mod live;
pub mod machine;
mod registry;

pub use catalogue::unnamed_entry;
pub use creation::{Organiser, Wish};
pub use ending::ENDED_BY_OPERATOR;
pub use host::Services;
pub(crate) use live::Input;
pub use live::{LiveTournament, Unfinished};
pub use registry::{Tournaments, no_such_tournament};
