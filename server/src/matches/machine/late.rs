//! Connections that want to follow a match in a state that this server does not know yet: another one may have stored it.
//!
//! A player who comes from another server may have seen more than is known here, and a watcher may know a match that somebody has joined there. They are answered
//! after a look at the log.

use grundy_shared::ids::{PlayerId, Seq};

/// Connections that wait for a read of the log. Further ones are refused with `retry_after_ms`.
pub(super) const LATE_MAX: usize = 64;

/// A connection that waits for a look.
#[derive(Debug)]
pub(super) struct Late<C, R> {
    pub(super) connection: C,
    pub(super) reply: Option<(R, bool)>,
    pub(super) player: PlayerId,
    pub(super) seated: bool,
    pub(super) since: Seq,
    /// A read of the log began after the connection came.
    pub(super) asked: bool,
}
