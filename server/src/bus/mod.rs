//! Hints between servers that share a store: a log has grown. The trait [`Bus`], its laws, and what carries hints.
//!
//! A hint only makes a server look at the log at once instead of some time later. So one that is lost costs time, one that comes late, twice or from a stranger
//! costs a look, and none can show anybody a wrong board: what a match is comes from the log alone.
//!
//! # Laws
//!
//! 1. **Never in the way.** To publish neither waits nor fails. What cannot be carried is dropped and counted.
//! 2. **Bounded.** What waits to be sent, and what was received, has a limit.
//! 3. **Of others only.** A server does not hear its own hints.

pub mod hint;
pub mod nats;
pub mod none;
pub mod open;
pub mod publisher;
pub mod signs;

use async_trait::async_trait;

pub use self::hint::Hint;

/// Carries hints between servers.
#[async_trait]
pub trait Bus: Send + Sync + 'static {
    /// Hands a hint on, or drops it.
    fn publish(&self, hint: Hint);

    /// Sends the other servers a sign of life: this one reaches the database, and is overloaded or not.
    fn beat(&self, overloaded: bool) {
        let _ = overloaded;
    }

    /// Whether hints are carried now, as far as is known.
    fn is_connected(&self) -> bool;

    /// The next hint of another server. It waits for ever where none can come. For one caller.
    async fn next(&self) -> Hint;
}
