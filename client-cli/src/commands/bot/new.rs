//! `grundy bot new`: a bot to begin from.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum as _};

use crate::bot::template::Language;
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
    let all = Language::value_variants().iter();
    all.filter_map(Language::to_possible_value)
        .collect::<Vec<_>>()
        .into()
}

impl Arguments {
    /// Writes it.
    pub(crate) fn run(self, context: &Context) -> Result<Exit, Failure> {
        let shown = self.directory.display();
        let name = self.directory.file_name().and_then(|name| name.to_str());
        let name = name.filter(|name| {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
            name.chars().all(plain) && name.starts_with(|c: char| c.is_ascii_alphabetic())
        });
        let name = name.ok_or_else(|| {
            Failure::new(
                Exit::Input,
                "bot_name",
                format!(
                    "{shown}: a bot's name is made of letters, digits, - and _, a letter first"
                ),
            )
            .hint("for example: grundy bot new --lang python mybot")
        })?;
        let lang = Language::from_str(&self.lang, false).map_err(Failure::usage)?;
        lang.write(&self.directory, name).map_err(|error| {
            Failure::new(Exit::Failed, "bot_new", error.to_string())
                .hint("name a directory in which there is no bot yet")
        })?;
        let (build, command) = lang.commands(name);
        let build = build.map_or(String::new(), |build| format!("{build} && "));
        context.output.line(&format!(
            "{shown} is written. Try it:\n  cd {shown} && {build}grundy bot check {command}\n  \
             grundy arena --bot \"cmd:{command}\" --bot random --pairs 10"
        ))?;
        Ok(Exit::Done)
    }
}
