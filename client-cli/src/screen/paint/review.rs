//! Draws a review: a pure function of the walk.

use grundy_shared::ids::Seat;
use grundy_words::Message;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr as _;

use super::footer;
use super::picture::{self, Picture};
use super::text::{cut, put, wrap};
use crate::render::board::Frame;
use crate::render::reviewed::holder;
use crate::screen::keys::Action;
use crate::screen::review::walk::{Walk, letter};
use crate::screen::table::REVIEW;
use crate::screen::targets::{Target, Targets};

/// Columns of the list of moves.
const LIST: u16 = 34;
/// Lines that the board and the list of moves keep.
const UPPER: u16 = 12;

/// Draws it; what can be clicked.
pub(in crate::screen) fn paint(frame: &mut ratatui::Frame<'_>, walk: &Walk<'_>) -> Targets {
    let area = frame.area();
    let buffer = frame.buffer_mut();
    let mut targets = Targets::new();
    let theme = walk.theme;
    put(
        buffer,
        area,
        0,
        &format!(" {}", walk.title()),
        theme.strong(),
    );
    let [first, second] = Seat::BOTH.map(|seat| {
        let name = walk.review.name(seat, 30);
        format!("{} {name}", letter(seat))
    });
    let end = if walk.review.misere {
        "misere"
    } else {
        "normal"
    };
    let ends = Message::new("screen-ends")
        .text("end", end)
        .said(walk.words);
    let about = format!(" {first}   {second}   {}  {ends}", walk.review.start);
    put(buffer, area, 1, &about, Style::new());
    let body = Rect {
        y: area.y + area.height.min(2),
        height: area.height.saturating_sub(3),
        ..area
    };
    let said = match &walk.copied {
        Some(copied) => format!("{copied}\n{}", walk.reasons()),
        None => walk.reasons(),
    };
    let lines = wrap(&said, body.width.saturating_sub(2));
    // The reasons take the lower part, and more if the board and the moves leave room. In a narrow terminal the board is left out.
    let moves_and_board = u16::try_from(walk.review.plies.len() + 1)
        .unwrap_or(u16::MAX)
        .max(UPPER);
    let wanted = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let spare = body.height.saturating_sub(moves_and_board);
    let lower = (body.height / 3).max(spare.min(wanted));
    let upper = Rect {
        height: body.height - lower,
        ..body
    };
    let list = match body.width {
        80.. => LIST,
        _ => body.width,
    };
    let left = Rect {
        width: body.width - list,
        ..upper
    };
    position(buffer, left, walk);
    let right = Rect {
        x: upper.x + left.width,
        width: list,
        ..upper
    };
    moves(buffer, right, walk, &mut targets);
    let reasons = Rect {
        y: upper.bottom(),
        height: lower,
        ..body
    };
    let last = lines.len().saturating_sub(usize::from(reasons.height));
    let shown = lines.iter().skip(walk.scrolled.min(last));
    for (row, line) in (0..reasons.height).zip(shown) {
        put(buffer, reasons, row, &format!(" {line}"), Style::new());
    }
    if area.height > 2 {
        last_line(buffer, area, walk, &mut targets);
    }
    targets
}

fn position(buffer: &mut Buffer, area: Rect, walk: &Walk<'_>) {
    if area.is_empty() {
        return;
    }
    let Some(position) = &walk.position else {
        let none = walk.words.say("screen-no-position");
        put(buffer, area, 0, &format!(" {none}"), walk.theme.faint());
        return;
    };
    let picture = Picture {
        position,
        paint: walk.paint(walk.at),
        before: walk.before(),
        frame: Frame {
            width: usize::from(area.width).saturating_sub(1),
            rows: usize::from(area.height),
            glyphs: walk.glyphs,
            language: walk.words.language(),
        },
        theme: walk.theme,
        chosen: None,
        can_choose: false,
        words: walk.words,
    };
    picture::paint(buffer, area, &picture, &mut Targets::new());
}

/// Every move with its mark and who wins after it, the shown one in sight.
fn moves(buffer: &mut Buffer, area: Rect, walk: &Walk<'_>, targets: &mut Targets) {
    let heads = ["screen-moves", "screen-wins"].map(|head| walk.words.say(head));
    let space = " ".repeat(17_usize.saturating_sub(heads[0].width()));
    let head = format!("        {}{space}{}", heads[0], heads[1]);
    put(buffer, area, 0, &head, walk.theme.faint());
    let area = Rect {
        y: area.y + area.height.min(1),
        height: area.height.saturating_sub(1),
        ..area
    };
    let rows = usize::from(area.height);
    let first = (walk.at + 1).saturating_sub(rows / 2 + 1);
    let first = first.min(walk.review.plies.len().saturating_sub(rows));
    let entries = walk.review.plies.iter().enumerate().skip(first);
    for (row, (number, ply)) in (0..area.height).zip(entries) {
        let who = ply.seat.map_or(' ', letter);
        let mv = match &ply.mv {
            Some(mv) => cut(mv, 12),
            None => walk.words.say("screen-start"),
        };
        let space = " ".repeat(12_usize.saturating_sub(mv.width()));
        let mark = ply.mark.map_or("", |mark| mark.as_str());
        let line = format!(
            " {:>4} {who} {mv}{space} {mark:<2}  {} ",
            ply.ply,
            holder(ply)
        );
        let style = match number == walk.at {
            true => walk.theme.chosen(),
            false => Style::new(),
        };
        put(buffer, area, row, &line, style);
        let place = Rect::new(area.x, area.y + row, area.width, 1);
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        targets.push((place, Target::Ply(number)));
    }
}

fn last_line(buffer: &mut Buffer, area: Rect, walk: &Walk<'_>, targets: &mut Targets) {
    let entries = REVIEW.iter().filter(|entry| !entry.footer.is_empty());
    let hints = entries.map(|entry| {
        let name = match (entry.action, entry.keys.first()) {
            (Action::Clear, _) | (_, None) => "q".to_owned(),
            (_, Some(key)) => key.name(),
        };
        (name, walk.words.say(entry.footer), entry.action)
    });
    let last = Rect::new(area.x, area.bottom() - 1, area.width, 1);
    footer::paint(buffer, last, hints, walk.theme.faint(), targets);
}
