//! `grundy bot launch`: this process becomes a bot within limits. The runner calls it.

use std::process::ExitCode;

use clap::Args;
use grundy_words::Message;

use crate::bot::limits::{Limits, NOT_EXECUTABLE, NOT_FOUND};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::system;

/// Arguments of `bot launch`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    limits: Limits,
    /// The command to become
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl Arguments {
    /// Becomes the command. Returns only if that fails: with the failure, and the exit code that a shell has for it.
    pub(crate) fn run(self) -> (Failure, ExitCode) {
        let error = self.limits.become_command(&self.command);
        let program = self.command.first().map_or("", |program| program);
        let (exit, code) = match error.kind() {
            std::io::ErrorKind::NotFound => (Exit::NotFound, NOT_FOUND),
            _ => (Exit::Failed, NOT_EXECUTABLE),
        };
        let message = Message::new("file-fault").text("file", program);
        let failure = Failure::told(exit, "launch", message.message("why", system::said(&error)));
        (failure, code.into())
    }
}
