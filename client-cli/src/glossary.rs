//! The terms of the field, from `docs/GLOSSARY.md`: the page is the only source, so that what a screen says and what it explains
//! cannot differ.

use grundy_shared::notation::nearest;
use grundy_words::Language;
use serde::Serialize;

/// The page.
const PAGE: &str = include_str!("../../docs/GLOSSARY.md");
/// The section with the terms of the theory.
const THEORY: &str = "## Theory";
/// Terms of the theory that are everyday words as well. They are not pointed at.
const EVERYDAY: [&str; 6] = [
    "draw",
    "period",
    "option",
    "mirror",
    "budget",
    "winning move",
];

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
    rows(PAGE)
}

/// The terms of the theory that occur in a text, one of each row, in the order of the page.
pub(crate) fn met(text: &str) -> Vec<String> {
    let theory = PAGE.split_once(THEORY).map_or("", |(_, section)| section);
    let theory = theory.split("\n## ").next().unwrap_or("");
    let words: Vec<&str> = text.split(|letter: char| !is_of_word(letter)).collect();
    let met = rows(theory).into_iter().filter_map(|entry| {
        let mut terms = entry.terms.iter();
        let met = terms.find(|term| !EVERYDAY.contains(&&***term) && occurs(term, text, &words))?;
        let is_word = met.starts_with(|letter: char| letter.is_ascii_alphabetic()) && met.len() > 1;
        // A sign has a name, which a shell reads better.
        Some(if is_word {
            met.clone()
        } else {
            entry.terms[0].clone()
        })
    });
    met.collect()
}

/// Whether a term occurs in a text with these words.
fn occurs(term: &str, text: &str, words: &[&str]) -> bool {
    match term {
        // Elsewhere it counts something.
        "number" => text.contains("is a number"),
        // As a value, alone or beside a number.
        "*" => text.contains(term),
        // Between two numbers it is the sign of xor.
        "^" => ["^ is", "^ to", "to ^", "^*", "^2", "|^", "{^", ",^"]
            .iter()
            .any(|value| text.contains(value)),
        "v" => words.contains(&"v"),
        // Also everyday words, where no value is written.
        "up" | "down" | "star" | "stop" => {
            let plural = format!("{term}s");
            words.contains(&&*plural) || text.contains(&format!("a {term}"))
        }
        _ if term.contains(' ') => text.to_lowercase().contains(&term.to_lowercase()),
        _ => words.iter().any(|word| is_spelled(word, term)),
    }
}

/// Whether a word is a term or its plural. Names such as Left keep their capital, other terms may begin a sentence.
fn is_spelled(word: &str, term: &str) -> bool {
    let is_name = term.starts_with(|letter: char| letter.is_ascii_uppercase());
    let word = match is_name {
        true => word.to_owned(),
        false => word.to_ascii_lowercase(),
    };
    let stem = word.strip_prefix(term);
    stem.is_some_and(|ending| matches!(ending, "" | "s" | "es"))
}

fn is_of_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-' || letter == '*'
}

/// The rows of a part of the page.
fn rows(page: &str) -> Vec<Entry> {
    let rows = page.lines().filter_map(|line| {
        let row = line.strip_prefix("| ")?.strip_suffix(" |")?;
        let (terms, meaning) = row.split_once(" | ")?;
        terms.contains("**").then(|| Entry {
            terms: plain(terms).split(", ").map(str::to_owned).collect(),
            meaning: plain(meaning),
        })
    });
    rows.collect()
}

