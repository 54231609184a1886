//! Who a client is: tokens, of which only the hash is kept.

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

/// What a token begins with, so that scanners of leaked secrets know it.
const PREFIX: &str = "grg_";

/// The secret of a player. It is shown to its owner once, and has no `Debug` that could show it to a log.
pub struct Token(String);

impl Token {
    /// The token that these random bytes give.
    #[must_use]
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(format!("{PREFIX}{}", BASE64URL_NOPAD.encode(&bytes)))
    }

    /// The text for its owner.
    #[must_use]
    pub fn into_text(self) -> String {
        self.0
    }

    /// What is stored.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        hash(&self.0)
    }
}

/// What is stored of the token that this text is; any text has a hash, and only a token's is found. The look-up compares
/// hashes of 256 random bits, so its timing tells nothing of a token.
#[must_use]
pub fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_told_from_its_neighbour_and_its_hash_hides_it() {
        let token = Token::from_random([7; 32]);
        assert_ne!(token.hash(), Token::from_random([8; 32]).hash());
        assert_eq!(token.hash(), hash(&Token::from_random([7; 32]).into_text()));
        assert!(token.into_text().starts_with("grg_"));
    }
}
