//! What one client said and heard, in order, in an append-only file: the witness of what was acknowledged.

use std::fs::File;
use std::io::Write;
use std::path::Path;

/// Writes a journal. Each frame is with the operating system before the client goes on.
pub(crate) struct Journal(File);

impl Journal {
    /// Begins one.
    pub(crate) fn create(path: &Path) -> Self {
        let file = File::options().create_new(true).append(true).open(path);
        Self(file.expect("a journal can be made"))
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
        self.0
            .write_all(format!("{mark}{frame}\n").as_bytes())
            .expect("a journal can be written");
    }
}
