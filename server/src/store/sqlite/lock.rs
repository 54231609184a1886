//! One server per directory: the directory is held with `flock`, and so is a lock file beside the database, which names its holder.
//! A server whose lock file was deleted still holds the directory. Behind the name stands a [`Note`] of the run.
//!
//! The database itself must never be opened here: closing any descriptor of it would drop the POSIX locks that SQLite
//! holds in this process.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::note::{Identity, Note};
use crate::store::StoreError;

/// Bytes of the lock file. It is written in one piece of one sector, so that no power cut leaves half a note.
const BYTES: usize = 256;

/// Held as long as it lives; the system releases it when the process dies.
#[derive(Debug)]
pub(crate) struct FileLock {
    database: PathBuf,
    path: PathBuf,
    directory: File,
    file: File,
    had_log: bool,
    identity: Identity,
    /// What the lock file said when it was taken.
    found: Note,
    /// What it says now.
    note: Note,
}

/// Bytes of a write-ahead log with one commit: its header, and a page with its own.
const LEAST_LOG: u64 = 32 + 24 + 4_096;

impl FileLock {
    /// Takes the lock of this database.
    ///
    /// # Errors
    /// `InUse` when another process (or another store of this one) has it; `Unusable` when the lock file cannot be written.
    pub(crate) fn take(database: &Path) -> Result<Self, StoreError> {
        let path = beside(database, ".lock");
        let directory = match database.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let unusable = |path: &Path, error: io::Error| StoreError::Unusable {
            path: path.to_owned(),
            why: error.to_string(),
        };
        // The directory first: whoever may not have it leaves no file behind.
        let held = File::open(directory).map_err(|error| unusable(directory, error))?;
        hold(&held, database, &path)
            .map_err(|error| error.unwrap_or_else(|error| unusable(directory, error)))?;
        let file = open(&path).map_err(|error| unusable(&path, error))?;
        hold(&file, database, &path)
            .map_err(|error| error.unwrap_or_else(|error| unusable(&path, error)))?;
        let identity = identity_of(&file).map_err(|error| unusable(&path, error))?;
        let note = Note::of(&read(&file));
        // Not noted: if the log is put back, nothing is missing.
        let found = match &note {
            Note::Running if is_there(database, "") && !is_there(database, "-wal") => {
                Note::LogMissing
            }
            note => note.clone(),
        };
        let mut lock = Self {
            database: database.to_owned(),
            path,
            directory: held,
            file,
            had_log: has_log(database),
            identity,
            found,
            note: note.clone(),
        };
        lock.note(note);
        Ok(lock)
    }

    /// What the lock file said when it was taken. `LogMissing` also if the write-ahead log of a run that did not stop cleanly is gone.
    pub(crate) fn found(&self) -> &Note {
        &self.found
    }

    /// Whether the last holder that wrote ended without a word, and its write-ahead log is gone: its last commits may be too.
    pub(crate) fn misses_log(&self) -> bool {
        self.found == Note::LogMissing
    }

    /// Whether a write-ahead log with at least one commit was beside the database before it was opened.
    pub(crate) fn had_log(&self) -> bool {
        self.had_log
    }

    /// The write-ahead log is missing, as the database itself says: who looks again is to be told again.
    pub(crate) fn note_log_missing(&mut self) {
        self.found = Note::LogMissing;
        self.note_durably(Note::LogMissing);
    }

    /// Writes down what the run does from here on. The content only helps to tell what happened: a disk that is full must not keep
    /// the server from reading.
    pub(super) fn note(&mut self, note: Note) {
        let text = format!("{} {note}", std::process::id());
        let text = format!("{text:width$}\n", width = BYTES - 1);
        self.note = note;
        let _ = self
            .file
            .write_all_at(text.as_bytes(), 0)
            .and_then(|()| self.file.set_len(BYTES as u64));
    }

    /// The same, and makes sure that it survives a power cut.
    pub(super) fn note_durably(&mut self, note: Note) {
        self.note(note);
        let _ = self.file.sync_all();
        let _ = self.directory.sync_all();
    }

    /// What was noted of another database under this name is not true of the one that takes its place, which is complete.
    pub(crate) fn note_restored(&mut self) {
        self.note_durably(Note::Stopped);
    }

    /// Notes that the run has stopped cleanly, if no write-ahead log is left.
    pub(super) fn note_stopped_without_log(&mut self) {
        if !is_there(&self.database, "-wal") {
            self.note_durably(Note::Stopped);
        }
    }

    /// Makes the lock file anew if it was deleted or replaced. The directory is held meanwhile.
    ///
    /// # Errors
    /// `InUse` when another process holds the file that has its name now: a server of an older version, which does not know that
    /// the directory is held.
    pub(super) fn keep(&mut self) -> Result<(), StoreError> {
        let there = std::fs::metadata(&self.path);
        if there.is_ok_and(|there| (there.dev(), there.ino()) == self.identity) {
            return Ok(());
        }
        // Without a directory there is no lock file: what became of the database says more.
        let Ok(file) = open(&self.path) else {
            return Ok(());
        };
        if let Err(Some(in_use)) = hold(&file, &self.database, &self.path).map_err(Result::ok) {
            return Err(in_use);
        }
        tracing::warn!(
            path = %self.path.display(),
            "the lock file was deleted or replaced, and is made anew; the directory was held all the time"
        );
        if let Ok(identity) = identity_of(&file) {
            (self.file, self.identity) = (file, identity);
            self.note_durably(self.note.clone());
        }
        Ok(())
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Said, and not left to the closing: a child that another thread is about to start has the file open until it runs.
        let _ = flock(&self.file, FlockOperation::Unlock);
        let _ = flock(&self.directory, FlockOperation::Unlock);
    }
}

/// Whether a write-ahead log with at least one commit is beside the database.
pub(crate) fn has_log(database: &Path) -> bool {
    beside(database, "-wal")
        .metadata()
        .is_ok_and(|log| log.len() >= LEAST_LOG)
}

/// Whether the last server on this database did not stop cleanly, and its write-ahead log is gone. The lock is not taken, so that a server can
/// start meanwhile.
pub(crate) fn lacks_log(database: &Path) -> bool {
    let note = File::open(beside(database, ".lock")).map(|file| Note::of(&read(&file)));
    match note {
        Ok(Note::LogMissing) => true,
        Ok(Note::Running) => is_there(database, "") && !is_there(database, "-wal"),
        Ok(_) | Err(_) => false,
    }
}

/// The path of what stands beside the database under its name and these letters.
pub(super) fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

/// Takes the lock of this file or directory. If another process has it, the error is `Ok` and names its holder.
fn hold(file: &File, database: &Path, lock: &Path) -> Result<(), Result<StoreError, io::Error>> {
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(()),
        Err(Errno::WOULDBLOCK) => {
            let text = File::open(lock).map(|file| read(&file)).unwrap_or_default();
            let pid = text.split(' ').next().map(str::parse);
            Err(Ok(StoreError::InUse {
                path: database.to_owned(),
                pid: pid.and_then(Result::ok),
            }))
        }
        Err(error) => Err(Err(error.into())),
    }
}

fn identity_of(file: &File) -> io::Result<Identity> {
    let there = file.metadata()?;
    Ok((there.dev(), there.ino()))
}

fn is_there(database: &Path, suffix: &str) -> bool {
    beside(database, suffix).exists()
}

fn read(file: &File) -> String {
    let mut bytes = [0; BYTES];
    // What cannot be read tells nothing.
    let count = file.read_at(&mut bytes, 0).unwrap_or(0);
    String::from_utf8_lossy(&bytes[..count]).trim().to_owned()
}
