//! Two heaps as a queen on a chessboard: heap A is her row, heap B her column.

use super::art::{Drawing, Frame, Ink, Line, digits};
use super::heaps;
use super::part::Part;

pub(super) fn draw(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let numbers = part.numbers();
    let [a, b] = numbers[..] else {
        return;
    };
    // The names of the rows, a space, and the squares; the letters of the heaps have a line and a column.
    let (names, cell) = (digits(a).max(1), digits(b) + 1);
    let wide = (b as u128 + 1) * cell as u128 + names as u128 + 5;
    if wide > frame.width as u128 || u128::from(a) + 2 > frame.rows as u128 {
        heaps::draw(part, frame, drawing);
        return;
    }
    let mut head = Line::new().put(Ink::Label, format!("A{:names$}", ""));
    for column in 0..=b {
        head = head.put(Ink::Label, format!("{column:>cell$}"));
    }
    for row in (0..=a).rev() {
        let mut line = Line::new().put(Ink::Label, format!("{row:>names$} "));
        for column in 0..=b {
            let reached = row == a || column == b || a - row == b - column;
            let (ink, glyph) = match (row, column) {
                _ if row == a && column == b => (Ink::Piece, 'Q'),
                _ if reached => (Ink::Label, '+'),
                _ => (Ink::Plain, frame.glyphs.free),
            };
            line = line.put(ink, format!("{glyph:>cell$}"));
            let holds = if glyph == 'Q' { "Q" } else { "" };
            let end = line.width();
            drawing.site(
                format!("{row}:{column}"),
                holds,
                drawing.lines.len(),
                end - 1..end,
            );
        }
        drawing.push(line);
    }
    drawing.push(head.put(Ink::Label, "  B"));
}
