//! Whose turn it is, what the clocks say, and what can be typed.

use grundy_shared::event::{Clocks, TimeControl};
use grundy_shared::game::Kind;
use grundy_shared::ids::{Millis, Seat};
use grundy_shared::referee::Status;
use grundy_words::{Catalogue, Message};

use super::position::describe;
use crate::duration::{left, left_in, period};
use crate::render::short;
use crate::session::match_view::MatchView;

/// Moves after which a match cannot be called off any more.
const ABORTABLE: u32 = 2;

/// The position, and whose turn it is.
pub(crate) fn state(view: &MatchView) -> String {
    let words = view.words();
    let position = view
        .position()
        .map_or(String::new(), |position| describe(position, words));
    match view.is_over() {
        true => position,
        false => format!("{position} {}", turn_in_full(view)),
    }
}

/// Whose turn it is, and what the clock says; or that the match is paused or adjourned.
pub(crate) fn turn(view: &MatchView) -> String {
    let Some(referee) = view.referee() else {
        return String::new();
    };
    if view.is_paused() {
        return view.words().say(match referee.is_adjourned() {
            true => "match-is-adjourned",
            false => "match-is-paused",
        });
    }
    let seat = referee.to_move();
    let clocks = view.clocks();
    let case = match (view.seat() == Some(seat), clocks.is_some()) {
        (true, false) => "own",
        (true, true) => "own-timed",
        (false, false) => "other",
        (false, true) => "other-timed",
    };
    let time = clocks.map_or(String::new(), |clocks| time_left(view, &clocks, seat));
    Message::new("match-turn")
        .text("case", case)
        .text("name", view.name(seat))
        .text("time", time)
        .said(view.words())
}

/// The same, and by when the match has to begin.
pub(crate) fn turn_in_full(view: &MatchView) -> String {
    let words = view.words();
    let begin = view.first_move_in().map(|left| {
        Message::new("match-first-move")
            .number("count", left.0.div_ceil(1_000))
            .said(words)
    });
    let said: Vec<String> = [turn(view)].into_iter().chain(begin).collect();
    words.sentences(&said)
}

/// The time left on the prompt; a sign when it is short.
pub(crate) fn clock_on_prompt(time: Millis) -> String {
    let sign = if time.0 <= 10_000 { "! " } else { "" };
    format!("{sign}{}", left(time))
}

/// Little time is left.
pub(crate) fn clock_warning(time: Millis, words: &Catalogue) -> String {
    Message::new("match-clock-warning")
        .text("time", left_in(time, words))
        .said(words)
}

/// What a player has left, with the periods that come after it: `4:10 + 3x30s`.
pub(crate) fn time_left(view: &MatchView, clocks: &Clocks, seat: Seat) -> String {
    let time = left_in(clocks.of(seat), view.words());
    let periods = clocks.periods.map_or(0, |periods| periods.of(seat));
    let control = view.referee().map(|referee| referee.clock_control());
    match control {
        Some(TimeControl::ByoYomi { period_ms, .. }) if periods > 0 => {
            format!("{time} + {periods}x{}", period(period_ms))
        }
        _ => time,
    }
}

/// Both clocks.
pub(crate) fn clock(view: &MatchView) -> String {
    let Some(clocks) = view.clocks() else {
        return view.words().say("match-no-clock");
    };
    let [first, second] = Seat::BOTH.map(|seat| time_left(view, &clocks, seat));
    let seat = match view.seat() {
        Some(Seat::First) => "first",
        Some(Seat::Second) => "second",
        None => "none",
    };
    Message::new("match-clocks")
        .text("seat", seat)
        .text("name", view.name(Seat::First))
        .text("other", view.name(Seat::Second))
        .text("first", first)
        .text("second", second)
        .said(view.words())
}

/// A move that may be typed, for the first screen.
pub(crate) fn invitation_to_move(view: &MatchView) -> String {
    let example = view.referee().and_then(|referee| {
        let position = referee.position();
        position.nth_move(referee.to_move(), 0)
    });
    let message = match example {
        Some(mv) => Message::new("match-type").text("move", short(&mv.to_string())),
        None => Message::new("match-type-any"),
    };
    message.text("words", words(view)).said(view.words())
}

/// The words that can be typed besides a move, as the match stands.
pub(crate) fn words(view: &MatchView) -> String {
    let moves = view.referee().map_or(0, |referee| referee.ply().0);
    let ending = match view.status() {
        Status::Waiting => "abort, ",
        Status::Live if moves < ABORTABLE => "resign, abort, ",
        Status::Live => "resign, ",
        Status::Over => "review, learn, ",
    };
    let hints = match view.no_hints() {
        None => "hint, why, ",
        Some(_) => "",
    };
    let undo = match (view.is_local(), view.clocks().is_some()) {
        (true, true) => "",
        (true, false) => "undo, ",
        // Who is to move takes back the other player's answer, too.
        (false, _) if moves < 1 + u32::from(view.is_our_turn()) || in_tournament(view) => "",
        (false, _) => "undo, ",
    };
    let agrees = view.status() == Status::Live && !in_tournament(view);
    let pause = if agrees && view.clocks().is_some() {
        match view.is_local() || view.referee().is_some_and(|referee| referee.is_rated()) {
            true => "pause, ",
            false => "pause, adjourn, ",
        }
    } else {
        ""
    };
    let draw = match view.position() {
        Some(position) if agrees && position.kind() == Kind::Loopy => "draw, ",
        _ => "",
    };
    let claim = match view.claim_in() {
        Some(Millis(0)) => "claim, ",
        _ => "",
    };
    let ahead = match view.status() {
        Status::Live if !view.is_our_turn() && plans(view) => "pre MOVE, if A-1 B-2, ",
        Status::Live if !view.is_our_turn() => "pre MOVE, ",
        _ => "",
    };
    let talk = if view.is_shared() { "say TEXT, " } else { "" };
    format!("help, moves, board, {ahead}{hints}{undo}clock, {pause}{draw}{claim}{talk}{ending}quit")
}

/// Whether replies can be planned with the server.
fn plans(view: &MatchView) -> bool {
    let slow = view.referee().is_some_and(|referee| referee.is_slow());
    slow && !view.is_local() && !in_tournament(view)
}

fn in_tournament(view: &MatchView) -> bool {
    view.referee()
        .is_some_and(|referee| referee.tournament().is_some())
}
