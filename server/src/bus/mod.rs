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

mod hint;
mod nats;
mod none;
mod publisher;

use std::sync::Arc;

use async_trait::async_trait;
use grundy_shared::ids::ServerId;

pub use self::hint::{HINTS_MAX, Hint, Packet};
pub use self::nats::{Nats, NatsError};
pub use self::none::NoBus;
pub use self::publisher::Publisher;
use crate::config::BusUrl;
use crate::lifecycle::Lifecycle;
use crate::metrics::BusMetrics;
use crate::store::NodeId;

/// Carries hints between servers.
#[async_trait]
pub trait Bus: Send + Sync + 'static {
    /// Hands a hint on, or drops it.
    fn publish(&self, hint: Hint);

    /// The next hint of another server. It waits for ever where none can come. For one caller.
    async fn next(&self) -> Hint;
}

/// The bus of this configuration, for the servers that share the store with this id. A server that cannot be reached is tried again and again meanwhile.
///
/// # Errors
/// The address is not valid.
pub fn open(
    url: Option<&BusUrl>,
    server: ServerId,
    node: NodeId,
    metrics: &BusMetrics,
    lifecycle: &Lifecycle,
) -> Result<Arc<dyn Bus>, NatsError> {
    Ok(match url {
        Some(url) => Arc::new(Nats::open(url, server, node, metrics.clone(), lifecycle)?),
        None => Arc::new(NoBus),
    })
}
