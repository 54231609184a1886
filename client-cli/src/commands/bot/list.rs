//! `grundy bot list`: the built-in bots.

use clap::Args;
use grundy_shared::bot::Bot;
use serde::Serialize;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Arguments of `bot list`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  grundy bot list")]
pub(crate) struct Arguments {}

#[derive(Serialize)]
struct List {
    schema: &'static str,
    bots: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: String,
}

/// The named strengths, weakest first, then the kinds.
fn all() -> impl Iterator<Item = (&'static str, String)> {
    let strengths = Bot::strengths().map(|(name, bot)| (name, format!("the same as {bot}")));
    strengths.chain(Bot::kinds().map(|(name, about)| (name, about.to_owned())))
}

impl Arguments {
    /// Lists them.
    pub(crate) fn run(self, context: &Context) -> Result<Exit, Failure> {
        if context.output.json {
            let bots = all().map(|(name, about)| Listed { name, about });
            context.output.object(&List {
                schema: "grundy/bots/1",
                bots: bots.collect(),
            })?;
            return Ok(Exit::Done);
        }
        for (name, about) in all() {
            context.output.sentences(&format!("{name:10} {about}"))?;
        }
        Ok(Exit::Done)
    }
}
