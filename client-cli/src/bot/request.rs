//! What the runner says to a bot: one line each.

use std::fmt::Write as _;
use std::time::Duration;

use grundy_shared::Position;
use grundy_shared::ids::Seat;

use super::line::PROTOCOL;

/// How much time a player has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pace {
    /// So much for each move.
    PerMove(Duration),
    /// A stock of time for the game, and so much more after each move.
    Stock {
        /// At the start.
        base: Duration,
        /// After each move.
        increment: Duration,
    },
}

impl Pace {
    /// What a player has at the start of a game, or for its move.
    pub(crate) fn at_start(self) -> Duration {
        match self {
            Self::PerMove(time) => time,
            Self::Stock { base, .. } => base,
        }
    }
}

/// A game that begins, as one of its players sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewGame<'g> {
    /// Its number.
    pub(crate) game: u64,
    pub(crate) start: &'g str,
    pub(crate) seat: Seat,
    pub(crate) opponent: &'g str,
    pub(crate) pace: Pace,
    /// For a bot that draws random numbers: the same in every run.
    pub(crate) seed: u64,
}

/// A move that is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Go<'g> {
    pub(crate) id: u64,
    pub(crate) position: &'g Position,
    pub(crate) seat: Seat,
    /// The opponent's last move.
    pub(crate) last: Option<&'g str>,
    pub(crate) pace: Pace,
    /// What the bot has left, and what the opponent has.
    pub(crate) left: [Duration; 2],
    /// How long the bot's last answer took.
    pub(crate) latency: Duration,
}

/// `grundy protocol 1`
pub(crate) fn greeting(text: &mut String) {
    let _ = writeln!(text, "grundy protocol {PROTOCOL}");
}

/// `set NAME VALUE`
pub(crate) fn option(text: &mut String, name: &str, value: &str) {
    let _ = writeln!(text, "set {name} {value}");
}

impl NewGame<'_> {
    /// `new game 17 position nim:3,5,7 side first …`
    pub(crate) fn write(&self, text: &mut String) {
        let _ = write!(
            text,
            "new game {} position {} side {} opponent {} seed {}",
            self.game, self.start, self.seat, self.opponent, self.seed
        );
        let _ = match self.pace {
            Pace::PerMove(time) => writeln!(text, " movetime {}", time.as_millis()),
            Pace::Stock { base, increment } => writeln!(
                text,
                " time {} inc {}",
                base.as_millis(),
                increment.as_millis()
            ),
        };
    }
}

impl Go<'_> {
    /// `go id 3 position nim:3,0,7 side first …`
    pub(crate) fn write(&self, text: &mut String) {
        let _ = write!(
            text,
            "go id {} position {} side {}",
            self.id, self.position, self.seat
        );
        let [own, other] = self.left.map(|left| left.as_millis());
        let _ = match self.pace {
            Pace::PerMove(_) => write!(text, " movetime {own}"),
            Pace::Stock { increment, .. } => {
                write!(
                    text,
                    " time {own} opptime {other} inc {}",
                    increment.as_millis()
                )
            }
        };
        if let Some(last) = self.last {
            let _ = write!(text, " last {last}");
        }
        let _ = writeln!(text, " latency_us {}", self.latency.as_micros());
    }
}

/// `result game 17 outcome win reason last_move`
pub(crate) fn result(text: &mut String, game: u64, outcome: &str, reason: &str) {
    let _ = writeln!(text, "result game {game} outcome {outcome} reason {reason}");
}
