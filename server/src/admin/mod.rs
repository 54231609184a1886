//! Administration over a local socket: `grundy-server admin` asks, the running server answers.
//!
//! The socket is in a directory of its own that only the server's user can enter, and the server checks who asks as well. One connection
//! carries one request, a line of JSON, and its one reply. What changes something is in the audit log before it is begun.

mod bans;
pub mod client;
mod desk;
mod drain;
mod erase;
mod matches;
mod players;
mod reload;
mod socket;
mod status;
mod tournaments;

pub use self::desk::Desk;
pub use self::reload::Configuration;
pub use self::socket::{AdminSocket, path_of};
