//! The rules of a position: with the numbers in its code, and without rules that matter only for other positions of the game.

use grundy_shared::Position;
use grundy_shared::games::GameInfo;

use crate::{Catalogue, Message};

/// The most sentences for the code of a take-and-break game; a longer code gets the general rule.
const SENTENCES: usize = 4;

/// What is left of a heap, by the bits of a digit.
const LEFT: [&str; 4] = [
    "game-octal-nothing",
    "game-octal-one-heap",
    "game-octal-two-heaps",
    "game-octal-three-heaps",
];

/// The rule of one game of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The game.
    pub game: &'static GameInfo,
    /// What it is called.
    pub title: String,
    /// How it is played. Who wins is left out: the end rule says that for the whole position.
    pub text: String,
}

/// The rules of a position in the order of its components. Two components with the same rule share one. O(length of the position).
#[must_use]
pub fn rules(position: &Position, words: &Catalogue) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    for (game, component) in position.components() {
        let text = particular(game, &component, words).unwrap_or_else(|| general(game, words));
        if !rules
            .iter()
            .any(|rule| rule.game == game && rule.text == text)
        {
            let title = words.say(&format!("game-{}", game.name));
            rules.push(Rule { game, title, text });
        }
    }
    rules
}

/// The rule of a game without the sentence about winning.
fn general(game: &GameInfo, words: &Catalogue) -> String {
    let rule = words.say(&format!("game-{}-rule", game.name));
    let winner = words.say("game-winner");
    let ends = ['.', '\u{3002}', '\u{ff1b}'];
    let Some(wins) = rule.find(&winner) else {
        return rule;
    };
    // The clause ends the sentence in one language and begins it in the other.
    let begin = rule[..wins].rfind(ends);
    let begin = begin.map_or(0, |end| {
        end + rule[end..].chars().next().map_or(0, char::len_utf8)
    });
    let after = &rule[wins..];
    let end = after.find(ends);
    let end = end.map_or(after.len(), |end| {
        end + after[end..].chars().next().map_or(0, char::len_utf8)
    });
    let rest = after[end..].trim_start();
    [rule[..begin].trim_end(), rest].concat()
}

/// The rule of a game as it is for this component, if the general one speaks of numbers or of pieces that the component does not have.
fn particular(game: &GameInfo, component: &str, words: &Catalogue) -> Option<String> {
    let (head, state) = component.split_once(':')?;
    let code = head.strip_prefix(game.name)?;
    let numbers: Vec<&str> = code.split('.').skip(1).collect();
    let is_one = numbers.first() == Some(&"1") && (numbers.len() == 1 || game.name == "race");
    let counted = |name| Message::new(name).number("count", if is_one { 1 } else { 2 });
    let message = match (game.name, numbers.as_slice()) {
        ("bash", [most]) => counted("game-bash-here").text("most", most),
        ("race", [most, target]) => counted("game-race-here")
            .text("most", most)
            .text("target", target),
        ("sub", sizes) => {
            counted("game-sub-here").text("sizes", either(sizes, "match-list-or", words))
        }
        ("moore", [heaps]) => counted("game-moore-here").text("heaps", heaps),
        ("flip", coins) => {
            counted("game-flip-here").text("coins", either(coins, "match-list-or", words))
        }
        ("ruler", []) => Message::new("game-ruler-any"),
        ("ruler", [most]) => counted("game-ruler-here").text("most", most),
        ("prefix", [longest]) => counted("game-prefix-here").text("longest", longest),
        ("octal", _) => return octal(code, words),
        ("hack", _) if !state.contains(['b', 'r']) => Message::new("game-hack-green"),
        ("hack", _) if !state.contains('-') => Message::new("game-hack-two-colours"),
        ("northcott", _) => Message::new("game-northcott-here"),
        _ => return None,
    };
    Some(message.said(words))
}

