//! Strips of places: a row of coins, coins on squares, cells with marks.

use std::collections::BTreeMap;

use super::canvas::{Anchor, CELL, Canvas, Ink, Point};
use super::part::Part;
use super::writing;

/// Places side by side: as many as a phone shows at full size.
const ACROSS: usize = 8;
/// Places that are drawn.
const PLACES: usize = 160;
/// From one row of places to the next.
const ROW: i32 = CELL + 24;

/// The name of a place.
pub(super) fn place(number: u64) -> String {
    number.to_string()
}

/// A row of coins, heads and tails, counted from 1.
pub(super) fn draw_coins(part: &Part<'_>, canvas: &mut Canvas) {
    let coins = bytes(part);
    if coins.len() > PLACES {
        writing::draw(part, canvas);
        return;
    }
    for (index, coin) in coins.iter().enumerate() {
        at(index, 1, canvas, |canvas, middle| match coin {
            b'H' => {
                canvas.disc(Ink::Piece, middle, 17);
                canvas.text(Ink::Sign, below(middle), Anchor::Middle, "H");
            }
            _ => {
                canvas.disc(Ink::Free, middle, 17);
                canvas.text(Ink::Note, below(middle), Anchor::Middle, "T");
            }
        });
    }
}

/// Cells, free or with a mark: an `x` of both players, a toad of Left, a frog of Right; counted from 1.
pub(super) fn draw_cells(part: &Part<'_>, canvas: &mut Canvas) {
    let cells = bytes(part);
    if cells.len() > PLACES {
        writing::draw(part, canvas);
        return;
    }
    for (index, cell) in cells.iter().enumerate() {
        at(index, 1, canvas, |canvas, middle| {
            let ink = match cell {
                b'.' => return,
                b'T' => Ink::Left,
                b'F' => Ink::Right,
                _ => Ink::Piece,
            };
            canvas.disc(ink, middle, 17);
            let sign = char::from(*cell).to_string();
            canvas.text(Ink::Sign, below(middle), Anchor::Middle, &sign);
        });
    }
}

/// Coins on squares, which are counted from 0.
pub(super) fn draw_squares(part: &Part<'_>, canvas: &mut Canvas) {
    let mut coins: BTreeMap<u64, u64> = BTreeMap::new();
    for square in part.numbers() {
        *coins.entry(square).or_default() += 1;
    }
    let last = coins.keys().next_back().copied().unwrap_or(0);
    if last >= PLACES as u64 {
        far_apart(&coins, canvas);
        return;
    }
    for index in 0..=usize::try_from(last).unwrap_or(0) {
        at(index, 0, canvas, |canvas, middle| {
            coin(
                coins.get(&(index as u64)).copied().unwrap_or(0),
                middle,
                canvas,
            );
        });
    }
}

/// Whether the squares between coins are drawn.
pub(super) fn is_whole(part: &Part<'_>) -> bool {
    part.numbers().iter().all(|square| *square < PLACES as u64)
}

/// Coins too far apart to show the squares between them: one row for each square that has any.
fn far_apart(coins: &BTreeMap<u64, u64>, canvas: &mut Canvas) {
    for ((square, many), row) in coins.iter().zip(0i32..).take(PLACES) {
        let y = row * CELL;
        canvas.part(place(*square), |canvas| {
            coin(*many, (30, y + CELL / 2), canvas);
            let at = (60, y + CELL / 2 + 6);
            canvas.text(Ink::Label, at, Anchor::Start, &square.to_string());
        });
    }
}

fn coin(many: u64, middle: Point, canvas: &mut Canvas) {
    if many > 0 {
        canvas.disc(Ink::Piece, middle, 17);
    }
    if many > 1 {
        canvas.text(Ink::Sign, below(middle), Anchor::Middle, &many.to_string());
    }
}

/// Where the letter of a stone stands.
fn below((x, y): Point) -> Point {
    (x, y + 6)
}

fn bytes<'p>(part: &Part<'p>) -> &'p [u8] {
    match part.state {
        "_" => &[],
        text => text.as_bytes(),
    }
}

/// Draws a place with its number above, and what is on it.
fn at(index: usize, first: u64, canvas: &mut Canvas, on_it: impl FnOnce(&mut Canvas, Point)) {
    let column = i32::try_from(index % ACROSS).unwrap_or(0);
    let row = i32::try_from(index / ACROSS).unwrap_or(0);
    let (x, y) = (8 + column * CELL, 4 + row * ROW);
    let number = place(first + index as u64);
    canvas.part(&number, |canvas| {
        let above = (x + CELL / 2, y + 14);
        canvas.text(Ink::Note, above, Anchor::Middle, &number);
        canvas.rect(Ink::Free, (x, y + 20), (CELL, CELL), 0);
        on_it(canvas, (x + CELL / 2, y + 20 + CELL / 2));
    });
}
