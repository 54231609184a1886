//! Counters and histograms that each shard keeps for itself, without a lock or a line of memory shared with others; they are
//! summed when somebody reads them.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use prometheus_client::encoding::{EncodeMetric, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::{MetricType, TypedMetric};

use crate::shard;

/// Shards beyond so many share.
const SHARDS: usize = 8;
/// Bounds of a histogram's buckets: 0.1 ms to 6.6 s, doubling.
const BUCKETS: usize = 17;
/// The first bound, in nanoseconds.
const FIRST_BOUND_NS: u64 = 100_000;

/// What one shard counts, on lines of memory of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Apart<T>(T);

fn of_this_shard<T>(shards: &[Apart<T>; SHARDS]) -> &T {
    &shards[shard::here() % SHARDS].0
}

/// A count of events. Clones count the same.
#[derive(Clone, Debug, Default)]
pub struct Counter(Arc<[Apart<AtomicU64>; SHARDS]>);

impl Counter {
    /// Counts one.
    pub fn inc(&self) {
        of_this_shard(&self.0).fetch_add(1, Ordering::Relaxed);
    }

    /// All that was counted.
    #[must_use]
    pub fn get(&self) -> u64 {
        let shards = self.0.iter();
        shards.map(|shard| shard.0.load(Ordering::Relaxed)).sum()
    }
}

impl TypedMetric for Counter {
    const TYPE: MetricType = MetricType::Counter;
}

impl EncodeMetric for Counter {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> fmt::Result {
        encoder.encode_counter::<NoLabelSet, _, u64>(&self.get(), None)
    }

    fn metric_type(&self) -> MetricType {
        Self::TYPE
    }
}

/// How long something took. Clones time the same.
#[derive(Clone, Debug, Default)]
pub struct Timing(Arc<[Apart<Times>; SHARDS]>);

#[derive(Debug, Default)]
struct Times {
    sum_ns: AtomicU64,
    /// Times up to each bound and above the one before; the last has no bound.
    counts: [AtomicU64; BUCKETS + 1],
}

impl Timing {
    /// Notes a time.
    pub fn observe(&self, seconds: f64) {
        let ns = (seconds * 1e9) as u64;
        let times = of_this_shard(&self.0);
        times.sum_ns.fetch_add(ns, Ordering::Relaxed);
        times.counts[bucket(ns)].fetch_add(1, Ordering::Relaxed);
    }

    /// Whether nothing was timed yet.
    pub(super) fn is_unused(&self) -> bool {
        let mut counts = self.0.iter().flat_map(|Apart(times)| &times.counts);
        counts.all(|count| count.load(Ordering::Relaxed) == 0)
    }
}

/// The bucket of a time: the least whose bound is not below it.
fn bucket(ns: u64) -> usize {
    let firsts = ns.div_ceil(FIRST_BOUND_NS).max(1);
    let doublings = u64::BITS - (firsts - 1).leading_zeros();
    (doublings as usize).min(BUCKETS)
}

impl TypedMetric for Timing {
    const TYPE: MetricType = MetricType::Histogram;
}

impl EncodeMetric for Timing {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> fmt::Result {
        let mut sum_ns = 0;
        let mut buckets = [(f64::INFINITY, 0); BUCKETS + 1];
        for Apart(times) in self.0.iter() {
            sum_ns += times.sum_ns.load(Ordering::Relaxed);
            for (bucket, count) in buckets.iter_mut().zip(&times.counts) {
                bucket.1 += count.load(Ordering::Relaxed);
            }
        }
        for (doublings, bucket) in buckets[..BUCKETS].iter_mut().enumerate() {
            bucket.0 = (FIRST_BOUND_NS << doublings) as f64 / 1e9;
        }
        let count = buckets.iter().map(|(_, count)| count).sum();
        encoder.encode_histogram::<NoLabelSet>(sum_ns as f64 / 1e9, count, &buckets, None)
    }

    fn metric_type(&self) -> MetricType {
        Self::TYPE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prometheus_client::encoding::text::encode;
    use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
    use prometheus_client::registry::Registry;

    fn text(metric: impl prometheus_client::registry::Metric) -> String {
        let mut registry = Registry::default();
        registry.register("it", "It", metric);
        let mut text = String::new();
        encode(&mut text, &registry).expect("text");
        text
    }

    #[test]
    fn what_several_shards_count_is_summed() {
        let counter = Counter::default();
        std::thread::scope(|scope| {
            for number in 0..2 * SHARDS {
                let counter = &counter;
                scope.spawn(move || {
                    shard::settle(number);
                    (0..1_000).for_each(|_| counter.inc());
                });
            }
        });
        assert_eq!(counter.get(), 2_000 * SHARDS as u64);
        assert!(text(counter).contains("it_total 16000\n"));
    }

    #[test]
    fn a_timing_prints_as_the_histogram_of_the_library_does() {
        let theirs = Histogram::new(exponential_buckets(FIRST_BOUND_NS as f64 / 1e9, 2.0, 17));
        let ours = Timing::default();
        let times = [
            0.0,
            0.000_05,
            0.000_1,
            0.000_100_5,
            0.003,
            1.0,
            6.5,
            6.6,
            100.0,
        ];
        for seconds in times {
            theirs.observe(seconds);
            ours.observe(seconds);
        }
        let counts = |text: String| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.starts_with("it_sum"));
            lines.map(str::to_owned).collect()
        };
        assert_eq!(counts(text(ours)), counts(text(theirs)));
    }
}
