//! Two heaps as a queen on a chessboard, which moves down, to the left, or both.

use super::canvas::{Anchor, CELL, Canvas, Ink};
use super::heaps;
use super::part::Part;

/// The largest heap that is drawn on a board; larger ones are heaps.
const LARGEST: u64 = 15;

/// Draws a queen, or two heaps if the board would be too large.
pub(super) fn draw(part: &Part<'_>, canvas: &mut Canvas) {
    let numbers = part.numbers();
    match numbers[..] {
        [a, b] if is_board(a, b) => board(a, b, canvas),
        _ => heaps::draw(part, canvas),
    }
}

/// Whether heaps of these sizes are drawn as a board.
pub(super) fn is_board(a: u64, b: u64) -> bool {
    a <= LARGEST && b <= LARGEST
}

/// The name of a square.
pub(super) fn square(a: u64, b: u64) -> String {
    format!("{a}.{b}")
}

/// Rows are stones of A, 0 at the bottom; columns are stones of B, 0 on the left.
fn board(a: u64, b: u64, canvas: &mut Canvas) {
    let pixels = |number: u64| i32::try_from(number).unwrap_or(0) * CELL;
    canvas.text(Ink::Label, (CELL / 2, 20), Anchor::Middle, "A\\B");
    for column in 0..=b {
        let at = (CELL + pixels(column) + CELL / 2, 20);
        canvas.text(Ink::Note, at, Anchor::Middle, &column.to_string());
    }
    for row in 0..=a {
        let y = 28 + pixels(a - row);
        let middle = (CELL / 2, y + CELL / 2 + 6);
        canvas.text(Ink::Note, middle, Anchor::Middle, &row.to_string());
        for column in 0..=b {
            let at = (CELL + pixels(column), y);
            canvas.part(square(row, column), |canvas| {
                canvas.rect(Ink::Free, at, (CELL, CELL), 0);
                if (row, column) == (a, b) {
                    canvas.disc(Ink::Token, (at.0 + CELL / 2, at.1 + CELL / 2), 16);
                }
            });
        }
    }
}
