//! The one source of chance: ids, join codes, secrets, sides, delays, what the built-in bots draw.
//!
//! A simulation hands in [`Seeded`], and plays the same game again.

use std::sync::{Mutex, PoisonError};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Random bits.
pub trait Chance: Send + Sync + 'static {
    /// 64 random bits; of [`SystemChance`] nobody can predict them.
    fn bits(&self) -> u64;
}

impl dyn Chance {
    /// 128 random bits.
    #[must_use]
    pub fn wide_bits(&self) -> u128 {
        (u128::from(self.bits()) << 64) | u128::from(self.bits())
    }

    /// 32 random bytes: a secret.
    #[must_use]
    pub fn secret(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for part in bytes.chunks_exact_mut(8) {
            part.copy_from_slice(&self.bits().to_le_bytes());
        }
        bytes
    }

    /// Yes or no, equally likely.
    #[must_use]
    pub fn coin(&self) -> bool {
        self.bits() >> 63 == 1
    }

    /// A number below `bound`, each equally likely up to 2^-64; 0 if the bound is 0.
    #[must_use]
    pub fn below(&self, bound: u64) -> u64 {
        // The high half of the product (Lemire).
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }
}

/// The chance of a running server: a cryptographic generator, seeded by the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemChance;

impl Chance for SystemChance {
    fn bits(&self) -> u64 {
        rand::random()
    }
}

/// Chance that one number decides.
#[derive(Debug)]
pub struct Seeded(Mutex<StdRng>);

impl Seeded {
    /// The same seed gives the same draws.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(StdRng::seed_from_u64(seed)))
    }
}

impl Chance for Seeded {
    fn bits(&self) -> u64 {
        let mut generator = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        generator.next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_its_draws_and_bounds_are_kept() {
        let one: &dyn Chance = &Seeded::new(1);
        let again: &dyn Chance = &Seeded::new(1);
        assert_eq!(one.secret(), again.secret());
        assert_eq!(one.wide_bits(), again.wide_bits());
        let draws: Vec<u64> = (0..100).map(|_| one.below(3)).collect();
        assert!((0..3).all(|value| draws.contains(&value)), "{draws:?}");
        assert!(draws.iter().all(|draw| *draw < 3));
        assert_eq!(one.below(0), 0);
        let system: &dyn Chance = &SystemChance;
        assert_ne!(system.secret(), system.secret());
    }
}
