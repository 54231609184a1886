//! Whose turn it is, what the clocks say, and what can be typed.

use grundy_shared::event::{Clocks, TimeControl};
use grundy_shared::game::Kind;
use grundy_shared::ids::{Millis, Seat};
use grundy_shared::referee::Status;

use super::position::describe;
use crate::duration::{left, period};
use crate::render::{count, short};
use crate::session::match_view::MatchView;

/// Moves after which a match cannot be called off any more.
const ABORTABLE: u32 = 2;

/// The position, and whose turn it is.
pub(crate) fn state(view: &MatchView) -> String {
    let position = view.position().map_or(String::new(), describe);
    match view.is_over() {
        true => position,
        false => format!("{position} {}", turn_in_full(view)),
    }
}

/// Whose turn it is, and what the clock says.
pub(crate) fn turn(view: &MatchView) -> String {
    let Some(referee) = view.referee() else {
        return String::new();
    };
    let seat = referee.to_move();
    let time = view.clocks().map_or(String::new(), |clocks| {
        format!(", {} left", time_left(view, &clocks, seat))
    });
    if view.seat() == Some(seat) {
        format!("Your move{time}.")
    } else {
        format!("{} is to move{time}.", view.name(seat))
    }
}

/// The same, and by when the match has to begin.
pub(crate) fn turn_in_full(view: &MatchView) -> String {
    let whose = turn(view);
    match view.first_move_in() {
        Some(left) => {
            let left = count(left.0.div_ceil(1_000), "second");
            format!("{whose} If no move is made within {left}, the match is called off.")
        }
        None => whose,
    }
}

/// The time left on the prompt; a sign when it is short.
pub(crate) fn clock_on_prompt(time: Millis) -> String {
    let sign = if time.0 <= 10_000 { "! " } else { "" };
    format!("{sign}{}", left(time))
}

/// Little time is left.
pub(crate) fn clock_warning(time: Millis) -> String {
    format!("You have {} left.", left(time))
}

/// What a player has left, with the periods that come after it: `4:10 + 3x30s`.
pub(crate) fn time_left(view: &MatchView, clocks: &Clocks, seat: Seat) -> String {
    let time = left(clocks.of(seat));
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
        return "This match has no clock.".to_owned();
    };
    let of = |seat: Seat, you: &str| {
        let name = match view.seat() == Some(seat) {
            true => you.to_owned(),
            false => view.name(seat),
        };
        format!("{name} {}", time_left(view, &clocks, seat))
    };
    format!("{}, {}.", of(Seat::First, "You"), of(Seat::Second, "you"))
}

/// A move that may be typed, for the first screen.
pub(crate) fn invitation_to_move(view: &MatchView) -> String {
    let example = view.referee().and_then(|referee| {
        let position = referee.position();
        position.nth_move(referee.to_move(), 0)
    });
    let example = example.map_or_else(String::new, |mv| {
        format!(" such as {}", short(&mv.to_string()))
    });
    format!("Type a move{example}, or: {}.", words(view))
}

/// The words that can be typed besides a move, as the match stands.
pub(crate) fn words(view: &MatchView) -> String {
    let moves = view.referee().map_or(0, |referee| referee.ply().0);
    let ending = match view.status() {
        Status::Waiting => "abort, ",
        Status::Live if moves < ABORTABLE => "resign, abort, ",
        Status::Live => "resign, ",
        Status::Over => "",
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
