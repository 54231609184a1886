//! A built-in bot as a player: no process, no pipe.

use std::time::{Duration, Instant};

use grundy_shared::bot::Bot;
use grundy_shared::solver::Budget;

use super::cause::Cause;
use super::player::{Choice, Fault, Player, Turn};
use super::seed::Chance;
use crate::bot::request::NewGame;

/// Work on one move, in nodes of the solver: some tens of milliseconds. A budget of work and not of time, so that the same seed gives
/// the same moves on a slow machine; the clock stops a move only if it would be lost.
const NODES: u64 = 1_000_000;
/// Memory for one move, in bytes.
const MEMORY_BYTES: u64 = 256 << 20;

/// A built-in bot with its random numbers.
#[derive(Debug)]
pub(crate) struct Builtin {
    bot: Bot,
    chance: Chance,
}

impl Builtin {
    pub(crate) fn new(bot: Bot) -> Self {
        Self {
            bot,
            chance: Chance::new(0),
        }
    }
}

impl Player for Builtin {
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), Fault> {
        self.chance = Chance::new(game.seed);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> (Result<Choice, Fault>, Duration) {
        let begun = Instant::now();
        let most = turn.left[0] / 10 * 9;
        let budget = Budget {
            nodes: NODES,
            memory_bytes: MEMORY_BYTES,
            stop: &|| begun.elapsed() >= most,
        };
        let chance = &mut self.chance;
        let chosen = self
            .bot
            .choose(turn.position, turn.seat, &budget, &mut || chance.bits());
        let answer = match chosen {
            Some(mv) => Ok(Choice::Move(mv)),
            None => Err(Fault::new(Cause::Illegal, "there is no move")),
        };
        (answer, begun.elapsed())
    }

    fn result(&mut self, _game: u64, _outcome: &str, _reason: &str) {}

    fn is_usable(&mut self) -> bool {
        true
    }

    fn quit(self: Box<Self>) {}
}
