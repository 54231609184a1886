//! Verifying a backup long after it was made, without the server.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::contents::logs_of;
use super::place::{megabytes, time};
use super::retention::find;
use crate::archive::DATABASE;
use crate::archive::digest;
use crate::archive::manifest::Manifest;
use crate::counted::{counted, counted_as};
use crate::exit::{Exit, Failure};
use crate::fsck::fsck_copy;
use crate::store::sqlite::opening::newest_known;
use crate::store::sqlite::snapshot;

/// A backup that is as it was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verified {
    /// Its directory.
    pub directory: PathBuf,
    /// What it holds.
    pub manifest: Manifest,
    /// Whether the logs were checked. This program checks only the schema that it writes; of older ones it checks the file.
    pub logs_checked: bool,
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Manifest {
            made_at,
            bytes,
            database_schema,
            logs,
            ..
        } = &self.manifest;
        let (directory, made) = (self.directory.display(), time(*made_at));
        write!(f, "{directory}: {} of {made}, ", megabytes(*bytes))?;
        if let Some(logs) = logs {
            write!(
                f,
                "{}, {}, head {}, ",
                counted_as(logs.matches, "match", "matches"),
                counted(logs.events, "event"),
                logs.head
            )?;
        }
        match self.logs_checked {
            true => f.write_str("sound"),
            false => write!(
                f,
                "the file is as it was written; its logs have schema {database_schema} and were not checked"
            ),
        }
    }
}

/// Verifies the backup that a path names: a backup, or a directory of backups, of which it takes the newest. Nothing is changed there.
///
/// # Errors
/// `Configuration`: it is not a backup. `Store`: it is not as it was made.
pub async fn verify(path: &Path) -> Result<Verified, Failure> {
    let directory = find(path)?;
    let damaged = |why: String| {
        let why = format!(
            "the backup {} is damaged: {why}; use another one",
            directory.display()
        );
        Failure::new(Exit::Store, why)
    };
    let manifest = Manifest::read(&directory)
        .map_err(|error| damaged(format!("its manifest cannot be read: {error}")))?;
    let copy = directory.join(DATABASE);
    let found = digest::of(&copy).map_err(|error| damaged(error.to_string()))?;
    if found.bytes != manifest.bytes {
        let (found, bytes) = (found.bytes, manifest.bytes);
        return Err(damaged(format!("it has {found} bytes instead of {bytes}")));
    }
    if found.sha256 != manifest.sha256 {
        return Err(damaged("its SHA-256 has changed".to_owned()));
    }
    if manifest.database_schema > newest_known() {
        let why = format!(
            "the backup {} has schema {}, and this program knows up to {}: use grundy-server {} or newer",
            directory.display(),
            manifest.database_schema,
            newest_known(),
            manifest.program
        );
        return Err(Failure::new(Exit::Store, why));
    }
    let logs_checked = manifest.database_schema == newest_known();
    if logs_checked {
        let report = fsck_copy(&copy).await?;
        if !report.is_sound() {
            return Err(damaged(format!("\n{report}\n")));
        }
        if manifest
            .logs
            .as_ref()
            .is_some_and(|logs| *logs != logs_of(&report))
        {
            return Err(damaged(
                "it holds other logs than its manifest says".to_owned(),
            ));
        }
    } else {
        let problems = snapshot::integrity(&copy).await?;
        if !problems.is_empty() {
            return Err(damaged(problems.join("; ")));
        }
    }
    Ok(Verified {
        directory,
        manifest,
        logs_checked,
    })
}
