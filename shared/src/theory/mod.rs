//! The mathematics, knowing no game: budgets of work, sums of values, tables and their periods.

pub mod bit_board;
pub mod breaks;
pub mod cache;
pub mod canonical_forms;
pub mod chomp_table;
pub mod coins;
pub mod compound;
pub mod dyadic;
pub mod euclid;
pub mod fibonacci;
pub mod fickle;
pub mod foreclosed;
pub mod fusion;
pub mod goal;
pub mod golden;
pub mod graph;
pub mod heap_values;
pub mod lasker;
pub mod loopy;
pub mod matching;
pub mod merging;
pub mod meter;
pub mod misere_heaps;
pub mod moore;
pub mod move_list;
pub mod odious;
pub mod partitions;
pub mod period;
pub mod queen;
pub mod queen_levels;
pub mod quotient;
mod sparse;
pub mod stairs;
pub mod standing;
pub mod subtraction;
pub mod suspense;
pub mod take_and_break;
pub mod tally;
pub mod transpositions;
pub mod turns;
pub mod welter;

pub use bit_board::{BitBoard, BitMove};
pub use canonical_forms::{CanonicalForm, CanonicalForms};
pub use dyadic::Dyadic;
pub use goal::Goal;
pub use loopy::LoopyValue;
pub use meter::{Meter, Stopped};
pub use move_list::MoveList;
pub use tally::Tally;

/// The least number that is not in the list: O(length).
#[must_use]
pub fn mex(values: &[u64]) -> u64 {
    let mut seen = vec![false; values.len() + 1];
    for value in values {
        let place = usize::try_from(*value).ok();
        if let Some(place) = place.and_then(|place| seen.get_mut(place)) {
            *place = true;
        }
    }
    let free = seen.iter().position(|seen| !seen);
    free.map_or(values.len() as u64, |index| index as u64)
}
