//! From where matches are created.

/// Where the creator of a match was: 16 bits of a digest of the address and the [`AddressSecret`](super::AddressSecret). Enough to count the
/// matches of one address, and too little to find the address again: every 65,536th address has the same.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct AddressDigest(pub u16);
