//! Why a commit is not made.

use super::fault::Fault;
use crate::store::CommitError;

/// Why a commit is not made.
pub(super) enum Refusal {
    /// A law of the store forbids it.
    Commit(CommitError),
    /// It cannot be found out.
    Fault(Fault),
}

impl From<CommitError> for Refusal {
    fn from(error: CommitError) -> Self {
        Self::Commit(error)
    }
}

impl<E: Into<Fault>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Fault(error.into())
    }
}
