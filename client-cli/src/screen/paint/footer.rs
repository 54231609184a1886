//! The last line: the keys that are needed most.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr as _;

use super::text::put;
use crate::screen::keys::Action;
use crate::screen::targets::{Target, Targets};

/// A key of the last line: its name, what it does in a word, and what a click there does.
pub(super) type Hint = (String, String, Action);

/// Draws as many as there is room for.
pub(super) fn paint(
    buffer: &mut Buffer,
    area: Rect,
    hints: impl Iterator<Item = Hint>,
    style: Style,
    targets: &mut Targets,
) {
    let mut column = 0;
    for (name, words, action) in hints {
        let text = format!("{name} {words}");
        let width = u16::try_from(text.width()).unwrap_or(u16::MAX);
        if column + width > area.width {
            return;
        }
        let place = Rect::new(area.x + column, area.y, width, 1);
        put(buffer, place, 0, &text, style);
        targets.push((place, Target::Key(action)));
        column += width + 2;
    }
}
