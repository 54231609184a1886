//! Identities in files that only a passphrase opens, to be carried to another computer.
//!
//! The key is Argon2id of the passphrase (64 MiB, three passes), the cipher XChaCha20-Poly1305. The first line of the file names the format, and is
//! part of what is sealed.

use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{Key, KeyInit as _, XChaCha20Poly1305, XNonce};
use grundy_shared::protocol::Secret;
use zeroize::Zeroizing;

/// What a sealed file begins with.
const HEAD: &str = "grundy identity 1";
/// Columns of a line of it.
const COLUMNS: usize = 38;
const SALT: usize = 16;
const NONCE: usize = 24;
/// Kibibytes and passes of the key's derivation: half a second on a small computer.
const COST: (u32, u32) = (65_536, 3);

/// Why a file is not opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum SealError {
    #[error("not a sealed identity file")]
    NotOurs,
    #[error("the file is damaged or the passphrase is wrong")]
    NotOpened,
}

/// The content of a file that only this passphrase opens; salt and nonce are of `draw`.
pub(crate) fn seal(content: &[u8], passphrase: &Secret, draw: &mut dyn FnMut(&mut [u8])) -> String {
    let (mut salt, mut nonce) = ([0; SALT], [0; NONCE]);
    draw(&mut salt);
    draw(&mut nonce);
    let payload = Payload {
        msg: content,
        aad: HEAD.as_bytes(),
    };
    let sealed = cipher(passphrase, &salt)
        .encrypt(&XNonce::from(nonce), payload)
        .expect("an identity is not as long as the cipher's bound");
    let letters = data_encoding::BASE64.encode(&[&salt[..], &nonce, &sealed].concat());
    let mut text = format!("{HEAD}\n");
    for line in letters.as_bytes().chunks(COLUMNS) {
        text.extend(line.iter().map(|letter| char::from(*letter)));
        text.push('\n');
    }
    text
}

/// What was sealed.
pub(crate) fn open(text: &str, passphrase: &Secret) -> Result<Zeroizing<Vec<u8>>, SealError> {
    let (head, letters) = text.split_once('\n').ok_or(SealError::NotOurs)?;
    if head.trim_end() != HEAD {
        return Err(SealError::NotOurs);
    }
    let letters: String = letters.split_whitespace().collect();
    let bytes = data_encoding::BASE64.decode(letters.as_bytes());
    let bytes = bytes.map_err(|_| SealError::NotOpened)?;
    let Some((salt, rest)) = bytes.split_first_chunk::<SALT>() else {
        return Err(SealError::NotOpened);
    };
    let Some((nonce, sealed)) = rest.split_first_chunk::<NONCE>() else {
        return Err(SealError::NotOpened);
    };
    let payload = Payload {
        msg: sealed,
        aad: HEAD.as_bytes(),
    };
    let opened = cipher(passphrase, salt).decrypt(&XNonce::from(*nonce), payload);
    opened.map(Zeroizing::new).map_err(|_| SealError::NotOpened)
}

fn cipher(passphrase: &Secret, salt: &[u8; SALT]) -> XChaCha20Poly1305 {
    let (memory, passes) = COST;
    let params = Params::new(memory, passes, 1, Some(32)).expect("within the algorithm's bounds");
    let mut key = Zeroizing::new([0; 32]);
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(passphrase.reveal().as_bytes(), salt, &mut *key)
        .expect("a salt of 16 bytes and a key of 32 are within its bounds");
    XChaCha20Poly1305::new(&Key::from(*key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_passphrase_opens_it_and_every_letter_counts() {
        let secret = |text: &str| Secret::from(text.to_owned());
        let mut number = 0;
        let mut draw = |bytes: &mut [u8]| {
            number += 1;
            bytes.fill(number);
        };
        let text = seal(b"who I am", &secret("open sesame"), &mut draw);
        assert!(text.lines().all(|line| line.len() <= 40), "{text}");
        assert!(!text.contains("who"), "{text}");
        let opened = open(&text, &secret("open sesame")).expect("it opens");
        assert_eq!(&opened[..], b"who I am");
        // As a mail program may leave it.
        let reflowed = text.replace('\n', "\r\n");
        assert!(open(&reflowed, &secret("open sesame")).is_ok());
        assert_eq!(
            open(&text, &secret("open sesamf")).err(),
            Some(SealError::NotOpened)
        );
        for at in [20, 50, text.len() - 3] {
            let mut damaged = text.clone().into_bytes();
            damaged[at] = if damaged[at] == b'A' { b'B' } else { b'A' };
            let damaged = String::from_utf8(damaged).expect("ASCII");
            assert!(open(&damaged, &secret("open sesame")).is_err(), "{at}");
        }
        for strange in [
            "",
            "nothing",
            "grundy identity 1\n",
            "grundy identity 2\nAAAA",
        ] {
            assert!(open(strange, &secret("open sesame")).is_err(), "{strange}");
        }
    }
}
