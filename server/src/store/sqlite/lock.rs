//! One server per file: a lock file beside the database, held with `flock` and naming its holder. Behind the name stands a
//! word while commits may be in the write-ahead log alone: found without a holder, it tells that the last one did not stop cleanly.
//!
//! The database itself must never be opened here: closing any descriptor of it would drop the POSIX locks that SQLite
//! holds in this process.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::store::StoreError;

/// Held as long as it lives; the system releases it when the process dies.
#[derive(Debug)]
pub(crate) struct FileLock {
    file: File,
    misses_log: bool,
    had_log: bool,
}

/// Behind the name of a holder that writes.
const RUNNING: &str = "running";
/// Behind the name of one that only looked, and found the log missing.
const LOG_MISSING: &str = "log-missing";
/// Bytes of a write-ahead log with one commit: its header, and a page with its own.
const LEAST_LOG: u64 = 32 + 24 + 4_096;

impl FileLock {
    /// Takes the lock of this database.
    ///
    /// # Errors
    /// `InUse` when another process (or another store of this one) has it; `Unusable` when the lock file cannot be written.
    pub(crate) fn take(database: &Path) -> Result<Self, StoreError> {
        let mut name = database.as_os_str().to_owned();
        name.push(".lock");
        let path = PathBuf::from(name);
        let unusable = |error: std::io::Error| StoreError::Unusable {
            path: path.clone(),
            why: error.to_string(),
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(unusable)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => {
                let pid = read(&mut file).split(' ').next().map(str::parse);
                return Err(StoreError::InUse {
                    path: database.to_owned(),
                    pid: pid.and_then(Result::ok),
                });
            }
            Err(error) => return Err(unusable(error.into())),
        }
        let before = read(&mut file);
        let misses_log = before.ends_with(LOG_MISSING)
            || (before.ends_with(RUNNING) && is_there(database, "") && !is_there(database, "-wal"));
        let had_log = beside(database, "-wal")
            .metadata()
            .is_ok_and(|log| log.len() >= LEAST_LOG);
        let mut lock = Self {
            file,
            misses_log,
            had_log,
        };
        // Who only looks makes an empty log and leaves it behind: what was found stays said.
        let word = match misses_log {
            true => Some(LOG_MISSING),
            false => Some(RUNNING).filter(|word| before.ends_with(word)),
        };
        lock.write(word);
        Ok(lock)
    }

    /// Whether the last holder that wrote ended without a word, and its write-ahead log is gone: its last commits may be too.
    pub(crate) fn misses_log(&self) -> bool {
        self.misses_log
    }

    /// Whether a write-ahead log with at least one commit was beside the database before it was opened.
    pub(crate) fn had_log(&self) -> bool {
        self.had_log
    }

    /// The write-ahead log is missing, as the database itself says: who looks again is to be told again.
    pub(crate) fn note_log_missing(&mut self) {
        self.misses_log = true;
        self.write(Some(LOG_MISSING));
    }

    /// From here on commits may be in the write-ahead log alone; or, again, no longer.
    pub(super) fn note_running(&mut self, running: bool) {
        self.write(running.then_some(RUNNING));
        let _ = self.file.sync_all();
    }

    /// The content only helps to tell what happened: a disk that is full must not keep the server from reading.
    fn write(&mut self, word: Option<&str>) {
        let word = word.unwrap_or_default();
        let _ = self
            .file
            .set_len(0)
            .and_then(|()| self.file.rewind())
            .and_then(|()| writeln!(self.file, "{} {word}", std::process::id()));
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Said, and not left to the closing: a child that another thread is about to start has the file open until it runs.
        let _ = flock(&self.file, FlockOperation::Unlock);
    }
}

fn is_there(database: &Path, suffix: &str) -> bool {
    beside(database, suffix).exists()
}

/// The file with this ending beside the database.
fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn read(file: &mut File) -> String {
    let mut text = String::new();
    // What cannot be read tells nothing.
    let _ = file.read_to_string(&mut text);
    text.trim().to_owned()
}
