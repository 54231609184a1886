//! Identifiers and units: no bare integer or string crosses a boundary twice.
//!
//! Every id is opaque to a client and printed in one form. Chance comes from outside: an id is built
//! from random bits that the caller draws.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

/// Digits without look-alikes (no `0`, `O`, `I`, `l`).
const BASE58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/// Letters of a join code: upper case without look-alikes (no `I`, `L`, `O`, `U`).
const CODE_LETTERS: &[u8; 22] = b"ABCDEFGHJKMNPQRSTVWXYZ";

/// A text that is not an id of the kind asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a {kind}: expected {expected}")]
pub struct BadId {
    /// What was asked for, in words.
    pub kind: &'static str,
    /// The form that is accepted.
    pub expected: &'static str,
}

/// Defines an id of ten base-58 digits, held as an integer below 58^10.
macro_rules! ten_digits {
    ($(#[$about:meta])* $id:ident, $kind:literal) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $id(u64);

        impl $id {
            const DIGITS: usize = 10;
            const COUNT: u64 = 58u64.pow(Self::DIGITS as u32);

            /// The id that these random bits give.
            #[must_use]
            pub fn from_random(bits: u64) -> Self {
                Self(bits % Self::COUNT)
            }

            /// As stored in a database: below 2^63.
            #[must_use]
            pub fn to_i64(self) -> i64 {
                self.0 as i64
            }

            /// From a stored integer; `None` when it cannot be one.
            #[must_use]
            pub fn from_i64(stored: i64) -> Option<Self> {
                u64::try_from(stored)
                    .ok()
                    .filter(|bits| *bits < Self::COUNT)
                    .map(Self)
            }
        }

        impl fmt::Display for $id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut digits = [0u8; Self::DIGITS];
                let mut rest = self.0;
                for digit in digits.iter_mut().rev() {
                    *digit = BASE58[(rest % 58) as usize];
                    rest /= 58;
                }
                f.pad(std::str::from_utf8(&digits).expect("base 58 digits are ASCII"))
            }
        }

        impl FromStr for $id {
            type Err = BadId;

            fn from_str(text: &str) -> Result<Self, BadId> {
                let bad = BadId {
                    kind: $kind,
                    expected: "ten letters and digits such as 7Kq2mVx9Rt",
                };
                if text.len() != Self::DIGITS {
                    return Err(bad);
                }
                let mut value = 0u64;
                for byte in text.bytes() {
                    let digit = BASE58.iter().position(|d| *d == byte).ok_or(bad.clone())?;
                    value = value * 58 + digit as u64;
                }
                Ok(Self(value))
            }
        }
    };
}

ten_digits!(
    /// A match: one contest between two players. Printed as ten base-58 digits, held as an integer below 58^10.
    MatchId,
    "match id"
);

ten_digits!(
    /// A tournament. Printed and held as a match's id is.
    TournamentId,
    "tournament id"
);

ten_digits!(
    /// A challenge of one player to another. Printed and held as a match's id is.
    ChallengeId,
    "challenge id"
);

ten_digits!(
    /// A seek: a player who looks for an opponent. Printed and held as a match's id is.
    SeekId,
    "seek id"
);

ten_digits!(
    /// A server, or several that share a store: what a client knows it by, whatever address it uses. Printed and held as a match's id is.
    ServerId,
    "server id"
);

/// A player: a guest, a person or a bot. Printed as a UUID.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlayerId(Uuid);

impl PlayerId {
    /// The id that these random bits give.
    #[must_use]
    pub fn from_random(bits: u128) -> Self {
        Self(uuid::Builder::from_random_bytes(bits.to_be_bytes()).into_uuid())
    }

    /// The sixteen bytes, as stored.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }

    /// From stored bytes; `None` when there are not sixteen.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Uuid::from_slice(bytes).ok().map(Self)
    }
}

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_hyphenated().fmt(f)
    }
}

impl FromStr for PlayerId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        let bad = BadId {
            kind: "player id",
            expected: "a UUID such as 67e55044-10b1-426f-9247-bb680e5fe0c8",
        };
        if text.len() != 36 {
            return Err(bad);
        }
        Uuid::parse_str(text).map(Self).map_err(|_| bad)
    }
}

/// A puzzle: a position, and who is to move in it. Printed as 32 hexadecimal digits. It is computed from what it names, so that one position is one
/// puzzle wherever it comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PuzzleId([u8; 16]);

impl PuzzleId {
    /// The sixteen bytes, as stored.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// From stored bytes; `None` when there are not sixteen.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }
}

