//! A position as it is drawn on a board, with what a chosen move would change.

use std::collections::BTreeSet;

use grundy_shared::{Move, Position};
use grundy_words::{Catalogue, Message};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::text::put;
use crate::render::board::{Frame, Paint};
use crate::screen::board::{Board, Place};
use crate::screen::targets::{Target, Targets};
use crate::screen::theme::Theme;

/// A position and how it is drawn.
pub(super) struct Picture<'p> {
    pub(super) position: &'p Position,
    /// What was painted in the match.
    pub(super) paint: Paint,
    /// The position before the last move, and what was painted then.
    pub(super) before: Option<(Position, Paint)>,
    pub(super) frame: Frame,
    pub(super) theme: Theme,
    /// The move whose changes are marked.
    pub(super) chosen: Option<Move>,
    /// Whether a click chooses a move.
    pub(super) can_choose: bool,
    pub(super) words: &'static Catalogue,
}

/// The first line that is shown of so many where there is room for fewer: what is marked is in sight, and the lines beside it.
fn first_shown(lines: usize, room: usize, marked: &BTreeSet<Place>) -> usize {
    let Some(most) = lines.checked_sub(room) else {
        return 0;
    };
    let row = |place: Option<&Place>| place.map_or(0, |(row, _)| *row);
    let (first, last) = (row(marked.first()), row(marked.last()));
    (last + 3)
        .saturating_sub(room)
        .min(first.saturating_sub(1))
        .min(most)
}

/// Draws it, and the chosen move below it.
pub(super) fn paint(buffer: &mut Buffer, area: Rect, picture: &Picture<'_>, targets: &mut Targets) {
    let (position, theme) = (picture.position, picture.theme);
    let board = Board::of(position, &picture.paint, picture.frame);
    let last = match &picture.before {
        Some((before, paint)) => board.changed(&Board::of(before, paint, picture.frame)),
        None => BTreeSet::new(),
    };
    let changed = match &picture.chosen {
        Some(mv) => {
            let (paint, text) = (&picture.paint, mv.to_string());
            let after = Board::of(&position.play(mv), &paint.with(&text), picture.frame);
            board.marked(&after, &text)
        }
        None => BTreeSet::new(),
    };
    let room = usize::from(area.height);
    let first = first_shown(board.lines.len(), room, &changed);
    let hidden = |count: usize, message: &'static str| {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        Message::new(message)
            .number("count", count)
            .said(picture.words)
    };
    for (y, (row, line)) in (0..area.height).zip(board.lines.iter().enumerate().skip(first)) {
        let below = board.lines.len() - (row + 1);
        // The first and the last line say what is not shown.
        let more = match (
            row == first && first > 0,
            usize::from(y) + 1 == room && below > 0,
        ) {
            (true, _) => hidden(first + 1, "screen-lines-above"),
            (false, true) => hidden(below + 1, "screen-lines-below"),
            (false, false) => String::new(),
        };
        if !more.is_empty() && room > 2 {
            let place = Rect {
                y: area.y + y,
                height: 1,
                ..area
            };
            put(buffer, place, 0, &format!(" {more}"), theme.faint());
            continue;
        }
        for (x, (column, (sign, ink))) in (0..area.width).zip(line.iter().enumerate()) {
            let style = match (
                changed.contains(&(row, column)),
                last.contains(&(row, column)),
            ) {
                (true, _) => theme.chosen(),
                (false, true) => theme.last(*ink),
                (false, false) => theme.ink(*ink),
            };
            let cell = Rect::new(area.x + x, area.y + y, 1, 1);
            put(buffer, cell, 0, sign.encode_utf8(&mut [0; 4]), style);
            if *sign != ' ' && picture.can_choose {
                let place: Place = (row, column);
                targets.push((cell, Target::Cell(place)));
            }
        }
    }
    let below = u16::try_from(board.lines.len() - first).unwrap_or(area.height);
    if let Some(mv) = picture.chosen.as_ref().map(ToString::to_string) {
        let label = board.label(&mv).filter(|label| **label != *mv);
        let words = match label {
            Some(label) => Message::new("screen-label")
                .text("move", mv)
                .text("label", label)
                .said(picture.words),
            None => mv,
        };
        put(
            buffer,
            area,
            below.saturating_add(1),
            &format!(" {words}"),
            theme.chosen(),
        );
    }
}
