//! Stones on the steps of a staircase that goes up to the right.

use super::canvas::{Anchor, CELL, Canvas, Ink};
use super::heaps;
use super::part::Part;

/// Steps and stones that are drawn as a staircase; more are rows.
const STEPS: usize = 16;
const STONES: u64 = 8;
/// From one step to the next.
const RISE: i32 = 22;

/// Draws a staircase, or rows of stones if it would be too large.
pub(super) fn draw(part: &Part<'_>, canvas: &mut Canvas) {
    let sizes = part.numbers();
    if sizes.len() > STEPS || sizes.iter().any(|size| *size > STONES) {
        heaps::draw_numbered(&sizes, canvas);
        return;
    }
    let count = i32::try_from(sizes.len()).unwrap_or(0);
    let height =
        |index: i32, size: u64| (index + 1) * RISE + i32::try_from(size).unwrap_or(0) * CELL;
    let tallest = sizes
        .iter()
        .zip(0..)
        .map(|(size, index)| height(index, *size))
        .max();
    let ground = tallest.unwrap_or(0) + 8;
    canvas.line(Ink::Joint, (8, ground), (8 + CELL, ground));
    for (size, index) in sizes.iter().zip(0..) {
        let left = 8 + CELL * (index + 1);
        let tread = ground - RISE * (index + 1);
        canvas.line(Ink::Joint, (left, tread + RISE), (left, tread));
        canvas.line(Ink::Joint, (left, tread), (left + CELL, tread));
        let name = (index + 1).to_string();
        canvas.text(
            Ink::Label,
            (left + CELL / 2, ground + 20),
            Anchor::Middle,
            &name,
        );
        for number in 1..=*size {
            let up = i32::try_from(number).unwrap_or(0);
            let at = (left, tread - up * CELL);
            canvas.part(heaps::stone(&name, number), |canvas| {
                canvas.rect(Ink::Room, at, (CELL, CELL), 0);
                canvas.disc(Ink::Piece, (at.0 + CELL / 2, at.1 + CELL / 2), 17);
            });
        }
    }
    let end = 8 + CELL * (count + 1);
    canvas.line(Ink::Joint, (end, ground - RISE * count), (end, ground));
}
