//! The real server as a process of its own, on a free port and a data directory that goes with it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};

/// A running `grundy-server`; stopped when dropped.
pub(crate) struct Server {
    child: Child,
    address: String,
    data: Option<Data>,
}

/// The data directory of a server.
pub(crate) struct Data(tempfile::TempDir);

impl Data {
    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grundy-server"));
        command.arg("--data").arg(self.0.path());
        // A busy machine is no reason to refuse what a test asks for.
        command.env("GRUNDYD_OVERLOAD__TARGET_MS", "0");
        command.env("GRUNDYD_TIMES__HELLO_MS", "60000");
        command
    }

    /// Runs the program beside the server on its data, and waits for its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).output().expect("it runs")
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Starts a server on it, and waits for its first line.
    pub(crate) fn serve(self, flags: &[&str]) -> Server {
        self.serve_with(flags, &[])
    }

    /// The same with variables of the environment.
    pub(crate) fn serve_with(self, flags: &[&str], variables: &[(&str, &str)]) -> Server {
        let mut child = self
            .command()
            .envs(variables.iter().copied())
            .args(["--listen", "127.0.0.1:0"])
            .args(flags)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let stdout = child.stdout.take().expect("stdout is piped");
        // From here on it is killed, whatever it prints.
        let mut server = Server {
            child,
            address: String::new(),
            data: Some(self),
        };
        let mut first = String::new();
        BufReader::new(stdout)
            .read_line(&mut first)
            .expect("the server prints");
        let address = first.trim().strip_prefix("listening on http://");
        server.address = address.expect("the first line is the address").to_owned();
        server
    }
}

impl Server {
    /// Starts it and waits for its first line.
    pub(crate) fn start(flags: &[&str]) -> Self {
        Data(tempfile::tempdir().expect("a directory for the data")).serve(flags)
    }

    /// Runs the program beside the server on its data, and waits for its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.data().run(arguments)
    }

    /// The data directory.
    pub(crate) fn data(&self) -> &Data {
        self.data
            .as_ref()
            .expect("a server has its data to its end")
    }

    /// Waits for the end of a server that ends by itself, and returns its data directory.
    pub(crate) fn ended(mut self) -> Data {
        self.child.wait().expect("it ends");
        self.data.take().expect("a server has its data to its end")
    }

    /// Sends the process a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("the server runs");
    }

    /// `HOST:PORT`.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Kills the server as `kill -9` does, and returns its data directory.
    pub(crate) fn killed(mut self) -> Data {
        self.data.take().expect("a server has its data to its end")
    }

    /// The same, and then starts the server again.
    pub(crate) fn killed_and_started(self) -> Self {
        self.killed().serve(&[])
    }

    /// `ws://HOST:PORT/ws`.
    pub(crate) fn websocket(&self) -> String {
        format!("ws://{}/ws", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Nothing to be done about a server that is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
