//! The graph for Graphviz.

use std::fmt::{self, Write as _};

use super::GameGraph;

impl GameGraph {
    /// The graph in the language of Graphviz `dot`: positions that are lost have two borders, moves that win are thick and blue.
    #[must_use]
    pub fn dot(&self) -> String {
        let mut text = String::new();
        self.write_dot(&mut text)
            .expect("writing to a String cannot fail");
        text
    }

    fn write_dot(&self, text: &mut String) -> fmt::Result {
        writeln!(text, "digraph {} {{", Quoted(&self.position))?;
        text.push_str("  node [shape=box, style=filled, fontname=monospace, color=\"#333333\"];\n");
        text.push_str("  edge [fontname=monospace, fontsize=10];\n");
        for (number, node) in self.nodes.iter().enumerate() {
            let label = format!("{}\n{}", node.position, node.verdict());
            let look = match node.lost {
                true => "peripheries=2, fillcolor=\"#f5d5a8\"",
                false => "fillcolor=\"#cfe6f5\"",
            };
            writeln!(text, "  n{number} [label={}, {look}];", Quoted(&label))?;
        }
        let mut start = 0;
        while let Some(first) = self.nodes.get(start) {
            let level = self.nodes[start..].iter();
            let length = level
                .take_while(|node| node.longest == first.longest)
                .count();
            text.push_str("  { rank=same;");
            (start..start + length).try_for_each(|number| write!(text, " n{number};"))?;
            text.push_str(" }\n");
            start += length;
        }
        for edge in &self.moves {
            let look = match edge.wins {
                true => "color=\"#0072b2\", penwidth=2.5",
                false => "color=\"#888888\"",
            };
            let label = edge.moves.join(" ");
            writeln!(
                text,
                "  n{} -> n{} [label={}, {look}];",
                edge.from,
                edge.to,
                Quoted(&label)
            )?;
        }
        text.push_str("}\n");
        Ok(())
    }
}

/// A string of the language, with its quotes.
struct Quoted<'t>(&'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for letter in self.0.chars() {
            match letter {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                other => f.write_char(other)?,
            }
        }
        f.write_char('"')
    }
}
