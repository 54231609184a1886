//! The help above the panes.

use grundy_words::Catalogue;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::text::{put, wrap};
use crate::screen::help::{Help, Page};
use crate::screen::keys::Entry;
use crate::screen::targets::{Target, Targets};
use crate::screen::theme::Theme;

/// The open help.
pub(super) struct Overlay<'h> {
    pub(super) help: &'h Help,
    /// The entries that it lists.
    pub(super) entries: Vec<&'static Entry>,
    pub(super) notation: String,
    pub(super) theme: Theme,
    pub(super) words: &'static Catalogue,
}

/// The chosen entry, for a screen of one line.
pub(super) fn in_short(help: &Help, entries: &[&Entry], words: &Catalogue) -> String {
    entries.get(help.chosen).map_or_else(
        || words.say("screen-help-none"),
        |entry| format!(" {}  {} ", entry.names(), words.say(entry.message)),
    )
}

/// Draws the open page of the help.
pub(super) fn paint(buffer: &mut Buffer, area: Rect, overlay: &Overlay<'_>, targets: &mut Targets) {
    let Overlay {
        help,
        entries,
        theme,
        words,
        ..
    } = overlay;
    for row in 0..area.height {
        let line = " ".repeat(usize::from(area.width));
        buffer.set_stringn(
            area.x,
            area.y + row,
            line,
            usize::from(area.width),
            Style::reset(),
        );
    }
    // What lies below cannot be clicked.
    targets.retain(|(place, _)| !place.intersects(area));
    let head = words.say(match help.page {
        Page::Keys if overlay.notation.is_empty() => "screen-help-keys",
        Page::Keys => "screen-help",
        Page::Notation => "screen-help-notation",
    });
    // On few lines, what is chosen goes before what can be done.
    let headed = u16::from(area.height > 2);
    if headed == 1 {
        put(buffer, area, 0, &format!(" {head}"), theme.strong());
    }
    let body = Rect {
        y: area.y + headed,
        height: area.height - headed,
        ..area
    };
    if help.page == Page::Notation {
        let lines = wrap(&overlay.notation, body.width.saturating_sub(2));
        let last = lines.len().saturating_sub(usize::from(body.height));
        let shown = lines.iter().skip(help.scrolled.min(last));
        for (row, line) in (0..body.height).zip(shown) {
            put(buffer, body, row, &format!(" {line}"), Style::new());
        }
        return;
    }
    if entries.is_empty() {
        let none = words.say("screen-help-none");
        put(buffer, body, 0, &format!(" {none}"), theme.faint());
    }
    let widest = entries.iter().map(|entry| entry.names().len()).max();
    let widest = widest.unwrap_or(0);
    let first = (help.chosen + 1).saturating_sub(usize::from(body.height));
    for (row, (number, entry)) in (0..body.height).zip(entries.iter().enumerate().skip(first)) {
        let line = format!(" {:<widest$}  {} ", entry.names(), words.say(entry.message));
        let style = match number == help.chosen {
            true => theme.chosen(),
            false => Style::new(),
        };
        put(buffer, body, row, &line, style);
        let place = Rect::new(body.x, body.y + row, body.width, 1);
        targets.push((place, Target::HelpEntry(number)));
    }
}
