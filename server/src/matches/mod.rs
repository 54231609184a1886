//! Matches: each a pure [`machine`] behind a lock, and what connects the machines with connections, store, time and solver.
//!
//! A request is a call: the session locks the match, steps its machine and carries out what follows ([`live`]). What is to be
//! stored goes to the committer, which tells the match the outcome. Nothing here knows sockets: a connection is an
//! [`outbox::Outbox`].

mod bot_moves;
pub mod builtin;
pub mod creation;
mod damaged;
mod deadlines;
mod effects;
pub mod frame;
mod herald;
mod host;
pub mod live;
mod local_request;
pub mod machine;
pub mod outbox;
mod pulse;
mod quota;
mod rebuild;
mod recovery;
pub mod refusal;
pub mod registry;
pub mod sight;
mod tally;

pub use creation::{Created, NewGame, NewMatch, Rival};
pub use frame::Frame;
pub use herald::Herald;
pub use host::Services;
pub(crate) use live::Input;
pub use live::{Case, LiveMatch};
pub use local_request::LocalRequest;
pub use machine::Act;
pub use outbox::{Backlog, Outbox, Outgoing, ReplyTo, Said};
pub use registry::Matches;
pub use tally::Tally;
