//! Values of subtraction games: take a number of a finite set from a heap.

use std::sync::Arc;

use crate::theory::cache::Cache;
use crate::theory::euclid::gcd;
use crate::theory::period::{self, Period};
use crate::theory::{Meter, Stopped};

/// Heaps for which values are tabulated, counted in units of the set's greatest common divisor.
pub const MAX_TABLE: usize = 1 << 22;

/// Set members above this are left out of the table for heaps that none of them fits in.
const LARGE_MEMBER: u64 = 1 << 20;

/// Tables that were computed, by their sets.
static TABLES: Cache<Vec<u64>, Table> = Cache::new(1 << 26);

/// The values of one subtraction set, as far as computed; all of them once a period is proved.
#[derive(Clone, Debug)]
pub struct Table {
    /// The set divided by its greatest common divisor, ascending.
    set: Vec<u64>,
    unit: u64,
    values: Vec<u16>,
    period: Option<Period>,
    /// Values among which a period was looked for.
    searched: usize,
}

impl Table {
    /// The value of a heap, if the table reaches so far.
    #[must_use]
    pub fn value(&self, heap: u64) -> Option<u64> {
        let heap = heap / self.unit;
        let place = self.period.map_or(heap, |period| period.fold(heap));
        let place = usize::try_from(place).ok()?;
        self.values.get(place).copied().map(u64::from)
    }

    /// The proved period, in stones.
    #[must_use]
    pub fn period(&self) -> Option<Period> {
        self.period.map(|period| Period {
            start: period.start * self.unit,
            length: period.length * self.unit,
        })
    }

    /// How many heaps from 0 on have their value in the table.
    #[must_use]
    pub fn computed(&self) -> u64 {
        self.values.len() as u64 * self.unit
    }

    /// Whether no member of this set was left out.
    #[must_use]
    pub fn has_all(&self, set: &[u64]) -> bool {
        self.set.len() == set.len()
    }

    fn new(set: &[u64]) -> Self {
        let unit = set.iter().copied().fold(0, gcd).max(1);
        Self {
            set: set.iter().map(|member| member / unit).collect(),
            unit,
            values: Vec::new(),
            period: None,
            searched: 0,
        }
    }

    fn bytes(&self) -> usize {
        self.set.len() * 8 + self.values.len() * 2
    }

    /// Adds values up to this heap, or until a period is proved, or the table is full.
    fn extend(&mut self, heap: u64, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        let want = usize::try_from(heap / self.unit).map_or(MAX_TABLE, |heap| heap + 1);
        let want = want.min(MAX_TABLE);
        let reach = self.set.last().copied().unwrap_or(0);
        let mut seen = Marks::default();
        while self.period.is_none() && self.searched < want {
            let next = (self.searched * 2).clamp(256, MAX_TABLE).min(want.max(256));
            meter.hold(next.saturating_sub(self.values.len()) as u64 * 2)?;
            while self.values.len() < next {
                let heap = self.values.len();
                let fitting = self.set.partition_point(|member| *member <= heap as u64);
                meter.work(1 + fitting as u64 / 32)?;
                seen.clear();
                for member in &self.set[..fitting] {
                    seen.mark(self.values[heap - *member as usize]);
                }
                self.values.push(seen.mex().ok_or(Stopped)?);
            }
            self.period = period::find(&self.values, 1, reach, meter)?;
            self.searched = self.values.len();
        }
        Ok(())
    }
}

/// The table of a set (ascending, without zero) that reaches this heap, if the budget and the size of tables allow;
/// otherwise the table as far as it came. Members above 10^6 are left out while none fits into the heap.
pub fn table(set: &[u64], heap: u64, meter: &mut Meter<'_>) -> Arc<Table> {
    let small = set.partition_point(|member| *member <= LARGE_MEMBER);
    let set = match set.get(small) {
        Some(large) if heap < *large => &set[..small],
        _ => set,
    };
    let known = TABLES.find(|key| key == set);
    if let Some(known) = &known
        && (known.value(heap).is_some() || known.searched == MAX_TABLE)
    {
        return Arc::clone(known);
    }
    let mut table = known.map_or_else(|| Table::new(set), |known| (*known).clone());
    let _stopped = table.extend(heap, meter);
    let table = Arc::new(table);
    TABLES.put(set.to_vec(), Arc::clone(&table), table.bytes());
    table
}

/// Which small numbers were seen: a byte for each, so that many are forgotten, or joined to others, in one step of the machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    seen: Vec<bool>,
}

impl Marks {
    pub(crate) fn clear(&mut self) {
        self.seen.fill(false);
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.seen.len()
    }

    /// Makes room for the numbers below this one.
    pub(crate) fn widen(&mut self, width: usize) {
        if self.seen.len() < width {
            self.seen.resize(width, false);
        }
    }

    #[inline]
    pub(crate) fn mark(&mut self, value: u16) {
        match self.seen.get_mut(usize::from(value)) {
            Some(seen) => *seen = true,
            None => self.mark_beyond(value),
        }
    }

    /// Marks a number larger than all before.
    #[cold]
    fn mark_beyond(&mut self, value: u16) {
        let place = usize::from(value);
        self.widen((place + 1).next_power_of_two().max(64));
        self.seen[place] = true;
    }

    /// Marks the xors of numbers all below `width`, a power of two for which there is room.
    pub(crate) fn mark_xors(&mut self, width: usize, pairs: impl Iterator<Item = (u16, u16)>) {
        let seen = &mut self.seen[..width];
        for (a, b) in pairs {
            // No number is changed by this; it spares the question whether there is room.
            seen[usize::from(a ^ b) & (width - 1)] = true;
        }
    }

    /// Marks what is marked there.
    pub(crate) fn mark_all(&mut self, other: &Self) {
        self.widen(other.seen.len());
        for (seen, other) in self.seen.iter_mut().zip(&other.seen) {
            *seen |= other;
        }
    }

    /// Marks a number and says whether it was not marked before.
    pub(crate) fn mark_new(&mut self, value: u16) -> bool {
        let known = self.has(value);
        self.mark(value);
        !known
    }

    /// Whether a number was marked.
    pub(crate) fn has(&self, value: u16) -> bool {
        self.seen.get(usize::from(value)) == Some(&true)
    }

    /// The least number from `from` to `bound` that is not marked, `bound` where all below it are.
    pub(crate) fn least_free(&self, from: u16, bound: u16) -> u16 {
        (from..bound)
            .find(|value| !self.has(*value))
            .unwrap_or(bound)
    }

    /// The least number that is not marked; `None` if all 65,536 are.
    pub(crate) fn mex(&self) -> Option<u16> {
        let free = self.seen.iter().position(|seen| !seen);
        u16::try_from(free.unwrap_or(self.seen.len())).ok()
    }
}
