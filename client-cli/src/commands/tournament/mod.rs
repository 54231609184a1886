//! `grundy tournament`: schedules, pairings and standings.

mod pair;
mod report;
mod schedule;
mod standings;

use clap::{Args, Subcommand};

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Arguments of `tournament`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy tournament schedule --players 6 --format berger
  grundy tournament pair open.trf
  grundy tournament standings open.trf --tie-breaks PTS,DE,BH-C1

These commands need no server. Tournament files are FIDE's TRF-16; docs/TOURNAMENTS.md has the
rules.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print who meets whom in every round
    Schedule(schedule::Arguments),
    /// Pair the next round of a Swiss tournament (FIDE's Dutch system)
    Pair(pair::Arguments),
    /// Rank the players of a tournament file
    Standings(standings::Arguments),
}

impl Arguments {
    /// Does it.
    pub(crate) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        match &self.command {
            Command::Schedule(arguments) => arguments.run(context),
            Command::Pair(arguments) => arguments.run(context),
            Command::Standings(arguments) => arguments.run(context),
        }
    }
}
