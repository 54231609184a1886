//! Characters at rows and columns, for drawings that do not grow line by line; and the letters that name their moves.

use super::art::{Drawing, Frame, Ink, Line};

/// Letters that name moves: those that are not answers or commands themselves (h, n, q, y).
const LETTERS: &[u8] = b"abcdefgijklmoprstuvwxz";

/// The name of move number `index`: a, b, and so on, then aa, ab.
pub(super) fn letter(index: usize) -> String {
    let mut name = Vec::new();
    let mut rest = index + 1;
    while rest > 0 {
        rest -= 1;
        name.push(char::from(LETTERS[rest % LETTERS.len()]));
        rest /= LETTERS.len();
    }
    name.iter().rev().collect()
}

/// A drawing in the making: rows of single characters.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    rows: Vec<Vec<(Ink, char)>>,
}

impl Canvas {
    /// Writes a text from this place on; rows and columns come into being as needed.
    pub(super) fn write(&mut self, row: usize, column: usize, ink: Ink, text: &str) {
        if self.rows.len() <= row {
            self.rows.resize_with(row + 1, Vec::new);
        }
        let Some(line) = self.rows.get_mut(row) else {
            return;
        };
        let end = column + text.chars().count();
        if line.len() < end {
            line.resize(end, (Ink::Plain, ' '));
        }
        for (place, glyph) in line[column..].iter_mut().zip(text.chars()) {
            *place = (ink, glyph);
        }
    }

    /// Writes a character where there is nothing yet.
    pub(super) fn under(&mut self, row: usize, column: usize, glyph: char) {
        if self.is_free(row, column) {
            self.write(row, column, Ink::Plain, &glyph.to_string());
        }
    }

    fn is_free(&self, row: usize, column: usize) -> bool {
        let there = self.rows.get(row).and_then(|line| line.get(column));
        there.is_none_or(|(_, glyph)| *glyph == ' ')
    }

    /// Adds its rows to a drawing, as far as they fit into the frame.
    pub(super) fn into_drawing(self, frame: &Frame, drawing: &mut Drawing) {
        for row in self.rows {
            let mut line = Line::default();
            for (ink, glyph) in row.into_iter().take(frame.width) {
                line = line.put(ink, glyph.to_string());
            }
            drawing.push(line);
        }
    }
}
