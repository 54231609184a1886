//! Whether a start may use the files that it finds: a database that was lost is never quietly replaced by an empty one, and commits that
//! were lost are never quietly left out.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::cut_log::{CutLog, cut_log};
use super::files::identity;
use super::lock::{FileLock, beside};
use super::note::Note;
use crate::store::{Allowances, StoreError};

/// Admits a start, or refuses it. Gives whether commits may be missing, which the operator has accepted then. A database that is about to be
/// made is noted, so that a start that is interrupted can be repeated.
///
/// # Errors
/// `Lost` with the remedy; `Unusable` if what is in the way of a new database cannot be moved.
pub(super) fn admit(
    database: &Path,
    lock: &mut FileLock,
    allowed: Allowances,
) -> Result<bool, StoreError> {
    let present = match std::fs::metadata(database) {
        Ok(there) => there.len() > 0,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(unusable(database, &error)),
    };
    if allowed.new {
        if present {
            return Err(lost(format!(
                "{} exists; start without --new to use it",
                database.display()
            )));
        }
        set_aside(database).map_err(|error| unusable(database, &error))?;
        lock.note_durably(Note::Making);
        return Ok(false);
    }
    if !present {
        if let Some(trace) =
            trace(database, lock.found()).map_err(|error| unusable(database, &error))?
        {
            let state = if database.exists() {
                "empty"
            } else {
                "missing"
            };
            return Err(lost(format!(
                "{} is {state}, but {trace} shows that a server has run here; put the file back or restore a backup \
                 (docs/OPERATIONS.md, \"Restore\"), or start with --new to begin with an empty database",
                database.display()
            )));
        }
        lock.note_durably(Note::Making);
        return Ok(false);
    }
    match lock.found() {
        Note::LogMissing => admit_loss(database, allowed, missing_log(database)),
        Note::Changed(wanted) if !wanted.is_some_and(|wanted| are_back(database, wanted)) => {
            admit_loss(
                database,
                allowed,
                format!(
                    "the files of {} were changed while a server ran, and are not back in place; put them back or restore a backup \
                     (docs/OPERATIONS.md, \"Changed files\"), or run fsck and start with --accept-loss to use them as they are",
                    database.display()
                ),
            )
        }
        _ => match cut_log(database) {
            Some(cut) => admit_loss(database, allowed, cut_short(database, cut)),
            None => Ok(false),
        },
    }
}

fn cut_short(database: &Path, CutLog { had, sound }: CutLog) -> String {
    format!(
        "{} had {had} frames and has {sound} sound ones: commits of the last server are missing; put the file back or restore a backup \
         (docs/OPERATIONS.md, \"Changed files\"), or start with --accept-loss to go on without them",
        beside(database, "-wal").display()
    )
}

/// Admits a start without the write-ahead log of a run that did not stop cleanly, if the operator accepts that; or notes that the log is missing,
/// so that every later start finds it out too, and refuses.
///
/// # Errors
/// `Lost` with the remedy.
pub(super) fn admit_without_log(
    database: &Path,
    lock: &mut FileLock,
    allowed: Allowances,
) -> Result<bool, StoreError> {
    lock.note_log_missing();
    admit_loss(database, allowed, missing_log(database))
}

fn missing_log(database: &Path) -> String {
    format!(
        "{} is missing, and the last server did not stop cleanly: its last commits are in that file only; put it back, \
         or start with --accept-loss to go on without them",
        beside(database, "-wal").display()
    )
}

fn admit_loss(database: &Path, allowed: Allowances, why: String) -> Result<bool, StoreError> {
    if !allowed.loss {
        return Err(lost(why));
    }
    tracing::error!(
        database = %database.display(),
        "the server goes on without what is missing, as --accept-loss says: the last commits may be lost"
    );
    Ok(true)
}

/// What shows that a server has run here.
fn trace(database: &Path, found: &Note) -> io::Result<Option<String>> {
    match found {
        // The start that made it was interrupted before anything was acknowledged.
        Note::Making => return Ok(None),
        Note::Blank => {}
        Note::Running | Note::Stopped | Note::LogMissing | Note::Changed(_) | Note::Old => {
            return Ok(Some("its lock file".to_owned()));
        }
    }
    let (Some(directory), Some(name)) = (database.parent(), database.file_name()) else {
        return Ok(None);
    };
    let name = name.to_string_lossy();
    // A rollback journal belongs to a database that is being made.
    let own = ["", ".lock", "-journal"].map(|suffix| format!("{name}{suffix}"));
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let found = entry.file_name();
        let found = found.to_string_lossy();
        if found.starts_with(&*name) && !own.iter().any(|own| *own == found) {
            return Ok(Some(found.into_owned()));
        }
    }
    Ok(None)
}

/// Moves what would get in the way of a new database into a directory of its own: nothing is deleted.
fn set_aside(database: &Path) -> io::Result<()> {
    let left = ["", "-wal", "-shm", "-journal"].map(|suffix| beside(database, suffix));
    let left: Vec<PathBuf> = left.into_iter().filter(|path| path.exists()).collect();
    let (Some(directory), false) = (database.parent(), left.is_empty()) else {
        return Ok(());
    };
    let aside = make_first_free(directory)?;
    for path in left {
        if let Some(name) = path.file_name() {
            std::fs::rename(&path, aside.join(name))?;
        }
    }
    tracing::warn!(directory = %aside.display(), "what an earlier run left was set aside");
    Ok(())
}

/// Makes the first of the directories `set-aside-1`, `set-aside-2`, … that is not there.
fn make_first_free(directory: &Path) -> io::Result<PathBuf> {
    let mut number = 1_u32;
    loop {
        let aside = directory.join(format!("set-aside-{number}"));
        match DirBuilder::new().mode(0o700).create(&aside) {
            Ok(()) => return Ok(aside),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

fn are_back(database: &Path, wanted: [(u64, u64); 2]) -> bool {
    [identity(database), identity(&beside(database, "-wal"))] == wanted.map(Some)
}

fn lost(why: String) -> StoreError {
    StoreError::Lost { why }
}

fn unusable(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Unusable {
        path: path.to_owned(),
        why: error.to_string(),
    }
}
