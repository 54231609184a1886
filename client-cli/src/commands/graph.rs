//! `grundy graph`: every position that can be reached, with values and moves.

use clap::{Args, ValueEnum};
use grundy_shared::graph::GameGraph;
use grundy_words::Message;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::reading::position;

/// How the graph is drawn.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Text for a terminal
    Text,
    /// Input for Graphviz
    Dot,
    /// A picture
    Svg,
}

/// Arguments of `graph`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy graph nim:1,2
  grundy graph sub.2.5:10 --format svg > sub.svg
  grundy graph kayles:4@misere --format dot | dot -Tpng > kayles.png

Each position is shown with its Grundy value, or in misere play with its outcome. Its level is the \
length of the longest play from it. At most 2,000 positions are drawn.")]
pub(crate) struct Arguments {
    /// The position, such as nim:1,2
    position: String,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

impl Arguments {
    /// Draws it.
    pub(crate) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let position = position(&self.position)?;
        let graph = GameGraph::of(&position).map_err(|not_drawn| {
            let message = Message::new("graph-too-large").text("said", not_drawn);
            Failure::told(Exit::Input, "not_drawn", message)
                .help(Message::new("graph-too-large-how"))
        })?;
        if context.output.json {
            context.output.object(&graph)?;
        } else {
            context.output.text(&match self.format {
                Format::Text => graph.text(),
                Format::Dot => graph.dot(),
                Format::Svg => graph.svg(),
            })?;
        }
        Ok(Exit::Done)
    }
}
