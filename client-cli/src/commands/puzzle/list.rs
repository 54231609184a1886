//! `grundy puzzle list`.

use clap::Args;
use grundy_shared::practice::Performance;
use grundy_shared::puzzle::Difficulty;
use grundy_words::Message;
use serde::Serialize;

use super::choose::Chosen;
use super::file::collection;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::practice::store::Store;
use crate::render::{headings, practice as words, table};

/// Arguments of `puzzle list`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
}

/// A list of puzzles as JSON. It names no theme, which would be a hint.
#[derive(Serialize)]
struct Listed {
    schema: &'static str,
    puzzles: Vec<One>,
}

/// A puzzle of the list.
#[derive(Serialize)]
struct One {
    number: usize,
    family: &'static str,
    difficulty: Difficulty,
    /// How it went when it was solved for the first time, or `shown`; `null` if it was not tried to the end.
    solved: Option<Performance>,
    position: String,
}

impl Arguments {
    pub(super) fn run(self, context: &Context) -> Result<Exit, Failure> {
        let collection = collection(self.chosen.from.as_ref())?;
        let deck = Store::open()?.read()?;
        let puzzles = self.chosen.of(&collection).map(|(number, puzzle)| One {
            number,
            family: puzzle.family().name(),
            difficulty: puzzle.difficulty(),
            solved: deck.puzzle(&puzzle.key).map(|solved| solved.performance),
            position: puzzle.key.to_string(),
        });
        let puzzles: Vec<One> = puzzles.collect();
        let output = &context.output;
        if output.json {
            let schema = "grundy/puzzle-list/1";
            output.object(&Listed { schema, puzzles })?;
            return Ok(Exit::Done);
        }
        if puzzles.is_empty() {
            output.sentences(&output.words().say("puzzle-none"))?;
            return Ok(Exit::Done);
        }
        let rows = puzzles.into_iter().map(|one| {
            vec![
                one.number.to_string(),
                one.family.to_owned(),
                Message::new("puzzle-level")
                    .text("level", one.difficulty)
                    .said(output.words()),
                one.solved
                    .map(|performance| words::performance(performance, context.output.words()))
                    .unwrap_or_default()
                    .to_owned(),
                one.position,
            ]
        });
        let names = [
            ">puzzle-number",
            "puzzle-family",
            "puzzle-difficulty",
            "puzzle-solved",
            "puzzle-position",
        ];
        let rows: Vec<Vec<String>> = rows.collect();
        let headings = headings(names, output.words());
        output.text(&table(&headings, &rows, output.width()))?;
        Ok(Exit::Done)
    }
}
