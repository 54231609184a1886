//! Positions and moves as text: the words of the grammar, and refusals that point at the place.
//!
//! The grammar itself is told in `docs/NOTATION.md`. Here are the pieces that every game reads with:
//! a [`Word`] knows its column, so that whoever refuses it can say where.

use std::fmt;

/// The largest heap and the largest number in any position: 10^18.
pub const MAX_NUMBER: u64 = 1_000_000_000_000_000_000;

/// The largest number of heaps in one position, all components together.
pub const MAX_HEAPS: usize = 100_000;

/// What kind of refusal it is: the machine-readable code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NotationCode {
    /// The text is not a position.
    BadPosition,
    /// A number or a size is beyond its limit.
    OutOfRange,
    /// The parameters that say which game it is are wrong.
    BadGameCode,
}

impl NotationCode {
    /// The code as written in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::BadPosition => "bad_position",
            Self::OutOfRange => "out_of_range",
            Self::BadGameCode => "bad_game_code",
        }
    }
}

/// Why a text is not a position, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct NotationError {
    /// The kind of refusal.
    pub code: NotationCode,
    /// One sentence for people, without the place.
    pub message: String,
    /// Where the fault begins: counted in characters from 1. One past the end when something is missing.
    pub column: usize,
    /// How many characters are at fault, at least 1.
    pub length: usize,
    /// What would have been right at this place.
    pub expected: String,
    /// A position that is accepted, such as `nim:1,4,6`.
    pub help: String,
}

/// Why a text is not a legal move here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct MoveError {
    /// One sentence for people.
    pub message: String,
    /// Where the fault begins, counted in characters from 1, when it has a place.
    pub column: Option<usize>,
    /// A legal move, when there is one.
    pub example: Option<String>,
}

impl MoveError {
    /// A refusal at a place; whoever knows the position adds the example.
    #[must_use]
    pub fn at(column: usize, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            column: Some(column),
            example: None,
        }
    }

    /// The same refusal, of a text that begins `by` characters further right.
    #[must_use]
    pub fn shifted(mut self, by: usize) -> Self {
        self.column = self.column.map(|column| column + by);
        self
    }
}

/// A piece of the text with its place. The text is ASCII: the reader of positions sees to that first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word<'t> {
    /// The characters.
    pub text: &'t str,
    /// The column of the first, from 1.
    pub column: usize,
}

impl<'t> Word<'t> {
    /// The pieces between the separators, each with its place.
    pub fn split(self, separator: char) -> impl Iterator<Item = Word<'t>> {
        let mut column = self.column;
        self.text.split(separator).map(move |text| {
            let word = Word { text, column };
            column += text.len() + 1;
            word
        })
    }

    /// The pieces before and after the first separator.
    #[must_use]
    pub fn split_once(self, separator: char) -> Option<(Word<'t>, Word<'t>)> {
        let at = self.text.find(separator)?;
        Some((self.part(0, at), self.part(at + 1, self.text.len())))
    }

    /// The characters from one index to before another.
    #[must_use]
    pub fn part(self, from: usize, to: usize) -> Word<'t> {
        Word {
            text: &self.text[from..to],
            column: self.column + from,
        }
    }

    /// The place just after this word.
    #[must_use]
    pub fn end(self) -> Word<'t> {
        self.part(self.text.len(), self.text.len())
    }

    /// Refuses this word.
    pub fn refuse<T>(
        self,
        code: NotationCode,
        message: impl Into<String>,
        expected: impl Into<String>,
        example: &str,
    ) -> Result<T, NotationError> {
        Err(NotationError {
            code,
            message: message.into(),
            column: self.column,
            length: self.text.len().max(1),
            expected: expected.into(),
            help: example.to_owned(),
        })
    }

    /// The word as shown in a message: shortened when long.
    #[must_use]
    pub fn shown(self) -> Shown<'t> {
        Shown(self.text)
    }

    /// Reads a whole number from `low` to `high`. Leading zeros are dropped; `what` names the number in refusals.
    pub fn number(
        self,
        what: &str,
        low: u64,
        high: u64,
        malformed: NotationCode,
        example: &str,
    ) -> Result<u64, NotationError> {
        let expected = format!("a whole number from {} to {}", low, Round(high));
        if self.text.is_empty() {
            return self.refuse(malformed, format!("{what} is missing"), expected, example);
        }
        if !self.text.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = format!("'{}' is not {what}", self.shown());
            return self.refuse(malformed, message, expected, example);
        }
        let digits = self.text.trim_start_matches('0');
        let value = match digits {
            "" => Some(0),
            _ if digits.len() > 19 => None,
            _ => digits.parse().ok(),
        };
        match value {
            Some(value) if (low..=high).contains(&value) => Ok(value),
            _ => {
                let beyond = if value.is_some_and(|value| value < low) {
                    "too small"
                } else {
                    "too large"
                };
                let message = format!("{} is {beyond} for {what}", self.shown());
                self.refuse(NotationCode::OutOfRange, message, expected, example)
            }
        }
    }
}

