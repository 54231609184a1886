//! Boards that half a turn does not change: every domino is answered by its image.

use crate::games::grid::{Grid, Pair};
use crate::theory::Meter;

/// Squares of the largest board on which a domino is looked for that makes it symmetric.
const MOST_SQUARES: usize = 900;

/// Half a turn about the centre of some squares.
struct Turn {
    columns: usize,
    /// The first row and the last, added.
    rows: usize,
    /// The first column and the last, added.
    ends: usize,
}

impl Turn {
    /// Of the smallest board around these squares, ascending.
    fn about(squares: &[usize], columns: usize) -> Option<Self> {
        let (first, last) = (squares.first()?, squares.last()?);
        let places = || squares.iter().map(|square| square % columns);
        Some(Self {
            columns,
            rows: first / columns + last / columns,
            ends: places().min()? + places().max()?,
        })
    }

    /// The image of one of the squares.
    fn image(&self, square: usize) -> usize {
        let (row, column) = (square / self.columns, square % self.columns);
        (self.rows - row) * self.columns + self.ends - column
    }
}

impl Grid {
    /// Whether a region that half a turn does not change is lost: every domino is answered by its image, unless the two are one, in
    /// the centre; then laying that one first wins. A domino on a square that is its own image has no answer. O(squares).
    pub(super) fn judged_by_symmetry(&self, region: &[usize]) -> Option<bool> {
        let turn = Turn::about(region, self.columns())?;
        let images = region.iter().rev().map(|square| turn.image(*square));
        if !region.iter().copied().eq(images) {
            return None;
        }
        let mut central = region.iter().map(|square| (*square, turn.image(*square)));
        match (turn.rows % 2, turn.ends % 2) {
            (0, 0) => central
                .all(|(square, image)| square != image)
                .then_some(true),
            (1, 1) => Some(true),
            _ => {
                Some(!central.any(|(square, image)| self.onward(square).any(|next| next == image)))
            }
        }
    }

    /// The free squares that have a free neighbour, ascending.
    fn playable(&self) -> Vec<usize> {
        let mut squares = self.free_regions().concat();
        squares.sort_unstable();
        squares
    }

    /// Whether every domino on the board can be answered by its image: the player to move loses. O(squares log squares).
    pub(super) fn is_symmetric(&self) -> bool {
        self.judged_by_symmetry(&self.playable()) == Some(true)
    }

    /// The first domino that makes the board symmetric or fills it; `None` also for large boards. O(dominoes x squares).
    pub(super) fn made_symmetric(&self, meter: &mut Meter<'_>) -> Option<Pair> {
        let squares = self.playable();
        if squares.len() > MOST_SQUARES {
            return None;
        }
        let dominoes = squares.iter().flat_map(|square| {
            let next = self.onward(*square);
            next.map(|next| self.pair(*square, next))
        });
        for domino in dominoes {
            meter.work(squares.len() as u64 / 4).ok()?;
            let after = self.covered_by(&domino);
            if after.playable().is_empty() || after.is_symmetric() {
                return Some(domino);
            }
        }
        None
    }

    /// The image of a domino on a symmetric board.
    pub(super) fn image(&self, domino: &Pair) -> Option<Pair> {
        let turn = Turn::about(&self.playable(), self.columns())?;
        let (a, b) = (turn.image(domino.from), turn.image(domino.to));
        Some(self.pair(a.min(b), a.max(b)))
    }
}
