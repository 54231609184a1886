//! The panes: the board, the moves, and the messages.

use grundy_shared::ids::Seat;
use grundy_words::Message;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::header::{end_rule, in_short};
use super::messages;
use super::picture::{self, Picture};
use super::standing::standing;
use super::text::{cut, put, wrap};
use crate::render::sentences;
use crate::screen::state::{Pane, State};
use crate::screen::targets::{Target, Targets};
use crate::session::match_view::MatchView;

/// What the other player needs in order to join. A command that fits is not broken, so that it can be copied.
pub(super) fn invitation(buffer: &mut Buffer, area: Rect, state: &State) {
    let lines = state.invitation.iter();
    let lines = lines.flat_map(|line| wrap(line, area.width.saturating_sub(1)));
    for (row, line) in (0..area.height).zip(lines) {
        put(buffer, area, row, &line, Style::new());
    }
}

/// The board, with what the chosen move would change.
pub(super) fn board(
    buffer: &mut Buffer,
    area: Rect,
    state: &State,
    view: &MatchView,
    targets: &mut Targets,
) {
    let Some((position, seat)) = state.shown(view) else {
        return;
    };
    let chosen = state.chosen.filter(|_| state.can_choose(view));
    let picture = Picture {
        position: &position,
        paint: state.paint(view),
        before: state.before(view),
        frame: state.frame(area, view),
        theme: state.theme,
        chosen: chosen.and_then(|number| position.nth_move(seat, number)),
        can_choose: state.can_choose(view),
        words: view.words(),
    };
    picture::paint(buffer, area, &picture, targets);
}

/// The moves so far, the latest in sight.
pub(super) fn moves(
    buffer: &mut Buffer,
    area: Rect,
    state: &State,
    view: &MatchView,
    targets: &mut Targets,
) {
    let Some(referee) = view.referee() else {
        return;
    };
    let played = referee.moves();
    heading(
        buffer,
        area,
        &view.words().say("screen-moves"),
        state,
        Pane::Moves,
    );
    let rows = usize::from(area.height.saturating_sub(1));
    let turns = played.len().div_ceil(2);
    let scrolled = state.scrolled[0].min(turns.saturating_sub(rows));
    let first = turns.saturating_sub(rows + scrolled);
    let numbers = turns.to_string().len();
    let at = state.looked_at.unwrap_or(referee.ply().0);
    for (row, turn) in (1..area.height).zip(first..turns) {
        let number = format!(" {:>numbers$}.", turn + 1);
        let used = put(buffer, area, row, &number, state.theme.faint());
        let column = area.width.saturating_sub(used) / 2;
        for (seat, ply) in Seat::BOTH.into_iter().zip(2 * turn..) {
            let Some(mv) = played.get(ply) else { break };
            let side = u16::from(seat == Seat::Second);
            let text = cut(&mv.text, usize::from(column.saturating_sub(1)));
            let place = Rect::new(area.x + used + side * column, area.y + row, column, 1);
            let ply = u32::try_from(ply + 1).unwrap_or(u32::MAX);
            let style = match ply == at && state.looked_at.is_some() {
                true => state.theme.chosen(),
                false => Style::new(),
            };
            put(buffer, place, 0, &format!(" {text}"), style);
            targets.push((place, Target::Ply(ply)));
        }
    }
}

/// The messages, below the name of the pane.
pub(super) fn messages(buffer: &mut Buffer, area: Rect, state: &State, view: &MatchView) {
    let name = view.words().say("screen-messages");
    heading(buffer, area, &name, state, Pane::Messages);
    let below = Rect {
        y: area.y + area.height.min(1),
        height: area.height.saturating_sub(1),
        ..area
    };
    let (log, scrolled) = (&state.log, state.scrolled[1]);
    messages::paint(buffer, below, log, scrolled, state.theme);
}

/// Where there is room for a few lines only: what was said last, and how things stand.
pub(super) fn lines_of_all(buffer: &mut Buffer, area: Rect, state: &State, view: &MatchView) {
    let (standing, style) = standing(state, view);
    let mut lines: Vec<(String, Style)> = wrap(&standing, area.width)
        .into_iter()
        .map(|line| (line, style))
        .collect();
    if view.referee().is_some() {
        let state_of_all = format!("{} ({})", in_short(view), end_rule(view));
        let more = wrap(&state_of_all, area.width).into_iter();
        lines.splice(0..0, more.map(|line| (line, Style::new())));
    }
    lines.truncate(usize::from(area.height));
    let used = u16::try_from(lines.len()).unwrap_or(area.height);
    let above = Rect {
        height: area.height - used,
        ..area
    };
    let (log, scrolled) = (&state.log, state.scrolled[1]);
    messages::paint(buffer, above, log, scrolled, state.theme);
    for (row, (line, style)) in (0..used).zip(lines) {
        put(buffer, area, above.height + row, &line, style);
    }
}

fn heading(buffer: &mut Buffer, area: Rect, words: &str, state: &State, pane: Pane) {
    let style = match state.pane == pane {
        true => state.theme.chosen(),
        false => state.theme.strong(),
    };
    put(buffer, area, 0, &format!(" {words} "), style);
}

/// The notation of the game and examples of moves.
pub(super) fn notation(view: &MatchView) -> String {
    let Some(referee) = view.referee() else {
        return String::new();
    };
    let (position, seat) = (referee.position(), referee.to_move());
    let words = view.words();
    let (examples, _) = sentences::moves(position, seat, 1, words);
    let now = Message::new("screen-moves-now").text("moves", examples);
    format!(
        "{}\n\n{}\n\n{}\n{}",
        sentences::rules(position, words),
        now.said(words),
        words.say("screen-typed"),
        sentences::notation(position, words)
    )
}
