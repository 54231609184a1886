//! `grundy stats`: what results say about strength.

mod contest;
mod glicko2;
mod numbers;
mod player;
mod ratings;
mod results;
mod sprt;

use clap::{Args, Subcommand};

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Arguments of `stats`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy stats match --pairs 13,37,50,25,3
  grundy stats match --games 89,123,76 --json
  grundy stats sprt --pairs 13,37,50,25,3 --elo0 0 --elo1 4
  grundy stats ratings results.csv
  grundy stats player Ada --family nim --svg ada.svg
  grundy stats glicko2 --rating 1500,200,0.06 --tau 0.5 --games '1400,30,1;1550,100,0'

A pair is two games from one start with sides swapped. A figure that the results do not \
determine is null in JSON, with the reason under 'why'.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show the rating difference that a match of two players shows
    Match(contest::Arguments),
    /// Test whether one player is stronger by so much
    Sprt(sprt::Arguments),
    /// Rate all players from all games at once (Bradley-Terry)
    Ratings(ratings::Arguments),
    /// Update one player's rating after a period (Glicko-2)
    Glicko2(glicko2::Arguments),
    /// Review all matches of a player together: wins kept, mistakes, openings, opponents, trend
    Player(player::Arguments),
}

impl Arguments {
    /// Whether it never talks to a server.
    pub(crate) fn is_local(&self) -> bool {
        match &self.command {
            Command::Player(arguments) => arguments.is_local(),
            _ => true,
        }
    }

    /// Computes it.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self.command {
            Command::Match(arguments) => arguments.run(context),
            Command::Sprt(arguments) => arguments.run(context),
            Command::Ratings(arguments) => arguments.run(context),
            Command::Glicko2(arguments) => arguments.run(context),
            Command::Player(arguments) => arguments.run(context).await,
        }
    }
}
