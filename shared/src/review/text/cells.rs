//! The sizes of what stands in tables, and how times are written.

/// Letters of a name in the table.
pub(super) const NAME: usize = 12;
/// Letters of a move in the table; longer ones are cut.
pub(super) const MOVE: usize = 24;

/// A time for people: `0.4s`, `12s`, `3m 05s`, `2h 10m`.
#[must_use]
pub fn span(ms: u64) -> String {
    let seconds = ms / 1_000;
    match seconds {
        0..10 => format!("{:.1}s", ms as f64 / 1_000.0),
        10..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m", seconds / 3_600, seconds / 60 % 60),
    }
}
