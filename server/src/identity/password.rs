//! Passwords: which are allowed, and what is kept of them (Argon2id, RFC 9106).

use argon2::password_hash::phc;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use grundy_shared::bounds::{PASSWORD_BYTES_MAX, PASSWORD_MIN};
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use zeroize::Zeroizing;

use crate::names::name_key;
use crate::store::PasswordHash;

/// Random bytes that make the hashes of one password differ.
pub(super) type Salt = [u8; 16];

/// A password in one form, however the keyboard has written it: Unicode form NFC, every space a plain one (RFC 8265, OpaqueString).
#[derive(Clone)]
pub(super) struct Password(Zeroizing<String>);

/// What it costs to try one password.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cost {
    /// 19 MiB and two passes, as OWASP asks for at least.
    Full,
    /// For simulations.
    Token,
}

impl Password {
    /// A password as somebody has typed it, right or wrong.
    ///
    /// # Errors
    /// It is longer than any that is kept.
    pub(super) fn typed(text: &str, field: &str) -> Result<Self, ErrorBody> {
        if text.len() > PASSWORD_BYTES_MAX {
            let words = format!("a password has at most {PASSWORD_BYTES_MAX} bytes");
            return Err(ErrorBody::new(ErrorCode::OutOfRange, words)
                .field(field)
                .limit(PASSWORD_BYTES_MAX));
        }
        let plain = |c: char| match c.general_category() {
            GeneralCategory::SpaceSeparator => ' ',
            _ => c,
        };
        Ok(Self(Zeroizing::new(text.nfc().map(plain).collect())))
    }

    /// The password that the player of this name asks for.
    ///
    /// # Errors
    /// `bad_password` with the rule that is broken.
    pub(super) fn new(text: &str, name: &str) -> Result<Self, ErrorBody> {
        let refuse = |rule: String| {
            let words = format!("the password {rule}");
            let error = ErrorBody::new(ErrorCode::BadPassword, words).field("password");
            Err(error.limit(format_args!(
                "{PASSWORD_MIN} characters to {PASSWORD_BYTES_MAX} bytes"
            )))
        };
        if text.len() > PASSWORD_BYTES_MAX {
            return refuse(format!("has more than {PASSWORD_BYTES_MAX} bytes"));
        }
        if text.chars().any(char::is_control) {
            return refuse("has control characters".to_owned());
        }
        let password = Self::typed(text, "password")?;
        if password.0.chars().count() < PASSWORD_MIN {
            return refuse(format!("has fewer than {PASSWORD_MIN} characters"));
        }
        if name_key(&password.0) == name_key(name) {
            return refuse("is your name".to_owned());
        }
        Ok(password)
    }

    /// What is kept of it. Takes tens of milliseconds of one core.
    #[must_use]
    pub(super) fn hash(&self, cost: Cost, salt: &Salt) -> Option<PasswordHash> {
        let hashed = argon2(cost).hash_password_with_salt(self.0.as_bytes(), salt);
        hashed
            .ok()
            .map(|hash: phc::PasswordHash| PasswordHash(hash.to_string()))
    }

    /// Whether this is what was kept of it. Where nothing was kept it is not, which takes as long to say.
    #[must_use]
    pub(super) fn fits(&self, kept: Option<&PasswordHash>, cost: Cost) -> bool {
        let decoy = decoy(cost);
        let text = kept.map_or(&*decoy, |kept| &kept.0);
        let Ok(hash) = phc::PasswordHash::new(text) else {
            return false;
        };
        // With the cost at which it was hashed.
        let fits = argon2(cost).verify_password(self.0.as_bytes(), &hash);
        fits.is_ok() && kept.is_some()
    }
}

/// The hash of no password.
fn decoy(cost: Cost) -> String {
    let params = params(cost);
    format!(
        "$argon2id$v=19$m={},t={},p={}${}${}",
        params.m_cost(),
        params.t_cost(),
        params.p_cost(),
        "A".repeat(22),
        "A".repeat(43)
    )
}

fn params(cost: Cost) -> Params {
    match cost {
        Cost::Full => Params::DEFAULT,
        Cost::Token => Params::new(8, 1, 1, None).expect("within the bounds of the algorithm"),
    }
}

fn argon2(cost: Cost) -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params(cost))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        Password::new(text, "Ann").unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn a_password_fits_its_hash_and_no_other_does() {
        for cost in [Cost::Token, Cost::Full] {
            let right = password("correct horse");
            let kept = right.hash(cost, &[1; 16]).expect("a hash");
            let other = right.hash(cost, &[2; 16]).expect("a hash");
            assert!(kept.0.starts_with("$argon2id$v=19$m="), "{}", kept.0);
            assert_ne!(kept, other);
            assert!(!format!("{kept:?}").contains("argon2id"));
            assert!(right.fits(Some(&kept), cost));
            assert!(!password("correct horsf").fits(Some(&kept), cost));
            assert!(!right.fits(None, cost));
            // What was hashed at another cost is still known.
            assert!(right.fits(Some(&kept), Cost::Token));
        }
        let decoy = decoy(Cost::Full);
        phc::PasswordHash::new(&decoy).expect("the decoy is a hash");
    }

    #[test]
    fn keyboards_that_write_the_same_letters_differently_give_one_password() {
        let cost = Cost::Token;
        let kept = password("Gr\u{fc}nd\u{fd} x").hash(cost, &[1; 16]);
        let kept = kept.expect("a hash");
        assert!(password("Gru\u{308}ndy\u{301} x").fits(Some(&kept), cost));
        assert!(password("Gr\u{fc}nd\u{fd}\u{3000}x").fits(Some(&kept), cost));
        assert!(!password("gr\u{fc}nd\u{fd} x").fits(Some(&kept), cost));
    }

    #[test]
    fn a_password_that_is_not_allowed_is_refused_with_the_rule_and_not_quoted() {
        let long = "x".repeat(PASSWORD_BYTES_MAX + 1);
        for text in ["", "1234567", "1234567\n", "abcdefgh\u{7f}", &long] {
            let refused = Password::new(text, "Ann").map(drop).expect_err("refused");
            assert_eq!(refused.code, ErrorCode::BadPassword, "{text}");
            assert!(refused.got.is_none());
        }
        let refused = Password::new("ANNABELLE", "Annabelle").map(drop);
        assert_eq!(refused.expect_err("refused").code, ErrorCode::BadPassword);
        // Eight letters of any script.
        password("\u{5bc6}\u{7801}\u{5bc6}\u{7801}\u{5bc6}\u{7801}\u{5bc6}\u{7801}");
        password(&"x".repeat(PASSWORD_BYTES_MAX));
    }
}
