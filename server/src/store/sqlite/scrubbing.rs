//! How far the overwriting of what was deleted has come.

use super::log_tail::LogHeader;

/// How far the overwriting has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scrubbing {
    /// Freed pages are filled with zeros.
    Filling,
    /// The zeros are removed.
    Removing,
    /// The write-ahead log, which has this header, is to be begun anew.
    Log(LogHeader),
}
