//! The library: records of matches on this computer, one file each, byte for byte as they were exported.
//!
//! A match that is played here is a draft until it is over (see [`keeper`]).

mod hints;
pub(crate) mod keeper;

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use grundy_shared::event::Event;
use grundy_shared::ids::MatchId;
use grundy_shared::record::{MAX_BYTES, Record};
use grundy_shared::referee::Status;
use grundy_words::Message;

use crate::config;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::identity::{beside, write_whole};
use crate::record;
use crate::render::short;

/// The extension of a record's file.
const RECORD: &str = "ndjson";
/// The extension of the draft of a match that is not over.
const DRAFT: &str = "draft";
/// The largest number of matches. Each has at most 16 MiB.
const MATCHES_MAX: usize = 100_000;
/// Only the user may read it: a record names people and says when they played.
const FILE_MODE: u32 = 0o600;
const DIRECTORY_MODE: u32 = 0o700;

/// The directory with the records.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    directory: PathBuf,
    matches_max: usize,
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
            Failure::usage(Message::new("no-home-library")).help(Message::new("no-home-data-how"))
        })?;
        Ok(Self {
            directory: data.join("matches"),
            matches_max: MATCHES_MAX,
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
            let message = Message::new("record-not-over").text("match", match_id);
            return Err(Failure::told(Exit::Refused, "not_over", message)
                .help(Message::new("record-not-over-how")));
        }
        if let Some(number) = hidden_plan(record) {
            let message = Message::new("record-not-whole")
                .text("match", match_id)
                .text("event", number);
            let how = Message::new("record-not-whole-how").text("match", match_id);
            return Err(Failure::told(Exit::Refused, "not_whole", message).help(how));
        }
        let bytes = record.to_bytes();
        if bytes.len() > MAX_BYTES {
            let message = Message::new("record-too-large")
                .text("match", match_id)
                .text("bytes", bytes.len())
                .text("most", MAX_BYTES);
            return Err(Failure::told(Exit::Refused, "too_large", message));
        }
        self.make_room(match_id)?;
        let path = self.file_of(match_id, RECORD);
        let unusable = |error| record::about(&path, &error);
        record::check_regular(&path)?;
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

    /// The record of a match, or its draft if it is not over.
    ///
    /// # Errors
    /// The library does not have it, or the file is damaged.
    pub(crate) fn find(&self, match_id: MatchId) -> Result<Record, Failure> {
        let files = [RECORD, DRAFT].map(|ending| self.file_of(match_id, ending));
        match files.iter().find(|path| path.try_exists().unwrap_or(true)) {
            Some(path) if !is_empty(path) => read(path),
            _ => {
                let message = Message::new("record-not-here").text("match", match_id);
                Err(Failure::told(Exit::NotFound, "no_such_match", message)
                    .help(Message::new("record-not-here-how")))
            }
        }
    }

    /// All records and drafts in the order in which the matches were created, read one at a time, so that a caller who stops early reads
    /// no more. A damaged file gives a failure and does not end the list.
    ///
    /// # Errors
    /// The directory cannot be read. A missing directory is an empty library.
    pub(crate) fn records(
        &self,
        newest_first: bool,
    ) -> Result<impl Iterator<Item = Result<Record, Failure>> + use<>, Failure> {
        let mut files = self.files()?;
        files.sort_by_cached_key(|path| (created_at(path), path.clone()));
        if newest_first {
            files.reverse();
        }
        Ok(files.into_iter().map(|path| read(&path)))
    }

    /// The match that is not over with this id; without one, that which was begun last, and damaged drafts are left out.
    ///
    /// # Errors
    /// The directory cannot be read, or the draft with this id is damaged.
    pub(crate) fn unfinished(&self, wanted: Option<MatchId>) -> Result<Option<Record>, Failure> {
        let named = wanted.map(|wanted| self.file_of(wanted, DRAFT));
        let mut files = self.files()?;
        if let Some(named) = named.filter(|named| files.contains(named)) {
            let record = read(&named)?;
            let is_live = record.referee().status() == Status::Live;
            return Ok(is_live.then_some(record));
        }
        files.retain(|path| path.extension().is_some_and(|ending| ending == DRAFT));
        files.sort_by_cached_key(|path| std::cmp::Reverse(created_at(path)));
        let mut drafts = files.iter().filter_map(|path| read(path).ok());
        Ok(drafts.find(|record| {
            wanted.is_none_or(|wanted| wanted == record.match_id())
                && record.referee().status() == Status::Live
        }))
    }

    /// The file of each match. Left out are a draft whose record exists, since the match was over when its program was stopped, and an empty draft: its
    /// program was stopped, or the disk was full, before anything was in it.
    fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        let entries = match fs::read_dir(&self.directory) {
            Ok(entries) => entries
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<io::Result<Vec<PathBuf>>>(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        };
        let paths = entries.map_err(|error| record::about(&self.directory, &error))?;
        let ends = |path: &Path, with: &str| path.extension().is_some_and(|ending| ending == with);
        let counts = |path: &PathBuf| {
            ends(path, RECORD)
                || (ends(path, DRAFT) && !path.with_extension(RECORD).exists() && !is_empty(path))
        };
        Ok(paths.into_iter().filter(counts).collect())
    }

    /// Creates the directory if it is missing, and checks that a match which is not in the library yet has room.
    ///
    /// # Errors
    /// The library is full, or cannot be written.
    fn make_room(&self, match_id: MatchId) -> Result<(), Failure> {
        let mut make = DirBuilder::new();
        make.recursive(true).mode(DIRECTORY_MODE);
        make.create(&self.directory)
            .map_err(|error| record::about(&self.directory, &error))?;
        let is_there = |ending| self.file_of(match_id, ending).exists();
        if is_there(RECORD) || is_there(DRAFT) || self.files()?.len() < self.matches_max {
            return Ok(());
        }
        let message = Message::new("library-full").text("matches", self.matches_max);
        let how = Message::new("library-full-how").text("directory", self.directory.display());
        Err(Failure::told(Exit::Refused, "library_full", message).help(how))
    }

    fn file_of(&self, match_id: MatchId, ending: &str) -> PathBuf {
        self.directory.join(format!("{match_id}.{ending}"))
    }
}

