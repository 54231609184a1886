//! `grundy puzzle next`.

use clap::Args;
use grundy_shared::puzzle::Puzzle;
use grundy_words::Message;

use super::choose::Chosen;
use super::file::collection;
use super::put::{Solving, put};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::practice::store::Store;

/// Arguments of `puzzle next`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    /// The largest number of puzzles
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    limit: u32,
    /// Also those that you have solved
    #[arg(long)]
    again: bool,
    #[command(flatten)]
    solving: Solving,
}

impl Arguments {
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let collection = collection(self.chosen.from.as_ref())?;
        let deck = Store::open()?.read()?;
        let mut all: Vec<(usize, &Puzzle)> = self.chosen.of(&collection).collect();
        // Stable, so each edition is asked in the order of its numbers.
        all.sort_by_key(|(number, _)| collection.is_replaced(*number));
        let total = all.len();
        let open = all
            .into_iter()
            .filter(|(_, puzzle)| self.again || deck.solved(&puzzle.key).is_none());
        let open = open.map(|(number, puzzle)| (number, puzzle.clone()));
        let open: Vec<(usize, Puzzle)> = open.take(self.limit as usize).collect();
        if open.is_empty() {
            let (message, how) = match total {
                0 => ("puzzles-no-such", "puzzles-list-how"),
                _ => ("puzzles-all-solved", "puzzles-again-how"),
            };
            let message = Message::new(message);
            return Err(
                Failure::told(Exit::NotFound, "no_such_puzzle", message).help(Message::new(how))
            );
        }
        put(context, &self.solving, open, None).await?;
        Ok(Exit::Done)
    }
}
