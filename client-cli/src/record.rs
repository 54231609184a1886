//! Records: from a file, or from the server page by page; and into a file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Seq};
use grundy_shared::protocol::PAGE_MAX;
use grundy_shared::protocol::client;
use grundy_shared::protocol::server::Reply;
use grundy_shared::record::{MAX_BYTES, Record, RecordError, SCHEMA, draft};
use grundy_words::Message;

use crate::connection::Connection;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::identity::{beside, write_whole};
use crate::system;

/// Files of records.
pub(crate) const RECORDS: Kind = Kind {
    name: "record",
    code: "bad_record",
    made_by: "made-by-export",
};

/// What the first line of a record begins with, in every version of the form.
const HEADS: &[u8] = b"{\"schema\":\"grundy/record/";

/// Reads a record from a file, or from stdin for `-`. Notes after it are passed over.
pub(crate) fn read(path: &Path) -> Result<Record, Failure> {
    let bytes = bytes(path, MAX_BYTES, &RECORDS)?;
    let read = Record::read_annotated(&bytes);
    let (record, _) = read.map_err(|error| match special(path, &bytes) {
        Some(failure) => failure,
        None => bad_record(path, &error),
    })?;
    Ok(record)
}

/// Why a file is not the record of one match, where the words of the reader of records would mislead: it has several records, or one of a newer form.
pub(crate) fn special(path: &Path, bytes: &[u8]) -> Option<Failure> {
    let refused = |message: Message, how: Message| {
        let message = message.text("file", path.display());
        Some(Failure::told(Exit::Input, "bad_record", message).help(how))
    };
    let current = format!("\"{SCHEMA}\"");
    let head = bytes.split(|byte| *byte == b'\n').next()?;
    let names_current = head
        .windows(current.len())
        .any(|part| part == current.as_bytes());
    if head.starts_with(HEADS) && !names_current {
        return refused(
            Message::new("record-newer"),
            Message::new("record-newer-how"),
        );
    }
    let lines = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    let mut heads = lines.filter(|(_, line)| line.starts_with(HEADS));
    let (line, _) = heads.nth(1)?;
    let how = Message::new("record-second-how").text("file", path.display());
    refused(Message::new("record-second").text("line", line), how)
}

/// Reads the draft of a match that was played on this computer and is not over.
pub(crate) fn read_draft(path: &Path) -> Result<Record, Failure> {
    let kind = Kind {
        name: "draft",
        code: "bad_record",
        made_by: "made-by-play",
    };
    let bytes = bytes(path, MAX_BYTES, &kind)?;
    draft::read(&bytes).map_err(|error| bad_record(path, &error))
}

/// A file that is not a record, and where. What is wrong there, the reader of records says in English only.
pub(crate) fn bad_record(path: &Path, error: &RecordError) -> Failure {
    let message = Message::new("record-bad")
        .text("file", path.display())
        .text("line", error.line)
        .text("column", error.column)
        .text("said", &error.message);
    let how = Message::new("record-bad-how").text("example", &error.example);
    Failure::told(Exit::Input, "bad_record", message).help(how)
}

/// What a file is asked to hold.
pub(crate) struct Kind {
    /// Its name in messages.
    pub(crate) name: &'static str,
    /// The code of the failure where it is something else.
    pub(crate) code: &'static str,
    /// The message that says what writes such a file.
    pub(crate) made_by: &'static str,
}

impl Kind {
    /// A file that is not of this kind, for this reason.
    pub(crate) fn refused(&self, path: &Path, why: Message) -> Failure {
        let message = Message::new("file-fault").text("file", path.display());
        Failure::told(Exit::Input, self.code, message.message("why", why))
            .help(Message::new(self.made_by))
    }
}

/// Opens a file, or stdin for `-`.
pub(crate) fn open(path: &Path, kind: &Kind) -> Result<Box<dyn io::Read>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).map_err(|error| about(path, &error))?;
    if file.metadata().is_ok_and(|about| about.is_dir()) {
        let message = Message::new("file-is-directory")
            .text("file", path.display())
            .text("kind", kind.name);
        return Err(Failure::told(Exit::Input, kind.code, message).help(Message::new(kind.made_by)));
    }
    Ok(Box::new(file))
}

