//! `grundy man`: the manual page.

use clap::Args;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Arguments of `man`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  grundy man > ~/.local/share/man/man1/grundy.1")]
pub(crate) struct Arguments {}

impl Arguments {
    /// Prints the page.
    #[expect(
        clippy::unused_self,
        reason = "every command is run by the arguments it was given, and this one has none"
    )]
    pub(crate) fn run(&self, context: &Context, tree: clap::Command) -> Result<Exit, Failure> {
        let mut page = Vec::new();
        clap_mangen::Man::new(tree).render(&mut page)?;
        context.output.text(&String::from_utf8_lossy(&page))?;
        Ok(Exit::Done)
    }
}
