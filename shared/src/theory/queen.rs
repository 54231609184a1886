//! Grundy values of Wythoff's game (a queen moved towards the corner). No fast formula is known; this is a table.

use std::sync::Arc;

use crate::theory::cache::Cache;
use crate::theory::{Meter, Stopped};

/// The largest table: (a+1)(b+1) cells.
pub const MAX_CELLS: u64 = 4_000_000;

/// Tables that were computed, by their sides.
static TABLES: Cache<(usize, usize), Table> = Cache::new(1 << 26);

/// Values of all pairs up to some size.
#[derive(Debug)]
pub struct Table {
    columns: usize,
    values: Vec<u32>,
}

impl Table {
    /// The value of a pair in the table, in either order.
    #[must_use]
    pub fn value(&self, a: u64, b: u64) -> Option<u64> {
        let (row, column) = (a.min(b) as usize, a.max(b) as usize);
        if column >= self.columns {
            return None;
        }
        let place = row.checked_mul(self.columns)? + column;
        self.values.get(place).copied().map(u64::from)
    }
}

/// The numbers that are taken in one line of the table, from `base` on: whatever is below is taken.
#[derive(Clone, Debug)]
struct Taken {
    /// In words of 64.
    base: usize,
    words: Vec<u64>,
}

impl Taken {
    fn new(first: i64, last: i64) -> Self {
        let base = (first.max(0) / 64) as usize;
        let end = (last.max(0) / 64) as usize;
        Self {
            base,
            words: vec![0; end - base + 1],
        }
    }

    fn word(&self, index: usize) -> u64 {
        let place = index.checked_sub(self.base);
        place
            .and_then(|place| self.words.get(place))
            .copied()
            .unwrap_or(0)
    }

    fn take(&mut self, value: usize) {
        let place = (value / 64).checked_sub(self.base);
        if let Some(word) = place.and_then(|place| self.words.get_mut(place)) {
            *word |= 1 << (value % 64);
        }
    }
}

/// A table that holds this pair, or `None` when it would have more than [`MAX_CELLS`] cells.
///
/// Row by row, each cell the least number not taken in its row, column and diagonal. In row i and column j the value is at
/// least j - 2i: a number v comes at most once in each earlier row, and so can be kept from row i at two places only for each of
/// them, while at most v cells of the row have smaller values; and it is at most i + j, since lines of fewer moves cannot take more. So
/// columns and diagonals need only remember a window of about 3a numbers. O(a) words a cell at worst, in a table of (a+1)(b+1) cells, a <= b.
pub fn table(a: u64, b: u64, meter: &mut Meter<'_>) -> Result<Option<Arc<Table>>, Stopped> {
    let (rows, columns) = (u128::from(a.min(b)) + 1, u128::from(a.max(b)) + 1);
    if rows * columns > u128::from(MAX_CELLS) {
        return Ok(None);
    }
    let (rows, columns) = (rows as usize, columns as usize);
    if let Some(table) = TABLES.find(|key| key.0 >= rows && key.1 >= columns) {
        return Ok(Some(table));
    }
    let table = Arc::new(compute(rows, columns, meter)?);
    TABLES.put((rows, columns), Arc::clone(&table), rows * columns * 4);
    Ok(Some(table))
}

fn compute(rows: usize, columns: usize, meter: &mut Meter<'_>) -> Result<Table, Stopped> {
    let height = rows as i64;
    let window = 3 * rows as u64 / 8 + 40;
    meter.hold((rows * columns) as u64 * 4 + (2 * columns + rows) as u64 * window)?;
    let line = |middle: i64, before: i64, after: i64| {
        Taken::new(middle - before * height, middle + after * height)
    };
    let mut down: Vec<Taken> = (0..columns as i64).map(|j| line(j, 2, 1)).collect();
    // Diagonal d = j - i is number d + rows - 1.
    let first = 1 - height;
    let mut across: Vec<Taken> = (first..columns as i64).map(|d| line(d, 1, 2)).collect();
    let mut values = Vec::with_capacity(rows * columns);
    for i in 0..rows {
        let mut row = Taken::new(0, (rows + columns) as i64);
        for j in 0..columns {
            meter.work(1)?;
            let (column, diagonal) = (&mut down[j], &mut across[j + rows - 1 - i]);
            let mut index = j.saturating_sub(2 * i) / 64;
            let value = loop {
                let taken = row.word(index) | column.word(index) | diagonal.word(index);
                if taken != u64::MAX {
                    break index * 64 + taken.trailing_ones() as usize;
                }
                index += 1;
            };
            row.take(value);
            column.take(value);
            diagonal.take(value);
            values.push(value as u32);
        }
    }
    Ok(Table { columns, values })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::mex;

    fn naive(size: usize) -> Vec<Vec<u64>> {
        let mut cells = vec![vec![0u64; size]; size];
        for i in 0..size {
            for j in 0..size {
                let mut options: Vec<u64> = (0..i).map(|k| cells[k][j]).collect();
                options.extend((0..j).map(|k| cells[i][k]));
                options.extend((1..=i.min(j)).map(|k| cells[i - k][j - k]));
                cells[i][j] = mex(&options);
            }
        }
        cells
    }

    #[test]
    fn the_table_agrees_with_the_definition() {
        let size = 90;
        let cells = naive(size);
        for (rows, columns) in [(1, 90), (2, 90), (3, 88), (17, 90), (90, 90)] {
            let table = compute(rows, columns, &mut Meter::new(1 << 20, 1 << 30, &|| false));
            let table = table.expect("the meter is large enough");
            for (i, row) in cells.iter().enumerate().take(rows) {
                for (j, value) in row.iter().enumerate().take(columns).skip(i) {
                    assert_eq!(table.value(j as u64, i as u64), Some(*value), "{i},{j}");
                }
            }
        }
    }

    #[test]
    fn published_rows() {
        let cells = naive(20);
        assert_eq!(cells[3][..8], [3, 4, 5, 6, 2, 0, 1, 9], "A004484");
        assert_eq!(cells[4][..8], [4, 5, 3, 2, 7, 6, 9, 0], "A004485");
        let diagonal: Vec<u64> = (0..8).map(|i| cells[i][i]).collect();
        assert_eq!(diagonal, [0, 2, 1, 6, 7, 8, 3, 5], "A047708");
    }
}
