//! The working behind an explanation in languages for which the solver has no sentences of its own: binary columns of Nim, the retreats of
//! Northcott's game, and all winning moves.

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::notation::heap_name;
use grundy_shared::solver::{OutcomeClass, Solution};
use grundy_shared::theory::compound::Compound;
use grundy_words::{Catalogue, Message};
use unicode_width::UnicodeWidthStr as _;

/// Components whose working is shown.
const COMPONENTS: usize = 8;
/// Heaps in the table of columns.
const HEAPS: usize = 24;
/// Columns of the table; larger heaps are not written in binary.
const COLUMNS: usize = 20;
/// Heaps that can be changed, and winning moves, that are named.
const REPAIRS: usize = 6;
/// Columns that the winning moves may take.
const WIDTH: usize = 90;

/// The working of each component, line by line.
pub(super) fn of_components(position: &Position, words: &Catalogue) -> Vec<String> {
    let is_sum = position.compound() == Compound::Sum;
    if !is_sum || position.end_rule().is_misere() || position.component_count() > COMPONENTS {
        return Vec::new();
    }
    let is_alone = position.component_count() == 1;
    let mut lines = Vec::new();
    for (number, (info, text)) in (1..).zip(position.components()) {
        let (_, state) = text.split_once(':').unwrap_or_default();
        let mut own = match info.name {
            "nim" => columns(state, is_alone, words),
            "northcott" => vec![words.say("working-retreats")],
            _ => Vec::new(),
        };
        if !is_alone && !own.is_empty() {
            let number: u64 = number;
            let heading = Message::new("working-component").text("number", number);
            lines.push(heading.said(words));
        }
        lines.append(&mut own);
    }
    lines
}

/// The heaps in binary with their xor; of heaps that are the whole position also which column is odd, and how one heap repairs all of them.
fn columns(state: &str, is_alone: bool, words: &Catalogue) -> Vec<String> {
    let heaps: Vec<u64> = state
        .split(',')
        .filter_map(|heap| heap.parse().ok())
        .collect();
    let widest = heaps.iter().copied().max().unwrap_or_default();
    let bits: Vec<u32> = (0..u64::BITS - widest.leading_zeros()).rev().collect();
    if bits.is_empty() || bits.len() > COLUMNS || heaps.len() > HEAPS {
        return Vec::new();
    }
    let xor = heaps.iter().fold(0, |xor, heap| xor ^ heap);
    let size = widest.to_string().len();
    let places = bits.iter().map(|bit| (1_u64 << bit).to_string());
    let places: Vec<String> = places.collect();
    let row = |name: &str, value: u64| {
        let cells = bits.iter().zip(&places).map(|(bit, place)| {
            let sign = if value >> bit & 1 == 1 { "1" } else { "." };
            format!(" {sign:>width$}", width = place.len())
        });
        let space = " ".repeat(4_usize.saturating_sub(name.width()));
        format!(
            "  {name}{space} {value:>size$}  {}",
            cells.collect::<String>()
        )
    };
    let heads: String = places.iter().map(|place| format!(" {place}")).collect();
    let mut lines = vec![format!("{:1$}{heads}", "", size + 9)];
    let rows = heaps.iter().enumerate();
    lines.extend(rows.map(|(index, heap)| row(&heap_name(index), *heap)));
    lines.push(row(&words.say("working-xor"), xor));
    if !is_alone {
        return lines;
    }
    let Some(bit) = xor.checked_ilog2() else {
        lines.push(words.say("working-even"));
        return lines;
    };
    let place = 1_u64 << bit;
    let holders = heaps
        .iter()
        .enumerate()
        .filter(|(_, heap)| **heap & place != 0);
    let repairs =
        holders.map(|(index, heap)| format!("{} {heap} -> {}", heap_name(index), heap ^ xor));
    let repairs: Vec<String> = repairs.collect();
    let odd = Message::new("working-odd")
        .text("place", place)
        .text("count", repairs.len());
    lines.push(odd.said(words));
    let shown = &repairs[..repairs.len().min(REPAIRS)];
    lines.push(format!("  {}", shown.join("    ")));
    lines
}

/// The winning moves, as many as there is room for; `None` if the best one, which is named elsewhere, is the only one.
pub(super) fn winning_moves(
    solution: &Solution,
    to_move: Seat,
    words: &Catalogue,
) -> Option<String> {
    let wins = match solution.outcome {
        OutcomeClass::N => true,
        outcome => outcome.winner(to_move) == Some(to_move),
    };
    let total = solution
        .winning_moves_total
        .filter(|total| wins && *total > 1)?;
    let mut width = 0;
    let named = solution.winning_moves.iter().map(|won| won.mv.as_str());
    let named: Vec<&str> = named
        .take_while(|mv| {
            let first = width == 0;
            width += mv.len() + 2;
            first || width <= WIDTH
        })
        .collect();
    let said = Message::new("working-winning")
        .text("moves", named.join(&words.say("list-comma")))
        .number("count", total)
        .whether("all", named.len() as u64 == total);
    Some(said.said(words))
}
