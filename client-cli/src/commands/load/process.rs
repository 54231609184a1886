//! The processes of a run: the server under test, the relay, and this one; what they cost, and how they end.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use grundy_words::Message;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::net::TcpStream;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use super::error::LoadError;

use crate::misread::Misread;

/// How long a process may take to start, to answer or to stop.
const PATIENCE: Duration = Duration::from_secs(15);
/// The default of the server's `overload.target_ms`, which the load profile sets to 0.
const TARGET_MS: &str = "100";
/// Files that are open besides the connections.
const OTHER_FILES: u64 = 100;

/// CPU time, user and system, that this process has taken.
pub(super) fn cpu_time() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::try_from(time).unwrap_or_default()
    }
    #[cfg(not(unix))]
    Duration::ZERO
}

/// Makes room for this many connections in this process and in those that it starts.
///
/// # Errors
/// The system does not allow so many.
pub(super) fn allow_connections(connections: usize) -> Result<(), LoadError> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let needed = connections as u64 + OTHER_FILES;
        let now = getrlimit(Resource::Nofile);
        if now.current.is_none_or(|current| current >= needed) {
            return Ok(());
        }
        // Beyond the hard limit only a privileged process may go; it is no harm to ask.
        let maximum = now.maximum.map(|maximum| maximum.max(needed));
        let wanted = Rlimit {
            current: Some(needed),
            maximum,
        };
        setrlimit(Resource::Nofile, wanted).map_err(|_| {
            let message = Message::new("load-files")
                .text("needed", needed)
                .text("most", now.maximum.unwrap_or(0));
            LoadError::Usage(Misread(message))
        })?;
    }
    Ok(())
}

/// A server that runs already, or one of our own in a temporary directory.
pub(super) struct Server {
    /// Where it listens.
    pub(super) address: SocketAddr,
    own: Option<Own>,
}

struct Own {
    child: Child,
    // Held so that its end removes the directory.
    directory: TempDir,
}

impl Server {
    /// One that runs already.
    pub(super) fn running(address: SocketAddr) -> Self {
        Self { address, own: None }
    }

