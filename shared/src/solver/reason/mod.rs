//! The reason for a move: what it leaves, why that is won or lost, and the reply that refutes it if it loses.
//!
//! All of it is [facts](crate::fact::Fact); `words` makes sentences of them.

mod change;
mod compounds;
mod explainer;
mod partizan_sum;
mod summands;
mod sums;
mod types;
mod why;
mod words;

pub(super) use explainer::{best, changed, whole, working};
pub(super) use sums::advised;

pub use explainer::reasons;
pub use types::{Assessment, MoveReason, MoveResult, Reasons, Reply};
