//! Opening a database: is it there, is it ours, does this program know it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};

use super::fault::is_no_database;
use crate::store::StoreError;

pub(super) static MIGRATIONS: Migrator = sqlx::migrate!("../migrations/sqlite");

/// "GNDY": what `PRAGMA application_id` of our databases says.
pub(super) const APPLICATION_ID: i64 = 0x474E_4459;
/// Older versions can corrupt a database that two connections use (the WAL-reset race).
const OLDEST_SQLITE: [u32; 3] = [3, 51, 3];
/// How long to wait for a lock that another process holds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The path with its directory resolved, so that two spellings mean one database.
pub(crate) fn resolve(path: &Path) -> Result<PathBuf, StoreError> {
    let unusable = |why: String| StoreError::Unusable {
        path: path.to_owned(),
        why,
    };
    if path.is_dir() {
        return Err(unusable("it is a directory".to_owned()));
    }
    if let Ok(resolved) = path.canonicalize() {
        return Ok(resolved);
    }
    let name = path
        .file_name()
        .ok_or_else(|| unusable("it names no file".to_owned()))?;
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let directory = directory
        .canonicalize()
        .map_err(|error| unusable(format!("its directory: {error}")))?;
    Ok(directory.join(name))
}

pub(super) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .busy_timeout(BUSY_TIMEOUT)
        .foreign_keys(true)
        .pragma("cell_size_check", "ON")
        // A batch that touches many pages keeps them as they were until its statement is done: not in a file, which would be
        // made and removed at every other commit.
        .pragma("temp_store", "MEMORY")
        .disable_statement_logging()
}

/// How to open a database of which nothing is asked but that it is ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Opening {
    /// To read it while a server may write to it.
    Live,
    /// To write to a copy that is being made.
    Copy,
    /// To read a file that nobody writes to: SQLite takes no lock and makes no file beside it.
    Unchanging,
}

/// Opens a database of any schema that this program knows.
///
/// # Errors
/// It is not there, not ours, or newer than this program.
pub(crate) async fn connect(path: &Path, how: Opening) -> Result<SqliteConnection, StoreError> {
    let mut connection = options(path)
        .read_only(how != Opening::Copy)
        .immutable(how == Opening::Unchanging)
        .row_buffer_size(512)
        .connect()
        .await
        .map_err(|error| unusable(path, error))?;
    check_version(&mut connection).await?;
    if check_ours(&mut connection, path).await? {
        return Err(not_ours(path, "it is empty"));
    }
    Ok(connection)
}

/// The schema of a database that is ours.
///
/// # Errors
/// It cannot be read.
pub(crate) async fn schema_of(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    let known: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations')",
    )
    .fetch_one(&mut *connection)
    .await?;
    if !known {
        return Ok(0);
    }
    let newest: Option<i64> = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations")
        .fetch_one(connection)
        .await?;
    Ok(newest.unwrap_or(0))
}

/// The schema that this program writes.
pub(crate) fn newest_known() -> i64 {
    let versions = MIGRATIONS.iter().map(|migration| migration.version);
    versions.max().unwrap_or(0)
}

pub(super) fn unusable(path: &Path, error: sqlx::Error) -> StoreError {
    if is_no_database(&error) {
        return not_ours(path, "it is not an SQLite database");
    }
    match StoreError::from(error) {
        StoreError::ReadOnly { why } | StoreError::Failed { why } => StoreError::Unusable {
            path: path.to_owned(),
            why,
        },
        other => other,
    }
}

pub(super) fn not_ours(path: &Path, why: &str) -> StoreError {
    StoreError::NotOurs {
        path: path.to_owned(),
        why: why.to_owned(),
    }
}

pub(super) async fn check_version(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let found: String = sqlx::query_scalar("SELECT sqlite_version()")
        .fetch_one(connection)
        .await?;
    if is_recent_enough(&found) {
        Ok(())
    } else {
        {
            let why = format!("SQLite {found} may corrupt databases; 3.51.3 or newer is needed");
            Err(StoreError::Unsafe { why })
        }
    }
}

fn is_recent_enough(version: &str) -> bool {
    let numbers: Vec<u32> = version
        .split('.')
        .map_while(|number| number.parse().ok())
        .collect();
    numbers.as_slice() >= OLDEST_SQLITE.as_slice()
}

/// Whether the database is ours; `true` when it is empty and may become so.
pub(super) async fn check_ours(
    connection: &mut SqliteConnection,
    path: &Path,
) -> Result<bool, StoreError> {
    let (application, tables): (i64, i64) = sqlx::query_as(
        "SELECT (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)",
    )
    .fetch_one(&mut *connection)
    .await
    .map_err(|error| unusable(path, error))?;
    match (application, tables) {
        (0, 0) => return Ok(true),
        (APPLICATION_ID, 0) => return Ok(false),
        (APPLICATION_ID, _) => {}
        _ => return Err(not_ours(path, "it belongs to another program")),
    }
    let newest: Option<i64> = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations")
        .fetch_one(connection)
        .await?;
    let known = newest_known();
    match newest {
        Some(found) if found > known => Err(StoreError::Newer { found, known }),
        _ => Ok(false),
    }
}

/// Closes a connection; what goes wrong then is no longer of interest.
pub(super) async fn disconnect(connection: SqliteConnection) {
    let _ = connection.close().await;
}

#[cfg(test)]
mod tests {
    use super::is_recent_enough;

    #[test]
    fn versions_with_the_wal_reset_race_are_refused() {
        for (version, good) in [
            ("3.51.3", true),
            ("3.51.10", true),
            ("3.52.0", true),
            ("4.0", true),
            ("3.51.2", false),
            ("3.46.0", false),
            ("3.9.9", false),
            ("", false),
        ] {
            assert_eq!(is_recent_enough(version), good, "{version}");
        }
    }
}
