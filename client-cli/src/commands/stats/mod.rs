//! `grundy stats`: what results say about strength.

mod contest;
mod glicko2;
mod numbers;
mod ratings;
mod sprt;

use clap::{Args, Subcommand};
use grundy_shared::statistics::{GameCounts, PairCounts, Sample};

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
  grundy stats glicko2 --rating 1500,200,0.06 --tau 0.5 --games '1400,30,1;1550,100,0'

A pair is two games from one start with sides swapped. A figure that the results do not
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
}

impl Arguments {
    /// Computes it.
    pub(crate) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        match &self.command {
            Command::Match(arguments) => arguments.run(context),
            Command::Sprt(arguments) => arguments.run(context),
            Command::Ratings(arguments) => arguments.run(context),
            Command::Glicko2(arguments) => arguments.run(context),
        }
    }
}

/// The results of a match, as pairs or as single games.
#[derive(Debug, Args)]
struct Results {
    /// How many pairs scored 0, 1/2, 1, 1 1/2 and 2 points
    #[arg(long, value_name = "N0,N1,N2,N3,N4", required_unless_present = "games")]
    pairs: Option<String>,
    /// How many single games were lost, drawn and won
    #[arg(long, value_name = "L,D,W", conflicts_with = "pairs")]
    games: Option<String>,
}

impl Results {
    /// Reads them; there is at least one.
    fn sample(&self) -> Result<Sample, Failure> {
        let sample: Sample = if let Some(pairs) = &self.pairs {
            PairCounts(numbers::counts(pairs, "--pairs", "13,37,50,25,3")?).into()
        } else {
            let games = self.games.as_deref().unwrap_or_default();
            let [losses, draws, wins] = numbers::counts(games, "--games", "89,123,76")?;
            GameCounts {
                losses,
                draws,
                wins,
            }
            .into()
        };
        if sample.size() > 0.0 {
            return Ok(sample);
        }
        let (what, example) = match self.pairs {
            Some(_) => ("pair", "--pairs 13,37,50,25,3"),
            None => ("game", "--games 89,123,76"),
        };
        let words = format!("there is no {what}: all counts are 0");
        Err(Failure::new(Exit::Input, "no_games", words)
            .hint(format!("count at least one: {example}")))
    }

    /// What is counted, for people.
    fn unit(&self) -> &'static str {
        match self.pairs {
            Some(_) => "pair",
            None => "game",
        }
    }
}
