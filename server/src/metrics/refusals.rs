//! Refused requests by error code.

use std::fmt;
use std::sync::Arc;

use grundy_shared::protocol::ErrorCode;
use prometheus_client::encoding::{EncodeMetric, MetricEncoder};
use prometheus_client::metrics::MetricType;

use super::labels::ByReason;
use super::sharded::Counter;

/// Refused requests by error code: each code has its counter from the start, so that counting looks nothing up. Clones count the
/// same.
#[derive(Clone, Debug)]
pub struct Refusals(Arc<[Counter]>);

impl Default for Refusals {
    fn default() -> Self {
        Self(ErrorCode::ALL.iter().map(|_| Counter::default()).collect())
    }
}

impl Refusals {
    /// Counts a refusal.
    pub fn count(&self, code: ErrorCode) {
        self.0[code as usize].inc();
    }

    /// Refusals with this code.
    #[must_use]
    pub fn get(&self, code: ErrorCode) -> u64 {
        self.0[code as usize].get()
    }
}

impl EncodeMetric for Refusals {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> fmt::Result {
        for (code, counter) in ErrorCode::ALL.iter().zip(self.0.iter()) {
            let reason = code.as_str();
            counter.encode(encoder.encode_family(&ByReason { reason })?)?;
        }
        Ok(())
    }

    fn metric_type(&self) -> MetricType {
        MetricType::Counter
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_own_counter() {
        let refusals = Refusals::default();
        for (times, code) in ErrorCode::ALL.iter().enumerate() {
            (0..times).for_each(|_| refusals.count(*code));
        }
        for (times, code) in ErrorCode::ALL.iter().enumerate() {
            assert_eq!(refusals.get(*code), times as u64, "{code}");
        }
    }
}
