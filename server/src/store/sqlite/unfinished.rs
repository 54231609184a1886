//! The note beside a database that it is a copy of another store that is not complete: no server uses it then.

use std::path::{Path, PathBuf};

use super::lock::beside;
use crate::store::StoreError;

/// Where it is noted that the database is a copy that is not complete.
pub(super) fn mark_of(database: &Path) -> PathBuf {
    beside(database, ".unfinished")
}

/// Whether the database may be used: it is no copy that is not complete.
///
/// # Errors
/// `Unusable`, with what to do.
pub(super) fn check(database: &Path) -> Result<(), StoreError> {
    let mark = mark_of(database);
    if !mark.exists() {
        return Ok(());
    }
    Err(StoreError::Unusable {
        path: database.to_owned(),
        why: format!(
            "it is a copy that is not complete: run the same 'grundy-server migrate-store' again, or remove it and {} to begin anew",
            mark.display()
        ),
    })
}
