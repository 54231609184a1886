//! Notes after a record: what a review says of its moves, in lines after the last event.
//!
//! Notes are no part of the record: its header, its events and its hash chain are the same with and without them. The first line names the
//! form and counts the notes; then one line is one note. Readers who know another form only pass over all of these lines.

use serde::{Deserialize, Serialize};

use super::{Lines, Record, RecordError, too_large};
use crate::ids::Ply;

/// The form described here.
pub const SCHEMA: &str = "grundy/notes/1";
/// What the first line of notes begins with. No line of a record does.
const OPENING: &[u8] = b"{\"notes\":";
const HEAD_EXAMPLE: &str = r#"{"notes":"grundy/notes/1","solver":1,"count":1}"#;
const NOTE_EXAMPLE: &str =
    r#"{"note":{"ply":1,"mark":"??","best":["B-1"],"why":["B-2 leaves 1."]}}"#;

/// The first line, in any form.
#[derive(Deserialize)]
struct AnyHead {
    notes: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    notes: String,
    solver: u32,
    count: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<N> {
    note: N,
}

/// What is said of one move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// The number of the move.
    pub ply: Ply,
    /// Its mark, such as `??`.
    pub mark: String,
    /// The first moves that would have kept the win, where it was given away.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<String>,
    /// Why, in lines of English.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
}

/// The notes on a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notes {
    /// The version of the solver that made them.
    pub solver: u32,
    /// The notes, in the order of the moves.
    pub notes: Vec<Note>,
}

impl Record {
    /// The canonical bytes, and these notes after them.
    #[must_use]
    pub fn annotated(&self, notes: &Notes) -> Vec<u8> {
        let mut bytes = self.to_bytes();
        let mut line = |value: &[u8]| {
            bytes.extend_from_slice(value);
            bytes.push(b'\n');
        };
        line(&json(&Head {
            notes: SCHEMA.to_owned(),
            solver: notes.solver,
            count: notes.notes.len() as u64,
        }));
        for note in &notes.notes {
            line(&json(&Line { note }));
        }
        bytes
    }

    /// Reads a record that may have notes. Those of another form are passed over, and so there are none. The bounds are those of
    /// [`Record::read`], for the record and its notes together.
    ///
    /// # Errors
    /// As [`Record::read`]; or the first note that is not canonical, not of a move of this match, or missing.
    pub fn read_annotated(bytes: &[u8]) -> Result<(Self, Option<Notes>), RecordError> {
        too_large(bytes)?;
        let starts = |at: &usize| bytes[*at] == b'\n' && bytes[at + 1..].starts_with(OPENING);
        let Some(end) = (0..bytes.len()).find(starts).map(|feed| feed + 1) else {
            return Ok((Self::read(bytes)?, None));
        };
        let (record, rest) = bytes.split_at(end);
        let record = Self::read(record)?;
        let mut lines = Lines {
            rest,
            line: record.events().len() + 1,
        };
        let notes = lines.notes(record.referee().ply())?;
        Ok((record, notes))
    }
}

impl Lines<'_> {
    /// The notes on a match of so many moves: all lines that are left.
    fn notes(&mut self, plies: Ply) -> Result<Option<Notes>, RecordError> {
        let first = self.rest.split(|byte| *byte == b'\n').next();
        let form = first.and_then(|line| serde_json::from_slice::<AnyHead>(line).ok());
        if form.is_some_and(|form| form.notes != SCHEMA) {
            return Ok(None);
        }
        let Some(head) = self.next::<Head>(HEAD_EXAMPLE)? else {
            return Ok(None);
        };
        let mut notes: Vec<Note> = Vec::new();
        while let Some(Line { note }) = self.next::<Line<Note>>(NOTE_EXAMPLE)? {
            let last = notes.last().map_or(Ply(0), |note| note.ply);
            if note.ply <= last || note.ply > plies {
                let words = format!(
                    "this is a note on move {}: a move of the match after move {last} was expected",
                    note.ply
                );
                return Err(self.error(1, words));
            }
            notes.push(note);
        }
        if notes.len() as u64 != head.count {
            let words = format!(
                "the first line of the notes promises {}, and here are {}",
                head.count,
                notes.len()
            );
            return Err(self.error(1, words));
        }
        Ok(Some(Notes {
            solver: head.solver,
            notes,
        }))
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("notes have only string keys")
}
