//! Who makes the moves: a program or a built-in bot, the same for a game.

use std::time::Duration;

use grundy_shared::ids::Seat;
use grundy_shared::{Move, Position};

use super::cause::Cause;
use crate::bot::request::{NewGame, Pace};

/// What a player is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn<'g> {
    pub(crate) position: &'g Position,
    pub(crate) seat: Seat,
    /// The opponent's last move.
    pub(crate) last: Option<&'g str>,
    pub(crate) pace: Pace,
    /// What the player has left for this move or for the game, and what the opponent has.
    pub(crate) left: [Duration; 2],
    /// What it may take beyond that without losing.
    pub(crate) margin: Duration,
}

/// What a player does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    Move(Move),
    Resign,
}

/// Why a player does nothing, or nothing legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    pub(crate) cause: Cause,
    pub(crate) detail: String,
}

impl Fault {
    pub(crate) fn new(cause: Cause, detail: impl Into<String>) -> Self {
        Self {
            cause,
            detail: detail.into(),
        }
    }
}

/// One who can play game after game.
pub(crate) trait Player: Send {
    /// A game begins.
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), Fault>;

    /// Chooses a move. The time that it takes is measured by the player, from the request to the whole answer.
    fn choose(&mut self, turn: &Turn<'_>) -> (Result<Choice, Fault>, Duration);

    /// The game is over: `win`, `loss`, `draw` or `void`, and why.
    fn result(&mut self, game: u64, outcome: &str, reason: &str);

    /// Whether it can play another game.
    fn is_usable(&mut self) -> bool;

    /// Is not needed any more.
    fn quit(self: Box<Self>);
}
