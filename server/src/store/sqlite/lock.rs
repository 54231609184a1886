//! One server per file: a lock file beside the database, held with `flock` and naming its holder.
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
    _file: File,
}

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
                let mut holder = String::new();
                let _ = file.read_to_string(&mut holder);
                return Err(StoreError::InUse {
                    path: database.to_owned(),
                    pid: holder.trim().parse().ok(),
                });
            }
            Err(error) => return Err(unusable(error.into())),
        }
        // The pid only helps the reader of a message: a disk that is full must not keep the server from reading.
        let _ = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(Self { _file: file })
    }
}
