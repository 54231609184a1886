//! Hints that the log has grown, which only bring the next look at it forward. Anybody may have sent them.

use grundy_shared::ids::{Millis, Seq};

/// After a look that found nothing although a hint had promised it, hints are not heeded for so long.
pub(super) const FRUITLESS_MS: Millis = Millis(200);

/// What hints have said.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// The newest event that one spoke of; 0: none that is not known here.
    pub(super) newest: Seq,
    /// One has come since the log was last asked.
    pub(super) fresh: bool,
    /// Hints are not heeded before.
    pub(super) heeded_from: Millis,
}
