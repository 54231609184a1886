//! `grundy completions`: a script that completes commands, flags, games and bots.

use clap::Args;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;
use grundy_shared::bot::Bot;
use grundy_shared::games::REGISTRY;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  grundy completions bash > ~/.local/share/bash-completion/completions/grundy"
)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

impl Arguments {
    /// Prints the script.
    pub(crate) fn run(&self, context: &Context, tree: clap::Command) -> Result<Exit, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut with_names(tree), "grundy", &mut script);
        context.output.text(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Done)
    }
}

/// The tree of commands with the names of games and bots where one is to be typed. Only the script sees it: other positions
/// are as good.
fn with_names(tree: clap::Command) -> clap::Command {
    let starts = || REGISTRY.iter().filter_map(|game| game.examples.first());
    let games = || REGISTRY.iter().map(|game| game.name);
    // Only `play` knows the strengths by their names: bots in a log have those of the kinds.
    let plays = tree.get_name() == "play";
    let bots = || {
        let strengths = Bot::strengths().filter(|_| plays).map(|(name, _)| name);
        strengths.chain(Bot::kinds().map(|(name, _)| name))
    };
    let tree = tree.mut_args(|argument| match argument.get_id().as_str() {
        "position" => argument.value_parser(PossibleValuesParser::new(starts().copied())),
        "game" => argument.value_parser(PossibleValuesParser::new(games())),
        "bot" | "bots" => argument.value_parser(PossibleValuesParser::new(bots())),
        _ => argument,
    });
    let inner: Vec<String> = tree
        .get_subcommands()
        .map(|command| command.get_name().to_owned())
        .collect();
    inner
        .into_iter()
        .fold(tree, |tree, name| tree.mut_subcommand(name, with_names))
}
