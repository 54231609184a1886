//! What the operating system knows about this process, read when somebody asks.

use std::fmt;

use grundy_shared::ids::Millis;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;
use rustix::time::{ClockId, clock_gettime};

/// Measures this process. Memory and open files are left out where there is no `/proc`.
pub(super) struct Process {
    started_at: Millis,
    log_lines_dropped: Box<dyn Fn() -> u64 + Send + Sync>,
}

impl Process {
    pub(super) fn new(
        started_at: Millis,
        log_lines_dropped: impl Fn() -> u64 + Send + Sync + 'static,
    ) -> Self {
        Self {
            started_at,
            log_lines_dropped: Box::new(log_lines_dropped),
        }
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Process")
    }
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let mut one = |name, help, unit: Option<&Unit>, metric: &dyn EncodeMetric| {
            metric.encode(encoder.encode_descriptor(name, help, unit, metric.metric_type())?)
        };
        let dropped = ConstCounter::new((self.log_lines_dropped)());
        let help = "Log lines given up because nobody took them";
        one("grundy_log_lines_dropped", help, None, &dropped)?;
        let pid = ConstGauge::new(i64::from(std::process::id()));
        one("grundy_process_pid", "Number of the process", None, &pid)?;
        let cpu = ConstCounter::new(cpu_seconds());
        let seconds = Some(&Unit::Seconds);
        one("process_cpu", "User and system time", seconds, &cpu)?;
        let started = ConstGauge::new(self.started_at.0 as f64 / 1_000.0);
        let help = "Start of the process, counted from 1970-01-01 UTC";
        one("process_start_time", help, seconds, &started)?;
        if let Some(bytes) = resident_bytes() {
            let memory = ConstGauge::new(i64::try_from(bytes).unwrap_or(i64::MAX));
            let unit = Some(&Unit::Bytes);
            one("process_resident_memory", "Memory in use", unit, &memory)?;
        }
        if let Ok(open) = std::fs::read_dir("/proc/self/fd") {
            // The directory that is being read is one of them.
            let open = i64::try_from(open.count()).unwrap_or(i64::MAX) - 1;
            let files = ConstGauge::new(open);
            one("process_open_fds", "Open file descriptors", None, &files)?;
        }
        Ok(())
    }
}

fn cpu_seconds() -> f64 {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    used.tv_sec as f64 + used.tv_nsec as f64 / 1e9
}

/// The line `VmRSS:  1234 kB` of `/proc/self/status`.
pub(crate) fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    kib.checked_mul(1024)
}
