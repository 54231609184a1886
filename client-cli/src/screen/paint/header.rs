//! The head of the screen: the game, how it ends, who plays whom, and the clocks.

use grundy_shared::event::Clocks;
use grundy_shared::game::EndRule;
use grundy_shared::ids::{Millis, Seat};
use grundy_shared::referee::{Referee, Status};
use grundy_words::Message;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr as _;

use super::text::{cut, put};
use crate::render::{points, sentences};
use crate::screen::state::State;
use crate::session::match_view::MatchView;

/// Draws it: two lines.
pub(super) fn paint(buffer: &mut Buffer, area: Rect, state: &State, view: &MatchView) {
    let theme = state.theme;
    let Some(referee) = view.referee() else {
        put(buffer, area, 0, "Grundy", theme.strong());
        return;
    };
    // How the game ends is never cut: it stands at the right edge.
    let rule = end_rule(view);
    let width = usize::from(area.width);
    let games = games(view);
    let named = format!(" {games}  {}", referee.start());
    let room = width.saturating_sub(rule.width() + 2);
    put(buffer, area, 0, &cut(&named, room), theme.strong());
    let column = u16::try_from(width.saturating_sub(rule.width() + 1)).unwrap_or(0);
    let right = Rect {
        x: area.x + column,
        width: area.width - column,
        ..area
    };
    put(buffer, right, 0, &rule, Style::new());
    let terms = terms(referee, view);
    let clocks = view.clocks();
    // Half a line each; the terms where there is room for them.
    let half = match width {
        100.. => (width - terms.width().min(width / 4) - 2) / 2,
        _ => width / 2,
    };
    for (seat, at) in Seat::BOTH.into_iter().zip([0, half]) {
        let part = Rect {
            x: area.x + u16::try_from(at).unwrap_or(0),
            width: u16::try_from(half).unwrap_or(area.width),
            ..area
        };
        player(buffer, part, state, view, seat, clocks.as_ref());
    }
    if width >= 100 {
        let column = u16::try_from(2 * half).unwrap_or(0);
        let rest = Rect {
            x: area.x + column,
            width: area.width - column,
            ..area
        };
        put(buffer, rest, 1, &terms, theme.faint());
    }
}

/// One player: a sign if it is the player's turn, the name, and the time left.
fn player(
    buffer: &mut Buffer,
    area: Rect,
    state: &State,
    view: &MatchView,
    seat: Seat,
    clocks: Option<&Clocks>,
) {
    let theme = state.theme;
    let moves = view.status() == Status::Live
        && view
            .referee()
            .is_some_and(|referee| referee.to_move() == seat);
    let sign = if moves { " > " } else { "   " };
    let mut marks = Vec::new();
    let mut mark = |message| marks.push(view.words().say(message));
    if view.position().is_some_and(|position| position.has_sides()) {
        mark(match seat {
            Seat::First => "screen-left",
            Seat::Second => "screen-right",
        });
    }
    if view.seat() == Some(seat) {
        mark("screen-you");
    }
    let gone = view.referee().is_some_and(|referee| !referee.online(seat));
    if gone && !view.is_local() && view.status() == Status::Live {
        mark("screen-away");
    }
    let marks = match marks.is_empty() {
        true => String::new(),
        false => format!(" ({})", marks.join(&view.words().say("list-comma"))),
    };
    let time = clocks.map(|clocks| format!("  {}", sentences::time_left(view, clocks, seat)));
    // A sign says the same as the colour.
    let urgent = moves && clocks.is_some_and(|clocks| clocks.of(seat).0 <= 10_000);
    let doubt = match (state.away, urgent) {
        // A clock that nobody has confirmed is not shown as if it ran.
        (Some(_), _) if clocks.is_some() => " ?",
        (_, true) => " !",
        _ => "",
    };
    let time = format!("{}{doubt}", time.unwrap_or_default());
    let room =
        usize::from(area.width).saturating_sub(sign.width() + marks.width() + time.width() + 1);
    let name = format!("{sign}{}{marks}", cut(&view.name(seat), room));
    let style = if moves { theme.strong() } else { Style::new() };
    let used = put(buffer, area, 1, &name, style);
    let rest = Rect {
        x: area.x + used,
        width: area.width - used,
        ..area
    };
    let style = match clocks.map(|clocks| clocks.of(seat)) {
        Some(Millis(..=10_000)) if moves => theme.alarm(),
        Some(Millis(10_001..=30_000)) if moves => theme.warning(),
        _ => style,
    };
    put(buffer, rest, 1, &time, style);
}

/// The whole state of a match in a few words, for a screen of one line: `Nim 1,4,6,7, Ada to move 3:12`.
pub(super) fn in_short(view: &MatchView) -> String {
    let Some(position) = view.position() else {
        return view.words().say("screen-connecting");
    };
    let whose = match view.is_over() {
        true => view.words().say("screen-over"),
        false => sentences::turn(view),
    };
    format!("{position} {whose}")
}

/// How the game ends, in few words.
pub(super) fn end_rule(view: &MatchView) -> String {
    let end = match view.position().map(|position| position.end_rule()) {
        Some(EndRule::Misere) => "misere",
        _ => "normal",
    };
    Message::new("screen-ends")
        .text("end", end)
        .said(view.words())
}

fn games(view: &MatchView) -> String {
    let games = view.position().map(|position| position.games());
    let words = view.words();
    let titles: Vec<String> = games
        .iter()
        .flatten()
        .map(|game| sentences::title(game, words))
        .collect();
    match titles.len() {
        0..=2 => titles.join(" + "),
        several => Message::new("screen-several")
            .number("count", several as u64)
            .said(words),
    }
}

/// The clock, the place in a series, and the score.
fn terms(referee: &Referee, view: &MatchView) -> String {
    let words = view.words();
    let clock = sentences::terms(referee.clock_control(), words);
    let Some(series) = referee.series() else {
        return clock;
    };
    let [first, second] = Seat::BOTH.map(|seat| points(series.half_points(seat)));
    Message::new("screen-series")
        .whether("rated", series.rated)
        .text("clock", clock)
        .text("game", series.game)
        .text("games", series.games)
        .text("first", first)
        .text("second", second)
        .said(words)
}
