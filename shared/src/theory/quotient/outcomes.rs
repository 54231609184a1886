//! Who loses small sums of listed heaps, by all lines of play.

use rustc_hash::FxHashMap;

use super::base::Base;
use super::family::Listed;
use super::monoid::ONE;
use crate::theory::{Meter, Stopped};

/// A sum of heaps by their numbers, sorted.
pub(super) type Sum = Vec<u32>;

/// Weight above which a sum is not searched: the search goes so deep.
const MOST_WEIGHT: u64 = 1_000;

/// Both sums side by side.
pub(super) fn joined(a: &[u32], b: &[u32]) -> Sum {
    let mut sum = [a, b].concat();
    sum.sort_unstable();
    sum
}

/// A search of sums that remembers what it found. Sums of the heaps of a base are looked up there.
pub(super) struct Outcomes<'f> {
    family: &'f Listed,
    base: &'f Base,
    lost: FxHashMap<Sum, bool>,
}

impl<'f> Outcomes<'f> {
    pub(super) fn new(family: &'f Listed, base: &'f Base) -> Self {
        Self {
            family,
            base,
            lost: FxHashMap::default(),
        }
    }

    /// The heaps.
    pub(super) fn family(&self) -> &'f Listed {
        self.family
    }

    /// Whether the player to move loses a sum.
    pub(super) fn is_lost(&mut self, sum: &[u32], meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        let weights = sum.iter().map(|heap| self.family.weight_of(*heap));
        match weights.fold(0, u64::saturating_add) > MOST_WEIGHT {
            true => Err(Stopped),
            false => self.search(sum, meter),
        }
    }

    fn search(&mut self, sum: &[u32], meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        meter.work(1 + sum.len() as u64 / 8)?;
        if let Some(lost) = self.known(sum) {
            return Ok(lost);
        }
        let mut lost = true;
        'moves: for (place, heap) in sum.iter().enumerate() {
            if place > 0 && sum[place - 1] == *heap {
                continue;
            }
            let others = [&sum[..place], &sum[place + 1..]].concat();
            for option in self.family.options_of(*heap) {
                if self.search(&joined(&others, option), meter)? {
                    lost = false;
                    break 'moves;
                }
            }
        }
        meter.hold(sum.len() as u64 * 4 + 64)?;
        self.lost.insert(sum.to_vec(), lost);
        Ok(lost)
    }

    fn known(&self, sum: &[u32]) -> Option<bool> {
        let quotient = &self.base.quotient;
        let class = sum.iter().try_fold(ONE, |class, heap| {
            let heap = self.base.heaps.get(*heap as usize)?;
            Some(quotient.product(class, heap.class))
        });
        class.map_or_else(
            || self.lost.get(sum).copied(),
            |class| Some(quotient.is_lost(class)),
        )
    }
}
