//! Backups of a database while a server uses it, and what becomes of them: they are verified, restored, and removed when they are old.
//!
//! The copy is made from the file, by a process of its own: it needs nothing from the server, and a server that is stopped or hangs is backed up
//! as well.

mod contents;
mod migration;
mod place;
mod restore;
mod retention;
mod verify;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use grundy_shared::ids::Millis;
use serde::Serialize;

use self::contents::logs_of;
pub use self::migration::{Migration, migrate, rehearse};
pub use self::restore::{Restored, restore};
pub use self::retention::Retention;
pub use self::verify::{Verified, verify};
use crate::archive::DATABASE;
use crate::archive::digest;
use crate::archive::manifest::{Manifest, SCHEMA};
use crate::archive::staging::Staging;
use crate::counted::{counted, counted_as};
use crate::exit::{Exit, Failure};
use crate::fsck::{Report, fsck_copy};
use crate::store::sqlite::lock;
use crate::store::sqlite::opening::newest_known;
use crate::store::sqlite::snapshot;
pub use crate::store::sqlite::snapshot::Pace;

/// How nice the process is while it copies and verifies: the server goes first.
const NICENESS: i32 = 19;

/// A backup that was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Made {
    /// Its directory.
    pub directory: PathBuf,
    /// What it holds.
    pub manifest: Manifest,
    /// From the first read until it was verified and visible, in milliseconds.
    pub took_ms: u64,
    /// Older backups that were removed after it.
    pub removed: Vec<PathBuf>,
    /// Older backups that should have been removed, each with the reason why it was not.
    pub kept: Vec<String>,
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Manifest {
            bytes,
            database_schema,
            logs,
            ..
        } = &self.manifest;
        let (size, directory) = (place::megabytes(*bytes), self.directory.display());
        let (seconds, ms) = (self.took_ms / 1_000, self.took_ms % 1_000);
        write!(
            f,
            "backed up {size} in {seconds}.{ms:03} s to {directory}: "
        )?;
        match logs {
            Some(logs) => write!(
                f,
                "{}, {}, head {}",
                counted_as(logs.matches, "match", "matches"),
                counted(logs.events, "event"),
                logs.head
            )?,
            None => write!(
                f,
                "schema {database_schema}; this program reads schema {}, so the logs were not checked",
                newest_known()
            )?,
        }
        if !self.removed.is_empty() {
            write!(f, "; old backups removed: {}", self.removed.len())?;
        }
        for kept in &self.kept {
            write!(f, "\nan old backup was not removed: {kept}")?;
        }
        Ok(())
    }
}

/// Backs up the database of this data directory into a new directory within `shelf`, which is made if it is not there. A server may use the
/// database meanwhile. The backup holds everything that was acknowledged before the call. It appears only when it is verified and on the disk;
/// then the backups that `retention` gives up are removed.
///
/// # Errors
/// `Configuration`: the data directory has no database, or `shelf` is the data directory itself. `Store`: the database cannot be read, or the copy
/// has findings of `fsck`. `Failed`: the copy cannot be written. No backup appears then, and none is removed.
pub async fn make(
    data: &Path,
    shelf: &Path,
    pace: Pace,
    retention: &Retention,
) -> Result<Made, Failure> {
    let begun = Instant::now();
    // Where this is refused, the copy only takes more of the processor.
    let _ = rustix::process::nice(NICENESS);
    let database = place::database(data)?;
    place::check_shelf(data, shelf)?;
    if lock::lacks_log(&database) {
        let why = format!(
            "the last server on {} did not stop cleanly, and its write-ahead log is missing; find the log, or restore a backup (docs/OPERATIONS.md, \"Restore\")",
            database.display()
        );
        return Err(Failure::new(Exit::Store, why));
    }
    place::check_room(shelf, place::size(&database))?;

    let unwritable = |error: io::Error| {
        let why = format!("cannot write a backup into {}: {error}", shelf.display());
        Failure::new(Exit::Failed, why)
    };
    let made_at = place::now();
    let name = place::name_at(made_at);
    let staging = Staging::begin(shelf, &name).map_err(unwritable)?;
    let copy = staging.path().join(DATABASE);
    let database_schema = snapshot::copy(&database, &copy, pace).await?;
    let manifest = describe(&copy, database_schema, place::millis(made_at)).await?;
    manifest.write(staging.path()).map_err(unwritable)?;
    let directory = staging.publish(&name).map_err(unwritable)?;

    let (removed, kept) = retention.apply(shelf, &directory);
    Ok(Made {
        directory,
        manifest,
        took_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
        removed,
        kept,
    })
}

/// Verifies a copy, and says what it holds.
async fn describe(copy: &Path, database_schema: i64, made_at: Millis) -> Result<Manifest, Failure> {
    let logs = if database_schema == newest_known() {
        Some(logs_of(&sound(fsck_copy(copy).await?)?))
    } else {
        let problems = snapshot::integrity(copy).await?;
        if !problems.is_empty() {
            return Err(damaged(&problems.join("; ")));
        }
        None
    };
    let sum = digest::of(copy)
        .map_err(|error| Failure::new(Exit::Failed, format!("{}: {error}", copy.display())))?;
    Ok(Manifest {
        schema: SCHEMA.to_owned(),
        made_at,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        database_schema,
        bytes: sum.bytes,
        sha256: sum.sha256,
        logs,
    })
}

fn sound(report: Report) -> Result<Report, Failure> {
    if report.is_sound() {
        return Ok(report);
    }
    Err(damaged(&report.to_string()))
}

fn damaged(findings: &str) -> Failure {
    let why = format!(
        "{findings}\nthe database is damaged, so no backup was kept; stop the server and run 'grundy-server fsck'"
    );
    Failure::new(Exit::Store, why)
}
