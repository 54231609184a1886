//! Passwords: which are allowed, and what is kept of them (Argon2id, RFC 9106).

use argon2::password_hash::phc;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use grundy_shared::bounds::{PASSWORD_BYTES_MAX, PASSWORD_MIN};
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use prometheus_client::metrics::counter::Counter;
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
}

/// Hashes passwords at a cost, and counts how often: what an attempt costs must not depend on whether there is such a player.
#[derive(Clone)]
pub(super) struct Hasher {
    cost: Cost,
    hashed: Counter,
}

impl Hasher {
    /// `hashed` counts from now on.
    pub(super) fn new(cost: Cost, hashed: Counter) -> Self {
        Self { cost, hashed }
    }

    /// What is kept of a password. Takes tens of milliseconds of one core.
    #[must_use]
    pub(super) fn hash(&self, password: &Password, salt: &Salt) -> Option<PasswordHash> {
        let hashed = self
            .once()
            .hash_password_with_salt(password.0.as_bytes(), salt);
        hashed
            .ok()
            .map(|hash: phc::PasswordHash| PasswordHash(hash.to_string()))
    }

    /// Whether this is what was kept of a password. Where nothing was kept it is not, which takes as long to say.
    #[must_use]
    pub(super) fn fits(&self, password: &Password, kept: Option<&PasswordHash>) -> bool {
        let decoy = decoy(self.cost);
        let text = kept.map_or(&*decoy, |kept| &kept.0);
        let Ok(hash) = phc::PasswordHash::new(text) else {
            return false;
        };
        // With the cost at which it was hashed.
        let fits = self.once().verify_password(password.0.as_bytes(), &hash);
        fits.is_ok() && kept.is_some()
    }

    /// The algorithm, to be used once.
    fn once(&self) -> Argon2<'static> {
        self.hashed.inc();
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params(self.cost))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        Password::new(text, "Ann").unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn hasher(cost: Cost) -> Hasher {
        Hasher::new(cost, Counter::default())
    }

    #[test]
    fn a_password_fits_its_hash_and_no_other_does() {
        for cost in [Cost::Token, Cost::Full] {
            let (hasher, right) = (hasher(cost), password("correct horse"));
            let kept = hasher.hash(&right, &[1; 16]).expect("a hash");
            let other = hasher.hash(&right, &[2; 16]).expect("a hash");
            assert!(kept.0.starts_with("$argon2id$v=19$m="), "{}", kept.0);
            assert_ne!(kept, other);
            assert!(!format!("{kept:?}").contains("argon2id"));
            assert!(hasher.fits(&right, Some(&kept)));
            assert!(!hasher.fits(&password("correct horsf"), Some(&kept)));
            assert!(!hasher.fits(&right, None));
            // What was hashed at another cost is still known.
            assert!(self::hasher(Cost::Token).fits(&right, Some(&kept)));
        }
    }

    /// A password is hashed as often, and at the same cost, whether something was kept of it or not.
    #[test]
    fn a_password_of_nobody_costs_what_a_wrong_one_costs() {
        for cost in [Cost::Token, Cost::Full] {
            let kept = hasher(cost).hash(&password("correct horse"), &[1; 16]);
            let kept = kept.expect("a hash");
            for of in [Some(&kept), None] {
                let hasher = hasher(cost);
                assert!(!hasher.fits(&password("battery staple"), of));
                assert_eq!(hasher.hashed.get(), 1, "{cost:?}");
            }
            let decoy = decoy(cost);
            let [kept, decoy] = [&*kept.0, &*decoy].map(|text| {
                let hash = phc::PasswordHash::new(text).expect("a hash");
                let lengths = (
                    hash.salt.map(|salt| salt.len()),
                    hash.hash.map(|hash| hash.len()),
                );
                (hash.algorithm, hash.version, hash.params, lengths)
            });
            assert_eq!(kept, decoy, "{cost:?}");
        }
    }

    #[test]
    fn keyboards_that_write_the_same_letters_differently_give_one_password() {
        let hasher = hasher(Cost::Token);
        let kept = hasher.hash(&password("Gr\u{fc}nd\u{fd} x"), &[1; 16]);
        let kept = kept.expect("a hash");
        let fits = |text| hasher.fits(&password(text), Some(&kept));
        assert!(fits("Gru\u{308}ndy\u{301} x"));
        assert!(fits("Gr\u{fc}nd\u{fd}\u{3000}x"));
        assert!(!fits("gr\u{fc}nd\u{fd} x"));
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
