//! The library: records of finished matches on this computer, one file each, byte for byte as they were exported.

use std::fs::{self, DirBuilder};
use std::io::{self, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use grundy_shared::event::Event;
use grundy_shared::ids::MatchId;
use grundy_shared::record::Record;
use grundy_shared::referee::Status;

use crate::config;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::identity::{beside, write_whole};
use crate::record;
use crate::render::short;

/// The extension of a record's file.
const ENDING: &str = "ndjson";
/// Only the user may read it: a record names people and says when they played.
const FILE_MODE: u32 = 0o600;
const DIRECTORY_MODE: u32 = 0o700;

/// The directory with the records.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    directory: PathBuf,
}

/// The result of adding a record to the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kept {
    /// The record was added.
    New,
    /// The library had a shorter record of the match, which was replaced: a rematch has been agreed on since.
    Extended,
    /// The library already had this record or a longer one.
    Known,
    /// The library had a file of its name that was damaged. It is replaced.
    Repaired,
}

impl Library {
    /// The library in the user's data directory. Nothing is created.
    ///
    /// # Errors
    /// There is no home directory.
    pub(crate) fn open() -> Result<Self, Failure> {
        let data = config::data_directory().ok_or_else(|| {
            Failure::usage("the home directory is not known, so there is no library of matches")
                .hint("set HOME or XDG_DATA_HOME")
        })?;
        Ok(Self {
            directory: data.join("matches"),
        })
    }

    /// The directory of the library.
    pub(crate) fn path(&self) -> &Path {
        &self.directory
    }

    /// Adds the record of a finished match. Creates the directory if it is missing. The file is written as a whole or not at all.
    ///
    /// # Errors
    /// The match is not over, the record is not whole, the library has a different record of it, or the file cannot be written.
    pub(crate) fn keep(&self, record: &Record) -> Result<Kept, Failure> {
        let match_id = record.match_id();
        if record.referee().status() != Status::Over {
            let words = format!("match {match_id} is not over");
            return Err(Failure::new(Exit::Refused, "not_over", words)
                .hint("export it again when it is over"));
        }
        if let Some(number) = hidden_plan(record) {
            let words = format!(
                "this record of match {match_id} is not whole: event {number} is a plan whose lines were hidden while the match was going on"
            );
            return Err(
                Failure::new(Exit::Refused, "not_whole", words).hint(format!(
                    "export it from the server: grundy games export {match_id} FILE"
                )),
            );
        }
        let mut make = DirBuilder::new();
        make.recursive(true).mode(DIRECTORY_MODE);
        make.create(&self.directory)
            .map_err(|error| record::about(&self.directory, &error))?;
        let path = self.file_of(match_id);
        let bytes = record.to_bytes();
        let unusable = |error| record::about(&path, &error);
        loop {
            match fs::read(&path) {
                Ok(there) if there == bytes => return Ok(Kept::Known),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if write_new(&path, &bytes).map_err(unusable)? {
                        return Ok(Kept::New);
                    }
                    // Another program has added it in the meantime.
                    continue;
                }
                Err(error) => return Err(unusable(error)),
            }
            let there = match record::read(&path) {
                Err(failure) if failure.exit() == Exit::Input => {
                    write_whole(&path, &bytes, FILE_MODE).map_err(unusable)?;
                    return Ok(Kept::Repaired);
                }
                there => there?,
            };
            let (old, new) = (there.events(), record.events());
            let same = old.iter().zip(new).take_while(|(old, new)| old == new);
            let same = same.count();
            if there.match_id() != match_id || same < old.len().min(new.len()) {
                return Err(other_record(&path, &there, record, same));
            }
            if old.len() >= new.len() {
                return Ok(Kept::Known);
            }
            write_whole(&path, &bytes, FILE_MODE).map_err(unusable)?;
            return Ok(Kept::Extended);
        }
    }

    /// The record of a match.
    ///
    /// # Errors
    /// The library does not have it, or the file is damaged.
    pub(crate) fn find(&self, match_id: MatchId) -> Result<Record, Failure> {
        let path = self.file_of(match_id);
        if !path.try_exists().unwrap_or(true) {
            let words = format!("match {match_id} is not in the library on this computer");
            return Err(Failure::new(Exit::NotFound, "no_such_match", words)
                .hint("'grundy games list --local' shows what is there; 'grundy games import FILE' adds records"));
        }
        let record = record::read(&path)?;
        match record.match_id() == match_id {
            true => Ok(record),
            false => Err(misnamed(&path, &record)),
        }
    }

    /// All records, in no particular order, read one at a time. A damaged file gives a failure and does not end the list.
    ///
    /// # Errors
    /// The directory cannot be read. A missing directory is an empty library.
    pub(crate) fn records(
        &self,
    ) -> Result<impl Iterator<Item = Result<Record, Failure>> + use<>, Failure> {
        let entries = match fs::read_dir(&self.directory) {
            Ok(entries) => entries
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<io::Result<Vec<PathBuf>>>(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        };
        let paths = entries.map_err(|error| record::about(&self.directory, &error))?;
        let named = |path: &PathBuf| path.extension().is_some_and(|ending| ending == ENDING);
        Ok(paths.into_iter().filter(named).map(|path| {
            let record = record::read(&path)?;
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            match stem == Some(&*record.match_id().to_string()) {
                true => Ok(record),
                false => Err(misnamed(&path, &record)),
            }
        }))
    }

    fn file_of(&self, match_id: MatchId) -> PathBuf {
        self.directory.join(format!("{match_id}.{ENDING}"))
    }
}

/// The number of the first plan of which only its player knew the lines.
fn hidden_plan(record: &Record) -> Option<usize> {
    let hidden = |event: &Event| matches!(event, Event::Planned { lines: None, .. });
    let place = record.events().iter().position(hidden);
    place.map(|place| place + 1)
}

/// Writes a new file; `false` if it exists already.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let mut file = beside(path, FILE_MODE)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(true),
        Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(failed) => Err(failed.error),
    }
}

fn misnamed(path: &Path, record: &Record) -> Failure {
    let words = format!(
        "{}: this is the record of match {}",
        path.display(),
        record.match_id()
    );
    Failure::new(Exit::Input, "bad_record", words).hint(
        "each file of the library is named after its match; import this file to store it under the right name",
    )
}

/// The library has a record of the same match in which event `same` + 1 is different.
fn other_record(path: &Path, there: &Record, new: &Record, same: usize) -> Failure {
    let event = |record: &Record| {
        let event = record.events().get(same);
        event.map_or_else(|| "none".to_owned(), |event| short(&event.to_json()))
    };
    let words = format!(
        "the library has a different record of match {}: event {} is {} there, and {} here",
        new.match_id(),
        same + 1,
        event(there),
        event(new)
    );
    Failure::new(Exit::Input, "other_record", words).hint(format!(
        "one of the two is not genuine; the library's record is in {}",
        path.display()
    ))
}
