//! Whether a directory has room for a copy.

use std::path::Path;

use crate::store::StoreError;

/// Whether a directory has room for about so many bytes. Where the file system does not say, there is.
///
/// # Errors
/// `NoRoom`, with `remedy`.
pub(crate) fn check(directory: &Path, bytes: u64, remedy: &str) -> Result<(), StoreError> {
    let Ok(room) = rustix::fs::statvfs(directory) else {
        return Ok(());
    };
    let free = room.f_bavail.saturating_mul(room.f_frsize);
    if free >= bytes {
        return Ok(());
    }
    Err(StoreError::NoRoom {
        why: format!(
            "the copy needs about {} MB, and {} has {} MB free; {remedy}",
            bytes.div_ceil(1_000_000),
            directory.display(),
            free / 1_000_000
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_does_not_fit_is_refused_with_what_to_do() {
        let directory = std::env::temp_dir();
        check(&directory, 1, "").unwrap();
        let refused = check(&directory, u64::MAX, "set TMPDIR").unwrap_err();
        let said = refused.to_string();
        assert!(said.contains(" MB free; set TMPDIR"), "{said}");
    }
}
