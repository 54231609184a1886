//! The review of a match: marks, turning points, chances kept and bits found, and why each missed win was one.
//!
//! One [`Review`] is computed from a match, and both the text and the JSON print it, so they cannot disagree. Every fact is exact or
//! reported as unknown; a move beyond the budget has no mark. Each decision counts by how hard it was: with `m`
//! legal moves of which `W` win, finding one is worth log2(m/W) bits, so forced moves weigh nothing.

mod analysis;
mod beginner;
mod column;
mod graph;
mod mark;
mod moment;
mod text;
mod traps;

use serde::Serialize;

pub use analysis::mistakes;
pub use mark::Mark;

use crate::event::{EndReason, Outcome, PlayerInfo, TimeControl};
use crate::ids::{Millis, Ply, Seat};
use crate::solver::wide;

/// The form of the JSON.
pub const SCHEMA: &str = "grundy/review/1";
/// Moves of a lost position whose trap rates are compared: where there are more, no move gets `?!` or `!?`.
pub const TRAP_MOVES: u128 = 512;
/// Replies looked at for trap rates in one review; the lost positions after that get no `?!` or `!?`.
pub const TRAP_POSITIONS: u32 = 20_000;
/// Turning points that are explained in full; the last ones, since the decisive one is there.
pub const EXPLAINED: usize = 8;
/// Winning moves that are named at a turning point.
pub const NAMED_MOVES: usize = 4;

/// The analysis of one match, finished or not.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Review {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// The names of the games.
    pub rules: String,
    /// Whether the last move loses.
    pub misere: bool,
    /// The start position, canonical.
    pub start: String,
    /// Who moved first; `null` if the seat stayed free.
    pub first: Option<PlayerInfo>,
    /// Who moved second.
    pub second: Option<PlayerInfo>,
    /// The clocks.
    pub clock: TimeControl,
    /// When the match was created.
    pub created_at_ms: Millis,
    /// Who won; `null` while the match goes on.
    pub outcome: Option<Outcome>,
    /// How.
    pub reason: Option<EndReason>,
    /// How many moves were made.
    pub plies_total: u32,
    /// The start and each move, with what held afterwards: the entry of ply 0 is the start.
    pub plies: Vec<PlyReview>,
    /// The moves that gave a win away, in order.
    pub turning_points: Vec<TurningPoint>,
    /// The ply of the last turning point, if the loser of the match made it: the match was lost there. `null` when the match has no
    /// winner yet, or the winner gave the last win away and the loser resigned or lost on time with it.
    pub decisive_ply: Option<Ply>,
    /// How each player used the chances.
    pub summary: Summaries,
    /// Positions whose outcome was not found within the budget.
    pub unknown_positions: u32,
    /// Moves from lost positions whose trap rates were not compared, because of [`TRAP_MOVES`], [`TRAP_POSITIONS`] or the budget.
    pub traps_unknown: u32,
}

impl Review {
    /// Who lost the match in a position that was won for them, by giving up or on time. Only a review with its last ply tells it.
    #[must_use]
    pub fn conceded(&self) -> Option<Seat> {
        let last = self
            .plies
            .last()
            .filter(|last| last.ply.0 == self.plies_total);
        let held = last?.wins?.winner()?;
        let won = self.outcome?.winner()?;
        (held != won).then_some(held)
    }

    /// Whether a player could force a win at any time, as far as is known.
    #[must_use]
    pub fn had_a_win(&self) -> bool {
        let mut wins = self.plies.iter().filter_map(|ply| ply.wins);
        wins.any(|wins| wins.winner().is_some())
    }
}

/// One ply: the decision, and the position after it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlyReview {
    /// The number of the move; 0 for the start.
    pub ply: Ply,
    /// Who moved; `null` for the start.
    pub seat: Option<Seat>,
    /// The move, canonical; `null` for the start.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Its mark.
    pub mark: Option<Mark>,
    /// How many moves there were to choose from; `null` for the start and above 2^53-1.
    pub legal_moves: Option<u64>,
    /// How many of them kept a win: 0 when there was none; `null` for the start and when unknown.
    pub winning_moves: Option<u64>,
    /// The share of the opponent's replies that throw the win back, for a move from a lost position.
    pub trap_rate: Option<f64>,
    /// Who wins after it with best play; `null` when unknown.
    pub wins: Option<Outcome>,
    /// Plies left after it with best play: the winner hurries, the loser delays; `null` when unknown.
    #[serde(serialize_with = "wide")]
    pub left: Option<u64>,
    /// The Grundy value after it; `null` when unknown, and in misere play.
    #[serde(serialize_with = "wide")]
    pub nim_value: Option<u64>,
    /// The value of the position after it, if that is partizan and the value is a number: `35/8`.
    pub value: Option<String>,
    /// Time left to the mover; `null` when untimed.
    pub clock_ms: Option<Millis>,
}

