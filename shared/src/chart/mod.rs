//! Charts as SVG that needs nothing from outside: the history of a rating, the values of heaps with their period, and a cross-table.
//!
//! Numbers and names only, so that they need no translation; the label, which a screen reader says, is the caller's.

mod cross;
mod frame;
mod history;
mod period;

pub use self::cross::CrossChart;
pub use self::history::{HistoryPoint, RatingHistory};
pub use self::period::PeriodStrip;
