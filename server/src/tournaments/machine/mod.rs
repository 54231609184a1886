//! One live tournament as a pure machine: [`Input`]s in, [`Effect`]s out. What is to be played follows from the log alone
//! ([`grundy_shared::tournament::Tournament`]); this adds who asks, who follows, what is being stored and which matches were made.
//!
//! One thing is stored at a time. The end of a match comes here with the commit that is to hold it: the result is added, so that
//! both happen or neither.

mod effect;
mod following;
mod input;
mod requests;
mod running;
mod state;

pub use effect::Effect;
pub use input::{Ask, Ended, Input};
pub(in crate::tournaments) use requests::of_error;
pub use state::{Begun, Machine};

#[cfg(test)]
mod tests;
