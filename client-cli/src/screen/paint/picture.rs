//! A position as it is drawn on a board, with what a chosen move would change.

use std::collections::BTreeSet;

use grundy_shared::{Move, Position};
use grundy_words::{Catalogue, Message};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::text::put;
use crate::render::board::Frame;
use crate::screen::board::{Board, Place};
use crate::screen::targets::{Target, Targets};
use crate::screen::theme::Theme;

/// A position and how it is drawn.
pub(super) struct Picture<'p> {
    pub(super) position: &'p Position,
    pub(super) frame: Frame,
    pub(super) theme: Theme,
    /// The move whose changes are marked.
    pub(super) chosen: Option<Move>,
    /// Whether a click chooses a move.
    pub(super) can_choose: bool,
    pub(super) words: &'static Catalogue,
}

/// Draws it, and the chosen move below it.
pub(super) fn paint(buffer: &mut Buffer, area: Rect, picture: &Picture<'_>, targets: &mut Targets) {
    let (position, theme) = (picture.position, picture.theme);
    let board = Board::of(position, picture.frame);
    let changed = match &picture.chosen {
        Some(mv) => {
            let after = Board::of(&position.play(mv), picture.frame);
            board.marked(&after, &mv.to_string())
        }
        None => BTreeSet::new(),
    };
    for (y, (row, line)) in (0..area.height).zip(board.lines.iter().enumerate()) {
        for (x, (column, (sign, ink))) in (0..area.width).zip(line.iter().enumerate()) {
            let style = match changed.contains(&(row, column)) {
                true => theme.chosen(),
                false => theme.ink(*ink),
            };
            let cell = Rect::new(area.x + x, area.y + y, 1, 1);
            put(buffer, cell, 0, sign.encode_utf8(&mut [0; 4]), style);
            if *sign != ' ' && picture.can_choose {
                let place: Place = (row, column);
                targets.push((cell, Target::Cell(place)));
            }
        }
    }
    let below = u16::try_from(board.lines.len()).unwrap_or(area.height);
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
