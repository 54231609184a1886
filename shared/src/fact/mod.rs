//! Facts about a position and about what a move changes in it: numbers and names without sentences.
//!
//! Games and the solver state facts; words are made of them in one place, so that they can be translated, and every claim that a
//! person reads can be compared with plain recursion.

mod game;
mod general;
mod standing;
mod terms;

pub use game::{AtVertex, GameFact, HeadLaw, HeapReason, Reached, Sized};
pub use general::{Fact, Stake, Worth};
pub use standing::Standing;
pub use terms::{MAX_TERMS, PartKind, Term, Terms};
