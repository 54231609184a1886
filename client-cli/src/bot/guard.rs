//! A process beside the runner that ends its bots if the runner is killed: a bot that does not read its stdin would never notice.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

/// The guard of this process; it ends soon after its stdin is closed.
#[derive(Debug)]
pub(super) struct Guard(Child);

impl Guard {
    /// Starts it in a new process group, so that Ctrl-C does not reach it.
    ///
    /// # Errors
    /// It cannot be started.
    pub(super) fn start() -> io::Result<Self> {
        let mut command = Command::new(super::limits::own_program()?);
        let id = std::process::id().to_string();
        command.args(["bot", "guard", &id]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        Ok(Self(command.spawn()?))
    }

    /// Its process.
    pub(super) fn id(&self) -> i32 {
        i32::try_from(self.0.id()).unwrap_or_default()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // It may have been killed.
        let _ = self.0.wait();
    }
}
