//! A bar of chocolate; the corner is poisoned.

use super::art::{Drawing, Frame, Ink};
use super::grid;
use super::heaps::{self, Heap};
use super::part::Part;

pub(super) fn draw(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let rows = part.numbers();
    let longest = rows.first().copied().unwrap_or(0);
    // A number above each column takes two columns at least: longer rows are heaps with a number.
    if longest > frame.width as u64 / 2 {
        let heaps: Vec<Heap> = rows
            .iter()
            .zip(1..)
            .map(|(size, row)| Heap {
                name: row.to_string(),
                size: *size,
            })
            .collect();
        heaps::rows(&heaps, frame.glyphs.covered, frame, drawing);
        return;
    }
    grid::squares(&rows, frame, drawing, |row, column| match (row, column) {
        (0, 0) => (Ink::Right, frame.glyphs.poison),
        _ => (Ink::Piece, frame.glyphs.covered),
    });
}
