//! Bans: players and addresses that an operator keeps out.

use std::fmt;
use std::str::FromStr;

use grundy_shared::ids::{Millis, PlayerId};

use crate::address_range::AddressRange;

/// The most bans that a store lists.
pub const BANS_MAX: usize = 10_000;

/// Who is banned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BanSubject {
    /// A player.
    Player(PlayerId),
    /// Addresses.
    Address(AddressRange),
}

/// A ban.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BanRow {
    /// Who is banned.
    pub subject: BanSubject,
    /// Why, for operators.
    pub reason: String,
    /// Since when.
    pub created_at: Millis,
    /// Until when; for good if absent.
    pub until: Option<Millis>,
}

impl BanRow {
    /// Whether the ban holds.
    #[must_use]
    pub fn holds(&self, now: Millis) -> bool {
        self.until.is_none_or(|until| now < until)
    }
}

impl fmt::Display for BanSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(id) => write!(f, "player {id}"),
            Self::Address(range) => write!(f, "address {range}"),
        }
    }
}

/// A text is not the subject of a ban.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("it is not the subject of a ban")]
pub struct BadSubject;

impl FromStr for BanSubject {
    type Err = BadSubject;

    fn from_str(text: &str) -> Result<Self, BadSubject> {
        let read = match text.split_once(' ') {
            Some(("player", id)) => id.parse().ok().map(Self::Player),
            Some(("address", range)) => range.parse().ok().map(Self::Address),
            _ => None,
        };
        read.filter(|read| read.to_string() == text)
            .ok_or(BadSubject)
    }
}
