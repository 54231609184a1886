//! The review of a match: marks, turning points, chances kept and bits found, and why each missed win was one.
//!
//! One [`Review`] is computed from a match, and both the text and the JSON print it, so they cannot disagree. Every fact is exact or
//! reported as unknown; a move beyond the budget has no mark. Each decision counts by how hard it was: with `m`
//! legal moves of which `W` win, finding one is worth log2(m/W) bits, so forced moves weigh nothing.

mod analysis;
mod beginner;
mod column;
mod curve;
mod graph;
mod mark;
mod reading;
mod stored;
mod summary;
mod svg;
mod text;
mod timeline;
mod traps;
mod turning_point;

use serde::{Deserialize, Serialize};

pub use analysis::mistakes;
pub(crate) use column::cut;
pub use curve::{Curve, CurvePoint};
pub use graph::{Rope, value_bars};
pub use mark::Mark;
pub use stored::{BadStoredReview, Page, StoredReview};
pub use summary::{MarkCounts, Resistance, Summaries, Summary};
pub use svg::PictureWords;
pub use text::{Figures, span};
pub use timeline::NAMED_MOVES;
pub use traps::{TRAP_MOVES, TRAP_POSITIONS, TrapsUnknown};
pub use turning_point::TurningPoint;

use crate::event::{EndReason, Outcome, PlayerInfo, TimeControl};
use crate::ids::{Millis, Ply, Seat};
use crate::json::{exact_option, wide_option};
use crate::record::notes::{Note, Notes};
use crate::solver::VERSION;

/// The form of the JSON.
pub const SCHEMA: &str = "grundy/review/2";
/// Turning points that are explained in full; the last ones, since the decisive one is there.
pub const EXPLAINED: usize = 8;

/// The analysis of one match, finished or not.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Review {
    /// Always [`SCHEMA`].
    pub schema: String,
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
    /// Moves from lost positions whose trap rates were not compared.
    pub traps_unknown: u32,
    /// Why not: how many of these moves for each cause.
    pub traps_unknown_why: TrapsUnknown,
    /// Whether the time ended before all was looked at: with more time, there may be more in it.
    pub cut_off: bool,
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

    /// Whether a larger budget could add nothing: the winner and the length of each position are known, and every comparison and reason that a review
    /// of this match has. A match with drawn positions has no lengths there.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let known = |ply: &PlyReview| match ply.wins {
            None => false,
            Some(wins) => wins.winner().is_none() || ply.left.is_some(),
        };
        let explained = self.turning_points.iter().rev().take(EXPLAINED);
        // A server leaves moves out that do not fit a message.
        let names_moves = |point: &TurningPoint| point.drawn || !point.winning_moves.is_empty();
        !self.cut_off
            && self.traps_unknown_why.budget == 0
            && self.plies.iter().all(known)
            && explained.into_iter().all(|point| point.why.is_some())
            && self.turning_points.iter().all(names_moves)
    }

    /// Whether a player could force a win at any time, as far as is known.
    #[must_use]
    pub fn had_a_win(&self) -> bool {
        let mut wins = self.plies.iter().filter_map(|ply| ply.wins);
        wins.any(|wins| wins.winner().is_some())
    }
}

/// One ply: the decision, and the position after it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
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
    /// What finding a winning move was worth, log2(m/W); `null` where there was no win to keep, or unknown.
    #[serde(deserialize_with = "exact_option")]
    pub bits_offered: Option<f64>,
    /// The same if the win was kept, 0 if not.
    #[serde(deserialize_with = "exact_option")]
    pub bits_found: Option<f64>,
    /// The share of the opponent's replies that throw the win back, for a move from a lost position.
    #[serde(deserialize_with = "exact_option")]
    pub trap_rate: Option<f64>,
    /// The highest such share of any move that there was.
    #[serde(deserialize_with = "exact_option")]
    pub best_trap_rate: Option<f64>,
    /// Who wins after it with best play; `null` when unknown.
    pub wins: Option<Outcome>,
    /// Plies left after it with best play: the winner hurries, the loser delays; `null` when unknown.
    #[serde(with = "wide_option")]
    pub left: Option<u64>,
    /// The Grundy value after it; `null` when unknown, and in misere play.
    #[serde(with = "wide_option")]
    pub nim_value: Option<u64>,
    /// The value of the position after it, if that is partizan and the value is a number: `35/8`.
    pub value: Option<String>,
    /// The methods that were tried, where it is unknown who wins.
    pub tried: Option<String>,
    /// Time left to the mover; `null` when untimed.
    pub clock_ms: Option<Millis>,
    /// Time that the move took: by the clock if that is a Fischer clock, otherwise since the move before it was received;
    /// `null` for the start, for a first move without such a clock, and where all happened at one time, as in a list of moves that was typed.
    pub spent_ms: Option<Millis>,
    /// How often the mover asked the program for a hint or a reason before it, as the player's client says; left out if never.
    #[serde(default, skip_serializing_if = "is_no_hint")]
    pub hints: u32,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_no_hint(hints: &u32) -> bool {
    *hints == 0
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

    /// The marks, with the best moves and the reasons of turning points, as notes after a record.
    #[must_use]
    pub fn notes(&self) -> Notes {
        let mut points = self.turning_points.iter().peekable();
        let marked = self
            .plies
            .iter()
            .filter_map(|ply| Some((ply.ply, ply.mark?)));
        let notes = marked.map(|(ply, mark)| {
            let point = points.next_if(|point| point.ply == ply);
            let why = point.and_then(|point| point.why.as_ref());
            Note {
                ply,
                mark: mark.as_str().to_owned(),
                best: point.map_or(Vec::new(), |point| point.winning_moves.clone()),
                why: why.map_or(Vec::new(), |why| why.lines.clone()),
            }
        });
        Notes {
            solver: VERSION,
            notes: notes.collect(),
        }
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
