//! Stones on the steps of a staircase that goes down to the left.

use super::art::{Drawing, Frame, Ink, Line, digits};
use super::heaps::{self, Heap};
use super::part::Part;

/// Columns of one step at most.
const TREAD: usize = 4;
/// Columns that the stones of a step need at least.
const STONES: usize = 13;

pub(super) fn draw(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let steps = part.numbers();
    let numbers = digits(steps.len() as u64);
    let most = steps.iter().copied().map(digits).max().unwrap_or(1);
    let tread = frame
        .width
        .saturating_sub(numbers + most + STONES)
        .checked_div(steps.len())
        .unwrap_or(0)
        .min(TREAD);
    if tread < 2 || steps.len() + 1 > frame.rows {
        // The highest step first, as on a staircase.
        let heaps: Vec<Heap> = steps
            .iter()
            .enumerate()
            .rev()
            .map(|(index, size)| Heap {
                name: (index + 1).to_string(),
                size: *size,
            })
            .collect();
        heaps::rows(&heaps, frame.glyphs.stone, frame, drawing);
        return;
    }
    for (index, stones) in steps.iter().enumerate().rev() {
        let indent = tread * index;
        let name = format!("{:>numbers$}", index + 1);
        let mut line = Line::new()
            .plain(" ".repeat(indent))
            .plain("_".repeat(tread))
            .put(Ink::Label, format!("{name}  "))
            .plain(format!("{stones:>most$}  "));
        let room = frame.width - line.width();
        line = line.put(Ink::Piece, heaps::stones(*stones, frame.glyphs.stone, room));
        drawing.push(line);
    }
    if !steps.is_empty() {
        drawing.push(Line::new().plain(frame.say("board-ground")));
    }
}
