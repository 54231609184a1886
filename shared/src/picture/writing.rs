//! Components as the text of their notation: those that have no board, and those too large to draw.

use super::canvas::{Anchor, CELL, Canvas, Ink};
use super::part::Part;

/// Letters of a line.
const LETTERS: usize = 40;
/// Lines.
const LINES: usize = 8;

/// Writes the state of a component, cut after a few lines.
pub(super) fn draw(part: &Part<'_>, canvas: &mut Canvas) {
    let letters: Vec<char> = part.state.chars().collect();
    let lines = letters.chunks(LETTERS).count();
    let mut y = CELL / 2;
    for line in letters.chunks(LETTERS).take(LINES) {
        let line: String = line.iter().collect();
        canvas.text(Ink::Label, (CELL / 2, y), Anchor::Start, &line);
        y += CELL / 2;
    }
    if lines > LINES {
        canvas.note(CELL / 2, y, "…");
    }
}
