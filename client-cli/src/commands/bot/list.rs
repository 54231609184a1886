//! `grundy bot list`: the built-in bots.

use clap::Args;
use grundy_shared::bot::Bot;
use grundy_words::Message;
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
        let words = context.output.words();
        for (name, about) in all() {
            let about = Message::new("bot-about")
                .text("name", name)
                .text(
                    "bot",
                    Bot::strengths()
                        .find(|(one, _)| *one == name)
                        .map_or_else(String::new, |(_, bot)| bot.to_string()),
                )
                .text("about", about);
            context
                .output
                .sentences(&format!("{name:10} {}", about.said(words)))?;
        }
        Ok(Exit::Done)
    }
}
