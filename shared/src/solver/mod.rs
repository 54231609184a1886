//! The verdict: outcome, value, winning moves and remoteness of a position, and the reason for it.
//!
//! Closed forms and tables first, exhaustive search last, `unknown` when the budget is used up: never a guess.

mod answers;
mod bounds;
mod certify;
mod choices;
mod component_value;
mod compound;
mod compound_table;
mod conjunctive;
mod dense;
mod explain;
mod graph;
mod joint;
mod lengths;
mod line;
mod loopy;
mod misere;
mod part_interner;
mod partizan;
mod partizan_verdict;
mod reached_parts;
mod reason;
mod remoteness;
mod search;
mod solution;
mod state_interner;
mod sum_solver;
mod together;
mod tried;
mod turning;
mod until_zero;
mod values;
mod verdict;
mod version;
mod whole;
mod winner;

pub use certify::certify;
pub use explain::{Explanation, explain};
pub(crate) use lengths::{Lengths, Numbers};
pub(crate) use line::shortest_line;
pub use reason::{Assessment, MoveReason, MoveResult, Reasons, Reply, reasons};
pub(crate) use solution::count;
pub use solution::{OutcomeClass, Solution, WinningMove};
pub use verdict::{Standing, solve, standing};
pub(crate) use verdict::{
    best_moves, solve_winner, solve_within, winning_moves, winning_moves_within,
};
pub use version::VERSION;

use crate::theory::Meter;

/// How much a question may cost.
pub struct Budget<'a> {
    /// Positions looked at, and units of table work of about the same cost (some tens to hundreds of nanoseconds).
    pub nodes: u64,
    /// Memory held at one time for tables and searches, in bytes.
    pub memory_bytes: u64,
    /// Asked at least every 1,024 nodes: `true` ends the work (time is up, or nobody waits any more).
    pub stop: &'a dyn Fn() -> bool,
}

impl<'a> Budget<'a> {
    /// A budget of nodes only, with 1 GiB of memory and no other stop.
    #[must_use]
    pub fn nodes(nodes: u64) -> Budget<'static> {
        Budget {
            nodes,
            memory_bytes: 1 << 30,
            stop: &|| false,
        }
    }

    pub(crate) fn meter(&self) -> Meter<'a> {
        Meter::new(self.nodes, self.memory_bytes, self.stop)
    }
}

impl std::fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Budget")
            .field("nodes", &self.nodes)
            .field("memory_bytes", &self.memory_bytes)
            .finish_non_exhaustive()
    }
}
