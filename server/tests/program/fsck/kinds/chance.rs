//! Random numbers from a seed that is printed.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A stream of random numbers (SplitMix64).
pub(super) struct Chance(u64);

impl Chance {
    /// From `GRUNDY_SEED`, or another in each run.
    pub(super) fn announced() -> Self {
        let any = || RandomState::new().build_hasher().finish();
        let seed = match std::env::var("GRUNDY_SEED") {
            Ok(text) => text.parse().expect("GRUNDY_SEED is a number"),
            Err(_) => any(),
        };
        println!("to make the same changes again: GRUNDY_SEED={seed}");
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Less than `end`, which is not 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// A positive number of up to nine digits, other than any that the database holds by itself.
    pub(super) fn number(&mut self) -> u64 {
        400_000_000 + self.next() % 500_000_000
    }

    /// So many bytes, as a literal of SQL.
    pub(super) fn blob(&mut self, bytes: usize) -> String {
        let digits: String = (0..bytes)
            .map(|_| format!("{:02X}", self.next() as u8))
            .collect();
        format!("x'{digits}'")
    }

    /// Eight of these letters.
    pub(super) fn word(&mut self, letters: &[u8]) -> String {
        (0..8)
            .map(|_| char::from(letters[self.below(letters.len())]))
            .collect()
    }
}
