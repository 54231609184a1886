//! In which matches the solver may help a player.

use crate::bot::Bot;
use crate::event::PlayerInfo;
use crate::ids::Seat;
use crate::referee::Referee;

/// Why there are no hints in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoHints {
    /// The opponent is no built-in bot.
    Opponent,
    /// It is a tournament's.
    Tournament,
}

/// Why the player of this seat gets no hints; `None` if there are hints: against a built-in bot, outside tournaments.
#[must_use]
pub fn no_hints(referee: &Referee, seat: Seat) -> Option<NoHints> {
    if referee.tournament().is_some() {
        return Some(NoHints::Tournament);
    }
    let is_builtin = |player: &PlayerInfo| player.bot && player.name.parse::<Bot>().is_ok();
    let helps = referee.player(seat.other()).is_some_and(is_builtin);
    (!helps).then_some(NoHints::Opponent)
}
