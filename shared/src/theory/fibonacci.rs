//! Fibonacci Nim: take up to the quota; the next quota is twice what was taken.
//!
//! M. J. Whinihan, *Fibonacci Nim* (1963): lost iff the quota is below the least part of the heap as a sum of Fibonacci numbers no two of which are neighbours
//! (E. Zeckendorf 1972). Grundy values have no known simple form (U. Larsson, S. Rubinstein-Salzedo 2016); these are from a table.

use std::sync::Arc;

use crate::theory::cache::Cache;
use crate::theory::{Meter, Stopped};

/// The largest heap of the table.
pub const MAX_TABLE: u64 = 4_096;

/// The table, once computed.
static TABLES: Cache<(), Table> = Cache::new(1 << 24);

/// The parts of a number in Zeckendorf's form, the largest first. O(log).
#[must_use]
pub fn zeckendorf(mut number: u64) -> Vec<u64> {
    let (mut large, mut small) = (1u64, 1u64);
    while large <= number {
        (large, small) = (large + small, large);
    }
    let mut parts = Vec::new();
    while number > 0 {
        if large <= number {
            number -= large;
            parts.push(large);
        }
        (large, small) = (small, large - small);
    }
    parts
}

/// Whether the player to move loses, nothing else being on the board. O(log).
///
/// In misère play a heap of n >= 1 is as one of n - 1 in normal play: the last one is poison. Where everything may be taken, that loses at once.
#[must_use]
pub fn is_lost(heap: u64, quota: u64, misere: bool) -> bool {
    if heap == 0 || quota == 0 {
        return !misere;
    }
    let least = zeckendorf(heap - u64::from(misere)).last().copied();
    least.is_none_or(|least| quota < least)
}

/// The numbers to take that leave the opponent lost, ascending. O(log²).
///
/// To take t and leave m lost, 2t must be below the least part of m: then t is below half of it, so the parts of m and those
/// of t are together those of the heap. So only the least parts of the heap, one or more of them, can be right.
#[must_use]
pub fn winning(heap: u64, quota: u64, misere: bool) -> Vec<u64> {
    let parts = zeckendorf(heap.saturating_sub(u64::from(misere)));
    let sums = parts.iter().rev().scan(0, |sum, part| {
        *sum += part;
        Some(*sum)
    });
    let within = sums.take_while(|taken| *taken <= quota);
    within
        .filter(|taken| is_lost(heap - taken, 2 * taken, misere))
        .collect()
}

/// Grundy values of heaps and quotas, as far as computed.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// For each heap: from which quota on the value is which. More quota only adds options, so values only grow with it.
    rows: Vec<Vec<(u64, u64)>>,
}

impl Table {
    /// The value of a heap with a quota, if the table reaches so far.
    #[must_use]
    pub fn value(&self, heap: u64, quota: u64) -> Option<u64> {
        let row = self.rows.get(usize::try_from(heap).ok()?)?;
        let reached = row.partition_point(|(from, _)| *from <= quota);
        Some(reached.checked_sub(1).map_or(0, |last| row[last].1))
    }

    fn extend(&mut self, heap: u64, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        while self.rows.len() as u64 <= heap {
            let heap = self.rows.len() as u64;
            meter.work(heap / 4 + 1)?;
            meter.hold(200)?;
            let mut row = Vec::new();
            let mut seen = vec![false; 64];
            let mut value = 0;
            for taken in 1..=heap {
                let option = self.value(heap - taken, 2 * taken).unwrap_or(0) as usize;
                if option >= seen.len() {
                    seen.resize(option + 1, false);
                }
                seen[option] = true;
                let before = value;
                while seen.get(value) == Some(&true) {
                    value += 1;
                }
                if value > before {
                    row.push((taken, value as u64));
                }
            }
            self.rows.push(row);
        }
        Ok(())
    }
}

/// The table that reaches this heap, if the budget and [`MAX_TABLE`] allow; otherwise one that does not. O(heap²) once.
pub fn table(heap: u64, meter: &mut Meter<'_>) -> Arc<Table> {
    let known = TABLES.find(|()| true).unwrap_or_default();
    if heap > MAX_TABLE || known.value(heap, 1).is_some() {
        return known;
    }
    let mut table = (*known).clone();
    let _stopped = table.extend(heap, meter);
    let table = Arc::new(table);
    TABLES.put((), Arc::clone(&table), table.rows.len() * 200);
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::mex;
    use rustc_hash::FxHashMap;

    fn truth(heap: u64, quota: u64, known: &mut FxHashMap<(u64, u64), (u64, bool)>) -> (u64, bool) {
        if let Some(truth) = known.get(&(heap, quota)) {
            return *truth;
        }
        let options = (1..=quota.min(heap)).map(|taken| truth(heap - taken, 2 * taken, known));
        let options: Vec<(u64, bool)> = options.collect();
        let values: Vec<u64> = options.iter().map(|(value, _)| *value).collect();
        let misere_lost = !options.is_empty() && options.iter().all(|(_, lost)| !lost);
        known.insert((heap, quota), (mex(&values), misere_lost));
        (mex(&values), misere_lost)
    }

    #[test]
    fn values_verdicts_and_moves_agree_with_the_definition() {
        let mut known = FxHashMap::default();
        let table = table(60, &mut Meter::new(1 << 30, 1 << 30, &|| false));
        for heap in 0..60u64 {
            for quota in 0..=heap {
                let (value, misere_lost) = truth(heap, quota, &mut known);
                assert_eq!(table.value(heap, quota), Some(value), "{heap}/{quota}");
                assert_eq!(is_lost(heap, quota, false), value == 0, "{heap}/{quota}");
                assert_eq!(
                    is_lost(heap, quota, true),
                    misere_lost,
                    "misere {heap}/{quota}"
                );
                for misere in [false, true] {
                    let right = |taken: &u64| is_lost(heap - taken, 2 * taken, misere);
                    let all: Vec<u64> = (1..=quota).filter(right).collect();
                    assert_eq!(winning(heap, quota, misere), all, "{heap}/{quota} {misere}");
                }
            }
        }
    }

    #[test]
    fn parts_are_no_neighbours() {
        assert_eq!(zeckendorf(100), [89, 8, 3]);
        assert_eq!(zeckendorf(0), [0u64; 0]);
        let large = 1_000_000_000_000_000_000;
        assert_eq!(zeckendorf(large).iter().sum::<u64>(), large);
    }
}
