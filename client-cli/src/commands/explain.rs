//! `grundy explain`: why a position is won or lost.

use clap::Args;
use grundy_shared::solver::explain;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::reading::position;
use crate::thinking::Thinking;

/// Arguments of `explain`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  grundy explain nim:1,4,6,7")]
pub(crate) struct Arguments {
    /// The position, such as nim:3,5,7
    position: String,
    #[command(flatten)]
    thinking: Thinking,
}

impl Arguments {
    /// Explains it.
    pub(crate) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let position = position(&self.position)?;
        let explanation = self
            .thinking
            .think(|budget| explain(&position, self.thinking.to_move(), budget));
        if context.output.json {
            context.output.object(&explanation)?;
        } else {
            context.output.sentences(&explanation.to_string())?;
        }
        Ok(Exit::Done)
    }
}
