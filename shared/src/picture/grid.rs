//! Rows and columns of squares: grids, stones of two players, bars of chocolate, boards of three by three cells.

use super::canvas::{Anchor, CELL, Canvas, Ink, Point};
use super::part::Part;
use super::writing;

/// Squares that are drawn.
const SQUARES: u64 = 324;
/// Squares side by side, and rows.
const ACROSS: u64 = 40;
/// Boards of three by three that are drawn, and how many side by side.
const BOARDS: usize = 24;
const BOARDS_ACROSS: usize = 2;
/// Left of a row and above a column.
const EDGE: i32 = 28;

/// The lines of a board of three by three, counted from 0.
const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

/// Free and covered squares.
pub(super) fn draw(part: &Part<'_>, canvas: &mut Canvas) {
    let rows = part.rows();
    let widths: Vec<u64> = rows.iter().map(|row| row.len() as u64).collect();
    squares(part, &widths, canvas, |canvas, row, column, at| {
        let ink = match rows[row][column] {
            b'.' => Ink::Free,
            _ => Ink::Used,
        };
        canvas.rect(ink, at, (CELL, CELL), 0);
    });
}

/// Stones of Left, `x`, and of Right, `o`.
pub(super) fn draw_stones(part: &Part<'_>, canvas: &mut Canvas) {
    let rows = part.rows();
    let widths: Vec<u64> = rows.iter().map(|row| row.len() as u64).collect();
    squares(part, &widths, canvas, |canvas, row, column, at| {
        canvas.rect(Ink::Free, at, (CELL, CELL), 0);
        let (ink, sign) = match rows[row][column] {
            b'x' => (Ink::Left, "x"),
            b'o' => (Ink::Right, "o"),
            _ => return,
        };
        let middle = (at.0 + CELL / 2, at.1 + CELL / 2);
        canvas.disc(ink, middle, 17);
        canvas.text(Ink::Sign, (middle.0, middle.1 + 6), Anchor::Middle, sign);
    });
}

/// A bar of chocolate, whose first square is poisoned.
pub(super) fn draw_bar(part: &Part<'_>, canvas: &mut Canvas) {
    let widths = part.numbers();
    squares(part, &widths, canvas, |canvas, row, column, at| {
        let ink = match (row, column) {
            (0, 0) => Ink::Poison,
            _ => Ink::Piece,
        };
        canvas.rect(ink, (at.0 + 2, at.1 + 2), (CELL - 4, CELL - 4), 4);
        if ink == Ink::Poison {
            let middle = (at.0 + CELL / 2, at.1 + CELL / 2 + 6);
            canvas.text(Ink::Label, middle, Anchor::Middle, "✗");
        }
    });
}

/// Boards of three by three cells.
pub(super) fn draw_boards(part: &Part<'_>, canvas: &mut Canvas) {
    let boards = part.rows();
    for (index, cells) in boards.iter().enumerate().take(BOARDS) {
        let across = i32::try_from(index % BOARDS_ACROSS).unwrap_or(0);
        let down = i32::try_from(index / BOARDS_ACROSS).unwrap_or(0);
        let corner = (8 + across * (3 * CELL + 32), 4 + down * (3 * CELL + 36));
        board(index + 1, cells, corner, canvas);
    }
    if boards.len() > BOARDS {
        let down = i32::try_from(BOARDS / BOARDS_ACROSS).unwrap_or(0);
        let more = boards.len() - BOARDS;
        canvas.note(8, 24 + down * (3 * CELL + 36), &format!("… +{more}"));
    }
}

fn board(number: usize, cells: &[u8], (left, top): Point, canvas: &mut Canvas) {
    let dead = is_dead(cells);
    canvas.text(
        Ink::Label,
        (left, top + 14),
        Anchor::Start,
        &number.to_string(),
    );
    for (index, cell) in cells.iter().enumerate().take(9) {
        let column = i32::try_from(index % 3).unwrap_or(0);
        let row = i32::try_from(index / 3).unwrap_or(0);
        let at = (left + column * CELL, top + 20 + row * CELL);
        canvas.part(square(number as u64, index as u64 + 1), |canvas| {
            let marked = *cell == b'x';
            let ink = if dead && !marked {
                Ink::Used
            } else {
                Ink::Free
            };
            canvas.rect(ink, at, (CELL, CELL), 0);
            let middle = (at.0 + CELL / 2, at.1 + CELL / 2);
            match marked {
                true => {
                    canvas.disc(Ink::Piece, middle, 17);
                    canvas.text(Ink::Sign, (middle.0, middle.1 + 6), Anchor::Middle, "x");
                }
                false if !dead => {
                    let number = (index + 1).to_string();
                    canvas.text(Ink::Note, (middle.0, middle.1 + 6), Anchor::Middle, &number);
                }
                false => {}
            }
        });
    }
}

/// Whether a board has a line.
fn is_dead(cells: &[u8]) -> bool {
    let full = |line: &[usize; 3]| line.iter().all(|cell| cells.get(*cell) == Some(&b'x'));
    LINES.iter().any(full)
}

/// The name of a square, counted from 1.
pub(super) fn square(row: u64, column: u64) -> String {
    format!("{row}:{column}")
}

/// Whether rows of these widths are drawn as squares.
fn fits(widths: &[u64]) -> bool {
    let total = widths
        .iter()
        .fold(0, |sum: u64, width| sum.saturating_add(*width));
    total <= SQUARES && widths.len() as u64 <= ACROSS && widths.iter().all(|width| *width <= ACROSS)
}

/// Draws rows of squares with their numbers, or the text if they are too many.
fn squares(
    part: &Part<'_>,
    widths: &[u64],
    canvas: &mut Canvas,
    mut one: impl FnMut(&mut Canvas, usize, usize, Point),
) {
    if !fits(widths) || widths.iter().all(|width| *width == 0) {
        writing::draw(part, canvas);
        return;
    }
    let longest = widths.iter().copied().max().unwrap_or(0);
    for column in 0..longest {
        let x = EDGE + i32::try_from(column).unwrap_or(0) * CELL + CELL / 2;
        canvas.text(
            Ink::Note,
            (x, 18),
            Anchor::Middle,
            &(column + 1).to_string(),
        );
    }
    for (row, width) in widths.iter().enumerate() {
        let y = EDGE + i32::try_from(row).unwrap_or(0) * CELL;
        let middle = (EDGE / 2, y + CELL / 2 + 6);
        canvas.text(Ink::Note, middle, Anchor::Middle, &(row + 1).to_string());
        for column in 0..usize::try_from(*width).unwrap_or(0) {
            let x = EDGE + i32::try_from(column).unwrap_or(0) * CELL;
            let name = square(row as u64 + 1, column as u64 + 1);
            canvas.part(name, |canvas| one(canvas, row, column, (x, y)));
        }
    }
}
