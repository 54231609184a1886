//! The logs in a backup, as its manifest states them.

use crate::archive::manifest::Logs;
use crate::fsck::Report;

/// What was checked.
pub(super) fn logs_of(report: &Report) -> Logs {
    Logs {
        matches: report.matches,
        other_logs: report.streams,
        events: report.events,
        head: report.head.to_string(),
        last_event_at: report.last_event_at,
    }
}
