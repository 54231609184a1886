//! The comparison of moves from lost positions, within its bounds.

use serde::{Deserialize, Serialize};

use super::mark::TrapRate;
use super::timeline::{FIRST_LOOK, Moment};
use crate::ids::Seat;
use crate::position::Position;
use crate::solver::{Budget, count, winning_moves};

/// Moves of a lost position whose trap rates are compared: where there are more, no move gets `?!` or `!?`.
pub const TRAP_MOVES: u128 = 512;
/// Replies looked at for trap rates in one review; the lost positions after that get no `?!` or `!?`.
pub const TRAP_POSITIONS: u32 = 20_000;

/// Moves from lost positions whose trap rates were not compared, by the cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TrapsUnknown {
    /// There were too many alternatives: over [`TRAP_MOVES`] of them, or over [`TRAP_POSITIONS`] with those of the moves before.
    pub alternatives: u32,
    /// An alternative was too hard: it was not solved by a first look, which is all that each gets.
    pub hard: u32,
    /// The budget of the review was used up.
    pub budget: u32,
}

/// Why a move was not compared with its alternatives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Uncompared {
    /// There were too many.
    Alternatives,
    /// One was too hard.
    Hard,
    /// The budget was used up.
    Budget,
}

impl TrapsUnknown {
    pub(super) fn add(&mut self, why: Uncompared) {
        *match why {
            Uncompared::Alternatives => &mut self.alternatives,
            Uncompared::Hard => &mut self.hard,
            Uncompared::Budget => &mut self.budget,
        } += 1;
    }
}

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
    /// there. An error says why that is not known.
    pub(super) fn of(
        &mut self,
        position: &Position,
        before: &Moment,
        now: &Moment,
    ) -> Result<(TrapRate, TrapRate), Uncompared> {
        if before.legal > TRAP_MOVES || before.legal > u128::from(self.positions_left) {
            return Err(Uncompared::Alternatives);
        }
        let made = count(now.legal).zip(now.winning_moves());
        let (replies, winning) = made.ok_or_else(|| self.unsolved())?;
        let made = TrapRate::new(replies, winning);
        let mut best = made;
        for mv in position.moves(before.to_move) {
            if (self.budget.stop)() {
                return Err(Uncompared::Budget);
            }
            self.positions_left -= 1;
            let next = position.play(&mv);
            let other = self.rate(&next, now.to_move);
            let other = other.ok_or_else(|| self.unsolved())?;
            if best.is_below(other) {
                best = other;
            }
        }
        Ok((made, best))
    }

    /// Why a position was not solved.
    fn unsolved(&self) -> Uncompared {
        match self.budget.nodes < FIRST_LOOK || (self.budget.stop)() {
            true => Uncompared::Budget,
            false => Uncompared::Hard,
        }
    }

    /// The number of replies in this position that throw the win back.
    fn rate(&self, position: &Position, to_move: Seat) -> Option<TrapRate> {
        let replies = count(position.move_count(to_move))?;
        let winning = winning_moves(position, to_move, &self.budget, 0)?;
        Some(TrapRate::new(replies, count(winning.total)?))
    }
}
