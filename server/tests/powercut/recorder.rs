//! The flush-recording library, and how to have a process recorded by it.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The flush-recording library, compiled.
pub(crate) struct Recorder {
    library: PathBuf,
    _directory: TempDir,
}

impl Recorder {
    /// Compiles it with the system's C compiler.
    pub(crate) fn build() -> Self {
        let directory = TempDir::new().expect("a temporary directory");
        let library = directory.path().join("flush_recorder.so");
        let source = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/powercut/flush_recorder.c"
        );
        let status = Command::new("cc")
            .args(["-O1", "-shared", "-fPIC", "-Wall", "-o"])
            .arg(&library)
            .arg(source)
            .args(["-ldl", "-lpthread"])
            .status()
            .expect("a C compiler named cc");
        assert!(status.success(), "{source} does not compile");
        Self {
            library,
            _directory: directory,
        }
    }

    /// What to set in the environment of a process to have it recorded: what it flushes of the files in `data` is kept in
    /// `shadow`. Both must exist; the shadow of one directory is kept from process to process.
    pub(crate) fn environment(&self, data: &Path, shadow: &Path) -> [(&'static str, PathBuf); 3] {
        [
            ("LD_PRELOAD", self.library.clone()),
            ("FLUSH_RECORD_DIR", data.to_owned()),
            ("FLUSH_RECORD_SHADOW", shadow.to_owned()),
        ]
    }
}
