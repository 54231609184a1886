//! Every kind of fact in both languages.

use std::collections::BTreeSet;

use grundy_shared::Position;
use grundy_shared::fact::Fact;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, Reasons, reasons};
use grundy_shared::theory::compound::Compound;
use grundy_words::{Language, reason};

/// Letters that stand in Chinese sentences: the names of theory and of commands, and what is put in from the position is taken out before.
const ALLOWED: [&str; 14] = [
    "SJ",
    "Grundy",
    "grundy",
    "explain",
    "class",
    "n",
    "k",
    "x",
    "a",
    "b",
    "octal",
    "kayles",
    "dawsonkayles",
    "dawsonchess",
];

/// The examples of the registry, in each end rule and compound that reads, and larger sums of them.
fn positions() -> Vec<Position> {
    let mut texts = Vec::new();
    for game in REGISTRY {
        for example in game.examples {
            texts.push((*example).to_owned());
            texts.push(format!("{example}@misere"));
            texts.push(format!("{example}+nim:3"));
            texts.push(format!("{example}+nim:2,5@misere"));
            for compound in Compound::NAMED {
                texts.push(format!("{example}+nim:1@{}", compound.word()));
                texts.push(format!("{example}+{example}@{}@misere", compound.word()));
            }
        }
    }
    for text in [
        "nim:_",
        "chomp:14,13,13,13,13,13,13,13,13,13,13,13,13,1",
        "nim:0@misere",
        "nim:1,1@misere",
        "race.21.3:4",
        "nim:1000000000000000000",
        "moore.2:1,1@misere",
        "kayles:9,8@misere",
        "hack:0-1,1-2,1-3,0-4",
        "hack:0b1+hack:0r1",
        "value:2::1:0",
        "domineering:.../...",
        "nim:5+nim:0@zero",
        "loopy.0-1.1-0.1-2:0",
        "nim:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19",
    ] {
        texts.push(text.to_owned());
    }
    let read = texts.iter().filter_map(|text| Position::parse(text).ok());
    read.collect()
}

/// The reasons for the first and the last move of a position, and the best one.
fn asked(position: &Position, seat: Seat) -> Reasons {
    let moves: Vec<_> = position.moves(seat).take(40).collect();
    let mut chosen = Vec::new();
    chosen.extend(moves.first().cloned());
    chosen.extend(moves.last().filter(|_| moves.len() > 1).cloned());
    reasons(position, seat, &chosen, &Budget::nodes(20_000))
}

#[test]
fn english_is_what_it_was_and_chinese_has_no_english_in_it() {
    let mut kinds = BTreeSet::new();
    let mut compared = 0;
    for position in positions() {
        for seat in Seat::BOTH {
            let found = asked(&position, seat);
            let english = reason::lines(&found, Language::English);
            assert_eq!(english, found.lines, "{position}");
            let chinese = reason::lines(&found, Language::Chinese);
            let named = names(&found);
            for line in &chinese {
                let foreign = foreign_words(line, &named);
                assert!(foreign.is_empty(), "{position}: {foreign:?} in {line}");
            }
            for mv in &found.moves {
                kinds.extend(mv.changes.iter().map(kind));
                kinds.extend(mv.leaves.facts.iter().map(kind));
            }
            kinds.extend(found.position.facts.iter().map(kind));
            compared += english.len();
        }
    }
    assert!(
        compared > 10_000 && kinds.len() > 40,
        "{compared} lines, {kinds:?}"
    );
}

/// The name of the kind of a fact.
fn kind(fact: &Fact) -> String {
    let json = serde_json::to_value(fact).expect("JSON");
    json["fact"].as_str().expect("a name").to_owned()
}

/// What a sentence quotes: positions, moves, names and values, longest first.
fn names(found: &Reasons) -> Vec<String> {
    fn gather(value: &serde_json::Value, found: &mut BTreeSet<String>) {
        match value {
            serde_json::Value::String(text) => {
                found.insert(text.clone());
            }
            serde_json::Value::Array(items) => items.iter().for_each(|item| gather(item, found)),
            serde_json::Value::Object(fields) => {
                fields.values().for_each(|item| gather(item, found));
            }
            _ => {}
        }
    }
    let mut facts = found.clone();
    facts.lines.clear();
    let mut names = BTreeSet::new();
    gather(&serde_json::to_value(&facts).expect("JSON"), &mut names);
    let cut = names.iter().filter(|name| name.len() > 120);
    let cut: Vec<String> = cut.map(|name| format!("{}...", &name[..120])).collect();
    let mut names: Vec<String> = names.into_iter().chain(cut).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names
}

/// The words in Latin letters that are neither quoted nor allowed.
fn foreign_words(line: &str, quoted: &[String]) -> Vec<String> {
    let latin = |text: &str| text.contains(|sign: char| sign.is_ascii_alphabetic());
    // Before the names of heaps, one of which is G.
    let mut rest = line.replace("SG 值", "\u{fffd}");
    for name in quoted.iter().filter(|name| latin(name)) {
        rest = rest.replace(name.as_str(), "\u{fffd}");
    }
    let words = rest.split(|sign: char| !sign.is_ascii_alphabetic());
    let foreign = words.filter(|word| !word.is_empty() && !ALLOWED.contains(word));
    foreign.map(str::to_owned).collect()
}

#[test]
fn a_word_of_another_language_is_found() {
    let quoted = vec!["A-1".to_owned()];
    assert_eq!(
        foreign_words("A-1 走到 SG 值 nim-value 0", &quoted),
        ["nim", "value"]
    );
    assert!(foreign_words("A-1 必胜", &quoted).is_empty());
}
