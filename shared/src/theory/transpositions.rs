//! A table of positions and their results, of bounded size: the entry that took the least work is replaced.

use crate::theory::{Meter, Stopped};

/// A position: the bits of its boards, the components beside them, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The bits of the boards.
    pub bits: u64,
    /// The number of the components beside them.
    pub beside: u32,
    /// The index of the seat to move.
    pub seat: u8,
}

/// One position with its result; `known` is 0 in an empty entry.
#[derive(Clone, Copy, Default)]
struct Entry {
    place: Place,
    known: u8,
    work: u8,
}

const LOST: u8 = 1;
const WON: u8 = 2;

/// Entries among which a position finds its place.
const WAYS: usize = 4;
/// Entries of a new table.
const FIRST: usize = 1 << 10;
/// A full table grows by this factor.
const GROWTH: usize = 4;

/// Which positions are won for the player to move.
pub struct Transpositions {
    entries: Vec<Entry>,
    used: usize,
    /// The table does not grow beyond this many entries.
    most: usize,
}

impl Transpositions {
    /// An empty table that takes at most half of the memory that is left.
    pub fn new(meter: &mut Meter<'_>) -> Result<Self, Stopped> {
        meter.hold(bytes(FIRST))?;
        Ok(Self {
            entries: vec![Entry::default(); FIRST],
            used: 0,
            most: (meter.bytes_left() / 2) as usize / size_of::<Entry>(),
        })
    }

    /// How many positions it has, no two of them equal.
    #[must_use]
    pub fn len(&self) -> usize {
        self.used
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Whether the player to move wins, if that is still stored.
    #[must_use]
    pub fn is_won(&self, place: Place) -> Option<bool> {
        let ways = self.ways(place);
        let mut entries = self.entries[ways..ways + WAYS].iter();
        let found = entries.find(|entry| entry.known != 0 && entry.place == place)?;
        Some(found.known == WON)
    }

    /// Stores a position that took this many nodes.
    pub fn put(
        &mut self,
        place: Place,
        won: bool,
        nodes: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        if self.used * 2 > self.entries.len() && self.entries.len() * GROWTH <= self.most {
            self.grow(meter)?;
        }
        self.insert(Entry {
            place,
            known: if won { WON } else { LOST },
            work: nodes.ilog2() as u8,
        });
        Ok(())
    }

    /// Replaces the neighbour that took the least work.
    fn insert(&mut self, entry: Entry) {
        let ways = self.ways(entry.place);
        let neighbours = self.entries[ways..ways + WAYS].iter_mut();
        let Some(least) = neighbours.min_by_key(|entry| (entry.known != 0, entry.work)) else {
            return;
        };
        self.used += usize::from(least.known == 0);
        *least = entry;
    }

    /// Makes the table larger, or keeps its size for good if the memory is used up: then it forgets more.
    fn grow(&mut self, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        let larger = self.entries.len() * GROWTH;
        meter.work(larger as u64 / 16)?;
        if meter.hold(bytes(larger)).is_err() {
            self.most = self.entries.len();
            return Ok(());
        }
        let old = std::mem::replace(&mut self.entries, vec![Entry::default(); larger]);
        self.used = 0;
        for entry in old.iter().filter(|entry| entry.known != 0) {
            self.insert(*entry);
        }
        meter.release(bytes(old.len()));
        Ok(())
    }

    /// The first entry among which a position finds its place.
    fn ways(&self, place: Place) -> usize {
        const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;
        let own = u64::from(place.beside) << 1 | u64::from(place.seat);
        let mut hash = place.bits ^ own.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for _ in 0..2 {
            hash = (hash ^ hash >> 32).wrapping_mul(FACTOR);
        }
        hash ^= hash >> 32;
        // The number of entries is a power of two.
        hash as usize & (self.entries.len() - 1) & !(WAYS - 1)
    }
}

fn bytes(entries: usize) -> u64 {
    (entries * size_of::<Entry>()) as u64
}

impl std::fmt::Debug for Transpositions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transpositions")
            .field("entries", &self.entries.len())
            .field("used", &self.used)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Something else may have taken the memory that was free when the table was made.
    #[test]
    fn a_table_that_cannot_grow_keeps_its_size() {
        let never = || false;
        let mut meter = Meter::new(u64::MAX, bytes(1 << 14), &never);
        let mut table = Transpositions::new(&mut meter).expect("room for the first entries");
        let rest = meter.bytes_left();
        meter.hold(rest).expect("as much as is left");
        for bits in 0..10_000 {
            let place = Place {
                bits,
                ..Place::default()
            };
            let put = table.put(place, bits % 2 == 0, 1, &mut meter);
            put.expect("the search goes on");
            assert_eq!(table.is_won(place), Some(bits % 2 == 0));
        }
        assert_eq!(table.entries.len(), FIRST);
    }
}
