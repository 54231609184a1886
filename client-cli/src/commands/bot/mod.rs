//! `grundy bot`: bots as programs: write one, check one, let one play on a server.

mod check;
mod guard;
mod launch;
mod list;
mod new;
mod run;

use clap::Subcommand;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// What can be done with a bot.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a bot that plays, to begin from
    New(new::Arguments),
    /// Check whether a program speaks the protocol, and show the first wrong line
    Check(check::Arguments),
    /// Let a program play on a server
    Run(run::Arguments),
    /// List the built-in bots
    List(list::Arguments),
    /// Become a command within limits (used by the runner itself)
    #[command(hide = true)]
    Launch(launch::Arguments),
    /// End the bots of a runner that was killed (used by the runner itself)
    #[command(hide = true)]
    Guard(guard::Arguments),
}

impl Command {
    /// Runs it.
    pub(crate) fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self {
            Self::New(arguments) => arguments.run(context),
            Self::Check(arguments) => arguments.run(context),
            Self::Run(arguments) => arguments.run(context),
            Self::List(arguments) => arguments.run(context),
            Self::Launch(arguments) => Err(arguments.run().0),
            Self::Guard(arguments) => arguments.run(),
        }
    }
}
