//! What SQLite's result codes mean for the store (<https://www.sqlite.org/rescode.html>).

use crate::store::StoreError;

const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const READONLY: i32 = 8;
const INTERRUPT: i32 = 9;
const CORRUPT: i32 = 11;
const FULL: i32 = 13;
const CANTOPEN: i32 = 14;
const NOTADB: i32 = 26;
const IOERR_WRITE: i32 = 778;
const IOERR_SHMSIZE: i32 = 4874;

/// The extended result code of an error, when it came from SQLite.
fn result_code(error: &sqlx::Error) -> Option<i32> {
    error.as_database_error()?.code()?.parse().ok()
}

/// Whether a file is not an SQLite database at all.
pub(super) fn is_no_database(error: &sqlx::Error) -> bool {
    result_code(error) == Some(NOTADB)
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let why = match error.as_database_error() {
            Some(error) => error.message().to_owned(),
            None => error.to_string(),
        };
        let Some(code) = result_code(&error) else {
            return match error {
                sqlx::Error::WorkerCrashed => Self::Closed,
                sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => Self::Corrupt { why },
                _ => Self::Failed { why },
            };
        };
        match (code, code & 0xff) {
            // A write that the system refuses (quota, file size limit) rolls back like a full disk does. A failed
            // *sync* is another matter: what reached the disk is unknown, and trying again would lie.
            (IOERR_WRITE | IOERR_SHMSIZE, _) | (_, READONLY | FULL) => Self::ReadOnly { why },
            (_, BUSY | LOCKED) => Self::Busy { why },
            (_, INTERRUPT) => Self::Busy {
                why: "the read took longer than five seconds".to_owned(),
            },
            (_, CORRUPT | NOTADB) => Self::Corrupt { why },
            (_, CANTOPEN) => Self::ReadOnly { why },
            _ => Self::Failed { why },
        }
    }
}

/// Why a transaction did not happen.
pub(super) enum Failure {
    /// Nothing was done; the next attempt may succeed.
    Refused(StoreError),
    /// What reached the disk is unknown: only a restart tells.
    Fatal(StoreError),
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        StoreError::from(error).into()
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::ReadOnly { .. } | StoreError::Busy { .. } => Self::Refused(error),
            _ => Self::Fatal(error),
        }
    }
}
