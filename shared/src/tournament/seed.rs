//! The one seed of a tournament: committed to before the entries close, opened at the end, and the source of all chance.
//!
//! The commitment is a SHA-256 of the seed. Whoever sees both can check that the seed was chosen before the players were
//! known, and draw everything again: each draw has a seed of its own, derived by SHA-256 from the tournament's, the name
//! of the draw and a number, so that no draw depends on the order in which others are made.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

/// 32 random bytes, drawn by the caller.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed([u8; 32]);

/// What is published before the entries close.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Commitment([u8; 32]);

impl Seed {
    /// The seed with these bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// `SHA-256("grundy/seed/1/" ‖ seed)`.
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        let hash = Sha256::new()
            .chain_update(b"grundy/seed/1/")
            .chain_update(self.0);
        Commitment(hash.finalize().into())
    }

    /// The seed of one draw: `SHA-256("grundy/draw/1/" ‖ seed ‖ length of name ‖ name ‖ number)`, both numbers as eight
    /// bytes, the highest first.
    #[must_use]
    pub fn draw(&self, name: &str, number: u64) -> Self {
        let hash = Sha256::new()
            .chain_update(b"grundy/draw/1/")
            .chain_update(self.0)
            .chain_update((name.len() as u64).to_be_bytes())
            .chain_update(name)
            .chain_update(number.to_be_bytes());
        Self(hash.finalize().into())
    }

    /// The first eight bytes as a number, for a generator that takes one.
    #[must_use]
    pub fn to_u64(&self) -> u64 {
        self.0
            .iter()
            .take(8)
            .fold(0, |sum, byte| (sum << 8) | u64::from(*byte))
    }

    /// A number below `bound`, each with the same chance; 0 for a bound of 0. `turn` counts the draws from this seed.
    #[must_use]
    pub fn below(&self, bound: u64, turn: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        // Numbers in the last, incomplete stretch would favour small results.
        let most = u64::MAX - u64::MAX % bound;
        let mut attempts = 0u64..;
        loop {
            let attempt = attempts.next().unwrap_or_default();
            let number = self.draw("below", turn).draw("attempt", attempt).to_u64();
            if number < most {
                return number % bound;
            }
        }
    }

    /// The numbers 1 to `count` in a random order, each with the same chance.
    #[must_use]
    pub fn order(&self, count: u32) -> Vec<u32> {
        let mut numbers: Vec<u32> = (1..=count).collect();
        for place in (1..numbers.len()).rev() {
            let other = self.below(place as u64 + 1, place as u64) as usize;
            numbers.swap(place, other);
        }
        numbers
    }
}

impl Commitment {
    /// Whether this is the commitment to that seed.
    #[must_use]
    pub fn opens_to(&self, seed: &Seed) -> bool {
        seed.commitment() == *self
    }
}

impl fmt::Debug for Seed {
    /// Hidden: until it is opened nobody may learn it from a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(..)")
    }
}

/// A text that is not 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a seed or commitment has 64 hexadecimal digits")]
pub struct BadSeed;

/// Writes and reads 32 bytes as hexadecimal digits, in text and in JSON.
macro_rules! as_hexadecimal {
    ($type:ident) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl FromStr for $type {
            type Err = BadSeed;

            fn from_str(text: &str) -> Result<Self, BadSeed> {
                let digits: Vec<u8> = text
                    .chars()
                    .map(|digit| digit.to_digit(16).map(|digit| digit as u8).ok_or(BadSeed))
                    .collect::<Result<_, _>>()?;
                let bytes: Vec<u8> = digits
                    .chunks(2)
                    .map(|two| two.iter().fold(0, |sum, digit| sum << 4 | digit))
                    .collect();
                let is_whole = digits.len() == 64;
                bytes
                    .try_into()
                    .ok()
                    .filter(|_| is_whole)
                    .map(Self)
                    .ok_or(BadSeed)
            }
        }

        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({"type": "string", "pattern": "^[0-9a-f]{64}$"})
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

as_hexadecimal!(Seed);
as_hexadecimal!(Commitment);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commitment_opens_to_its_seed_only() {
        let seed = Seed::new([7; 32]);
        let commitment = seed.commitment();
        assert!(commitment.opens_to(&seed));
        assert!(!commitment.opens_to(&seed.draw("start", 1)));
        assert_eq!(commitment.to_string().parse(), Ok(commitment));
        assert_eq!(seed.to_string().parse(), Ok(seed));
        assert_eq!("7".repeat(63).parse::<Seed>(), Err(BadSeed));
        assert_eq!("g".repeat(64).parse::<Seed>(), Err(BadSeed));
        assert_eq!(format!("{seed:?}"), "Seed(..)");
        // 'grundy/seed/1/' and 32 bytes of 07, hashed by another program.
        assert_eq!(
            commitment.to_string(),
            "f361b4ae45c9927325123dc22178c83c2101620ea2b983724a00e70533fbb4ad"
        );
        // 'grundy/draw/1/', the seed, 5 in eight bytes, 'start', 3 in eight bytes.
        assert_eq!(
            seed.draw("start", 3).to_string(),
            "97b71ee709656b4b5a61c441a98b061b51f440fc9cafdaf68bc444c94cf7176e"
        );
    }

    #[test]
    fn draws_are_apart_and_repeat() {
        let seed = Seed::new([1; 32]);
        assert_eq!(seed.draw("start", 3), seed.draw("start", 3));
        assert_ne!(seed.draw("start", 3), seed.draw("start", 4));
        assert_ne!(seed.draw("a", 0), seed.draw("b", 0));
        let orders: std::collections::BTreeMap<Vec<u32>, u32> =
            (0..6000).fold(Default::default(), |mut seen, number| {
                *seen.entry(seed.draw("order", number).order(3)).or_default() += 1;
                seen
            });
        assert_eq!(orders.len(), 6);
        assert!(
            orders.values().all(|count| (850..1150).contains(count)),
            "{orders:?}"
        );
        assert_eq!(seed.below(0, 1), 0);
    }

    /// Of a bound of three quarters of all numbers a remainder alone would give half of the draws to its first third.
    #[test]
    fn small_numbers_are_not_drawn_more_often() {
        let seed = Seed::new([2; 32]);
        let bound = 3 << 62;
        let draws = (0..600).map(|turn| seed.below(bound, turn));
        let small = draws.filter(|number| *number < bound / 3).count();
        assert!((160..240).contains(&small), "{small} of 600");
    }
}
