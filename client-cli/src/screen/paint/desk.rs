//! Draws a desk: a pure function of what it shows.

use grundy_words::Message;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position as Spot, Rect};
use ratatui::style::Style;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::overlay::{self, Overlay};
use super::picture::{self, Picture};
use super::text::{cut, put};
use super::{footer, messages};
use crate::render::board::Paint;
use crate::render::columns;
use crate::screen::desk::view::{Shown, View};
use crate::screen::keys::Action;
use crate::screen::targets::{Target, Targets};

/// Draws it; what can be clicked.
pub(in crate::screen) fn paint(frame: &mut Frame<'_>, view: &View) -> Targets {
    let area = frame.area();
    let mut targets = Targets::new();
    if area.is_empty() {
        return targets;
    }
    let areas = view.areas(area);
    let buffer = frame.buffer_mut();
    let theme = view.theme;
    put(
        buffer,
        areas.head,
        0,
        &format!(" {}", view.title),
        theme.strong(),
    );
    put(
        buffer,
        areas.head,
        1,
        &format!(" {}", view.about),
        Style::new(),
    );
    for rule in areas.rules {
        let line = theme.across().repeat(usize::from(rule.width));
        put(buffer, rule, 0, &line, theme.faint());
    }
    for row in 0..areas.divider.height {
        put(buffer, areas.divider, row, theme.down(), theme.faint());
    }
    match &view.shown {
        Shown::Nothing => {}
        Shown::Board(position, _) => {
            let picture = Picture {
                position,
                paint: Paint::default(),
                before: None,
                frame: view.frame(areas.body),
                theme,
                chosen: view.chosen_move(),
                can_choose: view.types,
                words: view.words(),
            };
            picture::paint(buffer, areas.body, &picture, &mut targets);
        }
        Shown::Sheets(_) => sheets(buffer, areas.body, view, &mut targets),
    }
    messages::paint(buffer, areas.messages, &view.log, view.scrolled, theme);
    note(buffer, areas.note, view);
    if !areas.footer.is_empty() {
        let entries = view.entries().filter(|entry| !entry.footer.is_empty());
        let hints = entries.map(|entry| {
            let message = match (entry.action, view.mouse) {
                (Action::Mouse, true) => "screen-mouse-off",
                (Action::Mouse, false) => "screen-mouse-on",
                _ => entry.footer,
            };
            let name = entry.keys.first().map_or(String::new(), |key| key.name());
            (name, view.words().say(message), entry.action)
        });
        footer::paint(buffer, areas.footer, hints, theme.faint(), &mut targets);
    }
    if let Some(help) = &view.help {
        let top = areas.head.bottom();
        let body = Rect::new(area.x, top, area.width, areas.prompt.y - top);
        let overlay = Overlay {
            help,
            entries: view.help_entries(),
            notation: view.notation.clone(),
            theme,
            words: view.words(),
        };
        overlay::paint(buffer, body, &overlay, &mut targets);
    }
    if let Some(cursor) = prompt(buffer, areas.prompt, view) {
        frame.set_cursor_position(cursor);
    }
    targets
}

