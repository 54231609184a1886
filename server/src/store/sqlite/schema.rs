//! Opening a database: is it ours, is it sound, is it as the laws need it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};

use super::fault::is_no_database;
use super::names::key_names;
use super::run;
use super::seal::seal_older_rows;
use super::sums;
use crate::failpoint;
use crate::store::StoreError;

static MIGRATIONS: Migrator = sqlx::migrate!("../migrations/sqlite");

/// "GNDY": what `PRAGMA application_id` of our databases says.
const APPLICATION_ID: i64 = 0x474E_4459;
/// Older versions can corrupt a database that two connections use (the WAL-reset race).
const OLDEST_SQLITE: [u32; 3] = [3, 51, 3];
/// How long to wait for a lock that another process holds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// When a commit is on the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Durability {
    /// Before it is acknowledged.
    #[default]
    Full,
    /// Some time later: loses acknowledged moves when the power goes. Only to show that the power-cut tests can fail.
    WeakenedAsControl,
}

impl Durability {
    fn pragma(self) -> &'static str {
        match self {
            Self::Full => "PRAGMA synchronous = FULL",
            Self::WeakenedAsControl => "PRAGMA synchronous = NORMAL",
        }
    }
}

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

fn options(path: &Path) -> SqliteConnectOptions {
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

/// The connection that writes, and how the last server has left the database.
pub(super) struct Opened {
    pub(super) connection: SqliteConnection,
    /// It has not closed it: the last commits are in the write-ahead log, which must not be missing.
    pub(super) was_open: bool,
}

/// Opens the connection that writes: checks that the file is ours, makes or migrates it, and makes sure that all it
/// shows is on the disk.
pub(super) async fn connect_writer(
    path: &Path,
    durability: Durability,
) -> Result<Opened, StoreError> {
    // Nothing may be changed before the file is known to be ours: the journal mode comes after that.
    let mut connection = options(path)
        .create_if_missing(true)
        // Until the write-ahead log is there a commit ends with the removal of a journal, and only EXTRA makes that durable: else the
        // journal could come back with the power and undo the change of mode beneath a log that was begun.
        .synchronous(SqliteSynchronous::Extra)
        .connect()
        .await
        .map_err(|error| unusable(path, error))?;
    check_version(&mut connection).await?;
    let fresh = check_ours(&mut connection, path).await?;
    let was_open = set_up(&mut connection, path, fresh, durability)
        .await
        .map_err(|error| match error {
            StoreError::ReadOnly { why } | StoreError::Failed { why } => StoreError::Unusable {
                path: path.to_owned(),
                why,
            },
            other => other,
        })?;
    check_pragmas(&mut connection, durability).await?;
    Ok(Opened {
        connection,
        was_open,
    })
}

/// Opens a connection that only reads.
pub(crate) async fn connect_reader(path: &Path) -> Result<SqliteConnection, StoreError> {
    let mut connection = options(path)
        .read_only(true)
        .row_buffer_size(512)
        .connect()
        .await
        .map_err(|error| unusable(path, error))?;
    check_version(&mut connection).await?;
    if check_ours(&mut connection, path).await? {
        return Err(not_ours(path, "it is empty"));
    }
    check_pragmas(&mut connection, Durability::Full).await?;
    let found: Option<i64> = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations")
        .fetch_one(&mut connection)
        .await?;
    let (found, known) = (found.unwrap_or(0), newest_known());
    if found < known {
        return Err(StoreError::Unusable {
            path: path.to_owned(),
            why: format!(
                "it has schema {found}, and this program reads schema {known}: start grundy-server on it once, which takes it over"
            ),
        });
    }
    Ok(connection)
}

/// The newest migration that the database has; 0 for a new one.
async fn applied(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
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

fn newest_known() -> i64 {
    let versions = MIGRATIONS.iter().map(|migration| migration.version);
    versions.max().unwrap_or(0)
}

fn unusable(path: &Path, error: sqlx::Error) -> StoreError {
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

fn not_ours(path: &Path, why: &str) -> StoreError {
    StoreError::NotOurs {
        path: path.to_owned(),
        why: why.to_owned(),
    }
}

async fn check_version(connection: &mut SqliteConnection) -> Result<(), StoreError> {
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
async fn check_ours(connection: &mut SqliteConnection, path: &Path) -> Result<bool, StoreError> {
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

/// Makes a fresh database ours and brings an older one up to date; each migration is one transaction. Whether the last server has not closed it.
async fn set_up(
    connection: &mut SqliteConnection,
    path: &Path,
    fresh: bool,
    durability: Durability,
) -> Result<bool, StoreError> {
    if fresh {
        // One statement, one transaction: from here on the file is ours, however far the rest comes.
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!(
            "PRAGMA application_id = {APPLICATION_ID}"
        )))
        .execute(&mut *connection)
        .await?;
    }
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode = WAL")
        .fetch_one(&mut *connection)
        .await?;
    if !mode.eq_ignore_ascii_case("wal") {
        return Err(StoreError::Unusable {
            path: path.to_owned(),
            why: format!("its file system allows journal mode {mode} only, not WAL"),
        });
    }
    sqlx::raw_sql(durability.pragma())
        .execute(&mut *connection)
        .await?;
    failpoint::hit_soon("in_migration");
    if applied(connection).await? < newest_known() {
        sums::keep_differences(connection).await?;
    }
    MIGRATIONS
        .run(&mut *connection)
        .await
        .map_err(|error| match error {
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
            other => not_ours(path, &other.to_string()),
        })?;
    key_names(&mut *connection).await?;
    seal_older_rows(connection).await?;
    sums::complete(connection).await?;
    // Without the mark while the write-ahead log is empty.
    let was_open = run::read(connection).await.is_ok_and(|run| run.open);
    run::clear(connection).await?;
    // The writer checkpoints between batches. After a crash without loss of power the log may show commits that never
    // reached the disk: make them, and the names of the files, durable before anybody reads them.
    sqlx::raw_sql("PRAGMA wal_autocheckpoint = 0; PRAGMA wal_checkpoint(TRUNCATE)")
        .execute(&mut *connection)
        .await?;
    if let Some(directory) = path.parent() {
        std::fs::File::open(directory)
            .and_then(|directory| directory.sync_all())
            .map_err(|error| StoreError::Unusable {
                path: directory.to_owned(),
                why: error.to_string(),
            })?;
    }
    Ok(was_open)
}

/// Reads back what the laws rest on: asking for it is not enough.
async fn check_pragmas(
    connection: &mut SqliteConnection,
    durability: Durability,
) -> Result<(), StoreError> {
    let found: (String, i64, i64, i64) = sqlx::query_as(
        "SELECT (SELECT journal_mode FROM pragma_journal_mode), (SELECT synchronous FROM pragma_synchronous), \
                (SELECT foreign_keys FROM pragma_foreign_keys), (SELECT cell_size_check FROM pragma_cell_size_check)",
    )
    .fetch_one(connection)
    .await?;
    let synchronous = match durability {
        Durability::Full => 2,
        Durability::WeakenedAsControl => 1,
    };
    if found == ("wal".to_owned(), synchronous, 1, 1) {
        Ok(())
    } else {
        Err(StoreError::Failed {
            why: format!(
                "SQLite has journal_mode, synchronous, foreign_keys, cell_size_check = {found:?} where wal, \
                 {synchronous}, 1, 1 were asked for"
            ),
        })
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
