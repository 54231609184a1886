//! Keeps a match that is played on this computer: what is shown of it is on the disk already.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;

use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Seq};
use grundy_shared::record::{Record, draft};
use grundy_words::Message;

use super::{DRAFT, FILE_MODE, Library};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::identity::write_whole;
use crate::record;

/// Keeps one match: a draft grows with each event, and the record takes its place when the match is over.
#[derive(Debug)]
pub(crate) struct Keeper {
    library: Library,
    match_id: MatchId,
    /// The draft and the number of its events, once there is one. It is closed for good when a write fails: no gap can follow.
    draft: Option<(File, usize)>,
}

impl Keeper {
    /// The keeper of a new match. Nothing is written yet.
    pub(crate) fn new(library: Library, match_id: MatchId) -> Self {
        Self {
            library,
            match_id,
            draft: None,
        }
    }

    /// The keeper of the next match at this keyboard.
    pub(crate) fn next(&self, match_id: MatchId) -> Self {
        Self::new(self.library.clone(), match_id)
    }

    /// The keeper of a match that was left. Its draft is this process's until the keeper is dropped.
    ///
    /// # Errors
    /// Another program plays the match, or the draft cannot be written.
    pub(crate) fn resume(library: Library, record: &Record) -> Result<Self, Failure> {
        let match_id = record.match_id();
        let mut keeper = Self::new(library, match_id);
        let path = keeper.library.file_of(match_id, DRAFT);
        let old = OpenOptions::new().append(true).open(&path);
        let old = old.map_err(|error| keeper.unusable(&error))?;
        if locked(&old).is_err() {
            let message = Message::new("match-in-use").text("match", match_id);
            return Err(Failure::told(Exit::Refused, "in_use", message));
        }
        // A line that was not written as a whole goes away with the old file.
        keeper.replace(record.events())?;
        Ok(keeper)
    }

    /// Appends those of these events that the draft does not have, and flushes them to the disk.
    ///
    /// # Errors
    /// The library is full or cannot be written. No further call can succeed but [`finish`](Self::finish).
    pub(crate) fn append(&mut self, events: &[Event]) -> Result<(), Failure> {
        let written = match self.draft.take() {
            None => {
                self.library.make_room(self.match_id)?;
                self.begin(events)
            }
            Some((mut file, kept)) => file
                .write_all(&draft::lines(Seq(kept as u64), &events[kept..]))
                .and_then(|()| file.sync_data())
                .map(|()| file),
        };
        let file = written.map_err(|error| self.unusable(&error))?;
        self.draft = Some((file, events.len()));
        Ok(())
    }

    /// Replaces the draft: moves were taken back, and these events remain.
    ///
    /// # Errors
    /// The draft cannot be written. The old one stays.
    pub(crate) fn replace(&mut self, events: &[Event]) -> Result<(), Failure> {
        let path = self.library.file_of(self.match_id, DRAFT);
        let mut bytes = draft::head(self.match_id);
        bytes.extend(draft::lines(Seq(0), events));
        let replaced = write_whole(&path, &bytes, FILE_MODE)
            .and_then(|()| OpenOptions::new().append(true).open(&path))
            .and_then(|file| locked(&file).map(|()| file));
        self.draft = None;
        let file = replaced.map_err(|error| self.unusable(&error))?;
        self.draft = Some((file, events.len()));
        Ok(())
    }

    /// Adds the record of the match, which is over, and removes the draft.
    ///
    /// # Errors
    /// The record cannot be added. The draft stays.
    pub(crate) fn finish(&mut self, events: &[Event]) -> Result<(), Failure> {
        let record = Record::new(self.match_id, events.to_vec())
            .map_err(|error| Failure::internal(format!("the log is not valid: {error}")))?;
        self.library.keep(&record)?;
        self.draft = None;
        // A draft that stays is hidden by the record.
        let _ = fs::remove_file(self.library.file_of(self.match_id, DRAFT));
        self.library.forget_hints(self.match_id);
        Ok(())
    }

    /// Writes a new draft with these events.
    fn begin(&self, events: &[Event]) -> io::Result<File> {
        let path = self.library.file_of(self.match_id, DRAFT);
        let mut options = OpenOptions::new();
        let mut file = options
            .append(true)
            .create_new(true)
            .mode(FILE_MODE)
            .open(&path)?;
        locked(&file)?;
        let mut bytes = draft::head(self.match_id);
        bytes.extend(draft::lines(Seq(0), events));
        let written = file
            .write_all(&bytes)
            .and_then(|()| file.sync_all())
            .and_then(|()| File::open(self.library.path())?.sync_all());
        if let Err(error) = written {
            // Half a draft is no match. If it cannot be removed, it is empty or reported as damaged.
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        Ok(file)
    }

    fn unusable(&self, error: &io::Error) -> Failure {
        record::about(&self.library.file_of(self.match_id, DRAFT), error)
    }
}

/// Keeps other programs from playing the match. Where the file system knows no locks, nothing does.
fn locked(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::ErrorKind::ResourceBusy.into()),
        Err(TryLockError::Error(_)) | Ok(()) => Ok(()),
    }
}
