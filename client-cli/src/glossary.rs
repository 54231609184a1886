//! The terms of the field, from `docs/GLOSSARY.md`: the page is the only source, so that what a screen says and what it explains
//! cannot differ.

use grundy_shared::notation::nearest;
use serde::Serialize;

/// The page.
const PAGE: &str = include_str!("../../docs/GLOSSARY.md");

/// One row of the page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Entry {
    /// The terms that it defines, the first one first.
    pub(crate) terms: Vec<String>,
    /// What they mean, in ASCII and without markup.
    pub(crate) meaning: String,
}

impl Entry {
    /// The terms as a heading.
    pub(crate) fn heading(&self) -> String {
        self.terms.join(", ")
    }
}

/// All rows, in the order of the page.
pub(crate) fn entries() -> Vec<Entry> {
    let rows = PAGE.lines().filter_map(|line| {
        let row = line.strip_prefix("| ")?.strip_suffix(" |")?;
        let (terms, meaning) = row.split_once(" | ")?;
        terms.contains("**").then(|| Entry {
            terms: plain(terms).split(", ").map(str::to_owned).collect(),
            meaning: plain(meaning),
        })
    });
    rows.collect()
}

/// The rows that define a term: case, accents, hyphens and the ending of a plural do not matter.
pub(crate) fn find(term: &str) -> Vec<Entry> {
    let wanted = folded(term);
    let defines = |entry: &Entry| entry.terms.iter().any(|term| folded(term) == wanted);
    entries().into_iter().filter(defines).collect()
}

/// The term that was probably meant.
pub(crate) fn near(term: &str) -> Option<String> {
    let terms: Vec<String> = entries()
        .into_iter()
        .flat_map(|entry| entry.terms)
        .collect();
    nearest(&folded(term), terms.iter().map(String::as_str)).map(str::to_owned)
}

/// In lower case, without accents, hyphens, spaces and the `s` of a plural.
fn folded(term: &str) -> String {
    let letters = term.chars().map(unaccented);
    let letters: String = letters
        .filter(|letter| letter.is_ascii_alphanumeric() || *letter == '*')
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    match letters.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem.to_owned(),
        _ => letters,
    }
}

/// Without markup, and in ASCII. The target of a link is left out.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars().peekable();
    let mut in_code = false;
    while let Some(letter) = letters.next() {
        match letter {
            '`' => in_code = !in_code,
            '*' if !in_code => {}
            '[' if !in_code => {}
            ']' if !in_code && letters.peek() == Some(&'(') => {
                letters.by_ref().find(|letter| *letter == ')');
            }
            ']' if !in_code => {}
            '\\' => {}
            '\u{2013}' | '\u{2014}' => plain.push('-'),
            '\u{2026}' => plain.push_str("..."),
            '\u{2265}' => plain.push_str(">="),
            '\u{2264}' => plain.push_str("<="),
            letter => plain.push(unaccented(letter)),
        }
    }
    plain
}

fn unaccented(letter: char) -> char {
    match letter {
        '\u{e8}' | '\u{e9}' => 'e',
        letter => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_found_however_it_is_written() {
        for (typed, heading) in [
            ("mex", "mex"),
            ("MEX", "mex"),
            ("nim-value", "nim-value, Grundy value"),
            ("nimvalues", "nim-value, Grundy value"),
            ("grundy value", "nim-value, Grundy value"),
            ("mis\u{e8}re play", "misere play"),
            ("misere play", "misere play"),
            ("P-position", "P-position"),
            ("p-positions", "P-position"),
        ] {
            let [found] = &find(typed)[..] else {
                panic!("{typed} is found once");
            };
            assert_eq!(found.heading(), heading, "{typed}");
            assert!(!found.meaning.is_empty());
        }
        assert_eq!(find("period").len(), 2, "of heaps and of a clock");
        assert_eq!(find("nothing of the kind"), []);
        assert_eq!(near("remotenes").as_deref(), Some("remoteness"));
        assert_eq!(near("suspence").as_deref(), Some("suspense"));
    }

    #[test]
    fn every_row_is_plain_ascii() {
        let entries = entries();
        assert!(entries.len() > 50, "{}", entries.len());
        for entry in &entries {
            assert!(
                entry.meaning.is_ascii() && !entry.meaning.is_empty(),
                "{entry:?}"
            );
            for term in &entry.terms {
                assert!(term.is_ascii() && !folded(term).is_empty(), "{entry:?}");
            }
        }
    }

    /// The words of the field that explanations use.
    #[test]
    fn every_term_that_explanations_use_is_defined() {
        for term in [
            "nim-value",
            "mex",
            "xor",
            "normal play",
            "misere play",
            "tame",
            "class",
            "misere quotient",
            "suspense",
            "remoteness",
            "foreclosed value",
            "hot",
            "endless",
            "component",
            "compound",
            "maximum matching",
            "period",
            "golden pair",
            "number",
            "star",
            "1*",
            "canonical form",
            "partizan",
            "Left",
            "Right",
            "draw",
            "strategy stealing",
            "symmetry",
            "mirror",
            "colon principle",
            "fusion",
            "Zeckendorf sum",
            "octal code",
            "option",
            "P-position",
            "N-position",
            "winning move",
            "budget",
        ] {
            assert!(!find(term).is_empty(), "{term} is not in docs/GLOSSARY.md");
        }
    }
}
