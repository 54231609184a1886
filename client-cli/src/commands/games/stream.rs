//! `grundy games export --mine -`: the records of all your finished matches on stdout, in the order in which they ended.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use grundy_shared::ids::{MatchId, PlayerId, ServerId};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::protocol::client::{List, ListOrder};
use grundy_shared::protocol::server::Reply;
use grundy_words::Message;
use serde::{Deserialize, Serialize};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::spawn_blocking;

use crate::account::sign_in;
use crate::connection::{Connection, unexpected};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::record;

/// The schema of a cursor file.
const SCHEMA: &str = "grundy/cursor/1";
/// Number of matches on one page. The cursor is written after each page of records.
const PAGE: u32 = 50;

/// The start of the stream.
#[derive(Debug, Default)]
pub(super) struct From {
    /// After this place.
    pub(super) after: Option<String>,
    /// After the place in this file, which then receives the new place.
    pub(super) cursor_file: Option<PathBuf>,
}

/// The content of a cursor file: the place that its reader has reached on one server, as one player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cursor {
    schema: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<ServerId>,
    player: PlayerId,
    after: String,
}

/// How the stream ended.
enum End {
    /// There are no more matches.
    Complete,
    Interrupted,
}

/// Interruptions. They are checked between two steps.
struct Interruptions {
    int: Signal,
    term: Signal,
}

impl Interruptions {
    fn new() -> io::Result<Self> {
        Ok(Self {
            int: signal(SignalKind::interrupt())?,
            term: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.int.recv() => {}
            _ = self.term.recv() => {}
        }
    }
}

/// Writes the records. Each is written as a whole, and the cursor names the last one written, even if the stream ends early.
pub(super) async fn export(context: &Context, from: From) -> Result<Exit, Failure> {
    let output = context.output;
    let known = match &from.cursor_file {
        Some(path) => read_cursor(path)?,
        None => None,
    };
    if let Some(path) = &from.cursor_file {
        record::check_writable(path)?;
    }
    let mut signed_in = sign_in(context, 0).await?;
    // Interruptions are caught from here on. Before, there was nothing to finish.
    let mut interruptions = Interruptions::new()?;
    let (server, player) = (signed_in.welcome.server_id, signed_in.welcome.player.id);
    if let (Some(known), Some(path)) = (&known, &from.cursor_file)
        && (known.server, known.player) != (server, player)
    {
        return Err(bad_cursor(path, "cursor-other").help(Message::new("cursor-other-how")));
    }
    let mut stream = Stream {
        output,
        place: from.after.or(known.map(|known| known.after)),
        written: 0,
        left_out: 0,
        cursor_file: from.cursor_file,
        of: (server, player),
    };
    let ended = stream
        .run(&mut signed_in.connection, &mut interruptions)
        .await;
    // The records written so far count, however the stream ended.
    stream.save()?;
    let end = ended?;
    signed_in.connection.close().await;
    let written = Message::new("stream-written").number("n", stream.written);
    let place = stream.place.as_ref();
    let place = place.map(|place| Message::new("stream-cursor").text("cursor", place));
    let words = output.words();
    let said = [Some(written), place].into_iter().flatten();
    let said: Vec<String> = said.map(|message| message.said(words)).collect();
    output.talk(&words.sentences(&said));
    match end {
        End::Interrupted => Ok(Exit::Interrupted),
        End::Complete if stream.left_out > 0 => {
            let message = Message::new("stream-left-out").number("n", stream.left_out);
            Err(Failure::told(Exit::Failed, "left_out", message)
                .help(Message::new("stream-left-out-how")))
        }
        End::Complete => Ok(Exit::Done),
    }
}

struct Stream {
    output: Output,
    /// The last match that was written.
    place: Option<String>,
    written: u64,
    /// Matches that were passed over, because the server or this client cannot read them.
    left_out: u64,
    cursor_file: Option<PathBuf>,
    of: (Option<ServerId>, PlayerId),
}

impl Stream {
    async fn run(
        &mut self,
        connection: &mut Connection,
        interruptions: &mut Interruptions,
    ) -> Result<End, Failure> {
        loop {
            let request = List {
                mine: true,
                order: Some(ListOrder::Ended),
                before: self.place.clone(),
                limit: Some(PAGE),
                ..List::default()
            };
            let reply = tokio::select! {
                () = interruptions.next() => return Ok(End::Interrupted),
                reply = connection.ask(request) => reply?,
            };
            let (matches, more) = match reply {
                Reply::Matches { matches, next, .. } => (matches, next.is_some()),
                other => return Err(unexpected(&other)),
            };
            for summary in matches {
                let place = summary
                    .place
                    .ok_or_else(|| Failure::not_understood(Message::new("stream-no-places")))?;
                let record = tokio::select! {
                    () = interruptions.next() => return Ok(End::Interrupted),
                    record = record::fetch(connection, summary.match_id) => record,
                };
                let record = match record {
                    Err(failure) if is_of_one_match(&failure) => {
                        self.leave_out(summary.match_id, &failure);
                        self.place = Some(place);
                        continue;
                    }
                    record => record?,
                };
                let interrupted = self.write(record.to_bytes(), interruptions).await?;
                self.place = Some(place);
                self.written += 1;
                if interrupted {
                    return Ok(End::Interrupted);
                }
            }
            if !more {
                return Ok(End::Complete);
            }
            self.save()?;
        }
    }

