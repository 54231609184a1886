//! Strings of 0s and 1s as a tree: where a string ends, and where a new one may begin.

use std::collections::BTreeSet;

use grundy_words::Message;

use super::art::{Drawing, Frame, Ink, Line};
use super::canvas::Canvas;
use super::part::Part;

/// The drawing of a tree.
struct Tree<'t> {
    strings: BTreeSet<&'t str>,
    frame: &'t Frame,
    rows: usize,
    canvas: Canvas,
    next_row: usize,
    /// Something did not fit.
    cut: bool,
}

pub(super) fn draw(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let longest = part.parameters().next().unwrap_or_default();
    let mut tree = Tree {
        strings: part.items().collect(),
        frame,
        rows: frame.rows - 1,
        canvas: Canvas::default(),
        next_row: 0,
        cut: false,
    };
    tree.canvas.write(0, 1, Ink::Plain, "+");
    tree.grow("", 2, drawing);
    let (cut, count) = (tree.cut, tree.strings.len() as u64);
    tree.canvas.into_drawing(frame, drawing);
    let words = match cut {
        true => Message::new("board-part-of-strings").number("count", count),
        false => Message::new("board-strings")
            .text("free", frame.glyphs.free)
            .text("longest", longest),
    };
    drawing.push(Line::note(&frame.said(words), frame));
}

impl Tree<'_> {
    /// Draws both branches after a beginning. The depth of calls is bounded by the width.
    fn grow(&mut self, beginning: &str, column: usize, drawing: &mut Drawing) {
        let first = self.next_row;
        for digit in ["0", "1"] {
            if digit == "1" {
                if self.next_row + 1 >= self.rows {
                    self.cut = true;
                    return;
                }
                self.next_row += 1;
                for between in first + 1..self.next_row {
                    self.canvas.under(between, column - 1, '|');
                }
                self.canvas
                    .write(self.next_row, column - 1, Ink::Plain, "+");
            }
            let row = self.next_row;
            let string = format!("{beginning}{digit}");
            self.canvas.write(row, column, Ink::Plain, "-");
            self.canvas.write(row, column + 1, Ink::Label, digit);
            if self.strings.contains(&*string) {
                self.canvas.write(row, column + 3, Ink::Piece, "x");
            } else if !self.has_longer(&string) {
                let free = self.frame.glyphs.free.to_string();
                self.canvas.write(row, column + 3, Ink::Plain, &free);
                drawing.label(string.clone(), string);
            } else if column + 9 > self.frame.width {
                self.canvas.write(row, column + 2, Ink::Note, "...");
                self.cut = true;
            } else {
                self.canvas.write(row, column + 2, Ink::Plain, "-+");
                self.grow(&string, column + 4, drawing);
            }
        }
    }

    /// Whether a string begins with this one.
    fn has_longer(&self, beginning: &str) -> bool {
        let next = self.strings.range::<&str, _>(beginning..).next();
        next.is_some_and(|string| string.starts_with(beginning))
    }
}
