//! A directory for temporary files that goes with the program; what a killed program left goes with the next one.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use tempfile::TempDir;

/// How the names of these directories begin.
const PREFIX: &str = "grundy-fsck-";
/// How often one is made again that another program took for one that was left behind.
const TRIES: u32 = 10;

/// A directory for this user alone. It is locked as long as this lives.
pub(super) struct Scratch {
    directory: TempDir,
    _lock: File,
}

impl Scratch {
    /// Makes one in this directory, and removes those of programs that died.
    ///
    /// # Errors
    /// The directory cannot be written.
    pub(super) fn begin(above: &Path) -> std::io::Result<Self> {
        sweep(above);
        for _ in 0..TRIES {
            let directory = tempfile::Builder::new().prefix(PREFIX).tempdir_in(above)?;
            if let Ok(lock) = File::open(directory.path())
                && flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok()
                && directory.path().exists()
            {
                // A database locks the directory that it is in.
                fs::create_dir(directory.path().join("copy"))?;
                return Ok(Self {
                    directory,
                    _lock: lock,
                });
            }
        }
        Err(std::io::ErrorKind::ResourceBusy.into())
    }

    /// Where files can be made.
    pub(super) fn path(&self) -> PathBuf {
        self.directory.path().join("copy")
    }
}

/// Removes the directories of this user that no program holds. One that cannot be removed is left: it is no reason not to check.
fn sweep(above: &Path) {
    let user = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(above).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && path
                .symlink_metadata()
                .is_ok_and(|found| found.is_dir() && found.uid() == user);
        if let Ok(held) = File::open(&path)
            && is_ours
            && flock(&held, FlockOperation::NonBlockingLockExclusive).is_ok()
        {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_check_left_is_removed_and_what_a_living_one_uses_is_not() {
        let above = TempDir::new().unwrap();
        let dead = above.path().join(format!("{PREFIX}dead"));
        fs::create_dir(&dead).unwrap();
        fs::write(dead.join("grundy.db"), "half").unwrap();
        let foreign = above.path().join("other");
        fs::create_dir(&foreign).unwrap();
        let living = Scratch::begin(above.path()).unwrap();
        let other = Scratch::begin(above.path()).unwrap();
        assert!(!dead.exists() && foreign.exists());
        assert!(living.path().exists() && other.path().exists());
        drop((living, other));
        assert_eq!(fs::read_dir(above.path()).unwrap().count(), 1);
    }
}
