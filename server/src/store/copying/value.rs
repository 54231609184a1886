//! A row of a table as plain values: what two backends have in common.

use sha2::{Digest, Sha256};

/// One value of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// Nothing.
    Null,
    /// A number; 0 or 1 for what is false or true.
    Number(i64),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// How a column is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A number of 64 bits.
    Number,
    /// A number of 16 bits where a backend has those.
    Small,
    /// True or false; a number where a backend has no such type.
    Flag,
    /// A text.
    Text,
    /// Bytes.
    Bytes,
}

impl Value {
    /// Adds it to a digest, so that no two rows of values give the same bytes.
    pub(crate) fn feed(&self, digest: &mut Sha256) {
        let long = |digest: &mut Sha256, tag: u8, bytes: &[u8]| {
            digest.update([tag]);
            digest.update((bytes.len() as u64).to_be_bytes());
            digest.update(bytes);
        };
        match self {
            Self::Null => digest.update([0]),
            Self::Number(number) => {
                digest.update([1]);
                digest.update(number.to_be_bytes());
            }
            Self::Text(text) => long(digest, 2, text.as_bytes()),
            Self::Bytes(bytes) => long(digest, 3, bytes),
        }
    }

    /// The number, if it is one.
    pub(crate) fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// How many bytes it needs, about.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Null | Self::Number(_) => 8,
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }
}
