//! Checks chat text: one line of visible text that cannot imitate other output on a screen.

use grundy_shared::protocol::{ErrorBody, ErrorCode};
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::names;

/// Maximum number of characters in a text.
pub const TEXT_MAX: usize = 200;
/// Maximum number of marks on one letter. Hebrew with all points and Thai with tones need three.
pub const MARKS_MAX: usize = 4;

/// The text as it is stored and shown: in Unicode form NFC, with plain single spaces between its words and none around them.
///
/// # Errors
/// `out_of_range` with the broken rule.
pub fn clean(text: &str) -> Result<String, ErrorBody> {
    let space = |c: char| match c.general_category() {
        GeneralCategory::SpaceSeparator => ' ',
        _ => c,
    };
    // No allowed text is this long, even before composition, so the rest need not be read.
    let read = text.nfc().take(TEXT_MAX * (1 + MARKS_MAX));
    let spaced: String = read.map(space).collect();
    let words: Vec<&str> = spaced.split(' ').filter(|word| !word.is_empty()).collect();
    let clean = words.join(" ");
    if text.chars().nth(TEXT_MAX * (1 + MARKS_MAX)).is_some() || clean.chars().count() > TEXT_MAX {
        return refuse(&format!("is longer than {TEXT_MAX} characters"));
    }
    check(&clean)?;
    Ok(clean)
}

/// Checks every character in its context.
fn check(text: &str) -> Result<(), ErrorBody> {
    let mut before = Kind::Space;
    let mut marks = 0;
    let mut visible = false;
    for c in text.chars() {
        let kind = kind_of(c);
        match kind {
            Kind::Forbidden => {
                return refuse("has control, direction, invisible or unassigned characters");
            }
            // Joiners and variation selectors belong to the character before them.
            Kind::Joiner if !matches!(before, Kind::Visible | Kind::Mark | Kind::Variant) => {
                return refuse("has an invisible character where there is nothing to join");
            }
            Kind::Variant if !matches!(before, Kind::Visible | Kind::Mark) => {
                return refuse("has an invisible character where there is nothing to join");
            }
            Kind::Mark if marks == MARKS_MAX => return refuse("has too many marks on one letter"),
            Kind::Mark => marks += 1,
            Kind::Joiner | Kind::Variant => {}
            Kind::Visible | Kind::Space => marks = 0,
        }
        visible |= kind == Kind::Visible;
        before = kind;
    }
    if !visible {
        return refuse("has no visible character");
    }
    if before == Kind::Joiner {
        return refuse("has an invisible character where there is nothing to join");
    }
    Ok(())
}

fn refuse<T>(rule: &str) -> Result<T, ErrorBody> {
    let error = ErrorBody::new(ErrorCode::OutOfRange, format!("the text {rule}"));
    Err(error
        .field("text")
        .limit(format_args!("1 to {TEXT_MAX} characters")))
}

/// The role of a character in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Visible,
    Space,
    /// Stands on the character before it.
    Mark,
    /// Joins letters of Arabic and Indic scripts, and the parts of a compound picture.
    Joiner,
    /// Chooses between the black and the coloured form of a picture.
    Variant,
    Forbidden,
}

fn kind_of(c: char) -> Kind {
    match c {
        ' ' => Kind::Space,
        '\u{200C}' | '\u{200D}' => Kind::Joiner,
        '\u{FE0E}' | '\u{FE0F}' => Kind::Variant,
        c if names::is_invisible(c) => Kind::Forbidden,
        c => match c.general_category_group() {
            GeneralCategoryGroup::Mark => Kind::Mark,
            _ => Kind::Visible,
        },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::is_nfc;

    use super::*;

    #[test]
    fn texts_of_all_languages_are_taken_as_they_are() {
        for text in [
            "good luck!",
            "a",
            "Viel Glück",
            "王手",
            "Đặng Thị, chúc may mắn",
            "بالتوفيق",
            "בְּהַצְלָחָה",
            "สู้ๆ ที่นี่",
            "क्षत्रिय",
            "می\u{200C}خواهم",
            "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
            "\u{2764}\u{FE0F}\u{200D}\u{1F525}",
            "3\u{FE0F}\u{20E3}",
            "<b>&amp;\\n\"'",
            &"x".repeat(TEXT_MAX),
        ] {
            let composed: String = text.nfc().collect();
            assert_eq!(clean(text), Ok(composed), "{text:?}");
        }
    }

    #[test]
    fn spaces_and_composition_are_put_right() {
        assert_eq!(clean("  a \u{a0}\u{3000} b  ").as_deref(), Ok("a b"));
        assert_eq!(clean("u\u{308}").as_deref(), Ok("ü"));
        let long = "u\u{308}".repeat(TEXT_MAX);
        assert_eq!(clean(&long), Ok("ü".repeat(TEXT_MAX)));
    }

    #[test]
    fn what_would_deceive_or_disturb_is_refused() {
        for text in [
            "",
            " ",
            "\u{3000}",
            "a\nb",
            "a\rb",
            "a\tb",
            "a\u{0}b",
            "\u{1b}[31mred",
            "\u{9b}31m",
            "a\u{85}b",
            "a\u{2028}b",
            "a\u{2029}b",
            "\u{202E}evil",
            "\u{202D}evil",
            "a\u{2066}b\u{2069}",
            "a\u{200E}b",
            "a\u{200F}b",
            "a\u{61C}b",
            "\u{200B}",
            "a\u{FEFF}b",
            "a\u{AD}b",
            "\u{2800}",
            "\u{3164}",
            "\u{E0041}",
            "\u{E000}",
            "\u{378}",
            "\u{301}",
            "\u{200D}a",
            "a \u{200D}b",
            "a\u{200D}\u{200D}b",
            "a\u{200D}",
            "\u{FE0F}",
            "a\u{FE0F}\u{FE0F}",
            "x\u{301}\u{302}\u{303}\u{304}\u{305}",
            &"x".repeat(TEXT_MAX + 1),
            &"x\u{301}".repeat(TEXT_MAX + 1),
            &" ".repeat(100_000),
        ] {
            let refused = clean(text).expect_err(text);
            assert_eq!(refused.code, ErrorCode::OutOfRange, "{text:?}");
            assert_eq!(refused.field.as_deref(), Some("text"));
        }
    }

    proptest! {
        #[test]
        fn what_is_taken_is_within_the_rules_and_stays_as_it_is(text in "\\PC{0,60}|.{0,60}|[a\u{301}\u{200D}\u{FE0F} \n]{0,20}") {
            let Ok(taken) = clean(&text) else {
                return Ok(());
            };
            prop_assert!(is_nfc(&taken));
            prop_assert!((1..=TEXT_MAX).contains(&taken.chars().count()));
            prop_assert!(!taken.chars().any(char::is_control));
            prop_assert!(!taken.starts_with(' ') && !taken.ends_with(' ') && !taken.contains("  "));
            prop_assert_eq!(clean(&taken), Ok(taken.clone()));
        }
    }
}