    /// Starts `program` with the load profile on a free port, with its data in a new directory under `parent`, and
    /// so many threads that serve. `sheds`: it refuses new work when it is overloaded, as a server with the default profile does.
    ///
    /// # Errors
    /// The program does not run, or does not say where it listens.
    pub(super) async fn spawn(
        program: &Path,
        parent: &Path,
        workers: u32,
        sheds: bool,
    ) -> Result<Self, LoadError> {
        let directory = tempfile::Builder::new()
            .prefix("grundy-load-")
            .tempdir_in(parent)
            .map_err(|error| LoadError::Failed(format!("no temporary directory: {error}")))?;
        let log = directory.path().join("server.log");
        let stderr = std::fs::File::create(&log)
            .map_err(|error| LoadError::Failed(format!("{}: {error}", log.display())))?;
        let mut child = Command::new(program)
            .args(["--listen", "127.0.0.1:0", "--profile", "load", "--data"])
            .arg(directory.path().join("data"))
            .env("GRUNDYD_WORKERS", workers.to_string())
            .envs(sheds.then_some(("GRUNDYD_OVERLOAD__TARGET_MS", TARGET_MS)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| LoadError::Failed(format!("{}: {error}", program.display())))?;
        let stdout = child.stdout.take().expect("standard output was asked for");
        let address = match listening_address(&mut BufReader::new(stdout).lines()).await {
            Ok(address) => address,
            Err(error) => {
                let said = std::fs::read_to_string(&log).unwrap_or_default();
                return Err(LoadError::Failed(format!(
                    "{} did not start: {error}\n{said}",
                    program.display()
                )));
            }
        };
        Ok(Self {
            address,
            own: Some(Own { child, directory }),
        })
    }

    /// Stops an own server, and removes its data. One that ran before goes on.
    ///
    /// # Errors
    /// It did not stop in time or said that something is wrong.
    pub(super) async fn stop(self) -> Result<(), LoadError> {
        let Some(Own {
            mut child,
            directory,
        }) = self.own
        else {
            return Ok(());
        };
        terminate(&mut child);
        let ended = timeout(PATIENCE, child.wait()).await;
        drop(directory);
        match ended {
            Ok(Ok(status)) if status.success() => Ok(()),
            Ok(Ok(status)) => Err(LoadError::Failed(format!("the server ended with {status}"))),
            Ok(Err(error)) => Err(LoadError::Failed(format!("the server: {error}"))),
            Err(_) => Err(LoadError::Failed("the server did not stop in time".into())),
        }
    }
}

/// Asks a process to end; on a system without signals, kills it.
fn terminate(child: &mut Child) {
    #[cfg(unix)]
    if let Some(pid) = child
        .id()
        .and_then(|id| rustix::process::Pid::from_raw(id.cast_signed()))
    {
        // It may have ended by itself: the status says so.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
    }
    #[cfg(not(unix))]
    let _ = child.start_kill();
}

/// The first line of a server or relay: `listening on http://HOST:PORT`.
async fn listening_address(
    lines: &mut Lines<BufReader<ChildStdout>>,
) -> Result<SocketAddr, String> {
    let line = timeout(PATIENCE, lines.next_line())
        .await
        .map_err(|_| "it said nothing in time".to_owned())?
        .map_err(|error| error.to_string())?
        .ok_or("it ended at once")?;
    line.strip_prefix("listening on http://")
        .and_then(|address| address.parse().ok())
        .ok_or_else(|| format!("its first line was {line:?}"))
}

/// The relay, running.
pub(super) struct Relay {
    /// Where it listens.
    pub(super) address: SocketAddr,
    child: Child,
    questions: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Relay {
    /// Starts the relay in a separate process, which ends when its standard input is closed, at the latest with this process.
    ///
    /// # Errors
    /// The program does not run.
    pub(super) async fn spawn(plies: usize) -> Result<Self, LoadError> {
        let failed = |error: String| LoadError::Failed(format!("the relay did not start: {error}"));
        let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
        let mut child = Command::new(program)
            .args(["load", "relay", &plies.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let questions = child.stdin.take().expect("standard input was asked for");
        let stdout = child.stdout.take().expect("standard output was asked for");
        let mut answers = BufReader::new(stdout).lines();
        let address = listening_address(&mut answers).await.map_err(failed)?;
        Ok(Self {
            address,
            child,
            questions,
            answers,
        })
    }

    /// The process.
    pub(super) fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// CPU time that it has taken.
    ///
    /// # Errors
    /// It does not answer.
    pub(super) async fn cpu(&mut self) -> Result<Duration, LoadError> {
        let silent = || LoadError::Failed("the relay does not answer".into());
        self.questions
            .write_all(b"cpu\n")
            .await
            .map_err(|_| silent())?;
        let line = timeout(PATIENCE, self.answers.next_line())
            .await
            .map_err(|_| silent())?;
        let micros = line.ok().flatten().and_then(|line| line.parse().ok());
        micros.map(Duration::from_micros).ok_or_else(silent)
    }
}

/// What a server reports about its process.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Metrics {
    /// Its process.
    pub(super) pid: Option<u32>,
    /// CPU time, user and system.
    pub(super) cpu: Duration,
    /// Resident memory in bytes.
    pub(super) resident: u64,
}

impl Metrics {
    /// Asks the server.
    ///
    /// # Errors
    /// It does not answer, or not with these figures.
    pub(super) async fn of(server: SocketAddr) -> Result<Self, LoadError> {
        let page = timeout(PATIENCE, get(server, "/metrics")).await;
        let page = page
            .map_err(|_| {
                LoadError::Unreachable(format!("http://{server}/metrics: no answer in time"))
            })?
            .map_err(|error| LoadError::Unreachable(format!("http://{server}/metrics: {error}")))?;
        Self::read(&page).ok_or_else(|| {
            LoadError::Failed(format!(
                "http://{server}/metrics does not report CPU time and memory"
            ))
        })
    }

    fn read(page: &str) -> Option<Self> {
        let figure = |name: &str| -> Option<f64> {
            page.lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))
                .and_then(|figure| figure.trim().parse().ok())
        };
        Some(Self {
            pid: figure("grundy_process_pid").map(|pid| pid as u32),
            cpu: Duration::try_from_secs_f64(figure("process_cpu_seconds_total")?).ok()?,
            resident: figure("process_resident_memory_bytes")? as u64,
        })
    }
}

/// A page by HTTP/1.0, whose answer ends with the connection: enough for one page of figures.
async fn get(server: SocketAddr, path: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(server).await?;
    stream
        .write_all(format!("GET {path} HTTP/1.0\r\nHost: {server}\r\n\r\n").as_bytes())
        .await?;
    let mut page = String::new();
    stream.take(1 << 20).read_to_string(&mut page).await?;
    Ok(page)
}

/// The server program that stands beside this one, if there is one.
pub(super) fn server_beside_us() -> Option<PathBuf> {
    let name = format!("grundy-server{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok()?.with_file_name(name);
    beside.is_file().then_some(beside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_found_among_others() {
        let page = "HTTP/1.0 200 OK\r\n\r\n# HELP process_cpu_seconds_total CPU.\n\
            process_cpu_seconds_total 12.5\nprocess_resident_memory_bytes 4096\ngrundy_process_pid 77\n";
        let metrics = Metrics::read(page).expect("all there");
        assert_eq!(
            metrics,
            Metrics {
                pid: Some(77),
                cpu: Duration::from_millis(12_500),
                resident: 4096
            }
        );
        assert_eq!(Metrics::read("process_cpu_seconds_total 1\n"), None);
    }

    #[test]
    fn cpu_time_grows_with_work() {
        let before = cpu_time();
        let mut sum = 0u64;
        while cpu_time() < before + Duration::from_millis(2) {
            sum = std::hint::black_box(sum.wrapping_mul(31).wrapping_add(7));
        }
        assert!(cpu_time() > before);
    }
}
