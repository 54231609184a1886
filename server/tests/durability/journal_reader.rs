//! Reads journals back.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// A frame in a journal.
pub(crate) enum Entry {
    /// The client said this.
    Sent(String),
    /// The client heard this.
    Received(String),
}

/// Reads a journal, again and again, each entry once.
pub(crate) struct JournalReader(BufReader<File>);

impl JournalReader {
    /// From its beginning.
    pub(crate) fn open(path: &Path) -> Self {
        Self(BufReader::new(
            File::open(path).expect("a journal can be read"),
        ))
    }
}

impl Iterator for JournalReader {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let mut line = String::new();
        self.0.read_line(&mut line).expect("a journal is UTF-8");
        let (mark, frame) = line.trim_end_matches('\n').split_at_checked(1)?;
        match mark {
            ">" => Some(Entry::Sent(frame.to_owned())),
            _ => Some(Entry::Received(frame.to_owned())),
        }
    }
}
