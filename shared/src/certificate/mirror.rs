//! Proofs by symmetry: a board of Cram on which every move has a mirror image that does not touch it.

use std::collections::BTreeMap;

use crate::certificate::Mirror;
use crate::certificate::refusal::{Checked, quoted, unproved};
use crate::theory::Meter;

/// A board of Cram, read from its text.
#[derive(Debug)]
pub(crate) struct Squares {
    rows: Vec<Vec<bool>>,
}

/// A square by its row and column, from 0.
pub(crate) type Square = (usize, usize);

impl Squares {
    /// Reads a component such as `cram:..x/...`; `None` if it is of another game.
    pub(crate) fn read(component: &str) -> Option<Self> {
        let rows = component.strip_prefix("cram:")?.split('/');
        let free = |row: &str| row.bytes().map(|square| square == b'.').collect();
        Some(Self {
            rows: rows.map(free).collect(),
        })
    }

    fn is_free(&self, (row, column): Square) -> bool {
        self.rows.get(row).and_then(|row| row.get(column)) == Some(&true)
    }

    /// Every move: two neighbouring free squares.
    pub(crate) fn moves(&self) -> impl Iterator<Item = [Square; 2]> + '_ {
        let squares = self.rows.iter().enumerate();
        let squares =
            squares.flat_map(|(row, squares)| (0..squares.len()).map(move |at| (row, at)));
        let pairs =
            squares.flat_map(|(row, at)| [[(row, at), (row, at + 1)], [(row, at), (row + 1, at)]]);
        pairs.filter(|pair| pair.iter().all(|square| self.is_free(*square)))
    }

    /// The first move whose image is none or touches it.
    pub(crate) fn unmirrored(
        &self,
        image: impl Fn(Square) -> Option<Square>,
    ) -> Option<[Square; 2]> {
        self.moves().find(|[a, b]| {
            let (Some(one), Some(other)) = (image(*a), image(*b)) else {
                return true;
            };
            let beside = one.0.abs_diff(other.0) + one.1.abs_diff(other.1) == 1;
            let touches = [one, other].iter().any(|square| square == a || square == b);
            !beside || touches || !self.is_free(one) || !self.is_free(other)
        })
    }
}

/// The name of a square: `2:3`.
pub(crate) fn square_name((row, column): Square) -> String {
    format!("{}:{}", row + 1, column + 1)
}

impl Mirror {
    /// Checks that the player to move loses this component, in normal play and alone.
    pub(super) fn check_lost(&self, component: &str, meter: &mut Meter<'_>) -> Checked<()> {
        const PLACE: &str = "proof.mirror";
        let Some(board) = Squares::read(component) else {
            return unproved(PLACE, "the position is not a board of Cram");
        };
        let mut images: BTreeMap<Square, Square> = BTreeMap::new();
        for (index, (one, other)) in self.pairs.iter().enumerate() {
            let place = format!("{PLACE}.pairs[{index}]");
            meter.work(1)?;
            let (Some(a), Some(b)) = (read_square(one), read_square(other)) else {
                return unproved(
                    place,
                    format!("{} or {} is not a square", quoted(one), quoted(other)),
                );
            };
            if a == b || images.insert(a, b).is_some() || images.insert(b, a).is_some() {
                return unproved(place, "a square is listed twice");
            }
        }
        meter.work(component.len() as u64)?;
        match board.unmirrored(|square| images.get(&square).copied()) {
            None => Ok(()),
            Some([a, b]) => {
                let (a, b) = (square_name(a), square_name(b));
                unproved(
                    PLACE,
                    format!("the move {a}-{b} has no image that leaves it alone"),
                )
            }
        }
    }
}

/// Reads the canonical name of a square.
fn read_square(name: &str) -> Option<Square> {
    let (row, column) = name.split_once(':')?;
    let place = |number: &str| number.parse::<usize>().ok()?.checked_sub(1);
    let square = (place(row)?, place(column)?);
    (square_name(square) == name).then_some(square)
}
