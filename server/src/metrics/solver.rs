//! What waits for the solver's threads, and what found no place in their queues.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::labels::ByPurpose;

/// The queues of the solver's threads. Cheap to clone.
#[derive(Clone, Default, Debug)]
pub struct SolverQueue {
    /// Jobs that wait.
    pub waiting: Family<ByPurpose, Gauge>,
    /// Jobs that run and need more than a few milliseconds.
    pub running: Family<ByPurpose, Gauge>,
    /// Jobs that were refused, or lost their place to a job of another address.
    pub refused: Family<ByPurpose, Counter>,
    /// Jobs that were dropped because nobody needs the result any more.
    pub dropped: Family<ByPurpose, Counter>,
}

impl SolverQueue {
    pub(super) fn register(&self, to: &mut Registry) {
        let waiting = self.waiting.clone();
        to.register("solver_queue", "Jobs that wait for the solver", waiting);
        let help = "Jobs that the solver works on, short ones left out";
        to.register("solver_running", help, self.running.clone());
        let help = "Jobs for which the solver's queues had no place";
        to.register("solver_refused", help, self.refused.clone());
        let help = "Jobs dropped because nobody needed the result any more";
        to.register("solver_dropped", help, self.dropped.clone());
    }

    /// Jobs of one purpose that run and need more than a few milliseconds.
    #[must_use]
    pub fn running(&self, purpose: &'static str) -> i64 {
        self.running.get_or_create(&ByPurpose { purpose }).get()
    }

    /// Jobs of one purpose that were dropped because nobody needs the result any more.
    #[must_use]
    pub fn dropped(&self, purpose: &'static str) -> u64 {
        self.dropped.get_or_create(&ByPurpose { purpose }).get()
    }

    /// Jobs of all purposes that wait.
    #[must_use]
    pub fn waiting_in_all(&self) -> i64 {
        let purposes = ["play", "secret", "study", "idle"];
        let waiting =
            purposes.map(|purpose| self.waiting.get_or_create(&ByPurpose { purpose }).get());
        waiting.iter().sum()
    }
}
