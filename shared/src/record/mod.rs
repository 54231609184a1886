//! The record of a match: its whole log as NDJSON, one header line and one line an event.
//!
//! A [`Record`] is lawful by construction: it has been replayed. Its bytes are canonical, so that one match has one
//! record: what [`Record::write`] gives, [`Record::read`] reads back equal, and what it reads, `write` gives byte for byte.
//! The header counts the events and gives the head of their hash chain (see [`crate::chain`]), so that a record cut off
//! anywhere is found, and a change too that would make another lawful match.

pub mod draft;
pub mod notes;
mod text;

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

pub use text::{clock_text, date_text};

use crate::chain;
use crate::event::Event;
use crate::ids::{MatchId, Seq};
use crate::referee::{Referee, ReplayError};

/// The form described here.
pub const SCHEMA: &str = "grundy/record/1";
/// The largest record that is read, in bytes: 16 MiB.
pub const MAX_BYTES: usize = 16 << 20;
/// The longest record that is read, in lines, the header included: 10^6.
pub const MAX_LINES: usize = 1_000_000;

const HEADER_EXAMPLE: &str = r#"{"schema":"grundy/record/1","match":"7Kq2mVx9Rt","events":4,"head":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}"#;
const LINE_EXAMPLE: &str = r#"{"seq":4,"body":{"type":"ended","at_ms":1795219200000,"outcome":"first","reason":"resignation"}}"#;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    schema: String,
    #[serde(rename = "match")]
    match_id: MatchId,
    events: u64,
    head: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<E> {
    seq: Seq,
    body: E,
}

/// Why bytes are not a record, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The place in the line, in bytes from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// A line that is right, of the kind that was expected.
    pub example: String,
}

/// A match with its whole log so far, lawful.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    match_id: MatchId,
    events: Vec<Event>,
    referee: Referee,
}

impl Record {
    /// The record of this log. Replays it.
    ///
    /// # Errors
    /// The first event that breaks a law.
    pub fn new(match_id: MatchId, events: Vec<Event>) -> Result<Self, ReplayError> {
        let referee = Referee::replay(&events)?;
        Ok(Self {
            match_id,
            events,
            referee,
        })
    }

    /// The match.
    #[must_use]
    pub fn match_id(&self) -> MatchId {
        self.match_id
    }

    /// Its log: event `n` is at index `n - 1`.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The match as it stands after the log.
    #[must_use]
    pub fn referee(&self) -> &Referee {
        &self.referee
    }

    /// The head of its hash chain: 64 hexadecimal digits.
    #[must_use]
    pub fn head(&self) -> String {
        head(self.match_id, &self.events)
    }

    /// Writes the canonical bytes, one line at a time.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let head = head(self.match_id, &self.events);
        out.write_all(&header(self.match_id, self.events.len() as u64, &head))?;
        for (event, number) in self.events.iter().zip(1..) {
            out.write_all(&line(Seq(number), event.to_json().as_bytes()))?;
        }
        Ok(())
    }

    /// The canonical bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(&mut bytes)
            .expect("a vector takes every byte, and events have only string keys");
        bytes
    }

    /// Reads a record and replays it. Takes memory in proportion to the bytes, of which no more than [`MAX_BYTES`] are looked at,
    /// and time in proportion to these and to the moves times the heaps of the position.
    ///
    /// # Errors
    /// The first line that is not canonical, or not a lawful event, or missing.
    pub fn read(bytes: &[u8]) -> Result<Self, RecordError> {
        too_large(bytes)?;
        let mut lines = Lines {
            rest: bytes,
            line: 0,
        };
        let header = lines.header()?;
        let events = lines.events(header.events)?;
        let record = lines.replay(header.match_id, events)?;
        let found = head(record.match_id, &record.events);
        if found != header.head {
            return Err(header_error(
                1,
                format!(
                    "the record was changed: the head of its events is {found}, and the header promises another"
                ),
            ));
        }
        Ok(record)
    }
}

/// The first line of the record of a match with so many events, the chain of which ends with this head (64 hexadecimal digits). For those who
/// have the canonical bytes of its events, and write them with [`line()`].
///
/// # Panics
/// Never: a header has only string keys.
#[must_use]
pub fn header(match_id: MatchId, events: u64, head: &str) -> Vec<u8> {
    let header = Header {
        schema: SCHEMA.to_owned(),
        match_id,
        events,
        head: head.to_owned(),
    };
    let mut bytes = serde_json::to_vec(&header).expect("a header has only string keys");
    bytes.push(b'\n');
    bytes
}