impl fmt::Display for PuzzleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for PuzzleId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        let bad = BadId {
            kind: "puzzle id",
            expected: "32 digits from 0 to f such as 0f4c3a9e5b7d12860f4c3a9e5b7d1286",
        };
        let digits = text.as_bytes();
        let value = |digit: u8| match digit {
            b'0'..=b'9' => Some(digit - b'0'),
            b'a'..=b'f' => Some(digit - b'a' + 10),
            _ => None,
        };
        let mut bytes = [0u8; 16];
        if digits.len() != 2 * bytes.len() {
            return Err(bad);
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let (Some(high), Some(low)) = (value(pair[0]), value(pair[1])) else {
                return Err(bad);
            };
            *byte = high << 4 | low;
        }
        Ok(Self(bytes))
    }
}

/// What a player hands to a friend so that the friend can take the other seat: eight letters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct JoinCode([u8; 8]);

impl JoinCode {
    /// The code that these random bits give.
    #[must_use]
    pub fn from_random(mut bits: u64) -> Self {
        let mut letters = [0u8; 8];
        for letter in &mut letters {
            *letter = CODE_LETTERS[(bits % 22) as usize];
            bits /= 22;
        }
        Self(letters)
    }
}

impl fmt::Display for JoinCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(std::str::from_utf8(&self.0).expect("code letters are ASCII"))
    }
}

impl FromStr for JoinCode {
    type Err = BadId;

    /// Tolerates lower case, spaces and hyphens, as a code is read aloud.
    fn from_str(text: &str) -> Result<Self, BadId> {
        let bad = BadId {
            kind: "join code",
            expected: "eight letters such as KWQHRMTB",
        };
        let mut letters = [0u8; 8];
        let mut places = letters.iter_mut();
        for byte in text.bytes().filter(|byte| !matches!(byte, b' ' | b'-')) {
            let letter = byte.to_ascii_uppercase();
            if !CODE_LETTERS.contains(&letter) {
                return Err(bad);
            }
            *places.next().ok_or(bad.clone())? = letter;
        }
        match places.next() {
            None => Ok(Self(letters)),
            Some(_) => Err(bad),
        }
    }
}

/// Declares a name that a client gives to one of its requests, by which a repeat is known.
macro_rules! name_of_the_client {
    ($(#[$about:meta])* $name:ident, $kind:literal) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(Box<str>);

        impl $name {
            /// The longest.
            pub const MAX_BYTES: usize = 64;

            /// The text as the client wrote it.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            fn from_str(text: &str) -> Result<Self, BadId> {
                let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
                if (1..=Self::MAX_BYTES).contains(&text.len()) && text.bytes().all(plain) {
                    Ok(Self(text.into()))
                } else {
                    Err(BadId {
                        kind: $kind,
                        expected: "1 to 64 letters, digits, '-' and '_', such as a UUID",
                    })
                }
            }
        }
    };
}

name_of_the_client!(
    /// A client's own name for one move, so that a repeat is recognised: 1 to 64 letters, digits, `-` and `_`.
    ClientMoveId,
    "client move id"
);
name_of_the_client!(
    /// A client's own name for one new match, so that a repeat is recognised: 1 to 64 letters, digits, `-` and `_`.
    ClientCreateId,
    "client create id"
);

/// A side of a match.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Seat {
    /// Makes moves 1, 3, 5, …; Left in partizan games.
    First,
    /// Makes moves 2, 4, 6, …; Right in partizan games.
    Second,
}

impl Seat {
    /// Both, in order of moving.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The opponent's seat.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for the first seat, 1 for the second.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }

    /// Who makes the move after this many plies.
    #[must_use]
    pub fn to_move_at(ply: Ply) -> Self {
        if ply.0.is_multiple_of(2) {
            Self::First
        } else {
            Self::Second
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}

/// Serialises an id as its text, and its schema as a string with a pattern.
macro_rules! id_as_text {
    ($id:ident, $pattern:literal, $about:literal $(, $most:expr)?) => {
        impl Serialize for $id {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $id {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Visitor;
                impl serde::de::Visitor<'_> for Visitor {
                    type Value = $id;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($about)
                    }
                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$id, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(Visitor)
            }
        }

        impl JsonSchema for $id {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($id).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": "string",
                    "pattern": $pattern,
                    $("minLength": 1, "maxLength": $most,)?
                    "description": $about
                })
            }
        }
    };
}