/// The names of the tables, and the one that is shown with the chosen row in sight.
fn sheets(buffer: &mut Buffer, area: Rect, view: &View, targets: &mut Targets) {
    let Shown::Sheets(sheets) = &view.shown else {
        return;
    };
    let below = |area: Rect| Rect {
        y: area.y + area.height.min(1),
        height: area.height.saturating_sub(1),
        ..area
    };
    // A menu has no names, and no headings.
    let has_names = sheets.iter().any(|sheet| !sheet.name.is_empty());
    let mut body = if has_names { below(area) } else { area };
    let mut column = 0;
    for (number, sheet) in sheets.iter().enumerate().filter(|_| has_names) {
        let name = format!(" {} ", sheet.name);
        let style = match number == view.sheet {
            true => view.theme.chosen(),
            false => view.theme.strong(),
        };
        let width = u16::try_from(name.width()).unwrap_or(u16::MAX);
        let left = area.width.saturating_sub(column);
        let place = Rect::new(area.x + column, area.y, width.min(left), area.height.min(1));
        put(buffer, place, 0, &name, style);
        targets.push((place, Target::Sheet(number)));
        column = (column + place.width + 1).min(area.width);
    }
    let Some(sheet) = view.sheet() else {
        return;
    };
    if sheet.rows.is_empty() {
        put(
            buffer,
            body,
            0,
            &format!(" {}", sheet.none),
            view.theme.faint(),
        );
        return;
    }
    let rows: Vec<Vec<String>> = sheet.rows.iter().map(|row| row.cells.clone()).collect();
    let text = columns(&sheet.headings, &rows);
    let mut lines = text.lines().map(|line| without(line, view.across));
    let head = lines.next().unwrap_or_default();
    if sheet.headings.iter().any(|heading| !heading.is_empty()) {
        put(buffer, body, 0, &head, view.theme.faint());
        body = below(body);
    }
    let height = usize::from(body.height);
    let first = (view.row + 1).saturating_sub(height / 2 + 1);
    let first = first.min(sheet.rows.len().saturating_sub(height));
    for (row, (number, line)) in (0..body.height).zip(lines.enumerate().skip(first)) {
        let style = match number == view.row {
            true => view.theme.chosen(),
            false => Style::new(),
        };
        put(buffer, body, row, &format!("{line} "), style);
        let place = Rect::new(body.x, body.y + row, body.width, 1);
        targets.push((place, Target::Row(number)));
    }
}

/// A line without so many columns at its left.
fn without(line: &str, columns: usize) -> String {
    let mut left = columns;
    let rest = line.chars().skip_while(|c| {
        let width = c.width().unwrap_or(0);
        let is_left_out = left > 0;
        left = left.saturating_sub(width);
        is_left_out
    });
    rest.collect()
}

/// How things stand: what is to be noticed, or else what Enter does.
fn note(buffer: &mut Buffer, area: Rect, view: &View) {
    let (note, is_urgent) = &view.note;
    if *is_urgent {
        put(buffer, area, 0, note, view.theme.alarm());
        return;
    }
    let chosen = view.chosen_move().and_then(|mv| match &view.shown {
        Shown::Board(position, _) => Some(
            Message::new("screen-chosen")
                .text("move", &mv)
                .text("left", position.play(&mv))
                .said(view.words()),
        ),
        Shown::Nothing | Shown::Sheets(_) => None,
    });
    put(
        buffer,
        area,
        0,
        chosen.as_ref().unwrap_or(note),
        view.theme.strong(),
    );
}

/// The line that is typed; where the cursor is.
fn prompt(buffer: &mut Buffer, area: Rect, view: &View) -> Option<Spot> {
    if area.is_empty() || !(view.types || view.help.is_some()) {
        return None;
    }
    let room = usize::from(area.width);
    let asked = match (&view.help, &view.question) {
        (Some(help), _) => format!("{} {}", view.words().say("screen-search"), help.search),
        (None, Some((question, _))) => format!("{question} "),
        (None, None) if matches!(view.shown, Shown::Board(..)) => {
            format!("{} ", view.words().say("screen-move"))
        }
        (None, None) => "> ".to_owned(),
    };
    let asked = cut(&asked, room.saturating_sub(8).max(room / 2));
    let used = put(buffer, area, 0, &asked, view.theme.strong());
    let left = Rect {
        x: area.x + used,
        width: area.width - used,
        ..area
    };
    if let Some(help) = &view.help {
        if area.y == 0 {
            let chosen = overlay::in_short(help, &view.help_entries(), view.words());
            put(buffer, left, 0, &chosen, view.theme.chosen());
        }
        return Some(Spot::new(left.x.min(area.right() - 1), area.y));
    }
    let (shown, cursor) = view.input.shown(usize::from(left.width));
    put(buffer, left, 0, &shown, Style::new());
    if let Some(mv) = view.chosen_move().filter(|_| view.input.is_empty()) {
        put(buffer, left, 0, &mv.to_string(), view.theme.chosen());
    }
    let column = left.x + u16::try_from(cursor).unwrap_or(left.width);
    Some(Spot::new(column.min(area.right() - 1), area.y))
}
