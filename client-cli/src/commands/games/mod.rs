//! `grundy games`: the matches of the server, and those of the library on this computer.

pub(super) mod chunks;
mod export;
pub(super) mod fetch;
pub(super) mod finished;
mod found;
mod import;
mod last;
pub(super) mod list;
pub(super) mod local;
pub(super) mod of_server;
mod pasted;
pub(super) mod stream;
pub(in crate::commands) mod who;

use clap::{Args, Subcommand};

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render;

/// Arguments of `games`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy games list --mine --status live
  grundy games list --player Ada --opponent perfect
  grundy games list --mine --game nim --result lost --since 30d
  grundy games show 7Kq2mVx9Rt
  grundy games export 7Kq2mVx9Rt match.ndjson
  grundy games export 7Kq2mVx9Rt --text
  grundy games export --mine matches/         a file for each of your finished matches
  grundy games export --mine - --cursor-file cursor >> mine.ndjson
  grundy games import mine.ndjson
  grundy games list --local --game nim --min-mistakes 1")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List matches, newest first
    List(list::Arguments),
    /// Show a match: players, moves, result
    Show {
        /// The match
        #[arg(value_name = "MATCH")]
        match_id: String,
        /// Look only in the library on this computer, without a server
        #[arg(long)]
        local: bool,
    },
    /// Write the record of a match as NDJSON; once the match is over, only a rematch adds to it
    Export(export::Arguments),
    /// Add records to the library on this computer; 'list', 'show', 'export' and 'review' read them with --local
    Import(import::Arguments),
}

impl Arguments {
    /// Lists, shows or exports.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self.what {
            What::List(arguments) => arguments.run(context).await,
            What::Show { match_id, local } => {
                let record = fetch::find(context, &match_id, local).await?.record;
                if context.output.json {
                    context.output.object(&render::matches::to_json(&record))?;
                } else {
                    let output = &context.output;
                    let shown = render::matches::show(&record, output.width(), output.words());
                    output.prose(&shown)?;
                }
                Ok(Exit::Done)
            }
            What::Export(arguments) => arguments.run(context).await,
            What::Import(arguments) => arguments.run(context),
        }
    }
}
