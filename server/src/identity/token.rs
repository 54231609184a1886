//! Tokens, of which only the hash is kept.

use data_encoding::BASE64URL_NOPAD;
use grundy_shared::ids::Millis;
use grundy_shared::protocol::{Scopes, Secret};
use sha2::{Digest, Sha256};

use crate::store::{SecretHash, TokenRow};

/// What a token begins with, so that scanners of leaked secrets know it.
const MARK: &str = "grg_";
/// Characters that its owner knows it again by. Of the 256 random bits they give 48 away.
const SHOWN: usize = MARK.len() + 8;

/// The beginning of a token, by which its owner and operators name it. Nothing can be done with it.
#[must_use]
pub fn shown(token: &str) -> String {
    token.chars().take(SHOWN).collect()
}

/// A new token. It is shown to its owner once.
pub struct Token(Secret);

impl Token {
    /// The token that these random bytes give.
    #[must_use]
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(format!("{MARK}{}", BASE64URL_NOPAD.encode(&bytes)).into())
    }

    /// What is stored of it.
    #[must_use]
    pub fn row(
        &self,
        name: &str,
        scopes: Scopes,
        created_at: Millis,
        expires_at: Option<Millis>,
    ) -> TokenRow {
        TokenRow {
            hash: hash(self.0.reveal()),
            prefix: shown(self.0.reveal()),
            name: name.to_owned(),
            scopes,
            created_at,
            expires_at,
        }
    }

    /// The text for its owner.
    #[must_use]
    pub fn into_secret(self) -> Secret {
        self.0
    }
}

/// What is stored of the token that this text is; any text has a hash, and only a token's is found. The look-up compares
/// hashes of 256 random bits, so its timing tells nothing of a token.
#[must_use]
pub fn hash(text: &str) -> SecretHash {
    SecretHash::from(<[u8; 32]>::from(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_told_from_its_neighbour_and_what_is_stored_hides_it() {
        let row = |seed: u8| {
            let token = Token::from_random([seed; 32]);
            token.row("laptop", Scopes::ALL, Millis(1), None)
        };
        assert_ne!(row(7).hash, row(8).hash);
        let text = Token::from_random([7; 32]).into_secret();
        assert_eq!(row(7).hash, hash(text.reveal()));
        assert_eq!(text.reveal().len(), 47);
        assert!(text.reveal().starts_with(&row(7).prefix) && row(7).prefix.len() == 12);
        assert!(!format!("{:?}", row(7)).contains(text.reveal()));
    }
}
