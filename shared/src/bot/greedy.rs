//! A bot that looks one move ahead and counts.

use super::chance::{Bits, Pick};
use super::some_moves::spread_moves;
use super::strategy::Strategy;
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::Budget;

/// Moves that are looked at; of more, so many spread evenly over the list.
const LOOKED_AT: u128 = 1_024;

/// Leaves the opponent the fewest moves, as a beginner does who takes as much as possible. It ends the game if that wins and,
/// unless forced, does not if that loses.
#[derive(Debug)]
pub(super) struct Greedy;

impl Strategy for Greedy {
    fn name(&self) -> String {
        "greedy".to_owned()
    }

    fn choose(
        &self,
        position: &Position,
        to_move: Seat,
        budget: &Budget<'_>,
        random: Bits<'_>,
    ) -> Option<Move> {
        let mut pick = Pick::new();
        for (at, mv) in spread_moves(position, to_move, LOOKED_AT)
            .into_iter()
            .enumerate()
        {
            if at > 0 && (budget.stop)() {
                break;
            }
            let after = position.play(&mv);
            let left = match after.winner_if_over(to_move.other()) {
                Some(winner) if winner == to_move => 0,
                Some(_) => u128::MAX,
                None => after.move_count(to_move.other()),
            };
            pick.offer(left, mv, random);
        }
        pick.into_best()
    }
}
