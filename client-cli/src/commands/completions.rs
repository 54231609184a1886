//! `grundy completions`: a script that completes commands and flags.

use clap::Args;
use clap_complete::Shell;

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
    pub(crate) fn run(&self, context: &Context, mut tree: clap::Command) -> Result<Exit, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut tree, "grundy", &mut script);
        context.output.text(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Done)
    }
}
