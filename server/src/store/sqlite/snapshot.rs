//! A copy of a database as it is at one moment, while a server may write to it.
//!
//! SQLite copies it within one read transaction (`VACUUM INTO`). As long as that lasts, the write-ahead log of the server only grows: the copy
//! pauses to leave the processor and the disk to the server, but not if the log has become long.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sqlx::Connection;
use sqlx::sqlite::SqliteConnection;

use super::lock::has_log;
use super::opening::{Opening, connect, disconnect, schema_of};
use super::run;
use crate::store::StoreError;

/// How often, in steps of SQLite's machine, to look at the time. A step may copy a row of 64 KiB.
const STEPS_BETWEEN_LOOKS: i32 = 64;
/// Work between two pauses.
const SLICE: Duration = Duration::from_millis(5);
/// A pause is that many times as long as the work before it.
const PAUSES: u32 = 3;
/// Bytes of the write-ahead log beyond which there are no pauses.
const LONG_LOG: u64 = 256 << 20;
/// Bytes of the copy that are written before they are flushed: the flushes of the server then never wait for much.
const FLUSHED: u64 = 4 << 20;

/// Copies that are made of a database that seems to lack its log, in case a server has opened it meanwhile.
const ATTEMPTS: u32 = 2;

/// Whether a copy leaves time to others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// It works a quarter of the time, unless the write-ahead log has become long.
    Gentle,
    /// It does not pause.
    Full,
}

/// Copies the database to a new file, which it flushes, and returns the schema of both. The copy needs no write-ahead log.
///
/// # Errors
/// The database is not ours, newer than this program, or cannot be read; or the copy cannot be written.
pub(crate) async fn copy(from: &Path, to: &Path, pace: Pace) -> Result<i64, StoreError> {
    copy_beside(from, to, pace, || has_log(from)).await
}

/// The same; `has_log` says whether the write-ahead log is there.
async fn copy_beside(
    from: &Path,
    to: &Path,
    pace: Pace,
    mut has_log: impl FnMut() -> bool,
) -> Result<i64, StoreError> {
    for _ in 0..ATTEMPTS {
        // Before SQLite makes an empty one.
        let had_log = has_log();
        let mut connection = connect(from, Opening::Live).await?;
        let schema = schema_of(&mut connection).await?;
        let copied = vacuum_into(&mut connection, to, Breath::of(from, to, pace)).await;
        disconnect(connection).await;
        copied?;
        if !complete(to, schema).await? || had_log {
            return Ok(schema);
        }
        // Or a server has opened it after we looked, and then its log is there by now.
        std::fs::remove_file(to).map_err(|error| StoreError::Unusable {
            path: to.to_owned(),
            why: error.to_string(),
        })?;
    }
    let why = "a server had the database open, and its write-ahead log is missing";
    Err(StoreError::Corrupt {
        why: why.to_owned(),
    })
}

/// Copies what a connection sees to a new file, without a pause.
///
/// # Errors
/// The copy cannot be written.
pub(super) async fn copy_at_once(
    connection: &mut SqliteConnection,
    from: &Path,
    to: &Path,
) -> Result<(), StoreError> {
    let schema = schema_of(connection).await?;
    vacuum_into(connection, to, Breath::of(from, to, Pace::Full)).await?;
    complete(to, schema).await.map(drop)
}

async fn vacuum_into(
    connection: &mut SqliteConnection,
    to: &Path,
    mut breath: Breath,
) -> Result<(), StoreError> {
    let Some(name) = to.to_str() else {
        return Err(StoreError::Unusable {
            path: to.to_owned(),
            why: "its name is not UTF-8".to_owned(),
        });
    };
    connection
        .lock_handle()
        .await?
        .set_progress_handler(STEPS_BETWEEN_LOOKS, move || {
            breath.take();
            true
        });
    let copied = sqlx::query("VACUUM INTO ?1")
        .bind(name)
        .execute(&mut *connection)
        .await;
    connection.lock_handle().await?.remove_progress_handler();
    copied.map(drop).map_err(|error| StoreError::Unusable {
        path: to.to_owned(),
        why: error.to_string(),
    })
}

