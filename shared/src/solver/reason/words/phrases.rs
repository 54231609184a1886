//! Pieces of sentences.

use crate::fact::{PartKind, Terms, Worth};

/// Characters of a position that are shown; of a longer one the end is left out.
const SHOWN: usize = 120;

/// What is said of one fact.
pub(super) struct Sentence {
    /// The rule behind it, which is said once in an explanation.
    pub(super) rule: Option<String>,
    /// The sentence about this position or move; empty if there is only the rule.
    pub(super) text: String,
}

impl Sentence {
    /// Without a rule.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self {
            rule: None,
            text: text.into(),
        }
    }

    /// A rule alone.
    pub(super) fn rule(rule: impl Into<String>) -> Self {
        Self::by(rule, "")
    }

    /// With a rule.
    pub(super) fn by(rule: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            rule: Some(rule.into()),
            text: text.into(),
        }
    }
}

/// The terms of a sum and their xor, compared with 0: `the nim-values are A 3, B 5; their xor is 6, not 0`.
pub(super) fn added(what: &str, terms: &Terms, xor: u64) -> String {
    let zero = if xor == 0 { "" } else { ", not 0" };
    format!("{} {xor}{zero}", of_terms(what, terms))
}

/// The terms of a sum up to their xor.
pub(super) fn of_terms(what: &str, terms: &Terms) -> String {
    match terms.total {
        0 | 1 => format!("the {what} is"),
        _ => format!("the {what}s are {}; their xor is", list(terms)),
    }
}

/// With a capital at the beginning.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// `A 3, B 5 and 2 more`, or `component 1: 3, component 2: 5`.
pub(super) fn list(terms: &Terms) -> String {
    list_of(noun(terms.of), terms)
}

/// What summands are called; nothing before the letters of heaps.
pub(super) fn noun(of: PartKind) -> &'static str {
    match of {
        PartKind::Component => "component",
        PartKind::Part => "part",
        PartKind::Heap => "",
        PartKind::Token => "token on",
        PartKind::Coin => "coin on",
        PartKind::Row => "row",
        PartKind::Board => "board",
        PartKind::Region => "region of",
        PartKind::Piece => "piece of",
        PartKind::Bush => "from",
        PartKind::Branch => "branch",
        PartKind::Stretch => "from place",
    }
}

/// `coin 2: 3, coin 4: 5 and 2 more`; without a noun the names are letters.
pub(super) fn list_of(noun: &str, terms: &Terms) -> String {
    let first = terms.first.iter();
    let shown = first.map(|term| match noun {
        "" => format!("{} {}", term.name, term.value),
        _ => format!("{noun} {}: {}", term.name, term.value),
    });
    with_rest(shown.collect(), terms.total)
}

/// The values of summands, written out.
pub(super) fn worths(of: PartKind, terms: &[Worth], total: u64) -> String {
    let first = terms.iter();
    let shown = first.map(|term| format!("{} {}: {}", noun(of), term.name, term.value));
    with_rest(shown.collect(), total)
}

/// `component 2` or `components 1, 3`.
pub(super) fn named(one: &str, many: &str, numbers: &[impl ToString], total: u64) -> String {
    let list = with_rest(numbers.iter().map(ToString::to_string).collect(), total);
    format!("{} {list}", if total == 1 { one } else { many })
}

/// Items joined by commas, and how many there are besides.
pub(super) fn with_rest(first: Vec<String>, total: u64) -> String {
    let more = total.saturating_sub(first.len() as u64);
    match more {
        0 => first.join(", "),
        _ => format!("{} and {more} more", first.join(", ")),
    }
}

/// A number with its noun.
pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Whether a number is even or odd.
pub(super) fn parity(number: u64) -> &'static str {
    match number.is_multiple_of(2) {
        true => "even",
        false => "odd",
    }
}

/// A position, shortened if it is long.
pub(super) fn short(position: &str) -> String {
    match position.len() > SHOWN {
        true => format!("{}...", &position[..SHOWN]),
        false => position.to_owned(),
    }
}
