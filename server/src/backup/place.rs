//! Where backups may go: never onto the database that they are of, and not where there is no room.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use grundy_shared::ids::Millis;

use crate::data;
use crate::exit::{Exit, Failure};
use crate::store::open::MEMORY;
use crate::store::sqlite::opening::resolve;

/// The database of a data directory, which must be there.
pub(super) fn database(data: &Path) -> Result<PathBuf, Failure> {
    let path = data::location(data);
    if path == Path::new(MEMORY) {
        let why = "a server with '--data :memory:' has no file to back up";
        return Err(Failure::new(Exit::Configuration, why));
    }
    if !path.exists() {
        let why = format!(
            "there is no database in {}; name the directory of the server with --data",
            data.display()
        );
        return Err(Failure::new(Exit::Configuration, why));
    }
    Ok(resolve(&path)?)
}

/// Whether two paths lead to one directory or file, by whatever links and mounts.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    let identity = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino()));
    match (identity(one), identity(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Makes the directory of backups if it is not there, and makes sure that it is not the data directory.
pub(super) fn check_shelf(data: &Path, shelf: &Path) -> Result<(), Failure> {
    data::make(shelf)?;
    if is_same(data, shelf) {
        let why = format!(
            "{} is the data directory of the server; choose another directory for backups, best on another disk",
            shelf.display()
        );
        return Err(Failure::new(Exit::Configuration, why));
    }
    Ok(())
}

/// The bytes of a database with its write-ahead log.
pub(super) fn size(database: &Path) -> u64 {
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    let length = |path: &Path| path.metadata().map_or(0, |file| file.len());
    length(database) + length(Path::new(&log))
}

/// Whether a directory has room for so many bytes.
pub(super) fn check_room(directory: &Path, bytes: u64) -> Result<(), Failure> {
    let failed = |why: String| Failure::new(Exit::Failed, why);
    let room = rustix::fs::statvfs(directory).map_err(|error| {
        let error = io::Error::from(error);
        failed(format!("{}: {error}", directory.display()))
    })?;
    let free = room.f_bavail.saturating_mul(room.f_frsize);
    if free >= bytes {
        return Ok(());
    }
    Err(failed(format!(
        "{} has {} free, and {} are needed; free space, or choose another directory",
        directory.display(),
        megabytes(free),
        megabytes(bytes)
    )))
}

/// A size for people.
pub(super) fn megabytes(bytes: u64) -> String {
    let tenths = bytes.saturating_add(50_000) / 100_000;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

/// The wall clock.
#[expect(
    clippy::disallowed_methods,
    reason = "a backup is dated as people date it; no clock of a match depends on it"
)]
pub(super) fn now() -> SystemTime {
    SystemTime::now()
}

/// A moment in milliseconds since 1970.
pub(super) fn millis(at: SystemTime) -> Millis {
    let since = at
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    Millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// A moment for people.
pub(super) fn time(at: Millis) -> String {
    let at = SystemTime::UNIX_EPOCH.checked_add(std::time::Duration::from_millis(at.0));
    at.map_or_else(
        || "a time that does not exist".to_owned(),
        |at| humantime::format_rfc3339_seconds(at).to_string(),
    )
}

/// The name of a directory that is made at this moment. Names sort by time.
pub(super) fn name_at(at: SystemTime) -> String {
    humantime::format_rfc3339_millis(at)
        .to_string()
        .replace(':', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_by_time_and_sizes_are_rounded() {
        let at = |ms| SystemTime::UNIX_EPOCH + std::time::Duration::from_millis(ms);
        assert_eq!(name_at(at(1_764_035_215_123)), "2025-11-25T014655.123Z");
        assert!(name_at(at(1_764_035_215_123)) < name_at(at(1_764_035_215_124)));
        assert_eq!(megabytes(1_234_567), "1.2 MB");
        assert_eq!(megabytes(0), "0.0 MB");
    }
}
