//! What one client said and heard, in order, in an append-only file: the witness of what was acknowledged.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// Writes a journal. Each frame is with the operating system before the client goes on.
pub(crate) struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Begins one.
    pub(crate) fn create(path: PathBuf) -> Self {
        let file = File::options()
            .create_new(true)
            .append(true)
            .open(&path)
            .expect("a journal can be made");
        Self { file, path }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Notes a frame that is about to be sent.
    pub(crate) fn sent(&mut self, frame: &str) {
        self.line('>', frame);
    }

    /// Notes a frame that was received.
    pub(crate) fn received(&mut self, frame: &str) {
        self.line('<', frame);
    }

    fn line(&mut self, mark: char, frame: &str) {
        self.file
            .write_all(format!("{mark}{frame}\n").as_bytes())
            .expect("a journal can be written");
    }
}

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
