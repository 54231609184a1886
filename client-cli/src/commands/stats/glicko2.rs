//! `grundy stats glicko2`: one player's rating after a period.

use clap::Args;
use grundy_shared::rating::{GameScore, RatedGame, Rating, RatingError, after_period};
use grundy_words::Message;
use serde::Serialize;

use super::numbers;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// The most games of one period.
const MAX_GAMES: usize = 100_000;

/// Arguments of `stats glicko2`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy stats glicko2 --rating 1500,200,0.06 --tau 0.5 --games '1400,30,1;1550,100,0;1700,300,0'
  grundy stats glicko2 --rating 1500,350,0.06 --games '' --json

Opponents are given with their ratings before the period. Without a game only the deviation \
grows.")]
pub(super) struct Arguments {
    /// The player's rating, rating deviation and volatility
    #[arg(long, value_name = "R,RD,VOL", allow_hyphen_values = true)]
    rating: String,
    /// How much volatilities may change
    #[arg(
        long,
        value_name = "TAU",
        default_value_t = 0.5,
        allow_negative_numbers = true
    )]
    tau: f64,
    /// The games: opponent's rating and deviation, and 1, 0.5 or 0
    #[arg(
        long,
        value_name = "R,RD,SCORE;...",
        default_value = "",
        allow_hyphen_values = true
    )]
    games: String,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    rating: f64,
    rd: f64,
    vol: f64,
}

impl Arguments {
    pub(super) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let [rating, deviation, volatility] =
            numbers::decimals(&self.rating, "--rating", "1500,200,0.06")?;
        let player = Rating {
            rating,
            deviation,
            volatility,
        };
        let games = self
            .games
            .split(';')
            .filter(|game| !game.trim().is_empty())
            .map(game)
            .collect::<Result<Vec<_>, _>>()?;
        if games.len() > MAX_GAMES {
            let message = Message::new("glicko-too-many")
                .text("most", MAX_GAMES)
                .text("got", games.len());
            return Err(Failure::told(Exit::Usage, "bad_rating", message));
        }
        let after = after_period(&player, &games, self.tau).map_err(|error| {
            let (fault, example) = match error {
                RatingError::Tau => ("tau", "--tau 0.5"),
                RatingError::Rating => ("rating", PERIOD),
                RatingError::Deviation => ("deviation", PERIOD),
                RatingError::Volatility => ("volatility", PERIOD),
                RatingError::NotFinite => ("extreme", PERIOD),
            };
            let message = Message::new("glicko-bad").text("fault", fault);
            Failure::told(Exit::Usage, "bad_rating", message)
                .help(Message::new("such-as").text("example", example))
        })?;
        if context.output.json {
            context.output.object(&Report {
                rating: after.rating,
                rd: after.deviation,
                vol: after.volatility,
            })?;
        } else {
            let figures = Message::new("glicko-after")
                .text("rating", format!("{:.2}", after.rating))
                .text("deviation", format!("{:.2}", after.deviation))
                .text("volatility", format!("{:.6}", after.volatility));
            context.output.line(&figures.said(context.output.words()))?;
        }
        Ok(Exit::Done)
    }
}

/// An example of a player's figures and a game.
const PERIOD: &str = "--rating 1500,200,0.06 --games '1400,30,1'";

/// Reads one game.
fn game(text: &str) -> Result<RatedGame, Failure> {
    let example = "'1400,30,1;1550,100,0'";
    let [opponent, deviation, score] = numbers::decimals(text.trim(), "--games", example)?;
    let score = [
        (1.0, GameScore::Won),
        (0.5, GameScore::Drawn),
        (0.0, GameScore::Lost),
    ]
    .into_iter()
    .find(|(points, _)| *points == score)
    .map(|(_, score)| score);
    let Some(score) = score else {
        let message = Message::new("glicko-score").text("text", crate::render::short(text));
        return Err(Failure::told(Exit::Usage, "bad_number", message)
            .help(numbers::such_as("--games", example)));
    };
    Ok(RatedGame {
        opponent,
        deviation,
        score,
    })
}
