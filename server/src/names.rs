//! Names of players: which are allowed, and which look the same.

use grundy_shared::bot::Bot;
pub use grundy_shared::bounds::NAME_MAX;
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use unicode_normalization::{UnicodeNormalization, is_nfc};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_security::skeleton;

/// Names that only a person who speaks for the server would have.
const OPERATORS: &[&str] = &[
    "admin",
    "administrator",
    "moderator",
    "operator",
    "root",
    "server",
    "staff",
    "sysop",
    "system",
];
/// Rounds in which a key settles.
const ROUNDS: usize = 4;

/// Checks the name that a player asks for.
///
/// # Errors
/// `bad_name` with the rule that is broken.
pub fn check_name(name: &str) -> Result<(), ErrorBody> {
    check_label(name)?;
    if looks_like(name, &Bot::WORDS) {
        return refuse("is that of a built-in bot, or looks like it");
    }
    if looks_like(name, OPERATORS) {
        return refuse("looks like that of the server or its operator");
    }
    // Browsers read these as the current page or its parent.
    if matches!(name, "." | "..") {
        return refuse("cannot be part of a page's address");
    }
    Ok(())
}

fn refuse(rule: &str) -> Result<(), ErrorBody> {
    let error = ErrorBody::new(ErrorCode::BadName, format!("the name {rule}"));
    Err(error
        .field("name")
        .limit(format_args!("1 to {NAME_MAX} characters")))
}

/// Checks what a player calls something of its own.
///
/// # Errors
/// `bad_name` with the rule that is broken.
pub fn check_label(name: &str) -> Result<(), ErrorBody> {
    if name.chars().count() > NAME_MAX {
        return refuse("is too long");
    }
    if name.chars().any(is_invisible) {
        return refuse("has control, direction, invisible or unassigned characters");
    }
    if !name.chars().any(is_visible) {
        return refuse("has no visible character");
    }
    if name.trim() != name || name.contains("  ") {
        return refuse("begins or ends with a space, or has two in a row");
    }
    if !is_nfc(name) {
        return refuse("is not in Unicode form NFC");
    }
    Ok(())
}

