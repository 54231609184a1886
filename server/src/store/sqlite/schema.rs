//! Opening the database of a server: is it sound, is it as the laws need it; and its upgrade.

use std::path::Path;

use sqlx::ConnectOptions;
use sqlx::migrate::MigrateError;
use sqlx::sqlite::{SqliteConnection, SqliteSynchronous};

use super::keeping;
use super::names::key_names;
use super::opening::{
    APPLICATION_ID, MIGRATIONS, Opening, check_ours, check_version, connect, newest_known,
    not_ours, options, schema_of, unusable,
};
use super::run;
use super::seal::seal_older_rows;
use super::sums;
use crate::failpoint;
use crate::store::StoreError;

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

/// What happens before the schema of an older database is upgraded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Upgrade {
    /// A copy is kept beside it ([`crate::archive`]), in `before-upgrade-of-schema-N`.
    KeepingCopy,
    /// Nothing: the database is a copy itself, or there is one.
    WithoutCopy,
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
    upgrade: Upgrade,
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
    let was_open = match set_up(&mut connection, path, (fresh, upgrade), durability).await {
        Ok(was_open) => was_open,
        Err(error) => {
            // To close the last connection can delete the log while the database is still marked as open, as on a full disk.
            std::mem::forget(connection);
            return Err(match error {
                StoreError::ReadOnly { why } | StoreError::Failed { why } => StoreError::Unusable {
                    path: path.to_owned(),
                    why,
                },
                other => other,
            });
        }
    };
    check_pragmas(&mut connection, durability).await?;
    Ok(Opened {
        connection,
        was_open,
    })
}

/// Opens a connection that only reads.
pub(crate) async fn connect_reader(path: &Path) -> Result<SqliteConnection, StoreError> {
    let mut connection = connect(path, Opening::Live).await?;
    check_pragmas(&mut connection, Durability::Full).await?;
    check_schema(&mut connection, path).await?;
    Ok(connection)
}

/// Opens a copy of a database that no program writes to; its directory is not changed.
pub(crate) async fn connect_unchanging(path: &Path) -> Result<SqliteConnection, StoreError> {
    let mut connection = connect(path, Opening::Unchanging).await?;
    check_schema(&mut connection, path).await?;
    Ok(connection)
}

/// Whether the schema is the one that this program reads.
async fn check_schema(connection: &mut SqliteConnection, path: &Path) -> Result<(), StoreError> {
    let (found, known) = (schema_of(connection).await?, newest_known());
    if found < known {
        return Err(StoreError::Unusable {
            path: path.to_owned(),
            why: format!(
                "it has schema {found}, and this program reads schema {known}: upgrade it with 'grundy-server migrate'"
            ),
        });
    }
    Ok(())
}

/// Makes a fresh database ours and brings an older one up to date; each migration is one transaction. Whether the last server has not closed it.
async fn set_up(
    connection: &mut SqliteConnection,
    path: &Path,
    (fresh, upgrade): (bool, Upgrade),
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
    // What is deleted from a page that stays is overwritten, which costs no write of its own. Pages that are freed keep what they had: an erasure
    // overwrites them.
    sqlx::raw_sql("PRAGMA secure_delete = FAST")
        .execute(&mut *connection)
        .await?;
    let found = schema_of(&mut *connection).await?;
    if (1..newest_known()).contains(&found) && upgrade == Upgrade::KeepingCopy {
        keeping::keep(&mut *connection, path, found).await?;
    }
    failpoint::hit_soon("in_migration");
    if found < newest_known() {
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
