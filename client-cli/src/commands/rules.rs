//! `grundy rules`: the games, and how each is played and written.

use clap::{Args, Subcommand};
use grundy_shared::games::{GameInfo, REGISTRY, find};
use grundy_words::Message;
use serde_json::{Value, json};

use super::tables;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render;

/// Arguments of `rules`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "\
Examples:
  grundy rules list
  grundy rules wythoff
  grundy rules period octal.0.77
  grundy rules table octal.0.6 --to 1000000 --last 5

docs/LEARN.md teaches the theory of each family of games, with exercises.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
    /// The game to show, such as nim or octal.0.77
    #[arg(value_name = "GAME", required = true)]
    game: Option<String>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List the games, one per line
    List,
    /// Show a game's rules, first board, notation, examples, method, limits and source
    Show {
        /// The game's name, such as nim or octal.0.77
        #[arg(value_name = "GAME")]
        game: String,
    },
    /// Show the period of the Grundy values of single heaps, if one is proved
    Period(tables::Period),
    /// List the Grundy values of single heaps
    Table(tables::Table),
}

impl Arguments {
    /// Lists or shows.
    pub(crate) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let output = context.output;
        let what = match (&self.what, &self.game) {
            (Some(what), _) => what,
            (None, game) => &What::Show {
                game: game.clone().unwrap_or_default(),
            },
        };
        match what {
            What::List if output.json => {
                let games: Vec<Value> = REGISTRY.iter().map(|game| to_json(game)).collect();
                output.object(&json!({ "schema": "grundy/rules/1", "games": games }))?;
            }
            What::List => output.prose(&render::rules::list(
                REGISTRY,
                output.width(),
                output.words(),
            ))?,
            What::Period(period) => return period.run(context),
            What::Table(table) => return table.run(context),
            What::Show { game } => {
                let name = game.split(['.', ':']).next().unwrap_or_default();
                let info = find(name).ok_or_else(|| {
                    let shown = render::clean(&render::short(game));
                    let message = Message::new("rules-no-game").text("game", shown);
                    Failure::told(Exit::NotFound, "no_such_game", message)
                        .help(Message::new("rules-no-game-how"))
                })?;
                if output.json {
                    output.object(&json!({ "schema": "grundy/rules/1", "game": to_json(info) }))?;
                } else {
                    output.prose(&render::rules::head(info, output.words()))?;
                    let frame = output.still_frame();
                    if let Some(board) = frame.and_then(|frame| render::rules::board(info, frame)) {
                        output.styled(&board)?;
                    }
                    output.prose(&render::rules::details(info, output.words()))?;
                }
            }
        }
        Ok(Exit::Done)
    }
}

fn to_json(info: &GameInfo) -> Value {
    json!({
        "name": info.name,
        "title": info.title,
        "rule": info.rule,
        "notation": info.notation,
        "move_notation": info.move_notation,
        "examples": info.examples,
        "example_move": info.example_move,
        "method": info.method,
        "complexity": info.complexity,
        "limits": info.limits,
        "source": info.source,
    })
}
