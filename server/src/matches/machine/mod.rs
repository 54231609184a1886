//! One live match as a pure machine: [`Input`]s in, [`Effect`]s out. It holds all policy of a match, and knows no runtime,
//! channel, store, socket, clock or chance.
//!
//! A request is decided by the referee ([`deciding`]), stored, and only then answered and announced. While one thing is being
//! stored the next requests wait ([`queue`]). When nothing waits, the match does what is due by itself: it notes who is here
//! ([`presence`]), starts held clocks and lets flags fall ([`clocks`]), moves for a built-in bot ([`bot`]), and ends the offer of
//! a rematch ([`rematch`]).

mod absences;
mod attendance;
mod beginning;
mod bot;
mod bot_time;
mod clocks;
mod deciding;
mod doubt;
mod effect;
mod elsewhere;
mod flight;
mod followers;
mod following;
mod forfeits;
mod handover;
mod hints;
mod hold;
mod input;
mod late;
mod offer;
mod policy;
mod presence;
mod queue;
mod rematch;
mod requests;
mod snapshot;
mod state;
mod step;
mod thinking;

pub use beginning::{Beginning, Origin};
pub use effect::{Counted, Effect, Note, Opening};
pub use input::{Act, CommitRefusal, Input, Thought};
pub use offer::rematch_id;
pub use policy::Policy;
pub use queue::{QUEUE_PER_PLAYER, QUEUE_TO_JOIN};
pub use state::Machine;

#[cfg(test)]
mod tests;
