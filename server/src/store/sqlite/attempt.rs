//! What becomes of an attempt to rewrite logs.

use crate::store::CommitError;

/// What became of a rewriting.
#[derive(Debug)]
pub(super) enum Attempt {
    /// It is made.
    Done,
    /// Some of the logs were not settled: they are now, and it can be tried again.
    Settled,
    /// It cannot be made.
    Refused(CommitError),
}
