//! Draws the screen: a pure function of the match and of what the screen shows besides. What can be clicked is returned.

pub(super) mod desk;
mod footer;
mod header;
mod messages;
mod overlay;
mod panes;
mod picture;
pub(super) mod review;
mod standing;
mod text;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position as Spot, Rect};
use ratatui::style::Style;

use self::overlay::Overlay;
use self::standing::standing;
use self::text::cut;
use super::help::Page;
use super::keys::Action;
use super::layout::{Areas, Room};
use super::state::{Pane, State, fits};
use super::table::MATCH;
use super::targets::Targets;
use crate::session::frontend::Question;
use crate::session::match_view::MatchView;

/// The parts of the screen: the status has two lines if it needs them.
pub(super) fn areas(state: &State, area: Rect, view: &MatchView) -> Areas {
    let lines = text::wrap(&standing(state, view).0, area.width).len();
    state.areas(
        area,
        view,
        u16::try_from(lines).unwrap_or(u16::MAX).clamp(1, 2),
    )
}

/// Draws everything.
pub(super) fn paint(frame: &mut Frame<'_>, state: &State, view: &MatchView) -> Targets {
    let area = frame.area();
    let mut targets = Targets::new();
    if area.is_empty() {
        return targets;
    }
    let areas = areas(state, area, view);
    let buffer = frame.buffer_mut();
    if Room::of(area) == Room::Line {
        panes::lines_of_all(buffer, areas.messages, state, view);
    } else {
        header::paint(buffer, areas.header, state, view);
        for rule in areas.rules {
            let line = state.theme.across().repeat(usize::from(rule.width));
            text::put(buffer, rule, 0, &line, state.theme.faint());
        }
        let divided = if state.invitation.is_empty() {
            areas.divider.height
        } else {
            0
        };
        for row in 0..divided {
            text::put(
                buffer,
                areas.divider,
                row,
                state.theme.down(),
                state.theme.faint(),
            );
        }
        bodies(buffer, &areas, area, state, view, &mut targets);
        status(buffer, areas.status, state, view);
        last_line(buffer, areas.footer, state, view, &mut targets);
    }
    if let Some(help) = &state.help {
        let body = Rect::new(
            area.x,
            areas.header.bottom(),
            area.width,
            areas.prompt.y - areas.header.bottom(),
        );
        let overlay = Overlay {
            help,
            entries: state.help_entries(view),
            notation: panes::notation(view),
            theme: state.theme,
            words: view.words(),
        };
        overlay::paint(buffer, body, &overlay, &mut targets);
    }
    let cursor = prompt(buffer, areas.prompt, state, view);
    if let Some(cursor) = cursor {
        frame.set_cursor_position(cursor);
    }
    targets
}

/// The panes: all of them, or the one that was chosen.
fn bodies(
    buffer: &mut Buffer,
    areas: &Areas,
    area: Rect,
    state: &State,
    view: &MatchView,
    targets: &mut Targets,
) {
    let room = Room::of(area);
    if !state.invitation.is_empty() {
        let all = areas.board.union(areas.moves);
        match room {
            Room::Small => panes::invitation(buffer, all.union(areas.messages), state),
            _ => {
                panes::invitation(buffer, all, state);
                messages::last(buffer, areas.messages, &state.log, state.theme);
            }
        }
        return;
    }
    if room != Room::Small {
        panes::board(buffer, areas.board, state, view, targets);
        panes::moves(buffer, areas.moves, state, view, targets);
        // The name is on the dividing line if there is one, and otherwise takes a line.
        match room {
            Room::Usual => {
                panes::messages(buffer, areas.rules[1].union(areas.messages), state, view)
            }
            _ => panes::messages(buffer, areas.messages, state, view),
        }
        return;
    }
    match state.pane {
        Pane::Board => panes::board(buffer, areas.board, state, view, targets),
        Pane::Moves => panes::moves(buffer, areas.moves, state, view, targets),
        Pane::Messages => {
            panes::messages(buffer, areas.board.union(areas.messages), state, view);
            return;
        }
    }
    messages::last(buffer, areas.messages, &state.log, state.theme);
}

