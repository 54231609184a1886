//! A directory that appears under its name at once: it is filled under another name, flushed, and renamed.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FlockOperation, RenameFlags, flock, renameat_with};

use super::{DATABASE, MANIFEST};

/// How the names of unfinished directories begin.
const UNFINISHED: &str = ".unfinished-";

/// How often a directory is made again that another program has removed.
const TRIES: u32 = 10;

/// An unfinished directory; removed when dropped, unless it was published. It is locked as long as its program lives, so that a
/// later one recognizes what a killed program left behind.
#[derive(Debug)]
pub struct Staging {
    path: PathBuf,
    lock: File,
}

impl Staging {
    /// Makes one in this directory, for this user alone, and removes those of programs that died.
    ///
    /// # Errors
    /// The directory cannot be written.
    pub fn begin(above: &Path, name: &str) -> io::Result<Self> {
        sweep(above)?;
        let path = above.join(format!("{UNFINISHED}{}-{name}", std::process::id()));
        for _ in 0..TRIES {
            DirBuilder::new().mode(0o700).create(&path)?;
            let lock = File::open(&path);
            // Another program that sweeps may have taken it for one that was left behind.
            if let Ok(lock) = lock
                && flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok()
                && is_at(&lock, &path)
            {
                return Ok(Self { path, lock });
            }
            match fs::remove_dir(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it this name beside it, durably. Its files must be flushed.
    ///
    /// # Errors
    /// `AlreadyExists` if there is something of this name; it is not touched.
    pub fn publish(&self, name: &str) -> io::Result<PathBuf> {
        self.lock.sync_all()?;
        let above = self.path.parent().unwrap_or(Path::new("."));
        let published = above.join(name);
        rename_to_new(&self.path, &published)?;
        File::open(above)?.sync_all()?;
        Ok(published)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // Nothing is there under this name once it was published.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Whether an open directory is still the one under this name.
fn is_at(directory: &File, path: &Path) -> bool {
    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    match (directory.metadata(), path.metadata()) {
        (Ok(open), Ok(named)) => identity(open) == identity(named),
        _ => false,
    }
}

/// Renames to a name that must be free.
fn rename_to_new(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // Not every file system knows the flag.
        Err(rustix::io::Errno::INVAL) if to.symlink_metadata().is_err() => fs::rename(from, to),
        Err(rustix::io::Errno::INVAL) => Err(io::ErrorKind::AlreadyExists.into()),
        renamed => Ok(renamed?),
    }
}

/// Removes unfinished directories that no program holds.
fn sweep(above: &Path) -> io::Result<()> {
    for entry in fs::read_dir(above)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if !name.is_some_and(|name| name.starts_with(UNFINISHED)) {
            continue;
        }
        // One that has just gone belonged to a program that lives.
        let Ok(held) = File::open(&path) else {
            continue;
        };
        if flock(&held, FlockOperation::NonBlockingLockExclusive).is_ok() {
            fs::remove_dir_all(&path)?;
        }
    }
    Ok(())
}

/// Removes a published backup.
///
/// # Errors
/// `DirectoryNotEmpty` if it holds something else: then nothing is removed. Or a file cannot be removed.
pub fn remove(backup: &Path) -> io::Result<()> {
    for entry in fs::read_dir(backup)? {
        if ![DATABASE, MANIFEST]
            .iter()
            .any(|own| entry.as_ref().is_ok_and(|entry| entry.file_name() == *own))
        {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
    }
    // First what makes it a backup: if the program dies in between, nobody takes the rest for one.
    for name in [MANIFEST, DATABASE] {
        match fs::remove_file(backup.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    fs::remove_dir(backup)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_appears_at_once_and_never_over_another() {
        let above = tempfile::tempdir().unwrap();
        let staging = Staging::begin(above.path(), "one").unwrap();
        fs::write(staging.path().join(DATABASE), "pages").unwrap();
        let published = staging.publish("one").unwrap();
        assert_eq!(fs::read(published.join(DATABASE)).unwrap(), b"pages");
        drop(staging);
        assert!(published.is_dir());

        let second = Staging::begin(above.path(), "two").unwrap();
        let refused = second.publish("one").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        drop(second);
        let left: Vec<_> = fs::read_dir(above.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }

    #[test]
    fn what_a_killed_program_left_is_removed_and_what_a_living_one_fills_is_not() {
        let above = tempfile::tempdir().unwrap();
        let dead = above.path().join(format!("{UNFINISHED}1-dead"));
        fs::create_dir(&dead).unwrap();
        fs::write(dead.join(DATABASE), "half").unwrap();
        let living = Staging::begin(above.path(), "living").unwrap();
        assert!(!dead.exists());
        let _other = Staging::begin(above.path(), "other").unwrap();
        assert!(living.path().exists());
    }

    #[test]
    fn a_directory_with_a_file_of_others_is_kept() {
        let above = tempfile::tempdir().unwrap();
        for name in [DATABASE, MANIFEST, "notes.txt"] {
            fs::write(above.path().join(name), "").unwrap();
        }
        remove(above.path()).unwrap_err();
        assert_eq!(fs::read_dir(above.path()).unwrap().count(), 3);
        fs::remove_file(above.path().join("notes.txt")).unwrap();
        remove(above.path()).unwrap();
        assert!(!above.path().exists());
    }
}
