//! The graph as a picture: SVG that needs nothing from outside.

use std::fmt::{self, Write as _};

use super::GameGraph;
use crate::xml::Escaped;

/// Pixels of one letter.
const LETTER: usize = 8;
/// Letters of a position that are shown; the rest is in the tooltip.
const SHOWN: usize = 24;
/// Height of a node.
const HEIGHT: usize = 40;
/// Between two nodes of a level.
const GAP: usize = 20;
/// From one level to the next.
const LEVEL: usize = 110;
/// Around the whole.
const MARGIN: usize = 20;
/// Moves above which their names are told in tooltips only.
const NAMED_MOVES: usize = 60;

/// Blue wins and orange loses: told apart with every kind of colour vision (Okabe, Ito 2008), and by thickness and border.
const STYLE: &str = "\
text{font:13px monospace;text-anchor:middle;fill:#111}\
.n rect{fill:#cfe6f5;stroke:#333}\
.p rect{fill:#f5d5a8;stroke:#333;stroke-width:3}\
.v{font-weight:bold}\
path{fill:none;stroke:#999}\
.w{stroke:#0072b2;stroke-width:2.5}\
.m{font-size:11px;paint-order:stroke;stroke:#fff;stroke-width:3px}";

/// Where a node is: its middle, its upper edge, and its width.
#[derive(Clone, Copy)]
struct Box {
    middle: usize,
    top: usize,
    width: usize,
}

impl GameGraph {
    /// The graph as one SVG picture, without scripts and links: levels by the longest play, positions that are lost with a thick border,
    /// moves that win thick and blue.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut text = String::new();
        self.write_svg(&mut text)
            .expect("writing to a String cannot fail");
        text
    }

    fn write_svg(&self, text: &mut String) -> fmt::Result {
        let (boxes, width, height) = self.layout();
        writeln!(
            text,
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">"#
        )?;
        let title = Escaped(&self.position);
        writeln!(text, "<title>Game graph of {title}</title>")?;
        writeln!(text, "<style>{STYLE}</style>")?;
        text.push_str("<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#555;stroke:none\"/></marker></defs>\n");
        text.push_str("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
        self.write_moves(&boxes, text)?;
        for (node, place) in self.nodes.iter().zip(&boxes) {
            let class = if node.lost { "p" } else { "n" };
            let full = Escaped(&node.position);
            writeln!(
                text,
                r#"<g class="{class}"><title>{full}: {}, {}</title><rect x="{}" y="{}" width="{}" height="{HEIGHT}" rx="4"/><text x="{}" y="{}">{}</text><text class="v" x="{}" y="{}">{}</text></g>"#,
                node.outcome(),
                node.verdict(),
                place.middle - place.width / 2,
                place.top,
                place.width,
                place.middle,
                place.top + 17,
                Escaped(&shown(&node.position)),
                place.middle,
                place.top + 33,
                node.verdict(),
            )?;
        }
        writeln!(
            text,
            r#"<text x="{}" y="{}" style="text-anchor:start">thick border: the player to move loses (P); thick blue: a winning move</text>"#,
            MARGIN,
            height - MARGIN / 2
        )?;
        text.push_str("</svg>\n");
        Ok(())
    }

    fn write_moves(&self, boxes: &[Box], text: &mut String) -> fmt::Result {
        for edge in &self.moves {
            let (from, to) = (boxes[edge.from], boxes[edge.to]);
            let (bottom, top) = (from.top + HEIGHT, to.top);
            let bend = (top - bottom) / 2;
            let class = if edge.wins { " class=\"w\"" } else { "" };
            let moves = edge.moves.join(" ");
            writeln!(
                text,
                r#"<path{class} marker-end="url(#a)" d="M{} {bottom}C{} {} {} {} {} {top}"><title>{}</title></path>"#,
                from.middle,
                from.middle,
                bottom + bend,
                to.middle,
                top - bend,
                to.middle,
                Escaped(&moves),
            )?;
            if self.moves.len() <= NAMED_MOVES {
                writeln!(
                    text,
                    r#"<text class="m" x="{}" y="{}">{}</text>"#,
                    (from.middle + to.middle) / 2,
                    (bottom + top) / 2,
                    Escaped(&shown(&moves)),
                )?;
            }
        }
        Ok(())
    }

    /// Places of all nodes, and the width and height of the picture. The nodes of a level stand below those that lead to them, as
    /// far as that can be had in one pass.
    fn layout(&self) -> (Vec<Box>, usize, usize) {
        let highest = self.nodes.first().map_or(0, |node| node.longest);
        let mut levels: Vec<Vec<usize>> = vec![Vec::new(); highest as usize + 1];
        for (number, node) in self.nodes.iter().enumerate() {
            levels[(highest - node.longest) as usize].push(number);
        }
        let width_of = |number: usize| {
            let node = &self.nodes[number];
            let letters = shown(&node.position).chars().count();
            letters.max(node.verdict().len()) * LETTER + 16
        };
        let row = |level: &[usize]| {
            level
                .iter()
                .map(|node| width_of(*node) + GAP)
                .sum::<usize>()
        };
        let legend = 72 * LETTER;
        let inner = levels
            .iter()
            .map(|level| row(level))
            .max()
            .unwrap_or(0)
            .max(legend);
        let mut boxes = vec![
            Box {
                middle: 0,
                top: 0,
                width: 0
            };
            self.nodes.len()
        ];
        // Of each node: the sum of the places of what leads to it, and how many they are.
        let mut pulls = vec![(0, 0); self.nodes.len()];
        for (depth, level) in levels.iter_mut().enumerate() {
            level.sort_by_key(|node| {
                let (sum, count): (usize, usize) = pulls[*node];
                sum / count.max(1)
            });
            let mut left = MARGIN + (inner - row(level)) / 2 + GAP / 2;
            for node in level {
                let width = width_of(*node);
                boxes[*node] = Box {
                    middle: left + width / 2,
                    top: MARGIN + depth * LEVEL,
                    width,
                };
                left += width + GAP;
                for edge in self.moves_of(*node) {
                    let (sum, count) = pulls[edge.to];
                    pulls[edge.to] = (sum + boxes[*node].middle, count + 1);
                }
            }
        }
        let height = 3 * MARGIN + highest as usize * LEVEL + HEIGHT;
        (boxes, inner + 2 * MARGIN, height)
    }
}

/// A text that fits into a node.
fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}...", &text[..cut]),
        None => text.to_owned(),
    }
}