/// The line above the prompt: how things stand.
fn status(buffer: &mut Buffer, area: Rect, state: &State, view: &MatchView) {
    let (words, style) = standing(state, view);
    let lines = text::wrap(&words, area.width);
    for (row, line) in (0..area.height).zip(&lines) {
        // What does not fit is marked.
        let rest = (row + 1 == area.height && lines.len() > usize::from(area.height))
            .then(|| lines[usize::from(row)..].join(" "));
        text::put(buffer, area, row, rest.as_ref().unwrap_or(line), style);
    }
}

/// The line that is typed; where the cursor is.
fn prompt(buffer: &mut Buffer, area: Rect, state: &State, view: &MatchView) -> Option<Spot> {
    if area.is_empty() {
        return None;
    }
    let room = usize::from(area.width);
    let words = view.words();
    let asked = match (&state.help, state.question) {
        (Some(help), _) => format!("{} {}", words.say("screen-search"), help.search),
        (None, Some(question)) => format!("{} ", words.say(asked(question))),
        (None, None) if view.is_our_turn() => format!("{} ", words.say("screen-move")),
        (None, None) => "> ".to_owned(),
    };
    // On one line there is no other place for whose turn it is, that the connection is lost, or that the solver works.
    let asked = match (area.y, state.question, state.away.is_some() || state.thinks) {
        _ if state.help.is_some() => asked,
        (0, None, true) => format!("{} {asked}", standing(state, view).0),
        (0, None, false) => format!("{} {asked}", header::in_short(view)),
        _ => asked,
    };
    let asked = cut(&asked, room.saturating_sub(8).max(room / 2));
    let used = text::put(buffer, area, 0, &asked, state.theme.strong());
    let left = Rect {
        x: area.x + used,
        width: area.width - used,
        ..area
    };
    if let Some(help) = &state.help {
        if area.y == 0 {
            let chosen = overlay::in_short(help, &state.help_entries(view), words);
            text::put(buffer, left, 0, &chosen, state.theme.chosen());
        }
        return Some(Spot::new(left.x.min(area.right() - 1), area.y));
    }
    let (shown, cursor) = state.input.shown(usize::from(left.width));
    text::put(buffer, left, 0, &shown, Style::new());
    if let Some(mv) = state.chosen_move(view).filter(|_| state.input.is_empty()) {
        text::put(buffer, left, 0, &mv, state.theme.chosen());
    }
    let column = left.x + u16::try_from(cursor).unwrap_or(left.width);
    Some(Spot::new(column.min(area.right() - 1), area.y))
}

/// The message that asks this question.
fn asked(question: Question) -> &'static str {
    match question {
        Question::Resign => "match-ask-resign",
        Question::Abort => "match-ask-abort",
        Question::Quit { kept: false } => "screen-ask-quit",
        Question::Quit { kept: true } => "screen-ask-quit-kept",
        Question::Rematch => "screen-ask-rematch",
        Question::Leave => "match-ask-leave",
    }
}

/// The keys that are needed most, the help first.
fn last_line(
    buffer: &mut Buffer,
    area: Rect,
    state: &State,
    view: &MatchView,
    targets: &mut Targets,
) {
    let entries = MATCH
        .iter()
        .filter(|entry| !entry.footer.is_empty() && fits(entry.when, view));
    let small = state.room == Room::Small;
    let hints = entries.filter_map(|entry| {
        let message = match (entry.action, &state.help) {
            (Action::Enter, Some(_)) => "foot-run",
            (Action::NextPane, Some(help)) => match help.page {
                Page::Keys => "foot-notation",
                Page::Notation => "foot-keys",
            },
            (Action::Clear, Some(_)) => "foot-close",
            // Other keys wait until the help is closed.
            (_, Some(_)) => return None,
            // Enter plays a move if one can be made, and otherwise enters a line.
            (Action::Enter, None) if !view.is_our_turn() => "foot-enter",
            (Action::NextPane, None) if small => match state.pane {
                Pane::Board => "foot-moves",
                Pane::Moves => "foot-messages",
                Pane::Messages => "foot-board",
            },
            (Action::Mouse, None) if state.mouse => "screen-mouse-off",
            (Action::Mouse, None) => "screen-mouse-on",
            (_, None) => entry.footer,
        };
        Some((entry.names(), view.words().say(message), entry.action))
    });
    footer::paint(buffer, area, hints, state.theme.faint(), targets);
}
