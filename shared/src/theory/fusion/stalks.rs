//! The values of a stalk with branches, cut at every height.

use crate::theory::{Meter, Stopped};

/// No place of `Stalks::places`.
const NONE: u32 = u32::MAX;

/// The first fork.
const ROOT: usize = 0;

/// Numbers that are all added to and xored at once: a tree that tells them apart by their bits, the lowest first.
///
/// What xors them waits at the forks until somebody passes. To add 1 swaps even and odd, and goes on only with those that
/// became even: one way through the tree.
#[derive(Debug, Default)]
pub(super) struct Stalks {
    places: Vec<Place>,
    /// The place of each number, in the order in which they came; equal ones share theirs.
    tips: Vec<u32>,
    /// Forks still to be read, with the lower bits of the numbers above them and how many these are.
    unread: Vec<(u32, u64, u32)>,
}

/// A fork or, with nothing above it, a number.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The bits of the number that its forks have not told yet; of a fork, by what all numbers above are to be xored.
    bits: u64,
    /// Of a fork: where the even numbers are, and the odd ones.
    above: [u32; 2],
}

impl Place {
    fn tip(bits: u64) -> Self {
        Self {
            bits,
            above: [NONE; 2],
        }
    }

    fn is_tip(self) -> bool {
        self.above == [NONE; 2]
    }
}

impl Stalks {
    /// Sets `values` to those of the stalks of every height from 0 to `hung.len()`, what is given hanging on their vertices, from below.
    /// O(length · log length) where values are at most the length: a stalk is a value v that becomes (v xor what hangs on the next vertex
    /// below) + 1 at each edge (the colon principle), and from the top down all stalks undergo the same.
    pub(super) fn cut(
        &mut self,
        hung: impl DoubleEndedIterator<Item = u64>,
        values: &mut Vec<u64>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        self.places.clear();
        self.places.push(Place::tip(0));
        self.tips.clear();
        for hung in hung.rev() {
            meter.work(1)?;
            let tip = self.insert();
            self.tips.push(tip);
            self.places[ROOT].bits ^= hung;
            self.add_one();
        }
        self.read();
        values.clear();
        values.push(0);
        let tips = self.tips.iter().rev();
        values.extend(tips.map(|tip| self.places[*tip as usize].bits));
        Ok(())
    }

    fn push(&mut self, place: Place) -> u32 {
        self.places.push(place);
        self.places.len() as u32 - 1
    }

    /// A new number, 0; its place.
    fn insert(&mut self) -> u32 {
        let (mut fork, mut bits) = (ROOT, 0);
        loop {
            bits ^= self.places[fork].bits;
            let side = bits as usize & 1;
            bits >>= 1;
            let above = self.places[fork].above[side];
            if above == NONE {
                let tip = self.push(Place::tip(bits));
                self.places[fork].above[side] = tip;
                return tip;
            }
            let other = self.places[above as usize];
            fork = if !other.is_tip() {
                above as usize
            } else if other.bits == bits {
                return above;
            } else {
                let mut between = Place::tip(0);
                between.above[other.bits as usize & 1] = above;
                self.places[above as usize].bits >>= 1;
                let between = self.push(between);
                self.places[fork].above[side] = between;
                between as usize
            };
        }
    }

    /// Adds 1 to all numbers.
    fn add_one(&mut self) {
        let mut at = ROOT;
        while !self.places[at].is_tip() {
            self.pass(at);
            self.places[at].above.swap(0, 1);
            match self.places[at].above[0] {
                NONE => return,
                even => at = even as usize,
            }
        }
        self.places[at].bits += 1;
    }

    /// Xors what is above a fork by what waits there.
    fn pass(&mut self, fork: usize) {
        let Place { bits, mut above } = self.places[fork];
        if bits == 0 {
            return;
        }
        for above in above.into_iter().filter(|above| *above != NONE) {
            self.places[above as usize].bits ^= bits >> 1;
        }
        if bits & 1 == 1 {
            above.swap(0, 1);
        }
        self.places[fork] = Place { bits: 0, above };
    }

    /// Gives each tip all bits of its number.
    fn read(&mut self) {
        self.unread.push((ROOT as u32, 0, 0));
        while let Some((at, lower, told)) = self.unread.pop() {
            let at = at as usize;
            if self.places[at].is_tip() {
                self.places[at].bits = self.places[at].bits << told | lower;
                continue;
            }
            self.pass(at);
            for (side, above) in (0..).zip(self.places[at].above) {
                if above != NONE {
                    self.unread.push((above, lower | side << told, told + 1));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_height_as_one_by_one() {
        let mut meter = Meter::new(1 << 30, 1 << 30, &|| false);
        let mut stalks = Stalks::default();
        let mut values = Vec::new();
        let mut seed = 1u64;
        for round in 0..400u32 {
            let hung: Vec<u64> = (0..round % 50)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    // Bare, small and of every size.
                    match round % 3 {
                        0 => 0,
                        1 => (seed >> 60).saturating_sub(8),
                        _ => seed >> (2 + seed % 61),
                    }
                })
                .collect();
            let cut = stalks.cut(hung.iter().copied(), &mut values, &mut meter);
            assert_eq!(cut, Ok(()));
            let height = |height| {
                let vertices: &[u64] = &hung[..height];
                vertices
                    .iter()
                    .rev()
                    .fold(0, |value, hung| (value ^ hung) + 1)
            };
            let one_by_one: Vec<u64> = (0..=hung.len()).map(height).collect();
            assert_eq!(values, one_by_one, "{hung:?}");
        }
    }
}
