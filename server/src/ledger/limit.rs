//! Which limits hold over all servers, and digests of those who use them.

use grundy_shared::ids::PlayerId;
use sha2::{Digest as _, Sha256};

use crate::store::{AddressDigest, AddressSecret};

/// A limit that holds over all servers. The numbers are stored: none is used again for another limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i16)]
pub enum Limit {
    /// New connections from an address.
    Opening = 1,
    /// New guests from an address in a minute.
    Guests = 2,
    /// Wrong join codes from an address.
    Codes = 3,
    /// Pages that an address loads.
    Pages = 4,
    /// Attempts to log in from an address.
    LoginsFrom = 5,
    /// Attempts to log in at an account.
    LoginsAt = 6,
    /// Attempts of a player who is signed in.
    SignedIn = 7,
    /// New tokens of a player.
    Tokens = 8,
    /// Lines of chat of a player.
    Chat = 9,
    /// Bytes of an address or a player in a day.
    DayBytes = 10,
    /// Matches of an address or a player in a day.
    DayMatches = 11,
    /// Guests of an address in a day.
    DayGuests = 12,
    /// Attempts to log in at an account from one of the addresses that it knows.
    LoginsKnown = 13,
}

/// Somebody who uses a limit. What is stored is a digest with the secret of the store.
pub trait Digested {
    /// Adds what tells this one from others.
    fn add_to(&self, hash: &mut Sha256);
}

impl Digested for PlayerId {
    fn add_to(&self, hash: &mut Sha256) {
        hash.update("player ");
        hash.update(self.as_bytes());
    }
}

impl Digested for AddressDigest {
    fn add_to(&self, hash: &mut Sha256) {
        hash.update("digest ");
        hash.update(self.0.to_be_bytes());
    }
}

/// Both together.
impl<A: Digested, B: Digested> Digested for (A, B) {
    fn add_to(&self, hash: &mut Sha256) {
        self.0.add_to(hash);
        hash.update([0]);
        self.1.add_to(hash);
    }
}

impl Digested for String {
    fn add_to(&self, hash: &mut Sha256) {
        self.as_str().add_to(hash);
    }
}

impl Digested for &str {
    fn add_to(&self, hash: &mut Sha256) {
        hash.update("name ");
        hash.update(self);
    }
}

/// 64 bits, so that nobody shares a limit with a stranger who tries many addresses.
pub(super) fn digest(secret: &AddressSecret, who: &impl Digested) -> i64 {
    let mut hash = Sha256::new_with_prefix("grundy limit ");
    hash.update(secret.as_bytes());
    who.add_to(&mut hash);
    let hash = hash.finalize();
    let mut first = [0; 8];
    first.copy_from_slice(&hash[..8]);
    i64::from_be_bytes(first)
}
