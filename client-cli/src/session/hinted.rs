//! How often the user was helped with a move.

use grundy_shared::Position;
use grundy_shared::practice::Attempt;

/// The hints that were given in one position.
#[derive(Debug)]
pub(super) struct Hinted {
    /// The position. Other events may come between two hints, and a move that is taken back leads to it again.
    pub(super) position: Position,
    /// How many, reasons among them.
    pub(super) given: u32,
    /// What further hints go on from, if the position is won: the first one said so.
    pub(super) attempt: Option<Attempt>,
}
