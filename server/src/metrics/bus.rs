//! What is counted of the hints between servers.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::known::Known;

/// What is counted of the hints between servers. Clones count the same.
#[derive(Clone, Debug, Default)]
pub struct BusMetrics {
    /// 1 while the bus is connected, 0 while it is not; without a series where no bus is set.
    pub connected: Known,
    /// Hints handed to the bus.
    pub published: Counter,
    /// Hints of other servers.
    pub received: Counter,
    /// Hints for which there was no room.
    pub dropped: Counter,
    /// What came over the bus and is no hint.
    pub refused: Counter,
    /// Hints that wait to be sent.
    pub waiting: Gauge,
}

impl BusMetrics {
    pub(super) fn register(&self, to: &mut Registry) {
        let help = "1 while the bus between servers is connected";
        to.register("bus_connected", help, self.connected.clone());
        let help = "Hints handed to the bus between servers";
        to.register("bus_published", help, self.published.clone());
        let help = "Hints of other servers";
        to.register("bus_received", help, self.received.clone());
        let help = "Hints for which there was no room";
        to.register("bus_dropped", help, self.dropped.clone());
        let help = "What came over the bus and is no hint";
        to.register("bus_refused", help, self.refused.clone());
        let help = "Hints that wait to be sent";
        to.register("bus_waiting", help, self.waiting.clone());
    }
}
