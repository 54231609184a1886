//! From what the configuration says to a bus.

use std::sync::Arc;

use grundy_shared::ids::ServerId;

use super::Bus;
use super::nats::{Nats, NatsError};
use super::none::NoBus;
use super::signs::Signs;
use crate::config::BusUrl;
use crate::lifecycle::Lifecycle;
use crate::metrics::BusMetrics;
use crate::store::NodeId;

/// The bus of this configuration, for the servers that share the store with this id. A server that cannot be reached is tried again and again meanwhile.
///
/// # Errors
/// The address is not valid.
pub fn open(
    url: Option<&BusUrl>,
    server: ServerId,
    node: NodeId,
    metrics: &BusMetrics,
    signs: &Arc<Signs>,
    lifecycle: &Lifecycle,
) -> Result<Arc<dyn Bus>, NatsError> {
    Ok(match url {
        Some(url) => Arc::new(Nats::open(url, server, node, metrics, signs, lifecycle)?),
        None => Arc::new(NoBus),
    })
}
