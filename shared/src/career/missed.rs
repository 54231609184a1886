//! Positions in which a player gave a win or a draw away, over all matches.

use serde::Serialize;

use super::bounded::{Bounded, TEXT_MAX};
use crate::event::Outcome;
use crate::ids::Seat;
use crate::position::Position;
use crate::review::{Mark, PlyReview, TurningPoint};

/// Positions that are kept. With their texts and moves they take at most some 50 MiB.
const POSITIONS_MAX: usize = 50_000;

/// Moves of a position that are compared with those that won where its heaps were in another order.
const MOVES_LOOKED_AT: usize = 2_000;

/// A position with a win or a draw to keep: its text, and who is to move where that matters.
type Key = (String, Option<Seat>);

#[derive(Clone, Debug, Default)]
struct Place {
    met: u64,
    missed: u64,
    drawn: bool,
    winning_moves: Vec<String>,
    winning_moves_total: Option<u64>,
}

/// The positions that the player was in with something to lose.
#[derive(Clone, Debug)]
pub(super) struct Missed(Bounded<Key, Place>);

impl Missed {
    pub(super) fn new() -> Self {
        Self(Bounded::new(POSITIONS_MAX))
    }

    /// Adds a move: what was known before it and after it, and the turning point if it was one.
    pub(super) fn add(
        &mut self,
        position: &Position,
        seat: Seat,
        before: &PlyReview,
        made: &PlyReview,
        point: Option<&TurningPoint>,
    ) {
        let something = matches!(before.wins, Some(Outcome::Draw))
            || before.wins == Some(Outcome::win_of(seat));
        if !something || made.mark == Some(Mark::Forced) {
            return;
        }
        // Positions that differ in the order of heaps are one.
        let arranged = position.arranged();
        let text = arranged.to_string();
        if text.len() > TEXT_MAX {
            self.0.leave_out();
            return;
        }
        // In games in which both have the same moves it does not matter who is to move.
        let to_move = position.has_sides().then_some(seat);
        let Some(place) = self.0.entry((text, to_move)) else {
            return;
        };
        place.met += 1;
        let Some(point) = point else {
            return;
        };
        place.missed += 1;
        place.drawn = point.drawn;
        if place.winning_moves.is_empty() {
            let moves = moves_in(&arranged, position, seat, &point.winning_moves);
            if moves.iter().map(String::len).sum::<usize>() <= TEXT_MAX {
                place.winning_moves = moves;
            }
        }
        place.winning_moves_total = point.winning_moves_total;
    }

    /// Moves from positions that were not kept.
    pub(super) fn left_out(&self) -> u64 {
        self.0.left_out()
    }

    /// The positions that were missed, those missed most often first; of two missed equally often, the one met less often.
    pub(super) fn rows(&self) -> Vec<MissedPosition> {
        let missed = self.0.iter().filter(|(_, place)| place.missed > 0);
        let row = |((position, to_move), place): (&Key, &Place)| MissedPosition {
            position: position.clone(),
            to_move: *to_move,
            missed: place.missed,
            met: place.met,
            drawn: place.drawn,
            winning_moves: place.winning_moves.clone(),
            winning_moves_total: place.winning_moves_total,
        };
        let mut rows: Vec<MissedPosition> = missed.map(row).collect();
        rows.sort_by_key(|row| (std::cmp::Reverse(row.missed), row.met));
        rows
    }
}

/// Moves of a position, as they are written where its heaps are in another order: as many of that one's first moves as lead to the same. A move that is not
/// among [`MOVES_LOOKED_AT`] is left out.
fn moves_in(arranged: &Position, position: &Position, seat: Seat, moves: &[String]) -> Vec<String> {
    if arranged == position {
        return moves.to_vec();
    }
    let read = moves
        .iter()
        .filter_map(|text| position.parse_move(seat, text).ok());
    let reached: Vec<Position> = read.map(|mv| position.play(&mv).arranged()).collect();
    let all = arranged.moves(seat).take(MOVES_LOOKED_AT);
    let same = all.filter(|mv| reached.contains(&arranged.play(mv).arranged()));
    same.take(moves.len()).map(|mv| mv.to_string()).collect()
}

/// A position in which the player gave a win or a draw away.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MissedPosition {
    /// The position before the move, canonical, as [`Position::arranged`] orders it.
    pub position: String,
    /// Who is to move; `null` where both players have the same moves.
    pub to_move: Option<Seat>,
    /// How often the player gave the win or the draw away here.
    pub missed: u64,
    /// How often the player had it here, with more than one move.
    pub met: u64,
    /// Whether it was a draw, and not a win.
    pub drawn: bool,
    /// The first moves that keep the win.
    pub winning_moves: Vec<String>,
    /// How many there are; `null` when unknown.
    pub winning_moves_total: Option<u64>,
}
