//! Squares as the bits of one integer, eight to a row. The last square of each row stays empty, so that shifts do not run into the next
//! row: regions have at most seven columns.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

/// Columns of the largest region.
pub(super) const COLUMNS: usize = 7;

/// An integer of so many rows.
pub(super) trait Cells:
    Copy
    + Ord
    + Debug
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Rows of the largest region.
    const ROWS: usize;
    /// No square.
    const NONE: Self;

    /// The squares of the first eight rows.
    fn of_rows(rows: u64) -> Self;
    /// The first eight rows, and those after them.
    fn halves(self) -> (u64, u64);
    fn count(self) -> u32;
    /// The number of the first square, where there is one.
    fn first(self) -> u32;
    /// The number of the last square, where there is one.
    fn last(self) -> u32;
    /// The rows in the opposite order.
    fn upside_down(self) -> Self;
    /// All bits in the opposite order.
    fn turned(self) -> Self;

    /// One square.
    fn square(number: u32) -> Self {
        Self::of_rows(1) << number
    }

    fn without(self, other: Self) -> Self {
        self & !other
    }

    /// The squares beside these.
    fn beside(self) -> Self {
        self << 8 | self >> 8 | self << 1 | self >> 1
    }

    /// The first squares of the dominoes that lie in a row, and of those that lie in a column.
    fn dominoes(self) -> [Self; 2] {
        [self & self >> 1, self & self >> 8]
    }

    /// How many blocks of two by two squares there are.
    fn blocks(self) -> u32 {
        let [across, _] = self.dominoes();
        (across & across >> 8).count()
    }

    /// Which columns have a square.
    fn columns(self) -> u8 {
        let (rows, more) = self.halves();
        let rows = rows | more;
        let rows = rows | rows >> 32;
        let rows = rows | rows >> 16;
        (rows | rows >> 8) as u8
    }

    /// The region on the smallest upright board that holds it, in the least of its four or, on a square, eight positions.
    fn canonical(self) -> Self {
        let cells = self >> (self.first() & !7);
        let columns = cells.columns();
        let cells = cells >> columns.trailing_zeros();
        let width = 8 - columns.leading_zeros() - columns.trailing_zeros();
        let height = cells.last() / 8 + 1;
        if width < height {
            return cells.least_of_four(width, height);
        }
        // No more than seven rows: all of them are in the first half.
        let transposed = Self::of_rows(transposed(cells.halves().0));
        let least = transposed.least_of_four(height, width);
        match width == height {
            true => least.min(cells.least_of_four(width, height)),
            false => least,
        }
    }

    /// The least of a region in the corner and what it is upside down, mirrored, and both.
    fn least_of_four(self, width: u32, height: u32) -> Self {
        let down = |cells: Self| cells.upside_down() >> (8 * (Self::ROWS as u32 - height));
        // The bits turned are the rows in the opposite order, each mirrored.
        let mirrored = |cells: Self| cells.turned().upside_down() >> (8 - width);
        let below = down(self);
        self.min(below).min(mirrored(self)).min(mirrored(below))
    }
}

impl Cells for u64 {
    const ROWS: usize = 8;
    const NONE: Self = 0;

    fn of_rows(rows: u64) -> Self {
        rows
    }

    fn halves(self) -> (u64, u64) {
        (self, 0)
    }

    fn count(self) -> u32 {
        self.count_ones()
    }

    fn first(self) -> u32 {
        self.trailing_zeros()
    }

    fn last(self) -> u32 {
        self.ilog2()
    }

    fn upside_down(self) -> Self {
        self.swap_bytes()
    }

    fn turned(self) -> Self {
        self.reverse_bits()
    }
}

impl Cells for u128 {
    const ROWS: usize = 16;
    const NONE: Self = 0;

    fn of_rows(rows: u64) -> Self {
        rows.into()
    }

    fn halves(self) -> (u64, u64) {
        (self as u64, (self >> 64) as u64)
    }

    fn count(self) -> u32 {
        self.count_ones()
    }

    fn first(self) -> u32 {
        self.trailing_zeros()
    }

    fn last(self) -> u32 {
        self.ilog2()
    }

    fn upside_down(self) -> Self {
        self.swap_bytes()
    }

    fn turned(self) -> Self {
        self.reverse_bits()
    }
}

/// Rows as columns: swaps single squares, then blocks of two by two, then of four by four (H. S. Warren, *Hacker's Delight*, 2002).
fn transposed(mut rows: u64) -> u64 {
    for (distance, mask) in [
        (7, 0x00aa_00aa_00aa_00aa),
        (14, 0x0000_cccc_0000_cccc),
        (28, 0x0000_0000_f0f0_f0f0),
    ] {
        let differing = (rows ^ rows >> distance) & mask;
        rows ^= differing ^ differing << distance;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least of all positions in the corner, square by square.
    fn plainly(squares: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let positions = (0..8).map(|turn| {
            let mut turned: Vec<(usize, usize)> = squares
                .iter()
                .map(|&(row, column)| {
                    let row = if turn & 1 == 0 { row } else { 20 - row };
                    let column = if turn & 2 == 0 { column } else { 20 - column };
                    if turn & 4 == 0 {
                        (row, column)
                    } else {
                        (column, row)
                    }
                })
                .collect();
            let top = turned.iter().map(|square| square.0).min().unwrap_or(0);
            let left = turned.iter().map(|square| square.1).min().unwrap_or(0);
            for square in &mut turned {
                *square = (square.0 - top, square.1 - left);
            }
            turned.sort_unstable();
            turned
        });
        positions.min().unwrap_or_default()
    }

    fn squares<C: Cells>(cells: C) -> Vec<(usize, usize)> {
        let all = (0..C::ROWS as u32 * 8).filter(|number| cells & C::square(*number) != C::NONE);
        all.map(|number| (number as usize / 8, number as usize % 8))
            .collect()
    }

    #[test]
    fn all_positions_of_a_region_have_one_canonical_form() {
        let mut forms = std::collections::HashMap::new();
        for number in 1..1u64 << 16 {
            // Every fourth subset of four by four squares, near the last row and column.
            let rows = (0..4).map(|row| (number >> (4 * row) & 15) << (8 * row));
            let cells = rows.sum::<u64>() << (8 * (number % 5) + number % 4);
            let form = cells.canonical();
            assert_eq!(form, form.canonical());
            assert_eq!(plainly(&squares(form)), plainly(&squares(cells)));
            let known = *forms.entry(plainly(&squares(cells))).or_insert(form);
            assert_eq!(known, form, "{cells:#x}");
            assert_eq!(u128::from(form), (u128::from(cells) << 64).canonical());
        }
    }

    #[test]
    fn tall_regions_turn_too() {
        let hook = (0..14).fold(0u128, |cells, row| cells | 1 << (8 * row)) | 0b111;
        let other = hook.upside_down() >> 16;
        assert_ne!(hook, other);
        assert_eq!(hook.canonical(), other.canonical());
        assert_eq!((hook << 4).canonical(), hook.canonical());
        assert_eq!(plainly(&squares(hook)), plainly(&squares(hook.canonical())));
    }
}
