//! `grundy bot guard`: outlives the runner, and ends what its bots have left. The runner starts it.

use std::io;

use clap::Args;

use crate::bot::family::Family;
use crate::exit::Exit;
use crate::failure::Failure;

/// Arguments of `bot guard`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The process of the runner
    runner: u32,
}

impl Arguments {
    /// Waits for the end of stdin: the runner holds the other end, and it closes however the runner ends.
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        io::copy(&mut io::stdin().lock(), &mut io::sink())?;
        Family::of_runner(self.runner).kill_all();
        Ok(Exit::Done)
    }
}
