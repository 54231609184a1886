//! The puzzle of the day, and a puzzle by its number.

use std::path::PathBuf;

use clap::Args;
use grundy_words::Message;

use super::calendar::day;
use super::file::collection;
use super::put::{Solving, put};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::local::now;
use crate::misread::Misread;
use crate::practice::schedule::Day;

/// Arguments of `puzzle` without a subcommand.
#[derive(Debug, Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// The number of a puzzle [default: the puzzle of the day]
    #[arg(value_parser = number)]
    number: Option<usize>,
    /// The day whose puzzle it is [default: today]
    #[arg(long, value_name = "DATE", value_parser = day, conflicts_with_all = ["number", "from"])]
    day: Option<Day>,
    /// Take the puzzle from this file, which 'grundy puzzle make' has written
    #[arg(long, value_name = "FILE", requires = "number")]
    from: Option<PathBuf>,
    #[command(flatten)]
    solving: Solving,
}

/// Reads the number of a puzzle.
fn number(text: &str) -> Result<usize, Misread> {
    text.parse()
        .map_err(|_| Misread(Message::new("misread-puzzle")))
}

impl Arguments {
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let collection = collection(self.from.as_ref())?;
        let (chosen, day) = match self.number {
            Some(number) => (collection.get(number).map(|one| (number, one)), None),
            None => {
                let day = self.day.unwrap_or_else(|| Day::of(now()));
                (collection.of_day(i64::from(day.0)), Some(day))
            }
        };
        let Some((number, puzzle)) = chosen else {
            let message = match collection.len() {
                0 => Message::new("puzzles-none"),
                most => Message::new("puzzles-numbers").text("most", most),
            };
            return Err(Failure::told(Exit::NotFound, "no_such_puzzle", message)
                .help(Message::new("puzzles-list-how")));
        };
        put(context, &self.solving, vec![(number, puzzle.clone())], day).await?;
        Ok(Exit::Done)
    }
}
