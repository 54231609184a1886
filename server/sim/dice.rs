//! Chance under one seed: everything in a world that is drawn is drawn here.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};

/// A source of draws. The same seed and the same calls give the same draws.
#[derive(Debug)]
pub(crate) struct Dice(Mutex<Xoshiro256PlusPlus>);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Mutex::new(Xoshiro256PlusPlus::seed_from_u64(seed)))
    }

    fn source(&self) -> MutexGuard<'_, Xoshiro256PlusPlus> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A source of its own for one actor, so that one actor's draws do not shift another's.
    pub(crate) fn fork(&self) -> Self {
        Self::new(self.bits())
    }

    pub(crate) fn bits(&self) -> u64 {
        self.source().next_u64()
    }

    /// From `range.start` to below `range.end`.
    pub(crate) fn within(&self, range: Range<u64>) -> u64 {
        self.source().random_range(range)
    }

    /// From 0 to below `count`.
    pub(crate) fn below(&self, count: usize) -> usize {
        self.source().random_range(0..count)
    }

    /// True once in so many times; never for 0.
    pub(crate) fn one_in(&self, times: u32) -> bool {
        times > 0 && self.source().random_ratio(1, times)
    }

    pub(crate) fn pick<'a, T>(&self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A time that is mostly short and sometimes long, with about this mean, at most 20 times as long.
    pub(crate) fn about(&self, mean_ms: u64) -> u64 {
        let unit: f64 = self.source().random();
        let drawn = -(1.0 - unit).ln() * mean_ms as f64;
        (drawn as u64).clamp(1, mean_ms * 20)
    }
}
