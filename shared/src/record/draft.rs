//! The draft of a record: the log of a match that goes on, as a file to which lines are appended.
//!
//! A record begins with the number of its events and the head of their hash chain, so it is written as a whole. A draft has
//! only the match in its first line, and then the lines of a record, one an event. A write that was interrupted leaves a line
//! without its line feed, or only some of the events of one moment; these were never acknowledged and are not read.

use super::{Lines, Record, RecordError, header_error, shortened, too_large};
use crate::event::Event;
use crate::ids::{MatchId, Seq};
use crate::referee::Referee;

use serde::{Deserialize, Serialize};

/// The form described here.
pub const SCHEMA: &str = "grundy/draft/1";

const HEAD_EXAMPLE: &str = r#"{"schema":"grundy/draft/1","match":"7Kq2mVx9Rt"}"#;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    schema: String,
    #[serde(rename = "match")]
    match_id: MatchId,
}

/// The first line of the draft of this match.
#[must_use]
pub fn head(match_id: MatchId) -> Vec<u8> {
    let schema = SCHEMA.to_owned();
    let head = Head { schema, match_id };
    let mut bytes = serde_json::to_vec(&head).expect("a head has only string keys");
    bytes.push(b'\n');
    bytes
}

/// The lines of these events, of which the first has the number after `since`.
#[must_use]
pub fn lines(since: Seq, events: &[Event]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut seq = since;
    for body in events {
        seq = seq.next();
        bytes.extend(super::line(seq, body.to_json().as_bytes()));
    }
    bytes
}

/// Reads a draft and replays it, within the bounds of [`Record::read`]. A last line without its line feed is left out, and so is a last
/// event that cannot be the end of a log.
///
/// # Errors
/// The first complete line that is not canonical, or not a lawful event; or no event is complete.
pub fn read(bytes: &[u8]) -> Result<Record, RecordError> {
    too_large(bytes)?;
    let complete = bytes.iter().rposition(|byte| *byte == b'\n');
    let mut lines = Lines {
        rest: &bytes[..complete.map_or(0, |end| end + 1)],
        line: 0,
    };
    let no_head = |message: String| RecordError {
        example: HEAD_EXAMPLE.to_owned(),
        ..header_error(1, message)
    };
    let head: Head = lines
        .next(HEAD_EXAMPLE)?
        .ok_or_else(|| no_head("the draft is empty: it begins with a header".to_owned()))?;
    if head.schema != SCHEMA {
        let found = shortened(&head.schema);
        return Err(no_head(format!(
            "this is {found:?}: the drafts read here are {SCHEMA}"
        )));
    }
    let mut events = Vec::new();
    while let Some(event) = lines.event(events.len() as u64)? {
        events.push(event);
    }
    // What happened together was written together, as a last move and the end of the match. If only a part of it is there, none of it was
    // acknowledged.
    let stops_early = |events: &[Event]| {
        Referee::replay(events).is_err_and(|error| error.seq.0 > events.len() as u64)
    };
    while !events.is_empty() && stops_early(&events) {
        events.pop();
    }
    lines.replay(head.match_id, events)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the documentation.
    fn example() -> &'static str {
        let page = include_str!("../../../docs/RECORDS.md");
        let (_, rest) = page.split_once("```ndjson\n").expect("an example");
        rest.split_once("```").expect("its end").0
    }

    fn record() -> Record {
        Record::read(example().as_bytes()).expect("a record")
    }

    fn draft(record: &Record) -> Vec<u8> {
        let mut bytes = head(record.match_id());
        bytes.extend(lines(Seq(0), record.events()));
        bytes
    }

    /// Cut off at any byte, a draft is the log up to its last complete line; the last move is not there without the end of the match.
    #[test]
    fn a_draft_cut_off_anywhere_gives_the_events_before_the_cut() {
        let record = record();
        let bytes = draft(&record);
        let head_lines = 1;
        for end in 0..=bytes.len() {
            let complete = bytes[..end].iter().filter(|byte| **byte == b'\n').count();
            match read(&bytes[..end]) {
                Ok(read) => {
                    let events = match complete - head_lines {
                        5 => 4,
                        events => events,
                    };
                    assert_eq!(read.match_id(), record.match_id());
                    assert_eq!(read.events(), &record.events()[..events]);
                }
                Err(error) => assert!(complete <= head_lines, "{end}: {error}"),
            }
        }
        assert_eq!(read(&bytes).expect("the whole draft"), record);
    }

    #[test]
    fn a_damaged_draft_is_refused_with_its_line() {
        let whole = String::from_utf8(draft(&record())).expect("UTF-8");
        let lines: Vec<&str> = whole.lines().collect();
        let with = |number: usize, line: &str| {
            let mut lines = lines.clone();
            lines[number - 1] = line;
            lines
                .iter()
                .map(|line| format!("{line}\n"))
                .collect::<String>()
        };
        let newer = lines[0].replace("draft/1", "draft/2");
        let spaced = lines[3].replace("\"seq\":", "\"seq\": ");
        for (text, line, words) in [
            (with(1, &newer), 1, "the drafts read here are"),
            (with(1, "{}"), 1, "schema"),
            (with(3, "nonsense"), 3, "expected"),
            (with(4, &spaced), 4, "canonical"),
            (with(4, lines[4]), 4, "this is event 4, not 3"),
            (
                with(5, &lines[4].replace("A-1", "A-2")),
                5,
                "cannot have happened",
            ),
            (example().to_owned(), 1, "events"),
            (String::new(), 1, "empty"),
        ] {
            let error = read(text.as_bytes()).expect_err(words);
            assert_eq!(error.line, line, "{error}");
            assert!(error.to_string().contains(words), "{error}");
        }
    }
}
