//! Why a position is won or lost: the facts of the theory that decides it.

use super::compounds;
use super::sums::{self, Found};
use crate::erased::Component;
use crate::fact::Fact;
use crate::ids::Seat;
use crate::position::Position;
use crate::solver::compound::Compounded;
use crate::solver::joint::Joint;
use crate::theory::Meter;

/// The facts that decide a position whose winner was found in this way, as many as the budget allows.
pub(super) fn facts(
    position: &Position,
    to_move: Seat,
    found: Found<'_>,
    meter: &mut Meter<'_>,
) -> Vec<Fact> {
    if position.is_over(to_move) {
        let components = position.sum.components().iter();
        let mut over = (1..).zip(components);
        let first = over.find(|(_, component)| component.move_count(to_move) == 0);
        let first = first.filter(|_| position.compound().is_short());
        let has_move = |component: &Component| component.move_count(to_move.other()) > 0;
        return vec![Fact::Over {
            component: first.map(|(number, _)| number),
            one_sided: first.is_some_and(|(_, component)| has_move(component)),
        }];
    }
    match Compounded::new(position, 0) {
        Some(compounded) => compounds::facts(position, compounded, found, meter),
        None if Joint::is_searched(position) => {
            let by_law = compounds::least_remoteness(position, to_move, meter);
            vec![by_law.unwrap_or_else(|| sums::decided(position, to_move, found, meter))]
        }
        None => sums::facts(position, to_move, found, meter),
    }
}
