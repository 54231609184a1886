//! Values of take-and-break games: octal codes (Guy and Smith 1956), and hexadecimal ones that leave up to three heaps.

use std::sync::Arc;

use crate::theory::cache::Cache;
use crate::theory::period::{self, Period};
use crate::theory::subtraction::Marks;
use crate::theory::{Meter, Stopped};

/// Heaps for which values are tabulated.
pub const MAX_TABLE: usize = 1 << 22;

/// Tables that were computed, by their digits.
static TABLES: Cache<Vec<u8>, Table> = Cache::new(1 << 26);

/// The values of one code, as far as computed; all of them once a period is proved.
///
/// Digit number i says what may be left when i are taken from a heap: bit 0 nothing, bit 1 one heap, bit 2 two, bit 3 three.
#[derive(Clone, Debug)]
pub struct Table {
    digits: Vec<u8>,
    values: Vec<u16>,
    /// For codes with bit 3: the distinct values of two heaps that together are n.
    pairs: Vec<Vec<u16>>,
    period: Option<Period>,
}

impl Table {
    /// The value of a heap, if the table reaches so far.
    #[must_use]
    pub fn value(&self, heap: u64) -> Option<u64> {
        let place = self.period.map_or(heap, |period| period.fold(heap));
        let place = usize::try_from(place).ok()?;
        self.values.get(place).copied().map(u64::from)
    }

    /// The proved period.
    #[must_use]
    pub fn period(&self) -> Option<Period> {
        self.period
    }

    /// The values computed, from heap 0.
    #[must_use]
    pub fn values(&self) -> &[u16] {
        &self.values
    }

    fn new(digits: &[u8]) -> Self {
        Self {
            digits: digits.to_vec(),
            values: Vec::new(),
            pairs: Vec::new(),
            period: None,
        }
    }

    fn has_bit(&self, bit: u8) -> bool {
        self.digits.iter().any(|digit| digit >> bit & 1 == 1)
    }

    fn bytes(&self) -> usize {
        self.digits.len()
            + self.values.len() * 2
            + self
                .pairs
                .iter()
                .map(|pairs| pairs.len() * 2 + 24)
                .sum::<usize>()
    }

    /// Adds values up to this heap, or until a period is proved, or the table is full.
    fn extend(&mut self, heap: u64, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        let want = usize::try_from(heap)
            .map_or(MAX_TABLE, |heap| heap + 1)
            .min(MAX_TABLE);
        let triples = self.has_bit(3);
        let parts = match (triples, self.has_bit(2)) {
            (true, _) => 3,
            (false, true) => 2,
            (false, false) => 1,
        };
        let reach = self.digits.len() as u64 - 1;
        let mut seen = Marks::default();
        while self.period.is_none() && self.values.len() < want {
            let next = (self.values.len() * 2)
                .clamp(256, MAX_TABLE)
                .min(want.max(256));
            meter.hold((next - self.values.len()) as u64 * 2)?;
            while self.values.len() < next {
                let value = self.next_value(&mut seen, meter)?;
                // Both lists grow together or not at all: a table that was stopped is gone on with.
                if triples {
                    let pairs = self.next_pairs(&mut seen, meter)?;
                    self.pairs.push(pairs);
                }
                self.values.push(value);
            }
            self.period = period::find(&self.values, parts, reach);
        }
        Ok(())
    }

    /// The value of the first heap that has none: least number that no option has. O(heap) for each digit that splits.
    fn next_value(&self, seen: &mut Marks, meter: &mut Meter<'_>) -> Result<u16, Stopped> {
        let heap = self.values.len();
        seen.clear();
        for (taken, digit) in self.digits.iter().enumerate().take(heap + 1) {
            let rest = heap - taken;
            if (digit & 1 != 0 && taken > 0 && rest == 0)
                || (digit & 2 != 0 && taken > 0 && rest > 0)
            {
                seen.mark(self.values[rest]);
            }
            if digit & 4 != 0 && rest > 1 {
                meter.work(rest as u64 / 64 + 1)?;
                let (low, high) = self.values[..rest].split_at(rest.div_ceil(2));
                let low = &low[1..];
                // Parts 1, 2, … from below meet rest-1, rest-2, … from above.
                for (a, b) in low.iter().zip(high.iter().rev()) {
                    seen.mark(a ^ b);
                }
                if rest.is_multiple_of(2) {
                    seen.mark(0);
                }
            }
            if digit & 8 != 0 && rest > 2 {
                for part in 1..=rest / 3 {
                    let pairs = &self.pairs[rest - part];
                    meter.work(pairs.len() as u64 / 64 + 1)?;
                    for pair in pairs {
                        seen.mark(self.values[part] ^ pair);
                    }
                }
            }
        }
        Ok(seen.mex())
    }

    /// The values of two heaps that together are as large as the first heap that has no value.
    fn next_pairs(&self, seen: &mut Marks, meter: &mut Meter<'_>) -> Result<Vec<u16>, Stopped> {
        let whole = self.values.len();
        meter.work(whole as u64 / 64 + 1)?;
        seen.clear();
        let mut distinct = Vec::new();
        for part in 1..=whole / 2 {
            let value = self.values[part] ^ self.values[whole - part];
            if seen.mark_new(value) {
                distinct.push(value);
            }
        }
        meter.hold(distinct.len() as u64 * 2 + 24)?;
        Ok(distinct)
    }
}

/// The table of a code that reaches this heap, if the budget and the size of tables allow; otherwise the table as far as it came.
/// The code has no trailing zero. O(heap²) while no period is proved.
pub fn table(digits: &[u8], heap: u64, meter: &mut Meter<'_>) -> Arc<Table> {
    let known = TABLES.find(|key| key == digits);
    if let Some(known) = &known
        && (known.value(heap).is_some() || known.values.len() == MAX_TABLE)
    {
        return Arc::clone(known);
    }
    let mut table = known.map_or_else(|| Table::new(digits), |known| (*known).clone());
    let _stopped = table.extend(heap, meter);
    let table = Arc::new(table);
    TABLES.put(digits.to_vec(), Arc::clone(&table), table.bytes());
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_was_stopped_anywhere_goes_on_as_if_it_had_not_been() {
        for digits in [&[0u8, 15][..], &[8, 3], &[0, 7, 7]] {
            let mut whole = Table::new(digits);
            let mut meter = Meter::new(1 << 30, 1 << 30, &|| false);
            whole.extend(100, &mut meter).expect("a large budget");
            let mut stopped = Table::new(digits);
            let mut nodes = 0;
            while stopped
                .extend(100, &mut Meter::new(nodes, 1 << 30, &|| false))
                .is_err()
            {
                nodes += 1;
            }
            assert!(nodes > 10, "{digits:?} was stopped often");
            // It goes no further than it was asked to; the other has looked ahead for a period.
            assert_eq!(stopped.values[..=100], whole.values[..=100], "{digits:?}");
            for (stopped, whole) in stopped.pairs.iter().zip(&whole.pairs) {
                assert_eq!(stopped, whole, "{digits:?}");
            }
        }
    }
}
