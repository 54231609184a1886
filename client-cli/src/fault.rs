//! The place of a fault in a text, as it is shown.

use unicode_width::UnicodeWidthStr as _;

/// Columns of a text that are shown around a fault; what is longer is cut.
const WINDOW: usize = 72;
/// Most characters of a list of what is expected at a fault.
const LIST: usize = 120;

/// The place of a fault in a text.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) text: String,
    /// The first character, counted from 1.
    pub(crate) from: usize,
    /// One past the last.
    pub(crate) to: usize,
    pub(crate) expected: String,
}

impl Place {
    /// The text around the place and a caret under it, and what may stand there if that is wanted.
    pub(crate) fn shown(&self, with_expected: bool) -> String {
        let characters = self.text.chars().count();
        let at = self.from.saturating_sub(1).min(characters);
        let start = if characters <= WINDOW {
            0
        } else {
            at.saturating_sub(WINDOW / 2).min(characters - WINDOW)
        };
        let before = if start > 0 { "..." } else { "" };
        let after = if start + WINDOW < characters {
            "..."
        } else {
            ""
        };
        let shown: String = self.text.chars().skip(start).take(WINDOW).collect();
        let shown = crate::render::clean(&shown);
        let beyond: String = self.text.chars().skip(start).take(at - start).collect();
        let beyond = crate::render::clean(&beyond);
        let width = (self.to - self.from).clamp(1, WINDOW);
        let caret = format!(
            "  {before}{shown}{after}\n  {:indent$}{}",
            "",
            "^".repeat(width),
            indent = before.len() + beyond.width(),
        );
        match with_expected && !self.expected.is_empty() {
            true => format!("{caret} expected {}", beginning(&self.expected)),
            false => caret,
        }
    }
}

/// A list that is cut to fit one line.
fn beginning(expected: &str) -> String {
    if expected.chars().count() <= LIST {
        return expected.to_owned();
    }
    let shown: String = expected.chars().take(LIST).collect();
    let end = shown.rfind(", ").unwrap_or(shown.len());
    format!("{}, ...", &shown[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, from: usize, length: usize) -> String {
        let place = Place {
            text: text.to_owned(),
            from,
            to: from + length,
            expected: "a number".to_owned(),
        };
        place.shown(true)
    }

    #[test]
    fn the_caret_stands_under_the_fault() {
        assert_eq!(
            shown("nim:1,4,x", 9, 1),
            "  nim:1,4,x\n          ^ expected a number"
        );
        assert_eq!(shown("nim:", 5, 0), "  nim:\n      ^ expected a number");
    }

    #[test]
    fn a_long_text_is_cut_around_the_fault() {
        let text = format!("nim:{}x{}", "1,".repeat(500), ",1".repeat(500));
        let shown = shown(&text, 1005, 1);
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines[0].len() < 90, "{shown}");
        let caret = lines[1].find('^').expect("a caret");
        assert_eq!(&lines[0][caret..=caret], "x", "{shown}");
    }

    #[test]
    fn a_place_beyond_the_text_does_not_panic() {
        shown("", 1, 0);
        shown("a", 99, 500);
    }
}
