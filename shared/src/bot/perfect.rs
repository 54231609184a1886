//! The two ends of the scale: a bot that sees every win, and one that sees nothing.

use super::chance::{Bits, below};
use super::some_moves::any_move;
use super::strategy::{LISTED_WINS, Strategy};
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::{Budget, best_moves};
use crate::theory::{Meter, MoveList};

/// Any winning move, all equally likely; from a lost position any move. If play can cycle, the quickest wins, and in a draw
/// the moves that keep it.
#[derive(Debug)]
pub(super) struct Perfect;

impl Strategy for Perfect {
    fn name(&self) -> String {
        "perfect".to_owned()
    }

    fn choose(
        &self,
        position: &Position,
        to_move: Seat,
        budget: &Budget<'_>,
        random: Bits<'_>,
    ) -> Option<Move> {
        let best = best(position, to_move, &mut budget.meter());
        best.and_then(|best| one_of(best, random))
            .or_else(|| any_move(position, to_move, random))
    }
}

/// The best moves, the first [`LISTED_WINS`] of them; `None` when the budget does not suffice.
pub(super) fn best(
    position: &Position,
    to_move: Seat,
    meter: &mut Meter<'_>,
) -> Option<MoveList<Move>> {
    best_moves(position, to_move, meter, LISTED_WINS)
}

/// One of the moves listed, all equally likely.
pub(super) fn one_of(replies: MoveList<Move>, random: Bits<'_>) -> Option<Move> {
    let mut moves = replies.first;
    if moves.is_empty() {
        return None;
    }
    let chosen = below(moves.len() as u128, random) as usize;
    Some(moves.swap_remove(chosen))
}

/// Any legal move, all equally likely.
#[derive(Debug)]
pub(super) struct Random;

impl Strategy for Random {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn choose(
        &self,
        position: &Position,
        to_move: Seat,
        _budget: &Budget<'_>,
        random: Bits<'_>,
    ) -> Option<Move> {
        any_move(position, to_move, random)
    }
}
