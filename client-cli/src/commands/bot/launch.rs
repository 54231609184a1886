//! `grundy bot launch`: this process becomes a bot within limits. The runner calls it.

use clap::Args;

use crate::bot::limits::Limits;
use crate::exit::Exit;
use crate::failure::Failure;

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
    /// Does not return if all is well.
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let error = self.limits.become_command(&self.command);
        let program = self.command.first().map_or("", |program| program);
        let exit = match error.kind() {
            std::io::ErrorKind::NotFound => Exit::NotFound,
            _ => Exit::Failed,
        };
        Err(Failure::new(exit, "launch", format!("{program}: {error}")))
    }
}
