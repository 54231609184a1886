//! The real server as a process of its own, to be killed, stopped and started again on one data directory.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};

/// No step of a server takes longer than this, on a machine however busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The server's program, as built for these tests.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_grundy-server");

/// The same, held open from the first start on: a build that runs meanwhile puts another file there.
fn program() -> PathBuf {
    static HELD: OnceLock<File> = OnceLock::new();
    let held = HELD.get_or_init(|| File::open(PROGRAM).expect("the server was built"));
    format!("/proc/{}/fd/{}", std::process::id(), held.as_raw_fd()).into()
}

/// How to start a server.
pub(crate) struct Launch {
    /// The data directory.
    pub(crate) data: PathBuf,
    /// Flags besides the address and the data.
    pub(crate) flags: Vec<String>,
    /// Variables besides those of this process.
    pub(crate) environment: Vec<(&'static str, OsString)>,
    /// A shell command that starts the server, which it finds as `"$0" "$@"`.
    pub(crate) before: Option<String>,
}

impl Launch {
    /// With the profile for load, and nothing else.
    pub(crate) fn on(data: &Path) -> Self {
        Self {
            data: data.to_owned(),
            flags: vec!["--profile".to_owned(), "load".to_owned()],
            environment: Vec::new(),
            before: None,
        }
    }

    /// With one more variable.
    pub(crate) fn with(mut self, variable: &'static str, value: impl Into<OsString>) -> Self {
        self.environment.push((variable, value.into()));
        self
    }

    /// The file to which the servers of this data directory write their log lines.
    pub(crate) fn log(&self) -> PathBuf {
        self.data.with_extension("log")
    }

    /// What starts it.
    pub(crate) fn command(&self) -> Command {
        let mut command = match &self.before {
            None => Command::new(program()),
            Some(before) => {
                let mut shell = Command::new("sh");
                shell.args(["-c", before, PROGRAM]);
                shell
            }
        };
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.log());
        command
            .args(["--listen", "127.0.0.1:0", "--data"])
            .arg(&self.data)
            .args(&self.flags)
            // A busy machine is no reason to refuse what a test asks for.
            .env("GRUNDYD_OVERLOAD__TARGET_MS", "0")
            .env("GRUNDYD_TIMES__HELLO_MS", "60000")
            .envs(self.environment.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log.map_or(Stdio::null(), Stdio::from))
            .kill_on_drop(true);
        command
    }

    /// Starts it and waits for its first line, or gives the status with which it ended without one.
    pub(crate) async fn start(&self) -> Result<Server, ExitStatus> {
        let mut child = self.command().spawn().expect("the server starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let mut line = String::new();
        tokio::time::timeout(PATIENCE, stdout.read_line(&mut line))
            .await
            .expect("a server listens or ends in time")
            .expect("stdout is readable");
        match line.trim().strip_prefix("listening on http://") {
            Some(address) => Ok(Server {
                address: address.to_owned(),
                child,
                _stdout: stdout,
            }),
            None => Err(ended(&mut child).await),
        }
    }

    /// Starts it; it must come to listen.
    pub(crate) async fn serve(&self) -> Server {
        match self.start().await {
            Ok(server) => server,
            Err(status) => panic!("the server ended with {status}: {}", self.logged()),
        }
    }

    /// What the servers of this data directory have logged so far.
    pub(crate) fn logged(&self) -> String {
        std::fs::read_to_string(self.log()).unwrap_or_default()
    }
}

/// A server that listens; killed when dropped.
pub(crate) struct Server {
    address: String,
    child: Child,
    /// Held open, so that a second line would not end the server.
    _stdout: BufReader<ChildStdout>,
}

impl Server {
    /// `HOST:PORT`.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Its process.
    pub(crate) fn id(&self) -> Pid {
        let id = self
            .child
            .id()
            .and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        id.expect("a server that was not waited for has an id")
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        // A server that is gone already needs no signal.
        let _ = kill_process(self.id(), signal);
    }

    /// Waits for its end.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        ended(&mut self.child).await
    }
}

/// Waits for the end of a process.
pub(crate) async fn ended(child: &mut Child) -> ExitStatus {
    tokio::time::timeout(PATIENCE, child.wait())
        .await
        .expect("the process ends in time")
        .expect("its status can be read")
}
