//! Where the stderr of a bot goes: a file that stays small.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Mutex;

/// The most that is kept of one bot, in bytes.
const KEPT: u64 = 1 << 20;
/// Ends a file from which something is missing.
const CUT: &[u8] = b"\n[cut here: more than 1 MiB was written]\n";

/// A bounded file that all processes of a bot share.
#[derive(Debug)]
pub(crate) struct StderrLog {
    file: Mutex<(File, u64)>,
}

impl StderrLog {
    /// Appends to this file.
    ///
    /// # Errors
    /// It cannot be opened.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let written = file.metadata()?.len();
        Ok(Self {
            file: Mutex::new((file, written)),
        })
    }

    /// Keeps what fits. A file that cannot be written costs nobody a game.
    pub(crate) fn keep(&self, bytes: &[u8]) {
        let mut file = self
            .file
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let (file, written) = &mut *file;
        if *written >= KEPT {
            return;
        }
        let room = usize::try_from(KEPT - *written).unwrap_or(usize::MAX);
        let kept = &bytes[..bytes.len().min(room)];
        *written += kept.len() as u64;
        let _ = file.write_all(kept);
        if *written >= KEPT {
            let _ = file.write_all(CUT);
        }
    }
}
