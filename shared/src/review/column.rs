//! Texts in columns of a terminal, where a character takes zero, one or two columns.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// A text cut to a width, with `~` at the cut. Control characters, and those that change the direction of writing, become `?`.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let harmless = |sign: char| match sign {
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '?',
        _ if sign.is_control() => '?',
        _ => sign,
    };
    let text: String = text.chars().map(harmless).collect();
    if text.width() <= most {
        return text;
    }
    let mut room = most.saturating_sub(1);
    let start = text.chars().take_while(|sign| {
        let left = room.checked_sub(sign.width().unwrap_or(0));
        room = left.unwrap_or(0);
        left.is_some()
    });
    start.chain(['~']).collect()
}

/// A text padded on the right to a width.
pub(super) fn padded(text: &str, width: usize) -> String {
    let space = width.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(space))
}

/// A text padded on the left to a width.
pub(super) fn indented(text: &str, width: usize) -> String {
    let space = width.saturating_sub(text.width());
    format!("{}{text}", " ".repeat(space))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!(padded("\u{738b}", 4), "\u{738b}  ");
        assert_eq!(indented("\u{738b}\u{738b}", 5), " \u{738b}\u{738b}");
        assert_eq!(
            cut("\u{738b}\u{738b}\u{738b}", 6),
            "\u{738b}\u{738b}\u{738b}"
        );
        assert_eq!(cut("\u{738b}\u{738b}\u{738b}", 5), "\u{738b}\u{738b}~");
        assert_eq!(cut("\u{738b}\u{738b}\u{738b}", 4), "\u{738b}~");
        assert_eq!(cut("Zoe\u{308}", 3), "Zoe\u{308}");
        assert_eq!(cut("a\u{202e}b\u{7}", 9), "a?b?");
    }
}
