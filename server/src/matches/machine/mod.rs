//! One live match as a pure machine: [`Input`]s in, [`Effect`]s out. It holds all policy of a match, and knows no runtime,
//! channel, store, socket, clock or chance.

mod commit;
mod effect;
mod input;
mod stored;

pub use commit::{Commit, NewMatch, Room};
pub use effect::{Effect, Note, Opening};
pub use input::{Act, CommitRefusal, Input, Thought};
pub use stored::Stored;
