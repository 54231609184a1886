//! Practice: won positions that a player threw away, to be won again.
//!
//! An [`Exercise`] comes from a [`Review`](crate::review::Review), and an [`Attempt`] is one try at it as a state machine. Both are pure: when
//! an exercise is due again is for the client, which knows the time. All hints are typed facts; the client has the words.

mod attempt;
mod exercise;
mod help;
mod hint;
mod refutation;
mod theme;

pub use attempt::{Answer, Attempt, Performance, Shown};
pub use exercise::{Exercise, Key, Origin};
pub use help::{NoHints, no_hints};
pub use hint::{AMONG, Hint, Place, RUNGS};
pub use refutation::{LINE, Refutation};
pub use theme::Theme;
