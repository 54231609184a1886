//! The comparison of moves from lost positions, within its bounds.

use super::mark::TrapRate;
use super::timeline::{FIRST_LOOK, Moment};
use super::{TRAP_MOVES, TRAP_POSITIONS};
use crate::ids::Seat;
use crate::position::Position;
use crate::solver::{Budget, count, winning_moves};

/// The comparisons that are left for this review.
pub(super) struct Traps<'a> {
    positions_left: u32,
    budget: Budget<'a>,
}

impl<'a> Traps<'a> {
    pub(super) fn new(budget: &Budget<'a>) -> Self {
        Self {
            positions_left: TRAP_POSITIONS,
            budget: Budget {
                nodes: budget.nodes.min(FIRST_LOOK),
                ..*budget
            },
        }
    }

    /// The trap rate of the move that led from one moment to the other, and the highest that a move could have had
    /// there; `None` when that is too much to find out.
    pub(super) fn of(
        &mut self,
        position: &Position,
        before: &Moment,
        now: &Moment,
    ) -> Option<(TrapRate, TrapRate)> {
        if before.legal > TRAP_MOVES || before.legal > u128::from(self.positions_left) {
            return None;
        }
        let made = TrapRate::new(count(now.legal)?, now.winning_moves()?);
        let mut best = made;
        for mv in position.moves(before.to_move) {
            if (self.budget.stop)() {
                return None;
            }
            self.positions_left -= 1;
            let next = position.play(&mv);
            let other = self.rate(&next, now.to_move)?;
            if best.is_below(other) {
                best = other;
            }
        }
        Some((made, best))
    }

    /// The number of replies in this position that throw the win back.
    fn rate(&self, position: &Position, to_move: Seat) -> Option<TrapRate> {
        let replies = count(position.move_count(to_move))?;
        let winning = winning_moves(position, to_move, &self.budget, 0)?;
        Some(TrapRate::new(replies, count(winning.total)?))
    }
}