id_as_text!(
    MatchId,
    "^[1-9A-HJ-NP-Za-km-z]{10}$",
    "a match id: ten letters and digits"
);
id_as_text!(
    ChallengeId,
    "^[1-9A-HJ-NP-Za-km-z]{10}$",
    "a challenge id: ten letters and digits"
);
id_as_text!(
    SeekId,
    "^[1-9A-HJ-NP-Za-km-z]{10}$",
    "a seek id: ten letters and digits"
);
id_as_text!(
    TournamentId,
    "^[1-9A-HJ-NP-Za-km-z]{10}$",
    "a tournament id: ten letters and digits"
);
id_as_text!(
    ServerId,
    "^[1-9A-HJ-NP-Za-km-z]{10}$",
    "a server id: ten letters and digits"
);
id_as_text!(PlayerId, "^[0-9a-f-]{36}$", "a player id: a UUID");
id_as_text!(
    PuzzleId,
    "^[0-9a-f]{32}$",
    "a puzzle id: 32 digits from 0 to f"
);
id_as_text!(
    JoinCode,
    "^[A-HJKMNP-TV-Z]{8}$",
    "a join code: eight letters"
);
id_as_text!(
    ClientMoveId,
    "^[A-Za-z0-9_-]{1,64}$",
    "the client's own name for a move",
    ClientMoveId::MAX_BYTES
);
id_as_text!(
    ClientCreateId,
    "^[A-Za-z0-9_-]{1,64}$",
    "the client's own name for a create",
    ClientCreateId::MAX_BYTES
);

/// Defines an integer unit that is serialised as a plain number.
macro_rules! integer_unit {
    ($(#[$about:meta])* $unit:ident($int:ty)) => {
        $(#[$about])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(transparent)]
        pub struct $unit(pub $int);

        impl fmt::Display for $unit {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

integer_unit! {
    /// Counts moves: 1 is the first move of a match, 0 means "none yet".
    Ply(u32)
}
integer_unit! {
    /// Counts the events of a match, without gaps: the first event has 1; 0 means "none yet".
    Seq(u64)
}
integer_unit! {
    /// Milliseconds: a length of time, or a moment counted from 1970-01-01 UTC where a name says `at`.
    Millis(u64)
}

impl Ply {
    /// The ply after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl Seq {
    /// The number of the event after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl Millis {
    /// `self - other`, not below zero.
    #[must_use]
    pub fn since(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// `self + other`, not beyond the largest.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn match_ids_read_back(bits: u64) {
            let id = MatchId::from_random(bits);
            prop_assert_eq!(id.to_string().parse(), Ok(id));
            prop_assert_eq!(MatchId::from_i64(id.to_i64()), Some(id));
        }

        #[test]
        fn join_codes_read_back_however_they_are_typed(bits: u64) {
            let code = JoinCode::from_random(bits);
            let typed = code.to_string().to_lowercase();
            prop_assert_eq!(format!("{}-{}", &typed[..4], &typed[4..]).parse(), Ok(code));
        }

        #[test]
        fn puzzle_ids_read_back_and_are_written_in_one_way(bytes: [u8; 16]) {
            let id = PuzzleId::from_bytes(&bytes).expect("sixteen bytes");
            let text = id.to_string();
            prop_assert_eq!(text.parse(), Ok(id));
            prop_assert!(text == text.to_uppercase() || text.to_uppercase().parse::<PuzzleId>().is_err());
            prop_assert_eq!(PuzzleId::from_bytes(id.as_bytes()), Some(id));
        }

        #[test]
        fn no_text_makes_an_id_parser_panic(text in ".{0,80}") {
            let _ = text.parse::<MatchId>();
            let _ = text.parse::<PlayerId>();
            let _ = text.parse::<PuzzleId>();
            let _ = text.parse::<JoinCode>();
            let _ = text.parse::<ClientMoveId>();
        }
    }

    #[test]
    fn wrong_lengths_are_refused() {
        assert!("7Kq2mVx9R".parse::<MatchId>().is_err());
        assert!("7Kq2mVx9Rt1".parse::<MatchId>().is_err());
        assert!(
            "0f4c3a9e5b7d12860f4c3a9e5b7d128"
                .parse::<PuzzleId>()
                .is_err()
        );
        assert_eq!(PuzzleId::from_bytes(&[0; 15]), None);
        assert!("KWQHRMT".parse::<JoinCode>().is_err());
        assert!("KWQHRMTBB".parse::<JoinCode>().is_err());
        assert!("".parse::<ClientMoveId>().is_err());
        assert!("a b".parse::<ClientMoveId>().is_err());
    }
}
