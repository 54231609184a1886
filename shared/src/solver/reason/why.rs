//! Why a position is won or lost: the facts of the theory that decides it.

use super::{compounds, sums};
use crate::fact::Fact;
use crate::ids::Seat;
use crate::position::Position;
use crate::solver::compound::Compounded;
use crate::solver::joint::Joint;
use crate::theory::Meter;

/// The facts that decide a position, as many as the budget allows.
pub(super) fn facts(position: &Position, to_move: Seat, meter: &mut Meter<'_>) -> Vec<Fact> {
    if position.is_over(to_move) {
        return vec![Fact::Over {}];
    }
    match Compounded::new(position, 0) {
        Some(compounded) => compounds::facts(position, compounded, meter),
        None if Joint::is_searched(position) => vec![sums::searched(position, to_move, meter)],
        None => sums::facts(position, to_move, meter),
    }
}
