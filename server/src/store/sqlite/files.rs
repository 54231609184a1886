//! Whether the files of the database are still those that the writer left: looked at by name, before and after each commit and between
//! them, so that nothing is acknowledged that a restart would not find.
//!
//! Only the writer writes to the database and to its write-ahead log. So between two of its own writes each has the same inode, size and
//! time of change; a commit changes the log alone, a checkpoint the database alone. The database itself is never opened here.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::lock::beside;
use super::log_tail::{LogHeader, LogTail};
use super::note::Identity;
use crate::store::{FileChange, StoreError};

/// A file as it was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Sight {
    identity: Identity,
    bytes: u64,
    /// When it was last written, in seconds and nanoseconds.
    written: (i64, i64),
}

/// How much of a file must be as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    /// Everything: nothing was written to it.
    Unchanged,
    /// Its identity, and that it is not shorter.
    Grown,
    /// Its identity: a checkpoint after a `VACUUM` makes the database shorter, and a commit the log that is to be cut.
    Same,
}

/// A file of the database.
#[derive(Debug)]
struct Watched {
    path: PathBuf,
    seen: Sight,
}

impl Watched {
    fn of(path: PathBuf) -> Result<Self, StoreError> {
        let seen = look(&path).map_err(|change| changed(&path, change))?;
        Ok(Self { path, seen })
    }

    /// Looks at it again.
    fn look(&mut self, expected: Expected) -> Result<(), StoreError> {
        let now = look(&self.path).map_err(|change| changed(&self.path, change))?;
        let change = if now.identity != self.seen.identity {
            Some(FileChange::Replaced)
        } else if now.bytes < self.seen.bytes && expected != Expected::Same {
            Some(FileChange::Truncated)
        } else if now != self.seen && expected == Expected::Unchanged {
            Some(FileChange::Written)
        } else {
            None
        };
        match change {
            Some(change) => Err(changed(&self.path, change)),
            None => {
                self.seen = now;
                Ok(())
            }
        }
    }
}

/// The files of the database.
#[derive(Debug)]
pub(super) struct Files {
    database: Watched,
    log: Watched,
    memory: Watched,
    tail: LogTail,
    /// The next commit may cut the log.
    log_may_shrink: bool,
}

impl Files {
    /// Looks at them for the first time, when SQLite has them open. The log has so many frames, all of which are in the database if
    /// `settled`.
    ///
    /// # Errors
    /// One of them is not there, or the log cannot be read.
    pub(super) fn of(database: &Path, frames: u64, settled: bool) -> Result<Self, StoreError> {
        let log = beside(database, "-wal");
        let unreadable = |error: io::Error| StoreError::Unusable {
            path: log.clone(),
            why: error.to_string(),
        };
        let tail = LogTail::open(&log, frames, settled).map_err(unreadable)?;
        let opened = tail.file().metadata().map_err(unreadable)?;
        let files = Self {
            database: Watched::of(database.to_owned())?,
            log: Watched::of(log)?,
            memory: Watched::of(beside(database, "-shm"))?,
            tail,
            log_may_shrink: false,
        };
        if (opened.dev(), opened.ino()) != files.log.seen.identity {
            return Err(changed(&files.log.path, FileChange::Replaced));
        }
        Ok(files)
    }

    /// Nothing was written since the last look. Cost: three calls of the system.
    ///
    /// # Errors
    /// `FileChanged`.
    pub(super) fn check(&mut self) -> Result<(), StoreError> {
        self.look([Expected::Unchanged, Expected::Unchanged])
    }

    /// The writer has just committed; with `grown`, something. Cost: some seven calls of the system, and one for each frame.
    ///
    /// # Errors
    /// `FileChanged`, also if the commit is not in the log.
    pub(super) fn committed(&mut self, grown: bool) -> Result<(), StoreError> {
        let log = match self.log_may_shrink {
            true => Expected::Same,
            false => Expected::Grown,
        };
        self.look([Expected::Unchanged, log])?;
        self.tail
            .follow(grown)
            .map_err(|change| changed(&self.log.path, change))
    }

    /// The writer has undone a transaction, of which the log may keep frames.
    ///
    /// # Errors
    /// `FileChanged`.
    pub(super) fn undone(&mut self) -> Result<(), StoreError> {
        self.tail.undone();
        self.look([Expected::Unchanged, Expected::Grown])
    }

    /// The writer has copied the log into the database: all of it, if `settled`.
    ///
    /// # Errors
    /// `FileChanged`, also if the database has not the size that the last commit gave it.
    pub(super) fn checkpointed(&mut self, settled: bool) -> Result<(), StoreError> {
        self.look([Expected::Same, Expected::Unchanged])?;
        if !settled {
            return Ok(());
        }
        self.tail.settled();
        let bytes = self.tail.database_bytes();
        if bytes.is_some_and(|bytes| bytes != self.database.seen.bytes) {
            return Err(changed(&self.database.path, FileChange::Written));
        }
        Ok(())
    }

    /// What another program did, where SQLite itself has failed and the log may be anything.
    ///
    /// # Errors
    /// `FileChanged`.
    pub(super) fn suspect(&mut self) -> Result<(), StoreError> {
        self.look([Expected::Grown, Expected::Grown])
    }

    /// Whether the commits from now on may cut the log.
    pub(super) fn let_log_shrink(&mut self, may: bool) {
        self.log_may_shrink = may;
    }

    /// What the write-ahead log begins with.
    pub(super) fn log_header(&self) -> LogHeader {
        self.tail.header()
    }

    /// Whether the write-ahead log was begun anew since it had this header, and ends with its last commit.
    pub(super) fn is_log_cut(&self, before: &LogHeader) -> bool {
        self.tail.header() != *before && self.log.seen.bytes == self.tail.end()
    }

    /// Which database and which write-ahead log the server has.
    pub(super) fn identities(&self) -> [Identity; 2] {
        [self.database.seen.identity, self.log.seen.identity]
    }

    fn look(&mut self, [database, log]: [Expected; 2]) -> Result<(), StoreError> {
        self.database.look(database)?;
        self.log.look(log)?;
        self.memory.look(Expected::Grown)
    }
}

/// Which file has this name.
pub(super) fn identity(path: &Path) -> Option<Identity> {
    look(path).ok().map(|sight| sight.identity)
}

fn look(path: &Path) -> Result<Sight, FileChange> {
    let there = std::fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => FileChange::Removed,
        _ => FileChange::Hidden,
    })?;
    Ok(Sight {
        identity: (there.dev(), there.ino()),
        bytes: there.size(),
        written: (there.mtime(), there.mtime_nsec()),
    })
}

fn changed(path: &Path, change: FileChange) -> StoreError {
    StoreError::FileChanged {
        path: path.to_owned(),
        change,
    }
}
