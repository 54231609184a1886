//! What proves who a player is: a password, recovery codes, tokens. Of each only a hash is kept.

use std::fmt;
use std::hash::{Hash, Hasher};

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{Millis, PlayerId};
use grundy_shared::protocol::Scopes;
use subtle::ConstantTimeEq as _;

use super::address_digest::AddressDigest;
use super::error::StoreError;

/// SHA-256 of a secret that was drawn at random. Two of them are compared in constant time.
#[derive(Clone, Copy)]
pub struct SecretHash([u8; 32]);

impl SecretHash {
    /// The bytes, for the store.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<[u8; 32]> for SecretHash {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl PartialEq for SecretHash {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for SecretHash {}

impl Hash for SecretHash {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHash(…)")
    }
}

/// A password as it is kept: a PHC string with its parameters and its salt. Two of them are compared in constant time.
#[derive(Clone)]
pub struct PasswordHash(pub String);

impl PartialEq for PasswordHash {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl Eq for PasswordHash {}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// A token as it is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenRow {
    /// The token itself is never stored.
    pub hash: SecretHash,
    /// Its first characters.
    pub prefix: String,
    /// What its owner calls it.
    pub name: String,
    /// What it is good for.
    pub scopes: Scopes,
    /// When it was made.
    pub created_at: Millis,
    /// From when on it is good for nothing.
    pub expires_at: Option<Millis>,
}

impl fmt::Debug for TokenRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "TokenRow({} {:?} {})",
            self.prefix, self.name, self.scopes
        )
    }
}

impl TokenRow {
    /// Whether it is good for nothing any more.
    #[must_use]
    pub fn has_expired(&self, now: Millis) -> bool {
        self.expires_at.is_some_and(|at| at <= now)
    }
}

/// What the account of a player has besides its name. It is read and replaced as a whole.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct AccountRow {
    /// How often it was replaced.
    pub version: u64,
    /// `None` for a guest.
    pub password: Option<PasswordHash>,
    /// Those that are left.
    pub codes: Vec<SecretHash>,
    /// The oldest first; those of one age by their hashes.
    pub tokens: Vec<TokenRow>,
    /// The players that this player has muted, in the order of muting.
    pub muted: Vec<PlayerId>,
    /// The digests of the addresses from which the player has signed in lately, the newest last.
    pub known: Vec<AddressDigest>,
    /// The player was erased: the account takes no change.
    pub erased: bool,
}

impl fmt::Debug for AccountRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccountRow")
            .field("version", &self.version)
            .field("password", &self.password)
            .field("codes", &self.codes.len())
            .field("tokens", &self.tokens)
            .field("muted", &self.muted)
            .field("known", &self.known)
            .field("erased", &self.erased)
            .finish()
    }
}

impl AccountRow {
    /// Puts the tokens into their order.
    pub(super) fn sort(&mut self) {
        self.tokens
            .sort_by_key(|token| (token.created_at, *token.hash.as_bytes()));
    }
}

/// The digests of addresses as one column stores them.
pub(super) fn known_to_bytes(known: &[AddressDigest]) -> Vec<u8> {
    let digests = known.iter();
    digests.flat_map(|digest| digest.0.to_be_bytes()).collect()
}

/// Reads them.
///
/// # Errors
/// The column has an odd number of bytes.
pub(crate) fn read_known(bytes: &[u8]) -> Result<Vec<AddressDigest>, StoreError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    match rest {
        [] => Ok(pairs
            .iter()
            .map(|pair| AddressDigest(u16::from_be_bytes(*pair)))
            .collect()),
        _ => Err(StoreError::Corrupt {
            why: "half a digest of an address".to_owned(),
        }),
    }
}

/// Who has come with a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bearer {
    /// The player.
    pub player: PlayerInfo,
    /// The token, which may have expired.
    pub token: TokenRow,
    /// Whether the account has a password.
    pub claimed: bool,
    /// The players that this player has muted.
    pub muted: Vec<PlayerId>,
}

/// A player to be made, with a first token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewPlayer {
    /// Who.
    pub info: PlayerInfo,
    /// What the name looks like; no two players have one.
    pub name_key: String,
    /// The token.
    pub token: TokenRow,
    /// When.
    pub created_at: Millis,
}
