//! Gauges that not every server has: a missing series claims nothing, and a zero would be false.

use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use prometheus_client::encoding::{EncodeMetric, MetricEncoder};
use prometheus_client::metrics::MetricType;
use tokio::time::Instant;

/// No value.
const UNKNOWN: i64 = i64::MIN;

/// A gauge without a series until it is set. Clones are the same gauge.
#[derive(Clone, Debug)]
pub struct Known(Arc<AtomicI64>);

impl Default for Known {
    fn default() -> Self {
        Self(Arc::new(AtomicI64::new(UNKNOWN)))
    }
}

impl Known {
    /// Sets the value.
    pub fn set(&self, value: u64) {
        self.0
            .store(i64::try_from(value).unwrap_or(i64::MAX), Relaxed);
    }

    /// The value, if it is known.
    #[must_use]
    pub fn get(&self) -> Option<i64> {
        Some(self.0.load(Relaxed)).filter(|value| *value != UNKNOWN)
    }
}

impl EncodeMetric for Known {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> fmt::Result {
        encoder.encode_gauge(&self.get().unwrap_or_default())
    }

    fn metric_type(&self) -> MetricType {
        MetricType::Gauge
    }

    fn is_empty(&self) -> bool {
        self.get().is_none()
    }
}

/// The seconds since something happened last; without a series until it happens for the first time. Clones are the same gauge.
#[derive(Clone, Default, Debug)]
pub struct Since(Arc<Mutex<Option<Instant>>>);

impl Since {
    /// It happens now.
    pub fn note(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// When it happened last.
    #[must_use]
    pub fn last(&self) -> Option<Instant> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EncodeMetric for Since {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> fmt::Result {
        let seconds = self.last().map(|last| last.elapsed().as_secs_f64());
        encoder.encode_gauge(&seconds.unwrap_or_default())
    }

    fn metric_type(&self) -> MetricType {
        MetricType::Gauge
    }

    fn is_empty(&self) -> bool {
        self.last().is_none()
    }
}
