//! Values of Grundy's game: split a heap in two unequal ones. No period is known; this is a table.
//!
//! Sparse space (E. Berlekamp, J. Conway, R. Guy, *Winning Ways*, 1982, chapter 4): call a value rare when an even number of its binary
//! digits, the lowest left out, are ones. The xor of two rare or of two other values is rare, of one rare and one other it is not. Few heaps have
//! rare values (1,273 up to 2^21, the last 82,860), so the values that are not rare among a heap's options come from few splits; the rare ones
//! below the least free of the others are looked for only until all are found.

use std::sync::Arc;

use crate::theory::cache::Cache;
use crate::theory::subtraction::Marks;
use crate::theory::{Meter, Stopped};

/// Heaps for which values are tabulated.
pub const MAX_TABLE: usize = 1 << 21;

/// The table, once computed.
static TABLES: Cache<(), Table> = Cache::new(MAX_TABLE * 4);

/// The values of all heaps as far as computed.
#[derive(Clone, Debug, Default)]
pub struct Table {
    values: Vec<u16>,
    /// The heaps, from 1, that have rare values.
    rare: Vec<u32>,
}

/// Whether a value belongs to the sparse space.
fn is_rare(value: u16) -> bool {
    (value >> 1).count_ones().is_multiple_of(2)
}

impl Table {
    /// The value of a heap, if the table reaches so far.
    #[must_use]
    pub fn value(&self, heap: u64) -> Option<u64> {
        let place = usize::try_from(heap).ok()?;
        self.values.get(place).copied().map(u64::from)
    }

    fn extend(&mut self, heap: u64, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        let want = usize::try_from(heap).map_or(MAX_TABLE, |heap| heap.saturating_add(1));
        let want = want.min(MAX_TABLE);
        let mut seen = Marks::default();
        while self.values.len() < want {
            let next = (self.values.len() * 2)
                .clamp(256, MAX_TABLE)
                .min(want.max(256));
            meter.hold((next - self.values.len()) as u64 * 2)?;
            while self.values.len() < next {
                let value = self.next_value(&mut seen, meter)?;
                if is_rare(value) && !self.values.is_empty() {
                    self.rare.push(self.values.len() as u32);
                }
                self.values.push(value);
            }
        }
        Ok(())
    }

    /// The value of the first heap that has none.
    fn next_value(&self, seen: &mut Marks, meter: &mut Meter<'_>) -> Result<u16, Stopped> {
        let heap = self.values.len();
        seen.clear();
        meter.work(self.rare.len() as u64 / 64 + 1)?;
        for part in &self.rare {
            let part = *part as usize;
            if part * 2 != heap {
                seen.mark(self.values[part] ^ self.values[heap - part]);
            }
        }
        let other = (0..=u16::MAX).find(|value| !is_rare(*value) && !seen.has(*value));
        let other = other.unwrap_or(u16::MAX);
        let mut missing = (0..other)
            .filter(|value| is_rare(*value) && !seen.has(*value))
            .count();
        let mut part = 1;
        while missing > 0 && part * 2 < heap {
            if part.is_multiple_of(64) {
                meter.work(1)?;
            }
            let value = self.values[part] ^ self.values[heap - part];
            if seen.mark_new(value) && value < other && is_rare(value) {
                missing -= 1;
            }
            part += 1;
        }
        Ok(seen.mex())
    }
}

/// The table that reaches this heap, if the budget and [`MAX_TABLE`] allow; otherwise the table as far as it came.
pub fn table(heap: u64, meter: &mut Meter<'_>) -> Arc<Table> {
    let known = TABLES.find(|()| true);
    if let Some(known) = &known
        && (known.value(heap).is_some() || known.values.len() == MAX_TABLE)
    {
        return Arc::clone(known);
    }
    let mut table = known.map_or_else(Table::default, |known| (*known).clone());
    let _stopped = table.extend(heap, meter);
    let table = Arc::new(table);
    TABLES.put(
        (),
        Arc::clone(&table),
        table.values.len() * 2 + table.rare.len() * 4,
    );
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::mex;

    #[test]
    fn the_table_agrees_with_the_definition() {
        let table = table(1_500, &mut Meter::new(1 << 30, 1 << 30, &|| false));
        let mut values: Vec<u64> = Vec::new();
        for heap in 0..1_500usize {
            let splits = (1..heap.div_ceil(2)).map(|a| values[a] ^ values[heap - a]);
            let value = mex(&splits.collect::<Vec<u64>>());
            values.push(value);
            assert_eq!(table.value(heap as u64), Some(value), "{heap}");
        }
        assert_eq!(
            values[..12],
            [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2],
            "A002188"
        );
    }
}