/// The bytes that hold the first lines of a record, up to the time of the first event.
const OPENING: u64 = 1024;

/// When the match of a file was created, without reading the whole file. A damaged file comes last in time, so that it is soon seen.
fn created_at(path: &Path) -> u64 {
    let mut opening = Vec::new();
    if record::check_regular(path).is_err() {
        return u64::MAX;
    }
    let read = File::open(path).and_then(|file| file.take(OPENING).read_to_end(&mut opening));
    let text = String::from_utf8_lossy(&opening);
    let found = read.ok().and_then(|_| {
        let (_, rest) = text.split_once("\"at_ms\":")?;
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse().ok()
    });
    found.unwrap_or(u64::MAX)
}

/// Whether there is nothing in a file.
fn is_empty(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() == 0)
}

/// Reads a file of the library, which is named after its match.
fn read(path: &Path) -> Result<Record, Failure> {
    record::check_regular(path)?;
    let is_draft = path.extension().is_some_and(|ending| ending == DRAFT);
    let record = match is_draft {
        true => record::read_draft(path)?,
        false => record::read(path)?,
    };
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    match stem == Some(&*record.match_id().to_string()) {
        true => Ok(record),
        false => Err(misnamed(path, &record)),
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
    let message = Message::new("record-misnamed")
        .text("file", path.display())
        .text("match", record.match_id());
    Failure::told(Exit::Input, "bad_record", message).help(Message::new("record-misnamed-how"))
}

/// The library has a record of the same match in which event `same` + 1 is different.
fn other_record(path: &Path, there: &Record, new: &Record, same: usize) -> Failure {
    let event = |record: &Record| {
        let event = record.events().get(same);
        match event {
            None => Message::new("record-no-event"),
            Some(event) => Message::new("record-event").text("event", short(&event.to_json())),
        }
    };
    let message = Message::new("record-differs")
        .text("match", new.match_id())
        .text("number", same + 1)
        .message("there", event(there))
        .message("here", event(new));
    let how = Message::new("record-differs-how").text("file", path.display());
    Failure::told(Exit::Input, "other_record", message).help(how)
}

#[cfg(test)]
mod tests {
    use grundy_shared::record::draft;

    use super::keeper::Keeper;
    use super::*;

    /// The example of the documentation, under another id.
    fn record(id: u64) -> Record {
        let page = include_str!("../../../docs/RECORDS.md");
        let (_, rest) = page.split_once("```ndjson\n").expect("an example");
        let text = rest.split_once("```").expect("its end").0;
        let record = Record::read(text.as_bytes()).expect("a record");
        Record::new(MatchId::from_random(id), record.events().to_vec()).expect("a record")
    }

    fn library(directory: &Path, matches_max: usize) -> Library {
        Library {
            directory: directory.join("matches"),
            matches_max,
        }
    }

    #[test]
    fn a_full_library_refuses_new_matches_and_deletes_nothing() {
        let directory = tempfile::tempdir().expect("a directory");
        let library = library(directory.path(), 2);
        let full = |result: Result<(), Failure>| {
            let failure = result.expect_err("it is full");
            assert_eq!(failure.exit(), Exit::Refused);
            assert!(failure.message().contains("full: it has 2 matches"));
        };
        let (one, two, three) = (record(1), record(2), record(3));
        let live = |record: &Record| record.events()[..3].to_vec();
        assert_eq!(library.keep(&one).ok(), Some(Kept::New));
        // A match that goes on has a place, too, and keeps it when it is over.
        let mut going = Keeper::new(library.clone(), two.match_id());
        going.append(&live(&two)).expect("room for one");
        full(library.keep(&three).map(drop));
        full(Keeper::new(library.clone(), three.match_id()).append(&live(&three)));
        assert_eq!(library.keep(&one).ok(), Some(Kept::Known));
        going.append(two.events()).expect("it has a place");
        going.finish(two.events()).expect("it has a place");
        assert_eq!(library.records(true).expect("a library").count(), 2);
        assert_eq!(library.find(two.match_id()).ok().as_ref(), Some(&two));
    }

    /// A kill between the last move and the record leaves a complete draft; one between the record and the removal leaves both.
    #[test]
    fn a_match_is_there_once_at_any_moment_of_its_end() {
        let directory = tempfile::tempdir().expect("a directory");
        let library = library(directory.path(), 9);
        let record = record(1);
        let mut keeper = Keeper::new(library.clone(), record.match_id());
        for end in 3..=record.events().len() {
            keeper.append(&record.events()[..end]).expect("written");
        }
        let only = || {
            let found: Vec<_> = library.records(true).expect("a library").collect();
            let [Ok(found)] = &*found else {
                panic!("{found:?}");
            };
            found.clone()
        };
        assert_eq!(only(), record);
        let path = library.file_of(record.match_id(), DRAFT);
        let whole = fs::read(&path).expect("a draft");
        keeper.finish(record.events()).expect("kept");
        assert!(!path.exists());
        assert_eq!(only(), record);
        let mut both = draft::head(record.match_id());
        both.extend(&whole[both.len()..]);
        fs::write(&path, both).expect("ours");
        assert_eq!(only(), record);
    }
}
