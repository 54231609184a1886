//! The real server as a process of its own, to be killed, stopped and started again on one data directory.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};

/// No step of a server takes longer than this, on a machine however busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// How to start a server.
pub(crate) struct Launch {
    /// The data directory.
    pub(crate) data: PathBuf,
    /// Flags besides the address and the data.
    pub(crate) flags: Vec<String>,
    /// Variables besides those of this process.
    pub(crate) environment: Vec<(&'static str, OsString)>,
    /// A shell command before the server, such as a limit: `ulimit -n 64`.
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

    fn command(&self) -> Command {
        let program = env!("CARGO_BIN_EXE_grundy-server");
        let mut command = match &self.before {
            None => Command::new(program),
            Some(before) => {
                let mut shell = Command::new("sh");
                shell.args(["-c", &format!("{before}; exec \"$0\" \"$@\""), program]);
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
            .envs(self.environment.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log.map_or(Stdio::null(), Stdio::from))
            .kill_on_drop(true);
        command
    }

    /// Starts it and waits for its first line, or for its end without one.
    pub(crate) async fn start(&self) -> Started {
        let mut child = self.command().spawn().expect("the server starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let mut line = String::new();
        tokio::time::timeout(PATIENCE, stdout.read_line(&mut line))
            .await
            .expect("a server listens or ends in time")
            .expect("stdout is readable");
        match line.trim().strip_prefix("listening on http://") {
            Some(address) => Started::Serving(Server {
                address: address.to_owned(),
                child,
                _stdout: stdout,
            }),
            None => Started::Ended(ended(&mut child).await),
        }
    }

    /// Starts it; it must come to listen.
    pub(crate) async fn serve(&self) -> Server {
        match self.start().await {
            Started::Serving(server) => server,
            Started::Ended(status) => panic!("the server ended with {status}: {}", self.logged()),
        }
    }

    /// What the servers of this data directory have logged so far.
    pub(crate) fn logged(&self) -> String {
        std::fs::read_to_string(self.log()).unwrap_or_default()
    }

    /// Starts it without waiting for anything.
    pub(crate) fn spawn(&self) -> Child {
        self.command().spawn().expect("the server starts")
    }
}

/// What became of a start.
pub(crate) enum Started {
    /// It listens.
    Serving(Server),
    /// It ended before it listened.
    Ended(ExitStatus),
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

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = self
            .child
            .id()
            .and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        // A server that is gone already needs no signal.
        let _ = kill_process(
            pid.expect("a server that was not waited for has an id"),
            signal,
        );
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

/// Copies the database and its log of changes as they are, without going through SQLite: what a crash leaves behind.
pub(crate) fn copy_database(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a directory for the copy");
    for entry in std::fs::read_dir(from).expect("the data directory is readable") {
        let path = entry.expect("the data directory is readable").path();
        let name = path.file_name().expect("an entry has a name").to_owned();
        let is_database =
            name.to_string_lossy().ends_with(".db") || name.to_string_lossy().ends_with("-wal");
        if is_database {
            std::io::copy(
                &mut File::open(&path).expect("the database is readable"),
                &mut File::create(to.join(name)).expect("the copy is writable"),
            )
            .expect("the database is copied");
        }
    }
}
