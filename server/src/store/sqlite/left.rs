//! The note beside a database that its records are in another store now: no server uses it then.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::lock::{FileLock, beside};
use super::opening::resolve;
use crate::store::StoreError;
use crate::store::copying::moved;

fn note_of(database: &Path) -> PathBuf {
    beside(database, ".moved")
}

fn unusable(path: &Path, error: io::Error) -> StoreError {
    StoreError::Unusable {
        path: path.to_owned(),
        why: error.to_string(),
    }
}

/// Where the records are, if they were moved.
fn place(database: &Path) -> Result<Option<String>, StoreError> {
    let note = note_of(database);
    match std::fs::read_to_string(&note) {
        Ok(text) => Ok(Some(
            moved::place_of(text.trim_end())
                .unwrap_or_default()
                .to_owned(),
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unusable(&note, error)),
    }
}

/// Whether the database may be used. One that was moved may be used to go on with the move to the same place.
///
/// # Errors
/// `Unusable`, with where the records are and what to do.
pub(super) fn check(database: &Path, to: Option<&str>) -> Result<(), StoreError> {
    match place(database)? {
        None => Ok(()),
        Some(place) if Some(&*place) == to => Ok(()),
        Some(place) => {
            let directory = database.parent().unwrap_or(Path::new("."));
            Err(StoreError::Moved {
                from: format!("sqlite:{}", directory.display()),
                to: place,
            })
        }
    }
}

/// Notes durably that the records are in another place now. Whoever has read them holds the lock of the database.
///
/// # Errors
/// The note cannot be written.
pub(crate) fn leave(database: &Path, to: &str) -> Result<(), StoreError> {
    let database = resolve(database)?;
    let note = note_of(&database);
    let new = beside(&database, ".moved-new");
    // It is there whole or not at all.
    let written = std::fs::write(&new, format!("{}\n", moved::note(to)))
        .and_then(|()| File::open(&new)?.sync_all())
        .and_then(|()| std::fs::rename(&new, &note))
        .and_then(|()| sync_directory_of(&note));
    written.map_err(|error| unusable(&note, error))
}

/// Takes the note back; where the records were moved to, if there was one.
///
/// # Errors
/// The database is in use, or the note cannot be removed.
pub(crate) fn take_back(database: &Path) -> Result<Option<String>, StoreError> {
    let database = resolve(database)?;
    let Some(place) = place(&database)? else {
        return Ok(None);
    };
    let _lock = FileLock::take(&database)?;
    let note = note_of(&database);
    let removed = std::fs::remove_file(&note).and_then(|()| sync_directory_of(&note));
    removed.map_err(|error| unusable(&note, error))?;
    Ok(Some(place))
}

fn sync_directory_of(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(directory) => File::open(directory)?.sync_all(),
        None => Ok(()),
    }
}