    /// Writes a record, and returns whether it was interrupted. After the first interruption the record is finished. A second one cuts it
    /// off, because then nobody reads the output.
    async fn write(
        &self,
        bytes: Vec<u8>,
        interruptions: &mut Interruptions,
    ) -> Result<bool, Failure> {
        let output = self.output;
        let mut writing = spawn_blocking(move || output.bytes(&bytes));
        let mut interrupted = false;
        loop {
            tokio::select! {
                biased;
                done = &mut writing => {
                    let done = done.map_err(io::Error::from)?;
                    return done.map(|()| interrupted);
                }
                () = interruptions.next() => {
                    if interrupted {
                        let message = Message::new("stream-interrupted");
                        return Err(Failure::told(Exit::Interrupted, "interrupted", message));
                    }
                    interrupted = true;
                }
            }
        }
    }

    fn leave_out(&mut self, id: MatchId, failure: &Failure) {
        self.left_out += 1;
        let words = self.output.words();
        let warning = Message::new("stream-leaves-out")
            .text("match", id)
            .text("why", failure.message_in(words));
        self.output.warn(&warning.said(words));
    }

    /// Writes the cursor, if there are a file and a place for it. What it says was written is on the disk before it.
    fn save(&self) -> Result<(), Failure> {
        let (Some(path), Some(after)) = (&self.cursor_file, &self.place) else {
            return Ok(());
        };
        sync(io::stdout())?;
        let cursor = Cursor {
            schema: SCHEMA.to_owned(),
            server: self.of.0,
            player: self.of.1,
            after: after.clone(),
        };
        let mut line = serde_json::to_vec(&cursor).map_err(io::Error::from)?;
        line.push(b'\n');
        record::save(path, &line)
    }
}

/// Flushes what was written to a file to its disk. A pipe or a terminal has none.
fn sync(stream: impl AsFd) -> io::Result<()> {
    let stream = File::from(stream.as_fd().try_clone_to_owned()?);
    match stream.sync_data() {
        // EINVAL, EROFS and ENOTSUP.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput
                    | io::ErrorKind::ReadOnlyFilesystem
                    | io::ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        synced => synced,
    }
}

/// Whether the other matches can be read after this failure: the log of this one is damaged, or the client does not understand it.
pub(crate) fn is_of_one_match(failure: &Failure) -> bool {
    failure.has_code(ErrorCode::Internal) || failure.exit() == Exit::Protocol
}

/// Reads a cursor. A missing file means the beginning.
fn read_cursor(path: &PathBuf) -> Result<Option<Cursor>, Failure> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(record::about(path, &error)),
    };
    let read = serde_json::from_slice::<Cursor>(&text);
    let cursor = read.ok().filter(|cursor| cursor.schema == SCHEMA);
    let bad = || bad_cursor(path, "cursor-bad").help(Message::new("cursor-bad-how"));
    cursor.map(Some).ok_or_else(bad)
}

/// A file whose cursor cannot be used, for this reason.
fn bad_cursor(path: &Path, why: &'static str) -> Failure {
    let message = Message::new("file-fault").text("file", path.display());
    let message = message.message("why", Message::new(why));
    Failure::told(Exit::Input, "bad_cursor", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_disk_needs_no_flush_and_a_file_is_flushed() {
        let (reader, writer) = io::pipe().expect("a pipe");
        assert!(sync(&writer).is_ok() && sync(&reader).is_ok());
        assert!(sync(File::open("/dev/null").expect("it is there")).is_ok());
        assert!(sync(tempfile::tempfile().expect("a file")).is_ok());
    }

    #[test]
    fn only_what_is_wrong_with_one_match_is_passed_over() {
        let of = |exit, code: &str| is_of_one_match(&Failure::new(exit, code, ""));
        assert!(of(Exit::Failed, "internal"), "a damaged match");
        assert!(of(Exit::Protocol, "not_understood"));
        assert!(!of(Exit::Unreachable, "connection_lost"));
        assert!(!of(Exit::Refused, "rate_limited"));
        assert!(!of(Exit::Failed, "file"));
    }
}
