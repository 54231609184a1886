//! The line that is being typed.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::keys::Action;

/// Characters of a line; what is longer is not taken.
const LENGTH: usize = 4_096;
/// Lines that are remembered.
const REMEMBERED: usize = 50;

/// A line of text with a cursor, and the lines that were entered before.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct InputLine {
    text: Vec<char>,
    /// Characters before the cursor.
    cursor: usize,
    earlier: Vec<String>,
    /// How many lines back the shown one is; 0 for a new one.
    back: usize,
    /// It was given back to be changed: what is typed next takes its place, unless it is edited first.
    given_back: bool,
}

impl InputLine {
    /// The text.
    pub(super) fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// Whether nothing is typed.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Shows a line that was refused, to be changed or typed over.
    pub(super) fn give_back(&mut self, text: &str) {
        self.clear();
        self.insert(text);
        self.given_back = true;
    }

    /// Adds text at the cursor, without control characters; ends of lines become spaces.
    pub(super) fn insert(&mut self, text: &str) {
        if std::mem::take(&mut self.given_back) {
            self.clear();
        }
        let text = text.trim_end_matches(['\r', '\n']);
        for c in text.chars() {
            let c = if matches!(c, '\r' | '\n' | '\t') {
                ' '
            } else {
                c
            };
            if !c.is_control() && self.text.len() < LENGTH {
                self.text.insert(self.cursor, c);
                self.cursor += 1;
            }
        }
    }

    /// Takes the character before the cursor away.
    fn delete_back(&mut self) {
        if self.cursor > 0 {
            self.cursor -= 1;
            self.text.remove(self.cursor);
        }
    }

    /// Takes the character at the cursor away.
    fn delete(&mut self) {
        if self.cursor < self.text.len() {
            self.text.remove(self.cursor);
        }
    }

    /// Takes the word before the cursor away.
    fn delete_word(&mut self) {
        let before = &self.text[..self.cursor];
        let word = before.iter().rposition(|c| !c.is_whitespace());
        let start = word.and_then(|end| before[..end].iter().rposition(|c| c.is_whitespace()));
        let start = start.map_or(0, |space| space + 1);
        self.text.drain(start..self.cursor);
        self.cursor = start;
    }

    /// Takes everything away.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        (self.cursor, self.back, self.given_back) = (0, 0, false);
    }

    /// Moves the cursor by so many characters.
    fn go(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by).min(self.text.len());
    }

    /// Moves the cursor to the beginning.
    fn home(&mut self) {
        self.cursor = 0;
    }

    /// Moves the cursor behind the end.
    fn end(&mut self) {
        self.cursor = self.text.len();
    }

    /// Shows a line that was entered earlier, or later.
    fn recall(&mut self, older: bool) {
        let back = match older {
            true => (self.back + 1).min(self.earlier.len()),
            false => self.back.saturating_sub(1),
        };
        let text = match back {
            0 => String::new(),
            back => self.earlier[self.earlier.len() - back].clone(),
        };
        self.clear();
        self.insert(&text);
        self.back = back;
    }

    /// Does what a key for the line stands for; false if it is another key.
    pub(super) fn edit(&mut self, action: Action) -> bool {
        self.given_back = false;
        match action {
            Action::Recall(older) => self.recall(older),
            Action::Go(by) => self.go(by),
            Action::Home => self.home(),
            Action::End => self.end(),
            Action::DeleteBack => self.delete_back(),
            Action::Delete => self.delete(),
            Action::DeleteWord => self.delete_word(),
            Action::DeleteAll => self.clear(),
            _ => return false,
        }
        true
    }

    /// Enters the line: it is empty then.
    pub(super) fn enter(&mut self) -> String {
        let text = self.text();
        if !text.trim().is_empty() && self.earlier.last() != Some(&text) {
            if self.earlier.len() == REMEMBERED {
                self.earlier.remove(0);
            }
            self.earlier.push(text.clone());
        }
        self.clear();
        text
    }

    /// What is shown in so many columns, with the cursor in sight, and the column of the cursor.
    pub(super) fn shown(&self, columns: usize) -> (String, usize) {
        let width = |c: &char| c.width().unwrap_or(0);
        let room = columns.saturating_sub(1);
        let mut start = 0;
        let mut before: usize = self.text[..self.cursor].iter().map(width).sum();
        while before > room && start < self.cursor {
            before -= width(&self.text[start]);
            start += 1;
        }
        let mut shown = String::new();
        for c in &self.text[start..] {
            if shown.width() + width(c) > columns {
                break;
            }
            shown.push(*c);
        }
        (shown, before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> InputLine {
        let mut line = InputLine::default();
        line.insert(text);
        line
    }

    #[test]
    fn a_line_is_edited_at_the_cursor() {
        let mut line = typed("say helo");
        line.go(-1);
        line.insert("l");
        assert_eq!(line.text(), "say hello");
        line.end();
        line.delete_word();
        assert_eq!(line.text(), "say ");
        line.delete_back();
        line.home();
        line.delete();
        assert_eq!(line.text(), "ay");
        line.go(-9);
        line.delete_back();
        line.go(9);
        line.delete();
        assert_eq!(line.text(), "ay");
    }

    #[test]
    fn lines_are_remembered() {
        let mut line = typed("A-1");
        assert_eq!(line.enter(), "A-1");
        assert!(line.is_empty());
        line.insert("B-2");
        line.enter();
        line.recall(true);
        line.recall(true);
        line.recall(true);
        assert_eq!(line.text(), "A-1");
        line.recall(false);
        assert_eq!(line.text(), "B-2");
        line.recall(false);
        assert!(line.is_empty());
    }

    #[test]
    fn what_is_pasted_is_one_line() {
        assert_eq!(typed("A-1\r\nB-2\u{1b}[31m\n").text(), "A-1  B-2[31m");
        assert_eq!(typed(&"x".repeat(9_000)).text().len(), LENGTH);
    }

    #[test]
    fn the_cursor_is_always_in_sight() {
        let line = typed("\u{738b}\u{738b}ab");
        assert_eq!(line.shown(80), ("\u{738b}\u{738b}ab".to_owned(), 6));
        assert_eq!(line.shown(5), ("\u{738b}ab".to_owned(), 4));
        assert_eq!(line.shown(1), (String::new(), 0));
        assert_eq!(line.shown(0), (String::new(), 0));
    }
}
