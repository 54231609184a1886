//! Rows and columns of squares, free or covered.

use grundy_words::Message;

use super::art::{Drawing, Frame, Ink, Line, digits};
use super::part::Part;

/// Draws a grid from its text, rows joined by `/`.
pub(super) fn draw(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let rows: Vec<&str> = part.state.split('/').filter(|row| *row != "_").collect();
    let widths: Vec<u64> = rows.iter().map(|row| row.len() as u64).collect();
    squares(&widths, frame, drawing, |row, column| {
        match rows[row].as_bytes()[column] {
            b'.' => (Ink::Plain, frame.glyphs.free),
            _ => (Ink::Piece, frame.glyphs.covered),
        }
    });
}

/// Draws stones of Left, `x`, and of Right, `o`.
pub(super) fn draw_stones(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let rows: Vec<&str> = part.state.split('/').collect();
    let widths: Vec<u64> = rows.iter().map(|row| row.len() as u64).collect();
    squares(&widths, frame, drawing, |row, column| {
        match rows[row].as_bytes()[column] {
            b'x' => (Ink::Left, 'x'),
            b'o' => (Ink::Right, 'o'),
            _ => (Ink::Plain, frame.glyphs.free),
        }
    });
}

/// Rows of these widths with coordinates from 1, as many as fit. `sign` is asked with places counted from 0.
pub(super) fn squares(
    widths: &[u64],
    frame: &Frame,
    drawing: &mut Drawing,
    sign: impl Fn(usize, usize) -> (Ink, char),
) {
    let longest = widths.iter().copied().max().unwrap_or(0);
    if longest == 0 {
        return;
    }
    let names = digits(widths.len() as u64);
    let room = frame.width - names - 2;
    // A column of squares is as wide as its number, which is the shorter the fewer are shown.
    let fits = |columns: u64| columns as u128 * (digits(columns) as u128 + 1) <= room as u128;
    let columns = match fits(longest) {
        true => longest,
        false => (1..longest)
            .take_while(|columns| fits(*columns))
            .last()
            .unwrap_or(1),
    };
    let cell = digits(columns) + 1;
    let wide = widths.len() < frame.rows && columns == longest;
    let shown = match wide {
        true => widths.len(),
        false => widths.len().min(frame.rows - 2),
    };
    let mut head = Line::new().plain(" ".repeat(names));
    for column in 1..=columns {
        head = head.put(Ink::Label, format!("{column:>cell$}"));
    }
    drawing.push(head);
    for (row, width) in widths.iter().enumerate().take(shown) {
        let mut line = Line::new().put(Ink::Label, format!("{:>names$}", row + 1));
        for column in 0..columns.min(*width) {
            let (ink, glyph) = sign(row, column as usize);
            line = line.put(ink, format!("{glyph:>cell$}"));
            let (name, end) = (format!("{}:{}", row + 1, column + 1), line.width());
            drawing.site(name, glyph, drawing.lines.len(), end - 1..end);
        }
        drawing.push(line);
    }
    if !wide {
        let part = Message::new("board-part-of-grid")
            .number("rows", shown as u64)
            .number("all_rows", widths.len() as u64)
            .number("columns", columns)
            .number("all_columns", longest);
        drawing.push(Line::note(&frame.said(part), frame));
    }
}
