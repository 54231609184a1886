//! Files with the records of one match after another.

use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use grundy_shared::record::RecordError;
use grundy_shared::record::{MAX_BYTES, Record};
use grundy_words::Message;
use serde::Deserialize;

use crate::failure::Failure;
use crate::record;

/// The beginning of a record's first line. No other line begins like this.
const HEADER: &[u8] = b"{\"schema\":";
/// The same, as it can stand nowhere else in a record, not even within a line: in a text its quotes would be escaped.
const WHOLE_HEADER: &[u8] = b"{\"schema\":\"grundy/record/";

/// What a file has at one place.
pub(crate) enum Piece {
    /// A record.
    Record(Box<Record>),
    /// A record that is cut off and followed by another: the warning.
    CutOff(Message),
}

/// Reads every record of a file, or of stdin for `-`, and hands each over.
///
/// # Errors
/// The file cannot be read, has no record, or has one that is not valid; or `take` fails. The records before are handed over.
pub(crate) fn each_record(
    path: &Path,
    mut take: impl FnMut(Piece) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut chunks = Chunks::new(BufReader::new(record::open(path, &record::RECORDS)?));
    let mut records = 0_u32;
    while let Some(chunk) = chunks.next().map_err(|error| record::about(path, &error))? {
        let line = chunk.before;
        if chunk.is_cut_off {
            let warning = Message::new("record-cut-off")
                .text("file", path.display())
                .text("line", line + 1);
            take(Piece::CutOff(warning))?;
            continue;
        }
        let (record, _) = Record::read_annotated(&chunk.bytes).map_err(|error| {
            if let Some(failure) = record::special(path, &chunk.bytes) {
                return failure;
            }
            let line = line + error.line;
            record::bad_record(path, &RecordError { line, ..error })
        })?;
        take(Piece::Record(Box::new(record)))?;
        records += 1;
    }
    if records == 0 {
        let failure = record::RECORDS.refused(path, Message::new("record-none"));
        return Err(failure.help(Message::new("record-none-how")));
    }
    Ok(())
}

/// Splits a stream of records at each header. Holds one record at a time, and no more of it than a valid record can have.
struct Chunks<R> {
    source: R,
    /// The number of lines returned so far.
    line: usize,
    /// What was read of the next record: a line, or the rest of one.
    ahead: Vec<u8>,
}

/// A record, or what stands in its place.
#[derive(Debug, PartialEq, Eq)]
struct Chunk {
    bytes: Vec<u8>,
    /// The lines before it.
    before: usize,
    /// Another record begins before this one is complete: its writer was stopped, and went on later with the same file.
    is_cut_off: bool,
}

impl<R: BufRead> Chunks<R> {
    fn new(source: R) -> Self {
        Self {
            source,
            line: 0,
            ahead: Vec::new(),
        }
    }

    /// The bytes of the next record, or of the invalid text in its place; `None` at the end.
    fn next(&mut self) -> io::Result<Option<Chunk>> {
        let (mut bytes, before) = (Vec::new(), self.line);
        let mut is_cut_off = false;
        // Text that is longer than any record is refused for its length, so the rest need not be read.
        while bytes.len() <= MAX_BYTES {
            let line = &mut self.ahead;
            if !line.ends_with(b"\n") {
                let room = (MAX_BYTES + 1).saturating_sub(bytes.len() + line.len());
                let mut source = self.source.by_ref().take(room as u64);
                source.read_until(b'\n', line)?;
            }
            if line.is_empty() {
                break;
            }
            if !bytes.is_empty() && line.starts_with(HEADER) {
                is_cut_off = is_too_short(&bytes, self.line - before);
                break;
            }
            let mut places = line.windows(WHOLE_HEADER.len()).skip(1);
            if let Some(place) = places.position(|place| place == WHOLE_HEADER) {
                if !bytes.is_empty() && !is_too_short(&bytes, self.line - before) {
                    // What is cut off began with this line: too little of it was written to be known as a header.
                    break;
                }
                let rest = line.split_off(place + 1);
                bytes.append(line);
                self.ahead = rest;
                is_cut_off = true;
                break;
            }
            bytes.append(line);
            self.line += 1;
        }
        Ok((!bytes.is_empty()).then_some(Chunk {
            bytes,
            before,
            is_cut_off,
        }))
    }
}

/// Whether a record of so many whole lines has fewer events than its header says.
fn is_too_short(record: &[u8], lines: usize) -> bool {
    #[derive(Deserialize)]
    struct Header {
        events: u64,
    }
    let header = record.split(|byte| *byte == b'\n').next();
    let header = header.and_then(|line| serde_json::from_slice::<Header>(line).ok());
    header.is_some_and(|header| lines as u64 <= header.events)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chunks of a text, each with the lines before it and whether it is cut off.
    fn cut(text: &[u8]) -> Vec<(String, usize, bool)> {
        let mut chunks = Chunks::new(text);
        let mut seen = Vec::new();
        while let Some(chunk) = chunks.next().expect("a slice can be read") {
            let text = String::from_utf8(chunk.bytes).expect("UTF-8");
            seen.push((text, chunk.before, chunk.is_cut_off));
        }
        seen
    }

    #[test]
    fn a_stream_is_cut_at_headers() {
        let text =
            b"{\"schema\":1}\n{\"seq\":1}\n{\"schema\":2}\n{\"schema\":3}\n{\"seq\":1}\n{\"se";
        let expected = [
            ("{\"schema\":1}\n{\"seq\":1}\n", 0),
            ("{\"schema\":2}\n", 2),
            ("{\"schema\":3}\n{\"seq\":1}\n{\"se", 3),
        ];
        let expected = expected.map(|(text, before)| (text.to_owned(), before, false));
        assert_eq!(cut(text), expected);
    }

    /// Wherever the writer of a record was stopped, the records after it are read, with their lines.
    #[test]
    fn a_record_that_is_cut_off_anywhere_is_found() {
        let header = "{\"schema\":\"grundy/record/1\",\"events\":2}\n";
        let record = format!("{header}{{\"seq\":1}}\n{{\"seq\":2}}\n");
        for cut_at in 1..record.len() {
            let torn = &record[..cut_at];
            let text = format!("{record}{torn}{torn}{record}");
            let lines = torn.matches('\n').count();
            let expected = [
                (record.clone(), 0, false),
                (torn.to_owned(), 3, true),
                (torn.to_owned(), 3 + lines, true),
                (record.clone(), 3 + 2 * lines, false),
            ];
            if cut_at >= WHOLE_HEADER.len() {
                assert_eq!(cut(text.as_bytes()), expected, "{torn:?}");
            }
            // One after the other, also if not even the beginning of a header was written.
            let text = format!("{record}{torn}{record}");
            let seen = cut(text.as_bytes());
            let (last, torn) = (&seen[seen.len() - 1], &seen[1]);
            assert_eq!(last, &(record.clone(), 3 + lines, false), "{torn:?}");
            assert!(torn.2 && torn.1 == 3, "{torn:?}");
        }
    }

    #[test]
    fn what_is_too_long_is_not_read_to_its_end() {
        let endless = io::repeat(b'x');
        let mut chunks = Chunks::new(BufReader::new(endless));
        let chunk = chunks.next().expect("it can be read");
        assert_eq!(chunk.map(|chunk| chunk.bytes.len()), Some(MAX_BYTES + 1));
    }
}