/// The line of an event, of which these are the canonical bytes.
#[must_use]
pub fn line(seq: Seq, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{{\"seq\":{seq},\"body\":").into_bytes();
    bytes.extend_from_slice(body);
    bytes.extend_from_slice(b"}\n");
    bytes
}

/// Refuses more bytes than are read.
fn too_large(bytes: &[u8]) -> Result<(), RecordError> {
    if bytes.len() <= MAX_BYTES {
        return Ok(());
    }
    Err(header_error(
        1,
        format!(
            "the record has {} bytes: no more than {MAX_BYTES} are read",
            bytes.len()
        ),
    ))
}

/// What a refusal quotes: as many characters as can be read at a glance.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 240;
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

/// The head of the hash chain of these events, in hexadecimal digits.
fn head(match_id: MatchId, events: &[Event]) -> String {
    let head = events.iter().fold(chain::genesis(match_id), |link, event| {
        chain::link(&link, event.to_json().as_bytes())
    });
    head.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn header_error(column: usize, message: String) -> RecordError {
    RecordError {
        line: 1,
        column,
        message,
        example: HEADER_EXAMPLE.to_owned(),
    }
}

/// The lines of a record, read one by one.
struct Lines<'b> {
    rest: &'b [u8],
    /// The number of the line read last.
    line: usize,
}

impl Lines<'_> {
    /// The first line.
    fn header(&mut self) -> Result<Header, RecordError> {
        let header: Header = self.next(HEADER_EXAMPLE)?.ok_or_else(|| {
            header_error(1, "the record is empty: it begins with a header".to_owned())
        })?;
        if header.schema != SCHEMA {
            return Err(header_error(
                1,
                format!(
                    "this is {:?}: the records read here are {SCHEMA}",
                    shortened(&header.schema)
                ),
            ));
        }
        Ok(header)
    }

    /// All other lines: as many as were `promised`.
    fn events(&mut self, promised: u64) -> Result<Vec<Event>, RecordError> {
        let mut events = Vec::new();
        while let Some(event) = self.event(events.len() as u64)? {
            if events.len() as u64 == promised {
                return Err(self.error(
                    1,
                    format!("the header promises {promised} events, and here is more"),
                ));
            }
            events.push(event);
        }
        if (events.len() as u64) < promised {
            self.line += 1;
            return Err(self.error(
                1,
                format!(
                    "the record is cut off: the header promises {promised} events, and here are {}",
                    events.len()
                ),
            ));
        }
        Ok(events)
    }

    /// The event of the next line, of which `before` are read already.
    fn event(&mut self, before: u64) -> Result<Option<Event>, RecordError> {
        let Some(line) = self.next::<Line<Event>>(LINE_EXAMPLE)? else {
            return Ok(None);
        };
        let expected = Seq(before + 1);
        if line.seq != expected {
            return Err(self.error(1, format!("this is event {}, not {expected}", line.seq)));
        }
        Ok(Some(line.body))
    }

    /// The record of these events, which stand in the lines after the header.
    fn replay(&mut self, match_id: MatchId, events: Vec<Event>) -> Result<Record, RecordError> {
        Record::new(match_id, events).map_err(|error| {
            // Event n is in line n + 1; a log has fewer events than bytes, so this is a small number.
            self.line = error.seq.0 as usize + 1;
            let law = shortened(&error.law.to_string());
            self.error(1, format!("this cannot have happened: {law}"))
        })
    }

    fn error(&self, column: usize, message: String) -> RecordError {
        RecordError {
            line: self.line,
            column,
            message,
            example: LINE_EXAMPLE.to_owned(),
        }
    }

    /// The next line as what it means; `None` at the end.
    fn next<T: Serialize + for<'de> Deserialize<'de>>(
        &mut self,
        example: &str,
    ) -> Result<Option<T>, RecordError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        let error = |column: usize, message: String| RecordError {
            line: self.line,
            column,
            message,
            example: example.to_owned(),
        };
        if self.line > MAX_LINES {
            return Err(error(1, format!("no more than {MAX_LINES} lines are read")));
        }
        let end = self.rest.iter().position(|byte| *byte == b'\n');
        let Some(end) = end else {
            return Err(error(
                self.rest.len() + 1,
                "the record is cut off within this line: a line ends with a line feed".to_owned(),
            ));
        };
        let (line, rest) = self.rest.split_at(end);
        self.rest = &rest[1..];
        let value: T = serde_json::from_slice(line).map_err(|wrong| {
            let message = wrong.to_string();
            // serde_json adds the place, counted in a text of one line; ours is in the record.
            let message = message
                .rsplit_once(" at line ")
                .map_or(message.as_str(), |(words, _)| words);
            error(wrong.column().max(1), shortened(message))
        })?;
        let canonical = serde_json::to_vec(&value)
            .map_err(|wrong| error(1, format!("this line cannot be written: {wrong}")))?;
        if canonical == line {
            return Ok(Some(value));
        }
        let same = canonical.iter().zip(line).take_while(|(a, b)| a == b);
        Err(error(
            same.count() + 1,
            format!(
                "this is not the canonical form of the line, which is {}",
                shortened(&String::from_utf8_lossy(&canonical))
            ),
        ))
    }
}
