//! Who a client is: tokens, of which only the hash is kept, and names.

use data_encoding::BASE64URL_NOPAD;
use grundy_shared::bot::Bot;
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use sha2::{Digest, Sha256};
use unicode_normalization::{UnicodeNormalization, is_nfc};
use unicode_security::skeleton;

/// What a token begins with, so that scanners of leaked secrets know it.
const PREFIX: &str = "grg_";
/// Characters of a name.
const NAME_MAX: usize = 32;

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

/// Checks the name that a guest asks for.
///
/// # Errors
/// `bad_name` with the rule that is broken.
pub fn check_name(name: &str) -> Result<(), ErrorBody> {
    let refuse = |rule: &str| {
        Err(
            ErrorBody::new(ErrorCode::BadName, format!("the name {rule}"))
                .field("name")
                .limit(format_args!("1 to {NAME_MAX} characters")),
        )
    };
    if name.trim().is_empty() {
        return refuse("has no visible character");
    }
    if name.chars().count() > NAME_MAX {
        return refuse("is too long");
    }
    if name.trim() != name {
        return refuse("begins or ends with a space");
    }
    if !is_nfc(name) {
        return refuse("is not in Unicode form NFC");
    }
    if looks_like_a_bot(name) {
        return refuse("is that of a built-in bot, or looks like it");
    }
    if name.chars().any(is_invisible) {
        return refuse("has control, direction or invisible characters");
    }
    Ok(())
}

/// Whether a reader could take the name for a built-in bot's: in any case, with marks, spaces, signs or a strength around its letters,
/// and in letters of other scripts that look the same (Unicode TS 39).
fn looks_like_a_bot(name: &str) -> bool {
    let whole = seen(name);
    // What follows a colon, or a strength behind the letters, makes no other bot of it.
    let kind = whole.split(':').next().unwrap_or_default();
    let letters = seen(name.trim_matches(|c: char| !c.is_alphabetic()));
    let bare = |text: &str| {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .collect::<String>()
    };
    let shapes = [bare(&whole), bare(kind), bare(&letters)];
    Bot::WORDS.iter().any(|word| shapes.contains(&seen(word)))
}

/// A text as a reader sees it: what looks alike is the same. A capital I and a small l do, so every i is an l.
fn seen(text: &str) -> String {
    let plain: String = text.nfkc().collect();
    let small = |c: char| c.to_lowercase().map(|c| if c == 'i' { 'l' } else { c });
    skeleton(&plain).flat_map(small).collect()
}

/// Controls, separators, directions, joiners, fillers, tags, and what is no character.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FFF0}'..='\u{FFFF}' | '\u{E000}'..='\u{F8FF}' | '\u{E0000}'..='\u{10FFFF}')
}

/// A name for a guest who gave none.
#[must_use]
pub fn made_up_name(random: u64) -> String {
    format!("guest-{:04}", random % 10_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_deceive_are_refused() {
        for name in [
            "",
            " ",
            "\u{200B}",
            "a\u{202E}b",
            "a\nb",
            "\u{1b}[31m",
            " a",
            "a ",
            "\u{3164}",
            "a\u{0}",
            "u\u{308}",
            "perfect",
            "Random",
            "skill",
            "SKILL:0.7",
            "skill:2",
            "PERFECT",
            "per fect",
            "perfect!",
            "*perfect*",
            "perfect 2",
            "\u{ff50}erfect",
            "p\u{435}rfect",
            "perf\u{e9}ct",
            "rand0m",
            "r\u{430}nd\u{43e}m",
            "skill 0.7",
            "Skill0.7",
            "ski11",
            "SkiIl",
            "SKlLL",
            "skill\u{a789}0.7",
            "skill:strong",
        ] {
            let refused = check_name(name).expect_err(name);
            assert_eq!(refused.code, ErrorCode::BadName, "{name:?}");
        }
        assert!(check_name(&"x".repeat(33)).is_err());
    }

    #[test]
    fn names_of_all_languages_are_taken() {
        for name in [
            "Ann",
            "perfectionist",
            "skilled",
            "Skill Issue",
            "Randomir",
            "Perfecto",
            "Kill",
            "0.7",
            "\u{1F600}",
            "Łukasz",
            "王小明",
            "Đặng Thị",
            "عمر",
            "a b",
            &"ü".repeat(32),
        ] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn a_token_is_told_from_its_neighbour_and_its_hash_hides_it() {
        let token = Token::from_random([7; 32]);
        assert_ne!(token.hash(), Token::from_random([8; 32]).hash());
        assert_eq!(token.hash(), hash(&Token::from_random([7; 32]).into_text()));
        assert!(token.into_text().starts_with("grg_"));
    }
}
