//! `grundy bot new`: a bot to begin from.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum as _};
use grundy_words::Message;

use crate::bot::template::Language as Template;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Arguments of `bot new`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  grundy bot new --lang python mybot && grundy bot check python3 mybot/bot.py")]
pub(crate) struct Arguments {
    /// The language
    // The flag of this name that every command has is about words, and its values are texts.
    #[arg(long, value_name = "LANGUAGE", value_parser = names())]
    lang: String,
    /// The directory of the bot, whose last part is its name
    directory: PathBuf,
}

/// The languages, as the command line has them.
fn names() -> PossibleValuesParser {
    let all = Template::value_variants().iter();
    all.filter_map(Template::to_possible_value)
        .collect::<Vec<_>>()
        .into()
}

impl Arguments {
    /// Writes it.
    pub(crate) fn run(self, context: &Context) -> Result<Exit, Failure> {
        let words = context.output.words();
        let name = self.directory.file_name().and_then(|name| name.to_str());
        let name = name.filter(|name| {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
            name.chars().all(plain) && name.starts_with(|c: char| c.is_ascii_alphabetic())
        });
        let name = name.ok_or_else(|| {
            let message = Message::new("bot-name").text("directory", self.directory.display());
            Failure::told(Exit::Input, "bot_name", message).help(Message::new("bot-name-how"))
        })?;
        // The parser has let no other name through.
        let lang = Template::from_str(&self.lang, false).map_err(Failure::internal)?;
        lang.write(&self.directory, name).map_err(|message| {
            Failure::told(Exit::Failed, "bot_new", message).help(Message::new("bot-new-how"))
        })?;
        let (build, command) = lang.commands(name);
        let build = build.map_or(String::new(), |build| format!("{build} && "));
        let written = Message::new("bot-written")
            .text("directory", self.directory.display())
            .text("build", build)
            .text("command", command);
        context.output.line(&written.said(words))?;
        Ok(Exit::Done)
    }
}
