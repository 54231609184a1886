//! Upgrading the schema of a database by command, and rehearsing it on a copy.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use super::place::{self, megabytes};
use crate::archive::DATABASE;
use crate::archive::staging::Staging;
use crate::exit::{Exit, Failure};
use crate::fsck::{Report, fsck};
use crate::store::sqlite::opening::newest_known;
use crate::store::sqlite::snapshot::{self, Pace};
use crate::store::sqlite::{Durability, SqliteStore, keeping};
use crate::store::{Allowances, Store};

/// An upgrade of a database that was made, or rehearsed on a copy.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Migration {
    /// Whether it was only rehearsed.
    pub dry_run: bool,
    /// The schema before.
    pub from_schema: i64,
    /// The schema after, and of this program.
    pub to_schema: i64,
    /// The size of the database before, in bytes.
    pub bytes_before: u64,
    /// The size after.
    pub bytes_after: u64,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// The copy that was kept, or would be.
    pub copy: Option<PathBuf>,
    /// What `fsck` says of the result; `None` if there was nothing to upgrade.
    pub report: Option<Report>,
}

impl Migration {
    /// Whether the result is sound.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.report.as_ref().is_none_or(Report::is_sound)
    }
}

impl fmt::Display for Migration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.from_schema, self.to_schema);
        let Some(report) = &self.report else {
            return write!(
                f,
                "the database has schema {to} already: nothing to upgrade"
            );
        };
        let (before, after) = (megabytes(self.bytes_before), megabytes(self.bytes_after));
        let seconds = self.took_ms.div_ceil(1_000);
        let copy = self.copy.as_ref().map(|copy| copy.display().to_string());
        if self.dry_run {
            // The copy, the pages of one migration in the write-ahead log, and the result.
            let needed = self.bytes_before + 2 * self.bytes_after.max(self.bytes_before);
            writeln!(
                f,
                "would upgrade schema {from} to {to}: on a copy it took {seconds} s, and {before} became {after}"
            )?;
            writeln!(f, "up to {} of free space are needed", megabytes(needed))?;
            if let Some(copy) = copy {
                writeln!(f, "a copy with schema {from} would be kept in {copy}")?;
            }
        } else {
            writeln!(
                f,
                "upgraded schema {from} to {to} in {seconds} s; {before} became {after}"
            )?;
            if let Some(copy) = copy {
                writeln!(
                    f,
                    "a copy with schema {from} is in {copy}: keep it until you are sure"
                )?;
            }
        }
        write!(f, "{report}")
    }
}

/// Rehearses the upgrade of a database on a copy in its directory, which is removed again. A server of an older version may use the database
/// meanwhile.
///
/// # Errors
/// There is no database, or it is not ours or newer than this program; there is no room for two copies; or the upgrade fails.
pub async fn rehearse(data: &Path) -> Result<Migration, Failure> {
    let database = place::database(data)?;
    let from_schema = snapshot::schema(&database).await?;
    if from_schema == newest_known() {
        return Ok(nothing(true));
    }
    place::check_room(data, 3 * place::size(&database))?;
    let unwritable = |error: io::Error| {
        let why = format!(
            "cannot copy the database within {}: {error}",
            data.display()
        );
        Failure::new(Exit::Failed, why)
    };
    let name = place::name_at(place::now());
    let staging = Staging::begin(data, &name).map_err(unwritable)?;
    // The staging directory itself is locked, and so would be that of a database.
    let within = staging.path().join("data");
    fs::create_dir(&within).map_err(unwritable)?;
    let copy = within.join(DATABASE);
    snapshot::copy(&database, &copy, Pace::Gentle).await?;
    let mut migration = upgrade(&copy, from_schema, true).await?;
    migration.dry_run = true;
    migration.copy = Some(data.join(keeping::name(from_schema)));
    Ok(migration)
}

/// Upgrades a database that no server uses. A copy of it is kept beside it, unless `without_copy`.
///
/// # Errors
/// There is no database, or it is not ours, newer than this program or in use; there is no room; or the upgrade fails. The database is as it was
/// then.
pub async fn migrate(data: &Path, without_copy: bool) -> Result<Migration, Failure> {
    let database = place::database(data)?;
    let from_schema = snapshot::schema(&database).await?;
    if from_schema == newest_known() {
        return Ok(nothing(false));
    }
    let mut migration = upgrade(&database, from_schema, without_copy).await?;
    if !without_copy {
        migration.copy = Some(data.join(keeping::name(from_schema)));
    }
    Ok(migration)
}

fn nothing(dry_run: bool) -> Migration {
    Migration {
        dry_run,
        from_schema: newest_known(),
        to_schema: newest_known(),
        bytes_before: 0,
        bytes_after: 0,
        took_ms: 0,
        copy: None,
        report: None,
    }
}

async fn upgrade(
    database: &Path,
    from_schema: i64,
    upgrade_without_copy: bool,
) -> Result<Migration, Failure> {
    let allowed = Allowances {
        upgrade_without_copy,
        ..Allowances::default()
    };
    let bytes_before = place::size(database);
    let begun = Instant::now();
    let store = SqliteStore::open_with(database, Durability::Full, allowed).await?;
    let took = begun.elapsed();
    store.close().await;
    let report = fsck(database).await?;
    Ok(Migration {
        dry_run: false,
        from_schema,
        to_schema: newest_known(),
        bytes_before,
        bytes_after: place::size(database),
        took_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        copy: None,
        report: Some(report),
    })
}
