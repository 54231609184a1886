//! The real server as a process of its own, on a free port and a data directory that goes with it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};

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
        command
    }

    /// Runs the program beside the server on its data, and waits for its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).output().expect("it runs")
    }

    fn serve(self, flags: &[&str]) -> Server {
        let mut child = self
            .command()
            .args(["--listen", "127.0.0.1:0"])
            .args(flags)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let stdout = child.stdout.take().expect("stdout is piped");
        let mut first = String::new();
        BufReader::new(stdout)
            .read_line(&mut first)
            .expect("the server prints");
        let address = first
            .trim()
            .strip_prefix("listening on http://")
            .expect("the first line is the address");
        Server {
            child,
            address: address.to_owned(),
            data: Some(self),
        }
    }
}

impl Server {
    /// Starts it and waits for its first line.
    pub(crate) fn start(flags: &[&str]) -> Self {
        Data(tempfile::tempdir().expect("a directory for the data")).serve(flags)
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