/// Reads a file, or stdin for `-`: at most `most` + 1 bytes, so that the caller can detect a file that is too long.
pub(crate) fn bytes(path: &Path, most: usize, kind: &Kind) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    open(path, kind)?
        .take(most as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| about(path, &error))?;
    Ok(bytes)
}

/// Checks that a path of the user's data directory leads to a regular file or to nothing: reading a pipe would wait for ever.
///
/// # Errors
/// It leads to something else.
pub(crate) fn check_regular(path: &Path) -> Result<(), Failure> {
    match fs::metadata(path) {
        Ok(about) if !about.is_file() && !about.is_dir() => {
            let message = Message::new("file-irregular").text("file", path.display());
            Err(Failure::told(Exit::Input, "bad_record", message)
                .help(Message::new("file-irregular-how")))
        }
        _ => Ok(()),
    }
}

/// Fetches the record of a match.
pub(crate) async fn fetch(
    connection: &mut Connection,
    match_id: MatchId,
) -> Result<Record, Failure> {
    let mut events: Vec<Event> = Vec::new();
    loop {
        let since_seq = Seq(events.len() as u64);
        let request = client::Record {
            match_id: match_id.to_string(),
            since_seq,
            limit: Some(PAGE_MAX),
        };
        let Reply::Record {
            events: page,
            complete,
            ..
        } = connection.ask(request).await?
        else {
            return Err(not_a_log("the answer has another type"));
        };
        if page.is_empty() && !complete {
            return Err(not_a_log("a page was empty"));
        }
        for numbered in page {
            if numbered.seq != Seq(events.len() as u64).next() {
                return Err(not_a_log("events are missing"));
            }
            events.push(numbered.body);
        }
        if complete {
            return Record::new(match_id, events).map_err(|error| not_a_log(&error.to_string()));
        }
    }
}

/// Writes a file so that it is there as a whole or not at all. A link stays one, and what is no file (a device, a pipe) is written to.
pub(crate) fn save(path: &Path, content: &[u8]) -> Result<(), Failure> {
    save_as(path, content, MODE)
}

/// The same for a secret: a file that is made can be read by its owner alone.
///
/// # Errors
/// As [`save`].
pub(crate) fn save_secret(path: &Path, content: &[u8]) -> Result<(), Failure> {
    save_as(path, content, 0o600)
}

fn save_as(path: &Path, content: &[u8], mode: u32) -> Result<(), Failure> {
    let written = match Target::of(path) {
        Target::File(file) => write_whole(&file, content, mode),
        Target::Other => OpenOptions::new()
            .write(true)
            .open(path)
            .and_then(|mut other| other.write_all(content)),
    };
    written.map_err(|error| about(path, &error))
}

/// Refuses at once what [`save`] would refuse later, and `-`: a caller for whom it stands for stdout does not come here.
pub(crate) fn check_writable(path: &Path) -> Result<(), Failure> {
    if path == Path::new("-") {
        return Err(
            Failure::usage(Message::new("usage-stdout")).help(Message::new("usage-stdout-how"))
        );
    }
    let tried = match Target::of(path) {
        Target::File(file) => beside(&file, MODE).map(drop),
        Target::Other if path.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Target::Other => Ok(()),
    };
    tried.map_err(|error| about(path, &error))
}

/// The permissions of a file that is made, less what the user's mask takes away.
const MODE: u32 = 0o666;

/// What a path leads to.
enum Target {
    /// A file, or nothing yet: its own path, at the end of all links.
    File(PathBuf),
    /// A device, a pipe, a directory.
    Other,
}

impl Target {
    fn of(path: &Path) -> Self {
        match fs::metadata(path) {
            Ok(about) if !about.is_file() => Self::Other,
            _ => Self::File(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())),
        }
    }
}

pub(crate) fn about(path: &Path, error: &io::Error) -> Failure {
    let exit = match error.kind() {
        io::ErrorKind::NotFound => Exit::NotFound,
        _ => Exit::Failed,
    };
    let message = Message::new("file-fault").text("file", path.display());
    Failure::told(exit, "file", message.message("why", system::briefly(error)))
}

fn not_a_log(why: &str) -> Failure {
    Failure::not_understood(Message::new("not-understood-record").text("said", why))
}
