//! `grundy explain`: why a position is won or lost, why its moves win or lose, and what a term means.

use clap::Args;
use grundy_shared::bounds::EXPLAINED_MOVES_MAX;
use grundy_shared::games;
use grundy_shared::solver::{explain, reasons};
use grundy_shared::{Move, Position};
use grundy_words::Message;
use serde::Serialize;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::glossary::{self, with_terms};
use crate::reading::position;
use crate::render::advice;
use crate::thinking::Thinking;

/// The meanings of a term as JSON.
#[derive(Serialize)]
struct Definition<'d> {
    schema: &'static str,
    meanings: &'d [glossary::Entry],
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy explain nim:1,4,6,7
  grundy explain nim:1,4,6,7 --move A-1 --move B-4
  grundy explain mex

With --move, each move is explained: what it leaves, why that is won or lost, and the reply that \
refutes it if it loses. The best move is explained the same way. A word without a colon is a term \
of the glossary.")]
pub(crate) struct Arguments {
    /// The position, such as nim:3,5,7; or a term, such as nim-value
    position: String,
    /// Explain this move instead, and the best one; can be given more than once
    #[arg(long = "move", value_name = "MOVE")]
    moves: Vec<String>,
    #[command(flatten)]
    thinking: Thinking,
}

impl Arguments {
    /// Explains the position, or its moves.
    pub(crate) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        if !self.position.contains(':') && self.moves.is_empty() {
            return self.define(context);
        }
        let position = position(&self.position)?;
        let (to_move, language) = (self.thinking.to_move(), context.output.language);
        if self.moves.is_empty() {
            match context.output.json {
                true => {
                    let explanation = self.thinking.think(&context.output, |budget| {
                        explain(&position, to_move, budget)
                    });
                    context.output.object(&explanation)?;
                }
                false => {
                    let text = self.thinking.think(&context.output, |budget| {
                        advice::position(&position, to_move, language, budget)
                    });
                    context.output.sentences(&with_terms(&text, language))?;
                }
            }
            return Ok(Exit::Done);
        }
        let moves = self.read_moves(&position)?;
        let reasons = self.thinking.think(&context.output, |budget| {
            reasons(&position, to_move, &moves, budget)
        });
        match context.output.json {
            true => context.output.object(&reasons)?,
            false => context
                .output
                .sentences(&with_terms(&advice::moves(&reasons, language), language))?,
        }
        Ok(Exit::Done)
    }

    /// Says what a term means.
    fn define(&self, context: &Context) -> Result<Exit, Failure> {
        let found = glossary::find(&self.position);
        if found.is_empty() {
            // What else it can be is a position.
            let failure = match position(&self.position) {
                Err(failure) => failure,
                Ok(_) => Failure::usage(Message::new("usage-no-position")),
            };
            if let Some(game) = games::find(&self.position) {
                let rules = Message::new("usage-game-how").text("game", game.name);
                return Err(failure.help(rules));
            }
            let near = glossary::near(&self.position);
            return Err(match near {
                Some(near) => failure.help(Message::new("usage-term-how").text("term", near)),
                None => failure,
            });
        }
        if context.output.json {
            context.output.object(&Definition {
                schema: "grundy/term/1",
                meanings: &found,
            })?;
            return Ok(Exit::Done);
        }
        let lines = found
            .iter()
            .map(|entry| format!("{}: {}", entry.heading(), entry.meaning));
        context
            .output
            .sentences(&lines.collect::<Vec<_>>().join("\n"))?;
        Ok(Exit::Done)
    }

    /// The moves, each once.
    fn read_moves(&self, position: &Position) -> Result<Vec<Move>, Failure> {
        let mut moves: Vec<Move> = Vec::new();
        for text in &self.moves {
            let read = position.parse_move(self.thinking.to_move(), text);
            let mv = read.map_err(|error| Failure::illegal_move(text, &error))?;
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
        match moves.len() > EXPLAINED_MOVES_MAX {
            true => {
                let message = Message::new("usage-moves");
                Err(Failure::usage(message.text("most", EXPLAINED_MOVES_MAX)))
            }
            false => Ok(moves),
        }
    }
}
