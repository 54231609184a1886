//! Metrics of the servers that share a database. A server with a store of its own has none of these series.

use std::fmt;

use prometheus_client::encoding::{EncodeMetric, MetricEncoder};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::{Registry, Unit};

use super::known::{Known, Since};
use super::labels::ByReason;
use super::sharded::Timing;

/// See the module. Clones count the same.
#[derive(Clone, Default, Debug)]
pub struct ClusterMetrics {
    /// Servers on this database that live, this one included, as it sees them.
    pub alive: Known,
    /// Take-overs by this server, of a server that was `dead` or had `stopped`.
    pub takeovers: Family<ByReason, Counter>,
    /// When this server stored its last heartbeat.
    pub heartbeat: Since,
    /// From the commit of an event on another server to its arrival here, by the clock of the database.
    pub delay: Delay,
}

/// A histogram without a series until something was timed. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct Delay(Timing);

impl Delay {
    /// Notes a time.
    pub fn observe(&self, seconds: f64) {
        self.0.observe(seconds);
    }
}

impl EncodeMetric for Delay {
    fn encode(&self, encoder: MetricEncoder<'_>) -> fmt::Result {
        self.0.encode(encoder)
    }

    fn metric_type(&self) -> MetricType {
        self.0.metric_type()
    }

    fn is_empty(&self) -> bool {
        self.0.is_unused()
    }
}

impl ClusterMetrics {
    pub(super) fn register(&self, to: &mut Registry) {
        let help = "Servers on this database that live, as this one sees them";
        to.register("servers_alive", help, self.alive.clone());
        let help = "Other servers whose matches this one took over";
        to.register("takeovers", help, self.takeovers.clone());
        let help = "Time since this server stored its last heartbeat";
        let heartbeat = self.heartbeat.clone();
        to.register_with_unit("heartbeat_age", help, Unit::Seconds, heartbeat);
        let help = "Commit of an event on another server to its arrival here";
        let delay = self.delay.clone();
        to.register_with_unit("between_servers", help, Unit::Seconds, delay);
    }
}
