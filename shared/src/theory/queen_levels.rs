//! The pairs of Wythoff's game that have small Grundy values, far beyond what a table of all values reaches.
//!
//! A pair has the value v iff it has no smaller value and no move leads to a pair of value v. So the pairs of each value are found row by row, as Wythoff's own pairs of value 0 are:
//! in each row the first place on a column and a diagonal without this value that has no smaller value (U. Blass, A. S. Fraenkel, *The Sprague-Grundy function for
//! Wythoff's game*, 1990, for the value 1). G. Nivasch, *More on the Sprague-Grundy function for Wythoff's game* (2009): it is never far from the
//! line of golden section, so that few places of a row are looked at.

use std::sync::Arc;

use crate::theory::cache::Cache;
use crate::theory::{Meter, Stopped};

/// The largest table, in columns of all values.
const MAX_COLUMNS: u64 = 8_500_000;

/// No number.
const NONE: u32 = u32::MAX;

/// Tables that were computed, by the number of values and of rows.
static TABLES: Cache<(u64, u64), Levels> = Cache::new(1 << 26);

/// All pairs with values below some number, of which the smaller heap is below another number.
#[derive(Debug)]
pub struct Levels(Vec<Level>);

/// The pairs of one value.
#[derive(Debug)]
struct Level {
    /// With each number the one that it makes a pair with.
    partners: Vec<u32>,
    /// For each difference the smaller number of its pair.
    of_difference: Vec<u32>,
    /// No smaller difference is free.
    first: usize,
}

impl Levels {
    /// Whether a pair that the table reaches has this value; `None` if the value is too large for the table.
    #[must_use]
    pub fn has_value(&self, a: u64, b: u64, value: u64) -> Option<bool> {
        let level = self.0.get(usize::try_from(value).ok()?)?;
        let partner = level.partners.get(a.min(b) as usize)?;
        Some(u64::from(*partner) == a.max(b))
    }
}

/// The pairs with values up to `value` of which the smaller heap is at most `heap`; `None` if the table would be too large. O(heap × value) as far as is known.
///
/// # Errors
///
/// [`Stopped`] if the budget is used up.
pub fn levels(
    value: u64,
    heap: u64,
    meter: &mut Meter<'_>,
) -> Result<Option<Arc<Levels>>, Stopped> {
    // In row i the value v is in no column beyond v + 2i: so many places before it have smaller values, or v on their column or diagonal.
    let width = heap
        .saturating_mul(2)
        .saturating_add(value)
        .saturating_add(1);
    let count = value.saturating_add(1);
    if width.saturating_mul(count) > MAX_COLUMNS {
        return Ok(None);
    }
    if let Some(table) = TABLES.find(|key| key.0 >= count && key.1 > heap) {
        return Ok(Some(table));
    }
    let bytes = width * count * 8;
    meter.hold(bytes)?;
    let (count, width) = (count as usize, width as usize);
    let level = || Level {
        partners: vec![NONE; width],
        of_difference: vec![NONE; width],
        first: 0,
    };
    let mut all: Vec<Level> = std::iter::repeat_with(level).take(count).collect();
    for row in 0..=heap as usize {
        meter.work(1 + count as u64 / 8)?;
        for value in 0..count {
            let (below, from) = all.split_at_mut(value);
            from[0].find(row, below, meter)?;
        }
    }
    let table = Arc::new(Levels(all));
    TABLES.put((count as u64, heap + 1), Arc::clone(&table), bytes as usize);
    Ok(Some(table))
}

impl Level {
    /// Finds the pair of this row, unless its other number is smaller. `below` are the pairs of smaller values.
    fn find(&mut self, row: usize, below: &[Self], meter: &mut Meter<'_>) -> Result<(), Stopped> {
        if self.partners[row] != NONE {
            return Ok(());
        }
        while self.of_difference[self.first] != NONE {
            self.first += 1;
        }
        let mut difference = self.first;
        loop {
            let column = row + difference;
            let is_smaller = |level: &Self| level.partners[row] == column as u32;
            if self.of_difference[difference] == NONE
                && self.partners[column] == NONE
                && !below.iter().any(is_smaller)
            {
                self.partners[row] = column as u32;
                self.partners[column] = row as u32;
                self.of_difference[difference] = row as u32;
                return Ok(());
            }
            meter.work(u64::from(difference.is_multiple_of(16)))?;
            difference += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::queen;

    #[test]
    fn the_pairs_of_each_value_are_those_of_the_table() {
        let mut meter = Meter::new(1 << 30, 1 << 30, &|| false);
        let rows = 150;
        let table = queen::table(rows, rows, &mut meter);
        let table = table.expect("budget").expect("not too large");
        for most in [0, 1, 7, 30] {
            let levels = levels(most, rows, &mut meter);
            let levels = levels.expect("budget").expect("not too large");
            for a in 0..=rows {
                for b in 0..=rows {
                    for value in 0..=most {
                        let is = table.value(a, b) == Some(value);
                        assert_eq!(levels.has_value(a, b, value), Some(is), "{a},{b} {value}");
                    }
                }
            }
        }
        assert!(levels(9, 1 << 40, &mut meter).expect("budget").is_none());
    }
}