/// A win that was given away.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TurningPoint {
    /// The number of the move.
    pub ply: Ply,
    /// Who moved.
    pub seat: Seat,
    /// The move, canonical.
    #[serde(rename = "move")]
    pub mv: String,
    /// The first moves that would have kept the win, at most [`NAMED_MOVES`].
    pub winning_moves: Vec<String>,
    /// How many there were; `null` when unknown or above 2^53-1.
    pub winning_moves_total: Option<u64>,
    /// How many moves there were to choose from; `null` above 2^53-1.
    pub legal_moves: Option<u64>,
    /// Whether it was a draw that was given away, and not a win.
    pub drawn: bool,
    /// The Grundy value that the move left.
    #[serde(serialize_with = "wide")]
    pub left_value: Option<u64>,
    /// The opponent's next move, if it took the win.
    pub answer: Option<String>,
    /// The position before the move; `null` when its text is longer than 256 bytes.
    pub position: Option<String>,
    /// Why it was won, in the game's own terms, line by line; empty before the last [`EXPLAINED`] turning points.
    pub why: Vec<String>,
}

/// How the two players used their chances.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Summaries {
    /// The first player.
    pub first: Summary,
    /// The second player.
    pub second: Summary,
}

impl Summaries {
    /// Of this player.
    #[must_use]
    pub fn of(&self, seat: Seat) -> &Summary {
        match seat {
            Seat::First => &self.first,
            Seat::Second => &self.second,
        }
    }

    fn of_mut(&mut self, seat: Seat) -> &mut Summary {
        match seat {
            Seat::First => &mut self.first,
            Seat::Second => &mut self.second,
        }
    }
}

/// How one player used the chances.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    /// Moves made from a won position.
    pub chances: u32,
    /// Of these, how many kept the win.
    pub kept: u32,
    /// Chances of which it is not known how many moves kept the win: they have no bits.
    pub chances_without_bits: u32,
    /// log2(m/W) of all chances together.
    pub bits_offered: f64,
    /// log2(m/W) of the chances kept.
    pub bits_found: f64,
    /// How often each mark was given.
    pub marks: MarkCounts,
}

impl Summary {
    fn add_chance(&mut self, kept: bool, bits: Option<f64>) {
        self.chances += 1;
        self.kept += u32::from(kept);
        let Some(bits) = bits else {
            self.chances_without_bits += 1;
            return;
        };
        self.bits_offered += bits;
        if kept {
            self.bits_found += bits;
        }
    }
}

/// How often each mark was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct MarkCounts {
    #[serde(rename = "!!")]
    brilliant: u32,
    #[serde(rename = "!")]
    only_move: u32,
    #[serde(rename = "!?")]
    trap: u32,
    #[serde(rename = "?!")]
    soft: u32,
    #[serde(rename = "??")]
    blunder: u32,
    #[serde(rename = "[]")]
    forced: u32,
}

impl MarkCounts {
    /// How often this one was.
    #[must_use]
    pub fn of(&self, mark: Mark) -> u32 {
        match mark {
            Mark::Brilliant => self.brilliant,
            Mark::OnlyMove => self.only_move,
            Mark::Trap => self.trap,
            Mark::Soft => self.soft,
            Mark::Blunder => self.blunder,
            Mark::Forced => self.forced,
        }
    }

    fn add(&mut self, mark: Mark) {
        *match mark {
            Mark::Brilliant => &mut self.brilliant,
            Mark::OnlyMove => &mut self.only_move,
            Mark::Trap => &mut self.trap,
            Mark::Soft => &mut self.soft,
            Mark::Blunder => &mut self.blunder,
            Mark::Forced => &mut self.forced,
        } += 1;
    }
}

impl Review {
    /// Who sat there.
    #[must_use]
    pub fn player(&self, seat: Seat) -> Option<&PlayerInfo> {
        match seat {
            Seat::First => self.first.as_ref(),
            Seat::Second => self.second.as_ref(),
        }
    }

    /// How many wins this player gave away: the `??`.
    #[must_use]
    pub fn blunders(&self, seat: Seat) -> u32 {
        self.summary.of(seat).marks.of(Mark::Blunder)
    }

    /// The mark of each move in order, empty where there is none: what [`crate::record::Record::to_text`] takes.
    #[must_use]
    pub fn marks(&self) -> Vec<&'static str> {
        let moves = self.plies.iter().filter(|ply| ply.seat.is_some());
        moves.map(|ply| ply.mark.map_or("", Mark::as_str)).collect()
    }

    /// The same review with at most `count` plies after this one, and the turning points among them; the start belongs to the first
    /// page, and is asked for with `None`. The rest speaks of the whole match.
    #[must_use]
    pub fn page(&self, after: Option<Ply>, count: usize) -> Self {
        let from = after.map_or(0, |ply| ply.0 as usize + 1);
        let shown = |ply: Ply| (from..from.saturating_add(count)).contains(&(ply.0 as usize));
        let mut page = self.clone();
        page.plies.retain(|ply| shown(ply.ply));
        page.turning_points.retain(|point| shown(point.ply));
        page
    }
}