/// Makes a database of the copy as a server leaves it, and flushes it. Whether a server had the original open.
async fn complete(copy: &Path, schema: i64) -> Result<bool, StoreError> {
    let mut connection = connect(copy, Opening::Copy).await?;
    sqlx::raw_sql("PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL")
        .execute(&mut connection)
        .await?;
    let mut was_open = false;
    if schema >= run::SINCE_SCHEMA {
        was_open = run::read(&mut connection).await?.open;
        run::clear(&mut connection).await?;
    }
    connection.close().await?;
    let flushed = File::open(copy).and_then(|file| {
        use std::os::unix::fs::PermissionsExt;

        file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
        file.sync_all()
    });
    flushed.map_err(|error| StoreError::Unusable {
        path: copy.to_owned(),
        why: error.to_string(),
    })?;
    Ok(was_open)
}

/// What SQLite's own check finds in a copy that no program writes to: nothing, or a line for each problem.
///
/// # Errors
/// The copy is not ours, newer than this program, or cannot be read.
pub(crate) async fn integrity(copy: &Path) -> Result<Vec<String>, StoreError> {
    let mut connection = connect(copy, Opening::Unchanging).await?;
    let lines: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check(10)")
        .fetch_all(&mut connection)
        .await?;
    disconnect(connection).await;
    Ok(lines.into_iter().filter(|line| line != "ok").collect())
}

/// The schema of a database that a server may be writing to.
///
/// # Errors
/// The database is not ours, newer than this program, or cannot be read.
pub(crate) async fn schema(database: &Path) -> Result<i64, StoreError> {
    let mut connection = connect(database, Opening::Live).await?;
    let schema = schema_of(&mut connection).await;
    disconnect(connection).await;
    schema
}

/// The pauses of a copy, and its flushes.
struct Breath {
    pace: Pace,
    log: PathBuf,
    copy: PathBuf,
    /// Open once it is there.
    written: Option<File>,
    flushed: u64,
    since: Instant,
}

impl Breath {
    fn of(from: &Path, to: &Path, pace: Pace) -> Self {
        let mut log = from.as_os_str().to_owned();
        log.push("-wal");
        Self {
            pace,
            log: log.into(),
            copy: to.to_owned(),
            written: None,
            flushed: 0,
            since: Instant::now(),
        }
    }

    /// Pauses and flushes if it is time.
    fn take(&mut self) {
        let worked = self.since.elapsed();
        if worked < SLICE {
            return;
        }
        self.flush();
        if self.pace == Pace::Gentle && length(&self.log) < LONG_LOG {
            std::thread::sleep(worked * PAUSES);
        }
        self.since = Instant::now();
    }

    /// What cannot be flushed now is flushed at the end, or fails there.
    fn flush(&mut self) {
        let bytes = length(&self.copy);
        if bytes < self.flushed + FLUSHED {
            return;
        }
        if self.written.is_none() {
            self.written = File::open(&self.copy).ok();
        }
        if let Some(file) = &self.written {
            let _ = file.sync_data();
        }
        self.flushed = bytes;
    }
}

fn length(path: &Path) -> u64 {
    path.metadata().map_or(0, |file| file.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::SqliteStore;

    #[tokio::test]
    async fn a_server_that_opens_the_database_meanwhile_does_not_make_a_log_missing() {
        let directory = tempfile::tempdir().expect("a directory");
        let [from, to] = ["grundy.db", "copy.db"].map(|name| directory.path().join(name));
        let server = SqliteStore::open(&from).await.expect("a database");
        // The first look was before the server opened it.
        let mut looks = 0;
        let look = || {
            looks += 1;
            looks > 1 && has_log(&from)
        };
        copy_beside(&from, &to, Pace::Full, look)
            .await
            .expect("a copy");
        assert_eq!(integrity(&to).await.expect("readable"), [] as [&str; 0]);
        std::fs::remove_file(&to).expect("our file");
        let refused = copy_beside(&from, &to, Pace::Full, || false).await;
        assert!(
            matches!(&refused, Err(StoreError::Corrupt { why }) if why.contains("is missing")),
            "{refused:?}"
        );
        assert!(!to.exists(), "no copy is left");
        drop(server);
    }
}
