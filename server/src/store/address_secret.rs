//! The secret in the digests of addresses.

use std::fmt;

use subtle::ConstantTimeEq as _;

/// 32 random bytes that go into each digest of an address, so that nobody without the store can compute one. Drawn once for a store, and never
/// changed: the digests before and afterwards would not fit each other.
#[derive(Clone, Copy)]
pub struct AddressSecret([u8; 32]);

impl AddressSecret {
    /// The bytes, for the store and the digests.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<[u8; 32]> for AddressSecret {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl PartialEq for AddressSecret {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for AddressSecret {}

impl fmt::Debug for AddressSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AddressSecret(…)")
    }
}
