//! A program as a player.

use std::time::{Duration, Instant};

use super::cause::Cause;
use super::player::{Choice, Fault, Player, Turn};
use crate::bot::escape::quoted;
use crate::bot::request::{Go, NewGame};
use crate::bot::stdio::{Answer, Late, StdioBot, Trouble};

/// A bot over stdin and stdout.
#[derive(Debug)]
pub(crate) struct Program {
    bot: StdioBot,
    latency: Duration,
    /// Whether its process is fit for another game.
    usable: bool,
    /// Whether it is started anew for every game.
    restarts: bool,
}

impl Program {
    pub(crate) fn new(bot: StdioBot, restarts: bool) -> Self {
        Self {
            bot,
            latency: Duration::ZERO,
            usable: true,
            restarts,
        }
    }

    /// Whose fault it is, and whether the process can be kept.
    fn fault(&mut self, trouble: &Trouble, go: &Go<'_>) -> Fault {
        let fault = match trouble {
            Trouble::NoCommand(_) | Trouble::Crash(_) => Fault::new(Cause::Crash, trouble.words()),
            Trouble::Malformed(_) => Fault::new(Cause::Malformed, trouble.words()),
            Trouble::Silent(_) => match self.bot.comes_late(go) {
                Late::Answered => {
                    return Fault::new(Cause::Time, "the answer came after the time was up");
                }
                Late::Asked => {
                    let why = "the time was up before it had answered: it still asked for the legal moves";
                    Fault::new(Cause::Time, why)
                }
                Late::Silent => Fault::new(Cause::Stall, trouble.words()),
            },
        };
        self.give_up();
        fault
    }

    /// The process is of no use any more. It is ended now, so that the record has the whole time that it cost.
    fn give_up(&mut self) {
        self.usable = false;
        self.bot.kill();
    }
}

impl Player for Program {
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), Fault> {
        self.latency = Duration::ZERO;
        self.bot.new_game(game).map_err(|trouble| {
            self.give_up();
            let cause = match trouble {
                Trouble::NoCommand(_) | Trouble::Crash(_) => Cause::Crash,
                Trouble::Malformed(_) => Cause::Malformed,
                Trouble::Silent(_) => Cause::NotReady,
            };
            Fault::new(cause, trouble.words())
        })
    }

    fn choose(&mut self, turn: &Turn<'_>) -> (Result<Choice, Fault>, Duration) {
        let id = self.bot.next_id();
        let go = Go {
            id,
            position: turn.position,
            seat: turn.seat,
            last: turn.last,
            pace: turn.pace,
            left: turn.left,
            latency: self.latency,
        };
        let begun = Instant::now();
        let answer = self.bot.ask(&go, begun + turn.left[0] + turn.margin);
        let took = begun.elapsed();
        self.latency = took;
        let choice = match answer {
            Ok(Answer::Resign) => Ok(Choice::Resign),
            Ok(Answer::Move(text)) => match turn.position.parse_move(turn.seat, &text) {
                Ok(mv) => Ok(Choice::Move(mv)),
                Err(error) => Err(Fault::new(
                    Cause::Illegal,
                    format!("'{}': {error}", quoted(text.as_bytes())),
                )),
            },
            Err(trouble) => Err(self.fault(&trouble, &go)),
        };
        (choice, took)
    }

    fn result(&mut self, game: u64, outcome: &str, reason: &str) {
        if self.usable {
            self.bot.result(game, outcome, reason);
        }
    }

    fn is_usable(&mut self) -> bool {
        self.usable && !self.restarts && !self.bot.has_ended()
    }

    fn quit(self: Box<Self>) {
        if self.usable {
            self.bot.quit();
        }
    }
}
