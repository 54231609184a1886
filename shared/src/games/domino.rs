//! What the games of dominoes share: free squares `.` and covered ones `x`, and moves that cover two neighbours.

use crate::games::grid::{Alphabet, Grid, Pair};
use crate::notation::MoveError;

/// The letters of free and of covered squares.
pub(crate) const fn squares(example: &'static str) -> Alphabet {
    Alphabet {
        letters: ". x",
        expected: "rows of . and x of one length joined by /",
        example,
    }
}

impl Grid {
    pub(crate) fn is_free(&self, square: usize) -> bool {
        self.cells()[square] == b'.'
    }

    /// The regions of free squares in which a domino might be laid.
    pub(crate) fn free_regions(&self) -> Vec<Vec<usize>> {
        self.regions(|cell| cell == b'.')
    }

    /// With both squares of a domino covered.
    pub(crate) fn covered_by(&self, domino: &Pair) -> Self {
        let covered = [(domino.from, b'x'), (domino.to, b'x')];
        self.clone().with(covered)
    }

    /// How many squares are free, in words.
    pub(crate) fn free_text(&self) -> String {
        match self.count(b'.') {
            1 => "1 free square".to_owned(),
            free => format!("{free} free squares"),
        }
    }
}

/// Reads a domino on two free neighbours, its upper or left square first, whatever the order typed. `objection` says why it is not this player's.
pub(crate) fn read_domino(
    board: &Grid,
    text: &str,
    objection: impl Fn(usize, usize) -> Option<&'static str>,
) -> Result<Pair, MoveError> {
    let typed = board.read_pair(text)?;
    let (first, second) = (typed.from.min(typed.to), typed.from.max(typed.to));
    if !board.is_free(first) || !board.is_free(second) {
        return Err(MoveError::at(1, "one of the squares is covered"));
    }
    if !board.around(first).any(|next| next == second) {
        return Err(MoveError::at(1, "the squares are not neighbours"));
    }
    match objection(first, second) {
        Some(message) => Err(MoveError::at(1, message)),
        None => Ok(board.pair(first, second)),
    }
}
