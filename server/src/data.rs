//! Where the store is: the directory of the database, or the address of one.

use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use crate::config::{Config, StorePlace};
use crate::store::StoreError;
use crate::store::open::MEMORY;

/// The file of the database, in the data directory.
const DATABASE: &str = "grundy.db";

/// Where the store of this data directory is: its file, or the word for a store in memory.
#[must_use]
pub fn location(data: &Path) -> PathBuf {
    if data == Path::new(MEMORY) {
        data.to_owned()
    } else {
        data.join(DATABASE)
    }
}

/// Where the store of this configuration is: the address of a database, or what [`location`] says.
#[must_use]
pub fn location_of(config: &Config) -> PathBuf {
    match &config.database {
        Some(database) => PathBuf::from(database.expose()),
        None => location(&config.data),
    }
}

/// Where the store is that the command line names.
#[must_use]
pub fn location_of_place(place: &StorePlace) -> PathBuf {
    match place {
        StorePlace::Directory(data) => location(data),
        StorePlace::Database(database) => PathBuf::from(database.expose()),
    }
}

/// Where the store is, for people: without passwords.
#[must_use]
pub fn shown(config: &Config) -> String {
    match &config.database {
        Some(database) => database.to_string(),
        None => config.data.display().to_string(),
    }
}

/// Makes the data directory, for this user alone, unless it is there; true when it was made.
///
/// # Errors
/// It, or what should hold it, is something else than a directory, or may not be made.
pub fn make(data: &Path) -> Result<bool, StoreError> {
    if data == Path::new(MEMORY) || data.is_dir() {
        return Ok(false);
    }
    make_durably(data).map_err(|error| StoreError::Unusable {
        path: data.to_owned(),
        why: if data.exists() {
            "it is not a directory".to_owned()
        } else {
            format!("the directory cannot be made: {error}")
        },
    })?;
    Ok(true)
}

/// A directory that is not noted in the one above it goes with a power cut, and the database with it.
fn make_durably(directory: &Path) -> io::Result<()> {
    if directory.is_dir() {
        return Ok(());
    }
    let above = match directory.parent() {
        Some(above) if above != Path::new("") => above,
        _ => Path::new("."),
    };
    make_durably(above)?;
    DirBuilder::new().mode(0o700).create(directory)?;
    File::open(above)?.sync_all()
}
