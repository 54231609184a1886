//! What is known of regions: a table of bounded size that forgets small regions first.

use std::mem::size_of;
use std::sync::{Mutex, PoisonError};

use super::cells::Cells;
use crate::theory::{Meter, Stopped};

/// Slots looked at for one region.
const WINDOW: usize = 8;

/// Bytes of the largest table.
const MOST_BYTES: usize = 1 << 26;

/// Bytes of the tables that wait for the next question.
const MOST_IDLE_BYTES: usize = 1 << 27;

/// Values below this can be remembered as excluded; no more than half the squares of a region, 56, is the value of any.
const EXCLUDED: u32 = 56;

/// What is known of one region's Grundy value: in the low bits which values it has not, in the high byte the value and one, or 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known(u64);

impl Known {
    pub(super) fn value(self) -> Option<u32> {
        ((self.0 >> EXCLUDED) as u32).checked_sub(1)
    }

    /// Whether this is the value, if that is known.
    pub(super) fn is(self, value: u32) -> Option<bool> {
        match self.value() {
            Some(known) => Some(known == value),
            None => (value < EXCLUDED && self.0 >> value & 1 == 1).then_some(false),
        }
    }
}

/// Regions in canonical form with what is known of them.
#[derive(Debug)]
pub(super) struct Table<C> {
    /// A power of two of them, empty where the region is; a plain pair, so that a new table costs nothing until it is used.
    slots: Vec<(C, u64)>,
    used: usize,
    most_bytes: usize,
}

impl<C: Cells> Table<C> {
    /// An empty table that may grow to this size.
    pub(super) fn of_at_most(most_bytes: usize) -> Self {
        Self::with_slots(1 << 10, most_bytes)
    }

    fn with_slots(slots: usize, most_bytes: usize) -> Self {
        Self {
            slots: vec![(C::NONE, 0); slots],
            used: 0,
            most_bytes,
        }
    }

    fn bytes(&self) -> usize {
        self.slots.len() * size_of::<(C, u64)>()
    }

    pub(super) fn known(&self, region: C) -> Known {
        let (key, known) = self.slots[self.place(region)];
        Known(if key == region { known } else { 0 })
    }

    /// Remembers that the region has this value.
    pub(super) fn learn(
        &mut self,
        region: C,
        value: u32,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        self.add(region, (u64::from(value) + 1) << EXCLUDED, meter)
    }

    /// Remembers that the region has not these values, given as bits.
    pub(super) fn exclude(
        &mut self,
        region: C,
        values: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        self.add(region, values & ((1 << EXCLUDED) - 1), meter)
    }

    fn add(&mut self, region: C, bits: u64, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        if self.used >= self.slots.len() / 2 && self.bytes() < self.most_bytes {
            self.grow(meter)?;
        }
        let place = self.place(region);
        let slot = &mut self.slots[place];
        if slot.0 != region {
            self.used += usize::from(slot.0 == C::NONE);
            *slot = (region, 0);
        }
        slot.1 |= bits;
        Ok(())
    }

    /// The slot of a region: the one that has it, else an empty one, else that of the smallest region nearby, which is found again at
    /// the least cost.
    fn place(&self, region: C) -> usize {
        let (low, high) = region.halves();
        let mixed = (low ^ low >> 29 ^ high.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The high half depends on all squares.
        let start = (mixed >> 32) as usize;
        let mut smallest = start & (self.slots.len() - 1);
        for place in start..start + WINDOW {
            let place = place & (self.slots.len() - 1);
            let key = self.slots[place].0;
            if key == region || key == C::NONE {
                return place;
            }
            if key.count() < self.slots[smallest].0.count() {
                smallest = place;
            }
        }
        smallest
    }

    fn grow(&mut self, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        meter.hold(2 * self.bytes() as u64)?;
        let mut larger = Self::with_slots(2 * self.slots.len(), self.most_bytes);
        for chunk in self.slots.chunks(1 << 10) {
            meter.work(1 << 8)?;
            for (region, known) in chunk.iter().filter(|(region, _)| *region != C::NONE) {
                let place = larger.place(*region);
                larger.used += usize::from(larger.slots[place].0 == C::NONE);
                larger.slots[place] = (*region, *known);
            }
        }
        meter.release(self.bytes() as u64);
        *self = larger;
        Ok(())
    }
}

/// The tables of one question: of regions of up to eight rows, and of longer ones.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) short: Table<u64>,
    pub(super) long: Table<u128>,
}

/// Tables that no question uses at the moment. What they say stays true, so the next question takes the largest.
static IDLE: Mutex<Vec<Tables>> = Mutex::new(Vec::new());

impl Tables {
    fn bytes(&self) -> usize {
        self.short.bytes() + self.long.bytes()
    }

    /// Does something with tables that nobody else uses meanwhile.
    pub(super) fn lent<T>(question: impl FnOnce(&mut Self) -> T) -> T {
        let idle = || IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut tables = waiting.unwrap_or_else(|| Self {
            short: Table::of_at_most(MOST_BYTES),
            long: Table::of_at_most(MOST_BYTES),
        });
        let answer = question(&mut tables);
        let mut waiting = idle();
        waiting.push(tables);
        waiting.sort_unstable_by_key(Self::bytes);
        while waiting.iter().map(Self::bytes).sum::<usize>() > MOST_IDLE_BYTES {
            waiting.remove(0);
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However many regions there are, nothing wrong is told of one, and the table does not outgrow its bound.
    #[test]
    fn a_full_table_forgets_and_tells_nothing_wrong() {
        let mut meter = Meter::new(1 << 30, 1 << 30, &|| false);
        let most = 1 << 16;
        let most_bytes = most * size_of::<(u64, u64)>();
        let mut table: Table<u64> = Table::of_at_most(most_bytes);
        let regions = || (1..2 * most as u64).map(|number| number << 8 | 3);
        for region in regions() {
            let value = (region >> 8) as u32 % 5;
            table
                .exclude(region, 1 << value | 1 << 63, &mut meter)
                .expect("budget");
            table.learn(region, value + 1, &mut meter).expect("budget");
        }
        assert_eq!(table.bytes(), most_bytes);
        let kept = regions().filter(|region| {
            let value = (region >> 8) as u32 % 5;
            let known = table.known(*region);
            assert!(known.value().is_none_or(|known| known == value + 1));
            known.is(value) == Some(false)
        });
        let kept = kept.count();
        assert!(kept > most / 2 && kept <= most, "{kept}");
    }
}
