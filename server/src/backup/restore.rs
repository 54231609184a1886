//! Putting a backup in the place of a database.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, chown};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::place::{check_room, is_same, name_at, now, time};
use super::verify::{Verified, verify};
use crate::archive::DATABASE;
use crate::archive::digest;
use crate::data;
use crate::exit::{Exit, Failure};
use crate::store::open::MEMORY;
use crate::store::sqlite::lock::FileLock;

/// The files of a database by the ends of their names. The database comes first: while files are moved, a log without its database is
/// less harmful than a database without its log.
const FILES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// A database that was restored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Restored {
    /// The data directory.
    pub data: PathBuf,
    /// The backup.
    pub backup: Verified,
    /// Where the files are that were there before.
    pub moved_to: Option<PathBuf>,
}

impl fmt::Display for Restored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (data, manifest) = (self.data.display(), &self.backup.manifest);
        writeln!(f, "restored {}", self.backup)?;
        if let Some(moved_to) = &self.moved_to {
            let moved_to = moved_to.display();
            writeln!(f, "The database that was there before is in {moved_to}.")?;
        }
        if let Some(at) = manifest.logs.as_ref().and_then(|logs| logs.last_event_at) {
            writeln!(f, "The last event in it happened at {}.", time(at))?;
        }
        writeln!(
            f,
            "Tell the players: everything after {} is lost: moves, matches, accounts and ratings. Running matches go on from there, and the clocks\n\
             get back the time in which no server ran. Whoever exports with 'grundy games export --mine - --cursor-file FILE' must delete FILE.",
            time(manifest.made_at)
        )?;
        if !self.backup.logs_checked {
            writeln!(
                f,
                "It has schema {}: start it with the older grundy-server; this one would upgrade it again.",
                manifest.database_schema
            )?;
        }
        write!(f, "Start the server: grundy-server --data {data}")
    }
}

/// Restores the backup that a path names (the newest, if it names a directory of backups) into a data directory, which is made if it is not
/// there. A database that is there stays, unless `move_aside`: then its files are moved into a directory beside it. The backup is verified before
/// anything is changed, and the copy before it takes its place.
///
/// # Errors
/// `Configuration`: the path is not a backup, or there is a database. `Store`: the backup is damaged. `InUse`: a server uses the data directory.
/// `Failed`: a file cannot be written. In each case the database that was there is still complete, in its place or where `move_aside` puts it.
pub async fn restore(backup: &Path, data: &Path, move_aside: bool) -> Result<Restored, Failure> {
    let refused = |why: String| Failure::new(Exit::Configuration, why);
    if data == Path::new(MEMORY) {
        return Err(refused("a backup is restored into a directory".to_owned()));
    }
    let verified = verify(backup).await?;
    if is_same(&verified.directory, data) {
        let why = format!(
            "{} is the backup itself; name another directory with --data",
            data.display()
        );
        return Err(refused(why));
    }
    data::make(data)?;
    let database = data::location(data);
    let mut lock = FileLock::take(&database)?;
    let occupied: Vec<PathBuf> = FILES
        .iter()
        .map(|end| with_end(&database, end))
        .filter(|path| path.symlink_metadata().is_ok())
        .collect();
    if let Some(file) = occupied.first().filter(|_| !move_aside) {
        let why = format!(
            "{} is there already; use another directory, or --move-aside to keep it under another name",
            file.display()
        );
        return Err(refused(why));
    }
    check_room(data, verified.manifest.bytes)?;

    let unwritable = |error: io::Error| {
        let why = format!("cannot restore into {}: {error}", data.display());
        Failure::new(Exit::Failed, why)
    };
    let staged = with_end(&database, ".restoring");
    // Of a restore that was killed.
    match fs::remove_file(&staged) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unwritable(error)),
        _ => {}
    }
    let copied = digest::copy(&verified.directory.join(DATABASE), &staged).map_err(unwritable)?;
    let read_back = digest::of(&staged).map_err(unwritable)?;
    if copied.sha256 != verified.manifest.sha256 || read_back != copied {
        let why = "the copy differs from the backup: the disk or the memory is faulty";
        return Err(unwritable(io::Error::other(why)));
    }
    give_to_owner(data, &[&staged, &with_end(&database, ".lock")]).map_err(unwritable)?;
    let moved_to = match occupied.is_empty() {
        true => None,
        false => Some(move_files(data, &occupied).map_err(unwritable)?),
    };
    // What it says of the database before it is not true of this one.
    lock.note_restored();
    fs::rename(&staged, &database).map_err(unwritable)?;
    sync(data).map_err(unwritable)?;
    Ok(Restored {
        data: data.to_owned(),
        backup: verified,
        moved_to,
    })
}

/// Moves the files of a database into a new directory beside it.
fn move_files(data: &Path, files: &[PathBuf]) -> io::Result<PathBuf> {
    let aside = data.join(format!("replaced-{}", name_at(now())));
    fs::DirBuilder::new().mode(0o700).create(&aside)?;
    for file in files {
        if let Some(name) = file.file_name() {
            fs::rename(file, aside.join(name))?;
        }
    }
    sync(&aside)?;
    sync(data)?;
    Ok(aside)
}

/// Gives files to the owner of their directory: root restores for the user of the server.
fn give_to_owner(directory: &Path, files: &[&Path]) -> io::Result<()> {
    let owner = fs::metadata(directory)?;
    for file in files {
        let found = fs::metadata(file)?;
        if (found.uid(), found.gid()) != (owner.uid(), owner.gid()) {
            chown(file, Some(owner.uid()), Some(owner.gid()))?;
        }
    }
    Ok(())
}

fn sync(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}
