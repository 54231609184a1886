//! What was said.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::text::{put, wrap};
use crate::screen::log::{Log, Said, Tone};
use crate::screen::theme::Theme;

/// What was said, the latest at the bottom.
pub(super) fn paint(buffer: &mut Buffer, area: Rect, log: &Log, scrolled: usize, theme: Theme) {
    let mut left = usize::from(area.height);
    // No further than to where the oldest line is at the top.
    let mut skipped = match scrolled {
        0 => 0,
        _ => {
            let lines = |said| lines_of(said, area.width, theme).len();
            let all: usize = log.newest().map(lines).sum();
            scrolled.min(all.saturating_sub(left))
        }
    };
    for said in log.newest() {
        for (line, style) in lines_of(said, area.width, theme).into_iter().rev() {
            if skipped > 0 {
                skipped -= 1;
                continue;
            }
            if left == 0 {
                return;
            }
            left -= 1;
            put(buffer, area, u16::try_from(left).unwrap_or(0), &line, style);
        }
    }
}

/// The last message, or its beginning if there is only one line.
pub(super) fn last(buffer: &mut Buffer, area: Rect, log: &Log, theme: Theme) {
    if area.height > 1 {
        paint(buffer, area, log, 0, theme);
    } else if let Some(said) = log.newest().next()
        && let Some((line, style)) = lines_of(said, u16::MAX, theme).into_iter().next()
    {
        put(buffer, area, 0, &line, style);
    }
}

/// A text in lines, with a sign that says what it is where colour is missing.
fn lines_of(said: &Said, width: u16, theme: Theme) -> Vec<(String, Style)> {
    let (sign, style) = match said.tone {
        Tone::News => (' ', Style::new()),
        Tone::Answer => (' ', theme.faint()),
        Tone::Refusal => ('!', theme.warning()),
        Tone::Chat => ('"', theme.chat()),
    };
    let lines = wrap(&said.text, width.saturating_sub(2)).into_iter();
    let line = |(at, line): (usize, String)| {
        let sign = if at == 0 { sign } else { ' ' };
        (format!("{sign}{line}"), style)
    };
    lines.enumerate().map(line).collect()
}
