//! The graph as lines for a terminal.

use std::fmt::{self, Write as _};

use super::{GameGraph, Node};

impl GameGraph {
    /// The graph as text: position by position, each with its moves; `*` before what wins.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write_text(&mut text)
            .expect("writing to a String cannot fail");
        text
    }

    fn write_text(&self, text: &mut String) -> fmt::Result {
        let misere = self.nodes.iter().all(|node| node.nim_value.is_none());
        let column = if misere { "outcome" } else { "value" };
        writeln!(
            text,
            "{}   {}, {}   (* wins)",
            self.position,
            counted(self.nodes.len(), "position"),
            counted(self.moves.iter().map(|edge| edge.moves.len()).sum(), "move"),
        )?;
        let mut level = None;
        for (number, node) in self.nodes.iter().enumerate() {
            if level.replace(node.longest) != Some(node.longest) {
                writeln!(text, "\nlongest play {}", node.longest)?;
            }
            writeln!(text, "  {}   {column} {}", node.position, node.verdict())?;
            for edge in self.moves_of(number) {
                let to: &Node = &self.nodes[edge.to];
                let mark = if edge.wins { '*' } else { ' ' };
                let moves = edge.moves.join(" ");
                writeln!(
                    text,
                    "    {mark} {moves} to {}   {}",
                    to.position,
                    to.verdict()
                )?;
            }
        }
        Ok(())
    }
}

fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
