//! Recovery codes: each sets a new password once.

use data_encoding::BASE32_NOPAD;
use grundy_shared::protocol::Secret;
use sha2::{Digest, Sha256};

use crate::chance::Chance;
use crate::store::SecretHash;

/// Codes of one account.
pub const CODES: usize = 10;
/// Random bytes of a code: guessing one from its hash is out of reach.
const BYTES: usize = 10;
/// Characters between two hyphens.
const GROUP: usize = 4;

/// New codes, and what is stored of them.
pub(super) fn draw(chance: &dyn Chance) -> (Vec<Secret>, Vec<SecretHash>) {
    let codes = (0..CODES).map(|_| {
        let text = BASE32_NOPAD.encode(&chance.secret()[..BYTES]);
        let groups: Vec<&str> = (0..text.len() / GROUP)
            .map(|group| &text[group * GROUP..][..GROUP])
            .collect();
        let code = groups.join("-");
        let hash = hash(&code);
        (Secret::from(code), hash)
    });
    codes.unzip()
}

/// What is stored of a code, however it is written: no code has a digit that looks like one of its letters.
#[must_use]
pub(super) fn hash(code: &str) -> SecretHash {
    let plain = code.chars().filter(|c| c.is_ascii_alphanumeric());
    let plain: String = plain
        .map(|c| match c.to_ascii_uppercase() {
            '0' => 'O',
            '1' => 'I',
            '8' => 'B',
            other => other,
        })
        .collect();
    let digest = Sha256::new()
        .chain_update("grundy recovery code ")
        .chain_update(plain)
        .finalize();
    SecretHash::from(<[u8; 32]>::from(digest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;

    #[test]
    fn a_code_is_known_however_it_is_written() {
        let (codes, hashes) = draw(&Seeded::new(1));
        assert_eq!((codes.len(), hashes.len()), (CODES, CODES));
        for (code, stored) in codes.iter().zip(&hashes) {
            let text = code.reveal();
            assert_eq!(text.len(), 19, "{text}");
            let sloppy = text.to_lowercase().replace('-', " ").replace('o', "0");
            assert_eq!(hash(&sloppy), *stored, "{text}");
            assert_ne!(hash(&text[1..]), *stored);
        }
        let mut different = hashes.clone();
        different.sort_unstable_by_key(|hash| *hash.as_bytes());
        different.dedup();
        assert_eq!(different.len(), CODES);
    }
}
