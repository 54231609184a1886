//! `grundy tournament`: tournaments on a server, and schedules, pairings and standings without one.

mod board;
mod create;
mod export;
mod list;
mod log;
mod pair;
mod places;
mod play;
mod report;
mod request;
mod schedule;
mod show;
mod standings;
mod state;
mod tables;
mod watch;

use clap::{Args, Subcommand};
use grundy_shared::protocol::tournament::Control;

use super::online;
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
  grundy tournament create 'Nim Cup' --format swiss --rounds 5 --bot perfect --bot random
  grundy tournament play 7Kq2mVx9Rt
  grundy tournament watch 7Kq2mVx9Rt

The first three need no server. Tournament files are FIDE's TRF-16; docs/TOURNAMENTS.md has the \
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
    /// Create a tournament on the server
    Create(Box<create::Arguments>),
    /// Enter a tournament ('play' plays your games; 'grundy bot run --tournament' enters and plays with a bot)
    Join(request::Named),
    /// Enter a tournament and play all your games in it here
    Play(play::Arguments),
    /// Leave a tournament; your running games in it are lost
    Withdraw(request::Withdraw),
    /// Close the entries of your tournament and begin
    Start(request::Named),
    /// Pause your tournament: running games finish, no new ones start
    Pause(request::Named),
    /// Resume your paused tournament
    Resume(request::Named),
    /// End your tournament now; running games do not count
    Cancel(request::Cancel),
    /// Show a tournament and its standings
    Show(show::Arguments),
    /// Follow a tournament until it is over
    Watch(watch::Arguments),
    /// List the tournaments on the server
    List(list::Arguments),
    /// Save a tournament with all its games, for 'grundy verify tournament'
    Export(export::Arguments),
}

impl Arguments {
    /// Does it.
    pub(crate) fn run(self, context: &Context) -> Result<Exit, Failure> {
        use request::Wish;
        match self.command {
            Command::Schedule(arguments) => arguments.run(context),
            Command::Pair(arguments) => arguments.run(context),
            Command::Standings(arguments) => arguments.run(context),
            Command::Create(arguments) => online(arguments.run(context)),
            Command::Join(named) => online(named.ask(context, Wish::Join)),
            Command::Play(arguments) => online(arguments.run(context)),
            Command::Withdraw(withdraw) => online(withdraw.run(context)),
            Command::Start(named) => online(named.ask(context, Wish::Control(Control::Start))),
            Command::Pause(named) => online(named.ask(context, Wish::Control(Control::Pause))),
            Command::Resume(named) => online(named.ask(context, Wish::Control(Control::Resume))),
            Command::Cancel(cancel) => online(cancel.run(context)),
            Command::Show(arguments) => online(arguments.run(context)),
            Command::Watch(arguments) => online(arguments.run(context)),
            Command::List(arguments) => online(arguments.run(context)),
            Command::Export(arguments) => online(arguments.run(context)),
        }
    }
}
