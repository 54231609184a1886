//! The real server as a process of its own, on a free port and a data directory that goes with it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A running `grundy-server`; stopped when dropped.
pub(crate) struct Server {
    child: Child,
    address: String,
    _data: tempfile::TempDir,
}

impl Server {
    /// Starts it and waits for its first line.
    pub(crate) fn start(flags: &[&str]) -> Self {
        let data = tempfile::tempdir().expect("a directory for the data");
        let mut child = Command::new(env!("CARGO_BIN_EXE_grundy-server"))
            .args(["--listen", "127.0.0.1:0", "--data"])
            .arg(data.path())
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
        Self {
            child,
            address: address.to_owned(),
            _data: data,
        }
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
