//! Text in columns.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::render::breaking::SEPARATOR;

/// Writes a line into a row of an area, cut to its width; the columns that it took.
pub(super) fn put(buffer: &mut Buffer, area: Rect, row: u16, text: &str, style: Style) -> u16 {
    if row >= area.height || area.width == 0 {
        return 0;
    }
    let text = cut(text, usize::from(area.width));
    let (end, _) = buffer.set_stringn(area.x, area.y + row, text, usize::from(area.width), style);
    end - area.x
}

/// A text cut to this many columns; dots, or a tilde if there is little room, mark the cut.
pub(super) fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let dots = match columns {
        0 => "",
        1..=6 => "~",
        _ => "...",
    };
    let mut left = columns - dots.len();
    let mut kept = String::new();
    for c in text.chars() {
        let width = c.width().unwrap_or(0);
        if width > left {
            break;
        }
        left -= width;
        kept.push(c);
    }
    kept + dots
}

/// A text in lines of so many columns, broken between words where that is possible. Continuation lines are indented like their line.
pub(super) fn wrap(text: &str, columns: u16) -> Vec<String> {
    let broken = |line: &str| -> Vec<String> {
        let indent: String = line.chars().take_while(|c| *c == ' ').collect();
        let indent = if indent.len() * 2 < usize::from(columns) {
            &*indent
        } else {
            ""
        };
        let options = textwrap::Options::new(usize::from(columns.max(1)))
            .subsequent_indent(indent)
            .word_separator(SEPARATOR)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        let lines = textwrap::wrap(line, options);
        lines.into_iter().map(|line| line.into_owned()).collect()
    };
    text.split('\n').flat_map(broken).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_by_columns() {
        assert_eq!(cut("Ada Lovelace", 12), "Ada Lovelace");
        assert_eq!(cut("Ada Lovelace", 11), "Ada Love...");
        assert_eq!(
            cut("\u{738b}\u{738b}\u{738b}\u{738b}\u{738b}", 8),
            "\u{738b}\u{738b}..."
        );
        assert_eq!(cut("abc", 2), "a~");
        assert_eq!(cut("abc", 0), "");
    }

    #[test]
    fn words_longer_than_the_line_are_broken() {
        assert_eq!(wrap("ab cdefgh", 4), ["ab", "cdef", "gh"]);
        assert_eq!(wrap("", 4), [""]);
        assert!(!wrap("ab", 0).is_empty());
    }
}
