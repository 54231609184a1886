//! What the user types, line by line. A separate thread reads it, because reads from a terminal block.

use std::io::{self, BufRead as _, Read as _};
use std::sync::OnceLock;
use std::sync::mpsc::{SyncSender, sync_channel};

use tokio::sync::{Mutex, mpsc};

/// Bytes of one line; what is longer is cut, and the rest skipped.
const LINE_BYTES: u64 = 16 << 10;

/// The one thread that reads. Shared by all sessions of the program, so that none takes a line from the next.
static STDIN: OnceLock<Mutex<Reader>> = OnceLock::new();

/// The lines of stdin. One is read only when it is asked for: what is typed after it may be meant for the full screen.
#[derive(Debug)]
pub(crate) struct Lines {
    reader: Option<&'static Mutex<Reader>>,
}

/// Both ends of what is said to the thread.
#[derive(Debug)]
struct Reader {
    wanted: SyncSender<()>,
    lines: mpsc::Receiver<String>,
    /// A line was asked for and has not come yet.
    asked: bool,
}

impl Lines {
    /// The lines of stdin.
    pub(crate) fn of_stdin() -> Self {
        let reader = STDIN.get_or_init(|| Mutex::new(Reader::start()));
        Self {
            reader: Some(reader),
        }
    }

    /// No lines, and no end of them.
    pub(crate) fn none() -> Self {
        Self { reader: None }
    }

    /// The next line; `None` at the end. May be dropped while waiting without losing a line.
    pub(crate) async fn next(&mut self) -> Option<String> {
        match self.reader {
            Some(reader) => reader.lock().await.next().await,
            None => std::future::pending().await,
        }
    }
}

impl Reader {
    /// Starts the thread.
    fn start() -> Self {
        let (wanted, wishes) = sync_channel(1);
        let (sender, lines) = mpsc::channel(1);
        std::thread::spawn(move || read_stdin(&wishes, &sender));
        Self {
            wanted,
            lines,
            asked: false,
        }
    }

    async fn next(&mut self) -> Option<String> {
        if !std::mem::replace(&mut self.asked, true) {
            // A thread that has ended has closed its lines.
            let _ = self.wanted.send(());
        }
        let line = self.lines.recv().await;
        self.asked = false;
        line
    }
}

/// Reads a line for each wish.
fn read_stdin(wishes: &std::sync::mpsc::Receiver<()>, sender: &mpsc::Sender<String>) {
    let mut stdin = io::stdin().lock();
    while wishes.recv().is_ok() {
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
}
