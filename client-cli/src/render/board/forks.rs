//! Tokens that divide: a line for each node, highest first, with the ends of its arcs.

use std::collections::BTreeMap;

use grundy_words::Message;

use super::art::{Drawing, Frame, Ink, Line};
use super::part::Part;

pub(super) fn draw(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let mut nodes: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for item in part.parameters() {
        let (from, ends) = item.split_once('-').unwrap_or((item, ""));
        for node in [from].into_iter().chain(ends.split('/')) {
            if let Ok(node) = node.parse() {
                nodes.entry(node).or_default();
            }
        }
        if let Some(arcs) = from.parse().ok().and_then(|node| nodes.get_mut(&node)) {
            arcs.extend(Some(ends).filter(|ends| !ends.is_empty()));
        }
    }
    let mut tokens: BTreeMap<u64, u64> = BTreeMap::new();
    for node in part.numbers() {
        *tokens.entry(node).or_default() += 1;
    }
    let widest = nodes
        .keys()
        .next_back()
        .map_or(1, |node| node.to_string().len());
    // One line is for what is left out.
    let room = frame.rows - 1;
    for (node, arcs) in nodes.iter().rev().take(room) {
        let mut line = Line::new();
        line = match tokens.get(node) {
            None => line.plain(frame.glyphs.free.to_string()),
            Some(1) => line.put(Ink::Piece, frame.glyphs.token.to_string()),
            Some(many) => line.put(Ink::Piece, format!("{}{many}", frame.glyphs.token)),
        };
        line = line.to(9).put(Ink::Label, format!("{node:>widest$}"));
        let mut before = "  to ";
        for ends in arcs {
            if line.width() + before.len() + ends.len() + 4 > frame.width {
                line = line.put(Ink::Note, " ...");
                break;
            }
            line = line.plain(before).plain(*ends);
            before = ", ";
            if tokens.contains_key(node) {
                let mv = format!("{node}-{ends}");
                drawing.label(mv.clone(), mv);
            }
        }
        drawing.push(line);
    }
    if nodes.len() > room {
        let more = (nodes.len() - room) as u64;
        let more = Message::new("board-more-nodes").number("count", more);
        drawing.push(Line::note(&frame.said(more), frame));
    }
}
