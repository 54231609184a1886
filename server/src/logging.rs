//! Log lines on standard error, which nothing waits for.
//!
//! Lines go through a bounded queue to a thread of their own. When nobody takes them (a paused terminal, a full pipe)
//! or they cannot be written (a full disk), they are dropped and counted: play goes on.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use tracing::{Level, Metadata};
use tracing_subscriber::Registry;
use tracing_subscriber::filter::{LevelFilter, Targets, filter_fn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::prelude::*;
use tracing_subscriber::reload::{self, Handle};

use crate::config::{Config, LogFilter, LogFormat};

/// Lines that may wait for the thread.
const QUEUE: usize = 1_024;
/// The crates of this program: what their lines say is known.
const OURS: [&str; 2] = ["grundy_server", "grundy_shared"];
/// At the end, what still waits gets this long.
const FLUSH: Duration = Duration::from_millis(500);

/// The way of this process's log lines.
#[derive(Clone, Debug)]
pub struct Log {
    queue: SyncSender<Item>,
    dropped: Arc<AtomicU64>,
    /// The filter in force; absent before the process has its log.
    filter: Option<Handle<Targets, Registry>>,
}

#[derive(Debug)]
enum Item {
    Line(Vec<u8>),
    /// Answer once everything before this was written.
    Flush(SyncSender<()>),
}

impl Log {
    /// Sends the log lines of the whole process to standard error, as the configuration wants them.
    ///
    /// # Errors
    /// When the thread cannot be started, or the process has a log already.
    pub fn start(config: &Config) -> io::Result<Self> {
        let human = match config.log_format {
            LogFormat::Human => true,
            LogFormat::Json => false,
            LogFormat::Auto => io::stderr().is_terminal(),
        };
        let mut log = Self::to(io::stderr())?;
        let filter: Targets = config
            .log
            .as_str()
            .parse()
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        let is_capped = wants_more_of_libraries(&filter);
        let (filter, handle) = reload::Layer::new(filter);
        let subscriber = tracing_subscriber::registry()
            .with(filter)
            .with(filter_fn(hides_no_secret));
        let lines = tracing_subscriber::fmt::layer().with_ansi(false);
        let started = if human {
            subscriber
                .with(lines.with_target(false).with_writer(log.clone().human()))
                .try_init()
        } else {
            subscriber
                .with(lines.json().flatten_event(true).with_writer(log.clone()))
                .try_init()
        };
        started.map_err(io::Error::other)?;
        log.filter = Some(handle);
        if is_capped {
            say_capped();
        }
        Ok(log)
    }

    /// Starts the thread that writes to `sink`.
    fn to(sink: impl Write + Send + 'static) -> io::Result<Self> {
        let (queue, items) = sync_channel(QUEUE);
        let dropped = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&dropped);
        std::thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || write_all(&items, sink, &counter))?;
        Ok(Self {
            queue,
            dropped,
            filter: None,
        })
    }

    /// Writes other lines from now on.
    pub fn set_filter(&self, filter: &LogFilter) {
        let filter = filter.as_str().parse::<Targets>();
        if let (Some(handle), Ok(filter)) = (&self.filter, filter) {
            let is_capped = wants_more_of_libraries(&filter);
            if let Err(error) = handle.reload(filter) {
                tracing::error!(%error, "the log filter cannot be changed");
            } else if is_capped {
                say_capped();
            }
        }
    }

    /// Lines given up so far.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Waits until what was logged so far is written: half a second at most.
    pub fn flush(&self) {
        let (done, wait) = sync_channel(1);
        if self.queue.try_send(Item::Flush(done)).is_ok() {
            // Whoever does not take the lines in time does not get them.
            let _ = wait.recv_timeout(FLUSH);
        }
    }

    fn send(&self, line: Vec<u8>) {
        if self.queue.try_send(Item::Line(line)).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn human(self) -> Escaped {
        Escaped(self)
    }
}

/// Whether a line may be written under any filter. Below `info`, libraries print frames, headers and paths, and with them passwords, tokens and
/// join codes. Lines of this program contain none.
fn hides_no_secret(line: &Metadata<'_>) -> bool {
    let is_said = line.target().starts_with(SAID_BY_US);
    !is_said && (*line.level() <= Level::INFO || is_ours(line.target()))
}

