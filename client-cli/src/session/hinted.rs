//! How often the user was helped with a move.

use grundy_shared::ids::Seq;
use grundy_shared::practice::Attempt;

/// The hints that were given for one move.
#[derive(Debug)]
pub(super) struct Hinted {
    /// After how many events of the match.
    pub(super) seq: Seq,
    /// How many, reasons among them.
    pub(super) given: u32,
    /// What further hints go on from, if the position is won: the first one said so.
    pub(super) attempt: Option<Attempt>,
}
