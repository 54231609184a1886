//! What the user types, line by line. A separate thread reads it, because reads from a terminal block.

use std::io::{self, BufRead as _, Read as _};
use std::sync::OnceLock;

use tokio::sync::{Mutex, mpsc};

/// Bytes of one line; what is longer is cut, and the rest skipped.
const LINE_BYTES: u64 = 16 << 10;

/// What the one thread has read. Shared by all sessions of the program, so that none takes a line from the next.
static STDIN: OnceLock<Mutex<mpsc::Receiver<String>>> = OnceLock::new();

/// The lines of stdin, read only when asked for one line more than was taken.
#[derive(Debug)]
pub(crate) struct Lines {
    lines: Option<&'static Mutex<mpsc::Receiver<String>>>,
}

impl Lines {
    /// The lines of stdin.
    pub(crate) fn of_stdin() -> Self {
        let lines = STDIN.get_or_init(|| Mutex::new(read_stdin()));
        Self { lines: Some(lines) }
    }

    /// No lines, and no end of them.
    pub(crate) fn none() -> Self {
        Self { lines: None }
    }

    /// The next line; `None` at the end. May be dropped while waiting without losing a line.
    pub(crate) async fn next(&mut self) -> Option<String> {
        match self.lines {
            Some(lines) => lines.lock().await.recv().await,
            None => std::future::pending().await,
        }
    }
}

/// Begins to read.
fn read_stdin() -> mpsc::Receiver<String> {
    let (sender, lines) = mpsc::channel(1);
    std::thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let read = stdin.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line);
            if line.len() as u64 == LINE_BYTES && !line.ends_with(b"\n") {
                // A fault of stdin shows at the next line.
                let _ = stdin.skip_until(b'\n');
            }
            let line = String::from_utf8_lossy(&line).trim().to_owned();
            // The thread ends with stdin or with the receiver of its lines.
            if !matches!(read, Ok(1..)) || sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    lines
}
