//! `grundy puzzle`: won positions of real matches, to be won again.

mod calendar;
mod choose;
mod file;
mod list;
mod make;
mod next;
mod progress;
mod put;
mod rated;
mod today;

use clap::{Args, Subcommand};

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Arguments of `puzzle`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Examples:
  grundy puzzle                        the puzzle of today, the same for everybody
  grundy puzzle --day 2026-11-24
  grundy puzzle 17                     a puzzle by its number
  grundy puzzle next --family kayles --difficulty hard
  grundy puzzle rated                  puzzles of the server; the first answer counts
  grundy puzzle list --theme pairs
  grundy puzzle make --out mine.ndjson
  grundy puzzle next --from mine.ndjson

Each puzzle is a position of a match in which a player gave the win away. The solver proves that it is won, and knows all winning moves: \
at most half of all moves win, there are at least four, and the next move does not end the game. Any winning move is right. All but rated works without a \
server. A day begins at 0:00 UTC.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    today: today::Arguments,
}

/// What can be done with puzzles.
#[derive(Debug, Subcommand)]
enum Command {
    /// Solve the next puzzles that you have not solved
    Next(next::Arguments),
    /// Solve puzzles of the server, which rates you and them
    Rated(rated::Arguments),
    /// List puzzles
    List(list::Arguments),
    /// Make puzzles out of the mistakes in matches
    Make(make::Arguments),
    /// Show how your puzzles went
    Progress(progress::Arguments),
}

impl Arguments {
    /// Puts puzzles, lists them or makes new ones.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self.command {
            None => self.today.run(context).await,
            Some(Command::Next(arguments)) => arguments.run(context).await,
            Some(Command::Rated(arguments)) => arguments.run(context).await,
            Some(Command::List(arguments)) => arguments.run(context),
            Some(Command::Make(arguments)) => arguments.run(context),
            Some(Command::Progress(arguments)) => arguments.run(context).await,
        }
    }
}
