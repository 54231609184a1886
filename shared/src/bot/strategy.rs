//! What a built-in player is: a way of choosing moves.

use std::fmt;

use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::Budget;

/// Winning moves that a bot chooses among; if there are more, the first ones.
pub(super) const LISTED_WINS: usize = 1_000;

/// How a built-in player chooses its moves.
pub trait Strategy: fmt::Debug + Send + Sync {
    /// The name of the player, which reads back as the same player.
    fn name(&self) -> String;

    /// A legal move; `None` when there is none. It answers within the budget: where that does not suffice to know better, any
    /// legal move is equally likely. `random` gives 64 random bits at each call.
    fn choose(
        &self,
        position: &Position,
        to_move: Seat,
        budget: &Budget<'_>,
        random: &mut dyn FnMut() -> u64,
    ) -> Option<Move>;
}