/// What a name looks like: names with one key are taken for each other, whatever their case and their script (Unicode TS 39). An empty
/// one belongs to a name without visible letters.
#[must_use]
pub fn name_key(name: &str) -> String {
    // A capital can look like a letter that its small form does not look like, so each round compares both forms.
    let mut key: String = name.nfkc().collect();
    for _ in 0..ROUNDS {
        let seen: String = skeleton(&key).collect::<String>().to_lowercase();
        // A capital I and a small l look the same, so every i is an l.
        let seen = seen.replace('i', "l");
        if seen == key {
            break;
        }
        key = seen;
    }
    key.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name like this one that nobody else may have: with a number behind it, and cut to fit.
#[must_use]
pub fn numbered(name: &str, number: u64) -> String {
    let number = format!("-{number}");
    let room = NAME_MAX.saturating_sub(number.len());
    let kept: String = name.chars().take(room).collect();
    format!("{}{number}", kept.trim_end())
}

/// A name for a guest who gave none. Later attempts draw from more names, so that there is always a free one.
#[must_use]
pub fn made_up_name(random: u64, attempt: usize) -> String {
    match attempt {
        0 | 1 => format!("guest-{:04}", random % 10_000),
        2 | 3 => format!("guest-{:06}", random % 1_000_000),
        _ => format!("guest-{:012}", random % 1_000_000_000_000),
    }
}

/// Whether a name is one of those that guests get who gave none.
#[must_use]
pub fn is_made_up(name: &str) -> bool {
    let number = name.strip_prefix("guest-");
    number.is_some_and(|number| {
        matches!(number.len(), 4 | 6 | 12) && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Whether a reader could take the name for one of these words: in any case, with marks, spaces, signs or a strength around its letters,
/// and in letters of other scripts that look the same.
fn looks_like(name: &str, words: &[&str]) -> bool {
    let whole = name_key(name);
    // What follows a colon, or a strength behind the letters, makes no other bot of it.
    let kind = whole.split(':').next().unwrap_or_default();
    let letters = name_key(name.trim_matches(|c: char| !c.is_alphabetic()));
    let bare = |text: &str| {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .collect::<String>()
    };
    let shapes = [bare(&whole), bare(kind), bare(&letters)];
    words
        .iter()
        .any(|word| shapes.contains(&bare(&name_key(word))))
}

/// Controls, separators other than a space, directions, joiners, fillers, tags, private and unassigned characters.
pub(crate) fn is_invisible(c: char) -> bool {
    let group = c.general_category_group();
    matches!(group, GeneralCategoryGroup::Other)
        || (group == GeneralCategoryGroup::Separator && c != ' ')
        || matches!(c,
            '\u{034F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{2800}' | '\u{3164}' | '\u{FFA0}'
            | '\u{180B}'..='\u{180F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FFF0}'..='\u{FFFF}' | '\u{E0000}'..='\u{10FFFF}')
}

/// Letters, digits, signs: not spaces, and not marks that need something to stand on.
fn is_visible(c: char) -> bool {
    matches!(
        c.general_category_group(),
        GeneralCategoryGroup::Letter
            | GeneralCategoryGroup::Number
            | GeneralCategoryGroup::Punctuation
            | GeneralCategoryGroup::Symbol
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_security::RestrictionLevel::{
        ASCIIOnly, HighlyRestrictive, MinimallyRestrictive, ModeratelyRestrictive, SingleScript,
        Unrestricted,
    };
    use unicode_security::RestrictionLevelDetection as _;

    #[test]
    fn a_made_up_name_is_known_as_one() {
        for attempt in 0..6 {
            assert!(is_made_up(&made_up_name(u64::MAX, attempt)));
        }
        for name in [
            "guest-",
            "guest-12345",
            "guest-12a4",
            "guest-１２３４",
            "Guest-1234",
            "Ada",
        ] {
            assert!(!is_made_up(name), "{name}");
        }
    }

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
            "a  b",
            "\u{a0}",
            "\u{2800}",
            "\u{301}",
            "\u{378}",
            "a\u{E000}",
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
            ".",
            "..",
            "admin",
            "\u{ff21}dmin",
            "ADMIN",
            "\u{430}dm\u{456}n",
            "[admin]",
            "ad min",
            "admin 2",
            "operator",
            "0perator",
            "system",
            "SYSTEM:",
            "Administrator",
            "moderator",
            "root",
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
            "...",
            "Admina",
            "Rooty",
            "Systematic",
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
            assert!(!name_key(name).is_empty(), "{name}");
        }
    }

    #[test]
    fn names_that_look_the_same_have_one_key() {
        for (one, other) in [
            ("Ann", "ann"),
            ("Ann", "\u{410}nn"),
            ("Tom", "TOM"),
            ("Tom", "Torn"),
            ("KIM", "\u{41a}im"),
            ("Bob", "B0b"),
            ("Lil", "LiI"),
            ("Ada", "\u{ff21}da"),
        ] {
            assert_eq!(name_key(one), name_key(other), "{one} {other}");
        }
        for (one, other) in [("Ann", "Anna"), ("Ann", "Änn"), ("Bo", "Bob"), ("王", "玉")] {
            assert_ne!(name_key(one), name_key(other), "{one} {other}");
        }
    }

    /// The examples of Unicode TS 39, sections 4 and 5.1 (Davis and Suignard, revision 32, 2025): single-script, mixed-script and whole-script
    /// confusables.
    #[test]
    fn the_published_confusables_have_one_key() {
        for (one, other, kind) in [
            ("ljeto", "\u{1c9}eto", "single script, a digraph"),
            ("s\u{f8}s", "so\u{337}s", "single script, an overlay"),
            ("paypal", "p\u{430}yp\u{430}l", "mixed scripts"),
            (
                "paypal",
                "\u{440}\u{430}\u{443}\u{440}\u{430}l",
                "mixed scripts",
            ),
            (
                "paypal",
                "\u{3c1}\u{237a}\u{443}\u{1d4c5}\u{1d482}\u{5df}",
                "four scripts",
            ),
            (
                "paypal",
                "\u{1d52d}\u{1d4b6}\u{1eff}\u{1d561}\u{1d552}\u{2113}",
                "letters of formulas",
            ),
            (
                "scope",
                "\u{455}\u{441}\u{43e}\u{440}\u{435}",
                "whole script, Cyrillic",
            ),
            (
                "Circle",
                "\u{421}\u{456}\u{433}\u{441}\u{4c0}\u{435}",
                "whole script, Cyrillic",
            ),
            ("Circle", "\u{421}ir\u{441}l\u{435}", "mixed scripts"),
            ("Circle", "Circ1e", "a digit"),
            (
                "Circle",
                "C\u{1d5c2}\u{1d5cb}\u{1d5bc}\u{1d5c5}\u{1d5be}",
                "letters of formulas after one of Latin",
            ),
            (
                "Circle",
                "\u{1d5a2}\u{1d5c2}\u{1d5cb}\u{1d5bc}\u{1d5c5}\u{1d5be}",
                "letters of formulas",
            ),
        ] {
            assert_eq!(name_key(one), name_key(other), "{one} {other}: {kind}");
        }
        // What is not published as confusable is another name.
        for (one, other) in [
            ("Toys-R-Us", "Toys-\u{42f}-Us"),
            ("Half-Life", "H\u{3bb}LF-LIFE"),
            ("scope", "scopes"),
            ("\u{3006}\u{5207}", "\u{5207}\u{3006}"),
        ] {
            assert_ne!(name_key(one), name_key(other), "{one} {other}");
        }
    }

    /// Section 5.2 there: no level of restriction is asked of a name, for no level keeps whole-script confusables out, and the key does.
    #[test]
    fn names_of_every_restriction_level_are_taken() {
        for (name, level) in [
            ("Circle", ASCIIOnly),
            ("Ren\u{e9}", SingleScript),
            ("\u{421}\u{456}\u{433}\u{441}\u{4c0}\u{435}", SingleScript),
            ("\u{3006}\u{5207}", SingleScript),
            ("\u{306d}\u{30ac}", SingleScript),
            ("J-\u{30dd}\u{30c3}\u{30d7}", HighlyRestrictive),
            ("RSS-\u{c18c}\u{c2dd}", HighlyRestrictive),
            ("RSS-\u{62e}\u{62f}\u{645}\u{629}", ModeratelyRestrictive),
            ("\u{3a9}mega", MinimallyRestrictive),
            ("Te\u{3c7}", MinimallyRestrictive),
            ("H\u{3bb}LF-LIFE", MinimallyRestrictive),
            ("Toys-\u{42f}-Us", MinimallyRestrictive),
            ("p\u{430}yp\u{430}l", MinimallyRestrictive),
            ("I\u{2665}NY", Unrestricted),
        ] {
            assert_eq!(name.detect_restriction_level(), level, "{name}");
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn a_numbered_name_is_allowed_and_another_one() {
        let long = "x".repeat(NAME_MAX);
        for name in ["Ann", "a b", &long] {
            let other = numbered(name, 7);
            assert_eq!(check_name(&other), Ok(()), "{other}");
            assert_ne!(name_key(&other), name_key(name));
        }
    }

    proptest! {
        #[test]
        fn case_makes_no_difference(name in "[A-Za-z0-9 ]{1,32}") {
            prop_assert_eq!(name_key(&name), name_key(&name.to_lowercase()));
            prop_assert_eq!(name_key(&name), name_key(&name.to_uppercase()));
        }

        #[test]
        fn no_text_makes_it_panic(name in "\\PC{0,40}|.{0,40}") {
            let _ = (check_name(&name), name_key(&name));
        }
    }
}
