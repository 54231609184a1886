//! Why a commit is not made.

use super::fault::Failure;
use crate::store::CommitError;

/// Why a commit is not made.
pub(super) enum Refusal {
    /// A law of the store forbids it.
    Commit(CommitError),
    /// It cannot be found out.
    Failure(Failure),
}

impl From<CommitError> for Refusal {
    fn from(error: CommitError) -> Self {
        Self::Commit(error)
    }
}

impl<E: Into<Failure>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Failure(error.into())
    }
}
