//! Whether matches move.

use tokio::time::Instant;

/// Whether matches may move now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// Nobody moves.
    Closed,
    /// Everybody moves, from this moment on.
    Open {
        /// When it began: paced moves are timed from here.
        since: Instant,
    },
    /// The match is given up.
    Stop,
}