/// The library whose faults this program logs itself, once. The library would log a refused password again at each attempt to connect.
const SAID_BY_US: &str = "async_nats";

fn say_capped() {
    tracing::info!(
        "libraries log info and above only, whatever `log` says: their other lines can contain passwords and tokens"
    );
}

fn is_ours(target: &str) -> bool {
    target
        .split("::")
        .next()
        .is_some_and(|name| OURS.contains(&name))
}

/// Whether the filter asks for lines that [`hides_no_secret`] refuses.
fn wants_more_of_libraries(filter: &Targets) -> bool {
    let of_targets = filter
        .iter()
        .any(|(target, level)| !is_ours(target) && level > LevelFilter::INFO);
    of_targets
        || filter
            .default_level()
            .is_some_and(|level| level > LevelFilter::INFO)
}

fn write_all(items: &Receiver<Item>, mut sink: impl Write, dropped: &AtomicU64) {
    for item in items {
        match item {
            Item::Line(line) => {
                if sink.write_all(&line).is_err() {
                    dropped.fetch_add(1, Ordering::Relaxed);
                }
            }
            Item::Flush(done) => {
                // Who asked may have given up waiting.
                let _ = done.try_send(());
            }
        }
    }
}

impl Write for Log {
    /// Takes one whole line, as the formatters hand it over.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.send(line.to_vec());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

/// Lines for people: what could move the cursor, forge a line or turn the reading direction is written out.
#[derive(Clone, Debug)]
struct Escaped(Log);

impl Write for Escaped {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0
            .send(escape(&String::from_utf8_lossy(line)).into_bytes());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Escaped {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

fn escape(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    for sign in line.trim_end_matches('\n').chars() {
        let turns = matches!(sign, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if sign.is_control() || turns {
            escaped.extend(sign.escape_unicode());
        } else {
            escaped.push(sign);
        }
    }
    escaped.push('\n');
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn a_line_for_people_stays_one_line() {
        assert_eq!(
            escape("name=\u{1b}[2J\r\nERROR forged \u{202e}x\n"),
            "name=\\u{1b}[2J\\u{d}\\u{a}ERROR forged \\u{202e}x\n"
        );
    }

    #[test]
    fn a_filter_that_names_libraries_is_known() {
        for (filter, expected) in [
            ("info", false),
            ("warn,grundy_server=trace", false),
            ("grundy_server::session=trace,grundy_shared=debug", false),
            ("hyper=warn", false),
            ("debug", true),
            ("trace", true),
            ("info,tungstenite=trace", true),
            ("info,tungstenite::protocol=debug", true),
            ("grundy_server_frames=trace", true),
        ] {
            let parsed: Targets = filter.parse().expect(filter);
            assert_eq!(wants_more_of_libraries(&parsed), expected, "{filter}");
        }
    }

    /// Blocks every write until the lock is free.
    struct Stuck(Arc<Mutex<Vec<u8>>>);

    impl Write for Stuck {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("nobody panics").write(line)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_stuck_reader_costs_lines_but_no_time() {
        let written = Arc::new(Mutex::new(Vec::new()));
        let mut log = Log::to(Stuck(Arc::clone(&written))).expect("a thread");
        let stuck = written.lock().expect("nobody panics");
        let lines = QUEUE as u64 + 100;
        for _ in 0..lines {
            log.write_all(b"line\n").expect("never fails");
        }
        // One line may be in the hands of the thread.
        assert!((99..=100).contains(&log.dropped()), "{}", log.dropped());
        drop(stuck);
        let (done, wait) = sync_channel(1);
        log.queue.send(Item::Flush(done)).expect("the thread lives");
        wait.recv().expect("the thread answers");
        let kept = written.lock().expect("nobody panics").len() as u64 / 5;
        assert_eq!(kept + log.dropped(), lines);
    }

    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_for_a_full_disk_are_counted() {
        let mut log = Log::to(Full).expect("a thread");
        log.write_all(b"line\n").expect("never fails");
        log.flush();
        assert_eq!(log.dropped(), 1);
    }
}
