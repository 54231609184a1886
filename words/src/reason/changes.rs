//! What moves change, in the terms of the games.

use grundy_shared::fact::{AtVertex, GameFact, Sized};

use super::list;
use super::sentence::Sentence;
use crate::Catalogue;
use crate::message::Message;

/// What a move changes; nothing if the fact is about a position.
pub(super) fn change(catalogue: &Catalogue, fact: &GameFact) -> Option<Sentence> {
    let text = match fact {
        GameFact::HeapChange {
            name,
            before,
            after,
            after_total,
            classes,
        } => heap(catalogue, name, *before, (after, *after_total), *classes),
        GameFact::StepChange {
            gap,
            step,
            before,
            after,
        } => {
            let change = match (gap, after > before) {
                (false, true) => "step-larger",
                (false, false) => "step-smaller",
                (true, true) => "gap-larger",
                (true, false) => "gap-smaller",
            };
            Message::new("step-change")
                .text("change", change)
                .text("step", step)
                .text("before", before)
                .text("after", after)
        }
        GameFact::TurnedCoins { coins, xor } => Message::new("turned-coins")
            .text("list", list::terms_of(catalogue, "coin", coins))
            .text("xor", xor),
        GameFact::SymmetryBroken { image } => Message::new("symmetry-broken").text("image", image),
        GameFact::Cut { chain, chain_total } => {
            let places = chain.iter().map(|at| place(catalogue, at));
            let list = list::with_rest(catalogue, places, *chain_total);
            let text = Message::new("cut").text("list", list);
            return Some(Sentence::by(catalogue, "vertex-rule", &text));
        }
        GameFact::Divided {
            node,
            value,
            ends,
            xor,
        } => {
            let first = ends.first.first();
            Message::new("divided")
                .number("ends", ends.total)
                .text("node", node)
                .text("value", value)
                .text("end", first.map_or("", |end| &end.name))
                .text("left", first.map_or(0, |end| end.value))
                .text("list", list::terms(catalogue, ends))
                .text("xor", xor)
        }
        GameFact::GapChange { row, before, after } => Message::new("row-gap-change")
            .whether("larger", after > before)
            .text("row", row)
            .text("before", before)
            .text("after", after),
        GameFact::PieceChange {
            vertices,
            left,
            left_total,
        } => Message::new("piece-change")
            .number("vertices", *vertices)
            .number("count", *left_total)
            .text("list", list::numbers(catalogue, left, *left_total)),
        _ => return None,
    };
    Some(Sentence::plain(catalogue, &text))
}

/// What a cut changes at one vertex.
fn place(catalogue: &Catalogue, at: &AtVertex) -> String {
    let vertex = match at.vertex {
        0 => "ground".to_owned(),
        vertex => vertex.to_string(),
    };
    Message::new("cut-place")
        .text("vertex", vertex)
        .text("before", at.before)
        .text("after", at.after)
        .said(catalogue)
}

fn heap(
    catalogue: &Catalogue,
    name: &str,
    before: Sized,
    (after, after_total): (&[Sized], u64),
    classes: bool,
) -> Message {
    let is_nim = before.size == before.value && after.iter().all(|left| left.size == left.value);
    let sizes = after.iter().map(|left| left.size);
    let sizes = list::numbers(catalogue, sizes, after_total);
    let message = |named: &'static str| {
        Message::new(named)
            .text("name", name)
            .text("before", before.size)
            .text("after", sizes)
    };
    if is_nim && !classes && after_total == 1 {
        return message("heap-smaller");
    }
    let is_whole = after_total == after.len() as u64 && after_total > 1;
    let left = match (is_whole, classes) {
        (true, false) => "nim-values",
        (true, true) => "classes",
        (false, false) => "nim-value",
        (false, true) => "class",
    };
    let values = after.iter().map(|left| left.value);
    let xor = values.clone().fold(0, |xor, value| xor ^ value);
    message("heap-becomes")
        .text("left", left)
        .text("value", before.value)
        .text("values", list::numbers(catalogue, values, after_total))
        .text("xor", xor)
}
