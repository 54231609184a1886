//! Why the store could not do what it was asked.

use std::path::PathBuf;

use super::file_change::FileChange;

/// Why the store could not do what it was asked; nothing of it was done, unless said otherwise.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is something else than a database of this program.
    #[error("{} is not a Grundy database: {why}", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// How it shows.
        why: String,
    },
    /// The database was written by a newer version of this program.
    #[error(
        "the database has schema {found}, this program knows up to {known}: start a newer grundy-server"
    )]
    Newer {
        /// The version found.
        found: i64,
        /// The newest known here.
        known: i64,
    },
    /// Another process has it open.
    #[error("{} is in use by {}", path.display(), pid.map_or("another process".to_owned(), |pid| format!("process {pid}")))]
    InUse {
        /// The database.
        path: PathBuf,
        /// The holder, when it could be read.
        pid: Option<i32>,
    },
    /// What keeps the data is known to damage it, and is not used.
    #[error("{why}")]
    Unsafe {
        /// What it is, and what is needed instead.
        why: String,
    },
    /// Its records are in another store now.
    #[error(
        "the records of {from} were moved to {to}: start servers there; or, to go on here as it was before the move, without what was played since, stop the servers \
         there and run 'grundy-server migrate-store --undo {from}'"
    )]
    Moved {
        /// The store that was left.
        from: String,
        /// Where they are.
        to: String,
    },
    /// A file that is made for a while, or a copy, has no room.
    #[error("{why}")]
    NoRoom {
        /// Where, how much is needed, and what to do.
        why: String,
    },
    /// It cannot be opened or set up.
    #[error("cannot use {}: {why}", path.display())]
    Unusable {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Nothing can be written at the moment: the disk is full, a quota is reached, or it was made read-only. Reading
    /// goes on, and writing does by itself once it is possible again.
    #[error("the store is read-only at the moment: {why}")]
    ReadOnly {
        /// What the system said.
        why: String,
    },
    /// Not done within five seconds: another process holds a lock, or the read was too long.
    #[error("the store is busy: {why}")]
    Busy {
        /// With what.
        why: String,
    },
    /// What is stored contradicts itself; `grundy-server fsck` tells more.
    #[error("the store is damaged: {why}")]
    Corrupt {
        /// How it shows.
        why: String,
    },
    /// Input or output failed in a way after which only a restart is safe. Of a write it is not known whether it was
    /// done: the log tells after the restart.
    #[error("the store failed: {why}")]
    Failed {
        /// What the system said.
        why: String,
    },
    /// What an earlier run left is missing or was changed, so that a start would lose it without a word.
    #[error("{why}")]
    Lost {
        /// What is missing, how it shows, and what to do.
        why: String,
    },
    /// Another program removed, replaced or changed a file of the running server's store. Of a write that was under way it is not known
    /// whether it was done; nothing is acknowledged any more.
    #[error(
        "{} {change} while the server ran; nothing has been acknowledged since. Put the file back or restore a backup, then start the server \
         (docs/OPERATIONS.md, \"Changed files\")",
        path.display()
    )]
    FileChanged {
        /// The file.
        path: PathBuf,
        /// What happened to it.
        change: FileChange,
    },
    /// A page was asked for from a place that this store never named.
    #[error("not a place in this list")]
    BadCursor,
    /// The node was enlisted again, or another has taken its matches over.
    #[error("this server's place has been taken by another")]
    Fenced,
    /// The store was closed, or has stopped after a failure. Of a write that was under way it is not known whether
    /// it was done.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// Whether what is stored is at fault, so that trying again does not help.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Corrupt { .. })
    }
}