/// Text in a message: at most 24 characters of it.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'t>(pub &'t str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(24) {
            None => f.write_str(self.0),
            Some((end, _)) => write!(f, "{}...", &self.0[..end]),
        }
    }
}

/// A bound in words: 10^18 rather than nineteen digits.
struct Round(u64);

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            MAX_NUMBER => f.write_str("10^18"),
            other => other.fmt(f),
        }
    }
}

/// Writes a list joined by commas, or `_` when it is empty.
pub fn write_list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    if items.is_empty() {
        return f.write_str("_");
    }
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(",")?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

/// The name of heap number `index`: A to Z, then AA, AB, …
#[must_use]
pub fn heap_name(index: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = index + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

/// The number of the heap with this name, in either case; `None` for what is not a name or beyond [`MAX_HEAPS`].
#[must_use]
pub fn heap_index(name: &str) -> Option<usize> {
    let mut index = 0usize;
    for byte in name.bytes() {
        if !byte.is_ascii_alphabetic() || index > MAX_HEAPS {
            return None;
        }
        index = index * 26 + usize::from(byte.to_ascii_uppercase() - b'A') + 1;
    }
    (1..=MAX_HEAPS * 4).contains(&index).then(|| index - 1)
}

/// The known name nearest to a misspelt one, if one is near: at most two letters changed, added or left out.
#[must_use]
pub fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if word.len() > 32 {
        return None;
    }
    let word = word.to_ascii_lowercase();
    names
        .map(|name| (edit_distance(word.as_bytes(), name.as_bytes()), name))
        .filter(|(distance, name)| *distance <= 2 && *distance < name.len())
        .min()
        .map(|(_, name)| name)
}

/// Levenshtein's distance (1966): O(a·b).
fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn heaps_are_lettered() {
        let names = [
            (0, "A"),
            (25, "Z"),
            (26, "AA"),
            (27, "AB"),
            (701, "ZZ"),
            (702, "AAA"),
        ];
        for (index, name) in names {
            assert_eq!(heap_name(index), name);
            assert_eq!(heap_index(name), Some(index));
            assert_eq!(heap_index(&name.to_lowercase()), Some(index));
        }
        assert_eq!(heap_index(""), None);
        assert_eq!(heap_index("A1"), None);
        assert_eq!(heap_index(&"Z".repeat(1000)), None);
    }

    #[test]
    fn a_near_name_is_found() {
        let names = ["nim", "bash", "wythoff", "kayles"];
        assert_eq!(nearest("whytoff", names.into_iter()), Some("wythoff"));
        assert_eq!(nearest("Nim", names.into_iter()), Some("nim"));
        assert_eq!(nearest("chess", names.into_iter()), None);
        assert_eq!(nearest("", names.into_iter()), None);
    }

    proptest! {
        #[test]
        fn every_heap_has_its_own_name(index in 0..MAX_HEAPS) {
            prop_assert_eq!(heap_index(&heap_name(index)), Some(index));
        }
    }
}
