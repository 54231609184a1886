//! The text of a position: its characters, and the words after the components.

use crate::game::EndRule;
use crate::games;
use crate::notation::{NotationCode, NotationError, Word, nearest};
use crate::theory::compound::Compound;

/// Reads what stands after the body: a compound, then the end rule, each at most once.
pub(super) fn read_endings<'t>(
    endings: impl Iterator<Item = Word<'t>>,
) -> Result<(Compound, EndRule), NotationError> {
    const EXAMPLE: &str = "nim:3,5+kayles:7@every@misere";
    let (mut compound, mut end_rule) = (Compound::Sum, EndRule::Normal);
    for ending in endings {
        let word = ending.shown();
        let (message, expected) = match (ending.text, Compound::of_word(ending.text)) {
            ("misere", _) if !end_rule.is_misere() => {
                end_rule = EndRule::Misere;
                continue;
            }
            (_, Some(named)) if compound == Compound::Sum && !end_rule.is_misere() => {
                compound = named;
                continue;
            }
            ("misere", _) => (
                "'@misere' is repeated".to_owned(),
                "the end of the position".to_owned(),
            ),
            (_, Some(_)) if compound == Compound::Sum => (
                format!("'@misere' must come last, after '@{word}'"),
                "the end of the position".to_owned(),
            ),
            (_, Some(_)) => (
                format!("'@{word}' is a second compound; a position can have only one"),
                "@misere, or the end of the position".to_owned(),
            ),
            (_, None) => {
                let words = || {
                    Compound::NAMED
                        .map(Compound::word)
                        .into_iter()
                        .chain(["misere"])
                };
                let near = nearest(ending.text, words());
                let hint = near.map(|near| format!("; did you mean '@{near}'?"));
                let expected: Vec<String> = words().map(|word| format!("@{word}")).collect();
                (
                    format!("'@{word}' is not known{}", hint.unwrap_or_default()),
                    format!("one of {}, or nothing", expected.join(", ")),
                )
            }
        };
        return ending.refuse(NotationCode::BadPosition, message, expected, EXAMPLE);
    }
    Ok((compound, end_rule))
}

/// The text as a word, once every character is one that a position may have.
pub(super) fn plain(text: &str) -> Result<Word<'_>, NotationError> {
    // What is printed needs no quotes in a shell; a value may be typed with braces.
    let braced = text.contains("value:");
    let allowed = |c: char| {
        c.is_ascii_alphanumeric() || ".,:/+-@_".contains(c) || braced && "{|}*^".contains(c)
    };
    if let Some((column, wrong)) = text.chars().enumerate().find(|(_, c)| !allowed(*c)) {
        let name = match wrong {
            ' ' => "a space".to_owned(),
            c => format!("{c:?}"),
        };
        return Err(NotationError {
            code: NotationCode::BadPosition,
            message: format!("{name} is not allowed in a position"),
            column: column + 1,
            length: 1,
            expected: "letters, digits and . , : / + - @ _ without spaces".to_owned(),
            help: games::EXAMPLE.to_owned(),
        });
    }
    Ok(Word { text, column: 1 })
}