/// The moves of a take-and-break game: those that leave the same are one sentence.
fn octal(code: &str, words: &Catalogue) -> Option<String> {
    let digits = code.chars().filter_map(|digit| digit.to_digit(16));
    let digits: Vec<u32> = digits.collect();
    let (splitting, taking) = digits.split_first()?;
    let leave = |digit: u32| {
        let left = LEFT.iter().enumerate();
        let left = left.filter(|(bit, _)| digit & (1 << bit) != 0);
        let left: Vec<String> = left.map(|(_, name)| words.say(name)).collect();
        either(&left, "game-octal-or", words)
    };
    let mut groups: Vec<(u32, Vec<usize>)> = Vec::new();
    for (taken, &digit) in (1..).zip(taking).filter(|(_, digit)| **digit != 0) {
        match groups.iter_mut().find(|(known, _)| *known == digit) {
            Some((_, sizes)) => sizes.push(taken),
            None => groups.push((digit, vec![taken])),
        }
    }
    let mut said = Vec::new();
    if *splitting != 0 {
        let split = Message::new("game-octal-split").text("heaps", leave(*splitting));
        said.push(split.said(words));
    }
    for (digit, sizes) in groups {
        let only_one = sizes == [1];
        let take = Message::new("game-octal-take")
            .number("count", if only_one { 1 } else { 2 })
            .text("sizes", either(&sizes, "match-list-or", words))
            .text("left", leave(digit));
        said.push(take.said(words));
    }
    (1..=SENTENCES)
        .contains(&said.len())
        .then(|| words.sentences(&said))
}

/// A list of alternatives, with the message that joins the last one to the others: `1, 3 or 4`.
fn either(items: &[impl ToString], or: &'static str, words: &Catalogue) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    let comma = words.say("list-comma");
    match items.split_last() {
        Some((last, others @ [_, ..])) => Message::new(or)
            .text("list", others.join(&comma))
            .text("last", last)
            .said(words),
        _ => items.concat(),
    }
}

#[cfg(test)]
mod tests {
    use grundy_shared::games::REGISTRY;

    use super::*;
    use crate::Language;

    fn said(position: &str, language: Language) -> Vec<String> {
        let position = Position::parse(position).expect("a position");
        let rules = rules(&position, Catalogue::of(language));
        rules.into_iter().map(|rule| rule.text).collect()
    }

    #[test]
    fn a_rule_names_the_numbers_of_its_position() {
        let rules = [
            ("bash.10:23", "Take 1 to 10 stones from one heap."),
            (
                "race.10.100:0",
                "Add 1 to 10 to the current number, without passing 100.",
            ),
            ("sub.1.3.4:8,5", "Take 1, 3 or 4 stones from one heap."),
            ("sub.1:8,5", "Take 1 stone from one heap."),
            ("sub.2:8,5", "Take 2 stones from one heap."),
            ("bash.1:8", "Take 1 stone from one heap."),
            (
                "race.1.9:0",
                "Add 1 to the current number, without passing 9.",
            ),
            (
                "moore.1:3,4",
                "Take any number of stones, at least one, from one heap.",
            ),
            (
                "flip.1:HTH",
                "Turn over one coin of the row, from heads to tails.",
            ),
            (
                "ruler.1:HTH",
                "Turn over one coin of the row, from heads to tails.",
            ),
            (
                "prefix.1:_",
                "Add the string 0 or the string 1, unless it is already there.",
            ),
            (
                "octal.0.77:5",
                "Take 1 or 2 stones from a heap and leave nothing, one heap or two heaps of it.",
            ),
            (
                "octal.4.3:6",
                "Split a heap into two heaps. Take 1 stone from a heap and leave nothing or one heap of it.",
            ),
            (
                "hack:0-1-2,0-3",
                "Cut one edge. Whatever is no longer connected to the ground, vertex 0, falls off.",
            ),
        ];
        for (position, rule) in rules {
            assert_eq!(said(position, Language::English), [rule]);
        }
        assert_eq!(
            said("sub.1.3.4:8", Language::Chinese),
            ["从一堆取走 1、3 或 4 颗石子。"]
        );
    }

    #[test]
    fn components_with_other_numbers_have_rules_of_their_own() {
        assert_eq!(said("nim:3+nim:4", Language::English).len(), 1);
        assert_eq!(said("bash.2:3+bash.3:4", Language::English).len(), 2);
    }

    #[test]
    fn no_rule_of_a_position_speaks_of_its_name_or_says_who_wins() {
        for language in Language::ALL {
            let winner = Catalogue::of(language).say("game-winner");
            for example in REGISTRY.iter().flat_map(|game| game.examples) {
                for rule in said(example, language) {
                    assert!(!rule.contains(&winner), "{example}: {rule}");
                    assert!(!rule.contains("after the name"), "{example}: {rule}");
                    assert!(!rule.contains("名称后面"), "{example}: {rule}");
                    assert!(rule.ends_with(['.', '。']), "{example}: {rule}");
                }
            }
        }
    }
}