/// The rows that define a term: case, accents, hyphens and the ending of a plural do not matter. A term of signs alone, such as `??`,
/// is what it is.
pub(crate) fn find(term: &str) -> Vec<Entry> {
    let wanted = folded(term);
    let is_term = |own: &String| match wanted.is_empty() {
        true => own == term,
        false => folded(own) == wanted,
    };
    let defines = |entry: &Entry| entry.terms.iter().any(is_term);
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

/// A text with a last line that names the terms in it that can be looked up.
pub(crate) fn with_terms(text: &str, language: Language) -> String {
    // The glossary is in English.
    if language != Language::English {
        return text.to_owned();
    }
    match &met(text)[..] {
        [] => text.to_owned(),
        terms => format!(
            "{text}\n\nTo look up a word, grundy explain WORD: {}.",
            terms.join(", ")
        ),
    }
}

/// In lower case, without accents, hyphens, spaces and the `s` of a plural. Chinese names keep their characters.
fn folded(term: &str) -> String {
    let letters = term.chars().map(unaccented);
    let letters: String = letters
        .filter(|letter| letter.is_alphanumeric() || matches!(letter, '*' | '^'))
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
    use grundy_shared::review::Mark;

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
            ("SJ", "SJ theorem, SJ, SJ \u{5b9a}\u{7406}"),
            ("sj theorem", "SJ theorem, SJ, SJ \u{5b9a}\u{7406}"),
            ("SJ\u{5b9a}\u{7406}", "SJ theorem, SJ, SJ \u{5b9a}\u{7406}"),
            (
                "Anti-SG",
                "Anti-SG, Anti-SG \u{6e38}\u{620f}, \u{53cd} SG \u{6e38}\u{620f}",
            ),
            (
                "\u{53cd}SG\u{6e38}\u{620f}",
                "Anti-SG, Anti-SG \u{6e38}\u{620f}, \u{53cd} SG \u{6e38}\u{620f}",
            ),
            ("everysg", "Every-SG, Every-SG \u{6e38}\u{620f}"),
            ("multi-sg", "Multi-SG, Multi-SG \u{6e38}\u{620f}"),
            ("nim-k", "NimK, Nim-K, NimK \u{6e38}\u{620f}"),
            ("nimk", "NimK, Nim-K, NimK \u{6e38}\u{620f}"),
        ] {
            let [found] = &find(typed)[..] else {
                panic!("{typed} is found once");
            };
            assert_eq!(found.heading(), heading, "{typed}");
            assert!(!found.meaning.is_empty());
        }
        assert_eq!(find("period").len(), 2, "of heaps and of a clock");
        assert_eq!(find("left").len(), 2, "of moves, and the player");
        for mark in Mark::ALL {
            let [found] = &find(mark.as_str())[..] else {
                panic!("{mark} is found once");
            };
            assert!(found.meaning.starts_with("a mark: "), "{mark}");
        }
        // The other signs and words of a review.
        for sign in ["A", "B", "=", "?", "#", "decisive", "kept", "time", "val"] {
            assert_eq!(find(sign).len(), 1, "{sign}");
        }
        assert_eq!(find("nothing of the kind"), []);
        assert_eq!(near("remotenes").as_deref(), Some("remoteness"));
        assert_eq!(near("suspence").as_deref(), Some("suspense"));
    }

    #[test]
    fn every_row_is_plain_ascii_but_for_chinese_names() {
        let entries = entries();
        assert!(entries.len() > 50, "{}", entries.len());
        for entry in &entries {
            assert!(
                entry.meaning.is_ascii() && !entry.meaning.is_empty(),
                "{entry:?}"
            );
            for term in &entry.terms {
                let is_chinese = |letter| matches!(letter, '\u{4e00}'..='\u{9fff}');
                let is_plain = |letter: char| letter.is_ascii() || is_chinese(letter);
                assert!(term.chars().all(is_plain), "{entry:?}");
                assert!(find(term).contains(entry), "{entry:?}");
            }
        }
    }

    /// The sentences of the solver, from its source: what stands between quotes in the files that make sentences of facts.
    fn catalogue() -> Vec<&'static str> {
        const FILES: [&str; 6] = [
            include_str!("../../shared/src/solver/reason/words/boards.rs"),
            include_str!("../../shared/src/solver/reason/words/compounds.rs"),
            include_str!("../../shared/src/solver/reason/words/games.rs"),
            include_str!("../../shared/src/solver/reason/words/general.rs"),
            include_str!("../../shared/src/solver/reason/words/mod.rs"),
            include_str!("../../shared/src/solver/reason/words/partizan.rs"),
        ];
        let code = FILES.iter().flat_map(|file| file.lines());
        let code = code.filter(|line| !line.trim_start().starts_with("//"));
        let quoted = code.flat_map(|line| line.split('"').skip(1).step_by(2));
        quoted.filter(|text| text.contains(' ')).collect()
    }

    #[test]
    fn every_term_in_a_sentence_of_the_solver_is_pointed_at() {
        let catalogue = catalogue();
        assert!(catalogue.len() > 100, "{}", catalogue.len());
        let theory = PAGE.split_once(THEORY).expect("a section").1;
        let theory = rows(theory.split("\n## ").next().expect("its rows"));
        let mut pointed_at = 0;
        for entry in &theory {
            let named = entry.terms.iter().filter(|term| {
                let is_word =
                    term.len() > 3 && term.chars().all(|c| c.is_ascii_lowercase() || c == '-');
                is_word
                    && !EVERYDAY.contains(&&***term)
                    && !["number", "down", "star", "stop"].contains(&&***term)
            });
            for term in named {
                // As this word and no part of another.
                let holds = |text: &&&str| {
                    text.split(' ')
                        .any(|word| word.trim_matches([',', '.', ':', ';', '(', ')']) == term)
                };
                for text in catalogue.iter().filter(holds) {
                    let met = met(text);
                    assert!(
                        entry.terms.iter().any(|term| met.contains(term)),
                        "{term} in: {text}"
                    );
                    pointed_at += 1;
                }
            }
        }
        assert!(pointed_at > 30, "{pointed_at}");
    }

    #[test]
    fn only_terms_of_the_theory_are_pointed_at() {
        assert_eq!(
            met("The moves of the match are left, and this is the end."),
            [""; 0]
        );
        assert_eq!(met("Left wins."), ["Left"]);
        assert_eq!(
            met("The value 1* is a number; hot."),
            ["hot", "number", "star"]
        );
        assert_eq!(met("Two classes, by suspense"), ["suspense", "class"]);
        assert_eq!(met("XOR of the values: 1 ^ 4 = 5"), ["xor"]);
        assert_eq!(met("The value ^ is above 0"), ["up"]);
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
