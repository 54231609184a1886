//! Where a line may be broken: between words, and in Chinese, which has no spaces between them, between letters.

use textwrap::WordSeparator;
use textwrap::core::Word;

/// Letters of a name in Chinese; only longer runs are sentences, which can be broken anywhere.
const NAME: usize = 8;

/// The places at which lines are broken.
pub(crate) const SEPARATOR: WordSeparator = WordSeparator::Custom(words);

fn words(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    let mut begin = 0;
    let ends = ends(line).into_iter().map(move |end| {
        let word = Word::from(&line[begin..end]);
        begin = end;
        word
    });
    Box::new(ends)
}

/// Where the words of a line end, with the spaces after them.
fn ends(line: &str) -> Vec<usize> {
    let letters: Vec<(usize, char)> = line.char_indices().collect();
    let mut ends = Vec::new();
    // The number of the first letter of the run of Chinese letters that goes on, and how long it is.
    let mut run = (0, 0);
    for (number, &(at, letter)) in letters.iter().enumerate() {
        if number >= run.0 + run.1 {
            let long = letters[number..].iter().take_while(|(_, c)| is_han(*c));
            run = (number, long.count().max(1));
        }
        let next = letters.get(number + 1).map(|(_, c)| *c);
        let ends_here = match (letter, next) {
            (_, None) => true,
            (' ', Some(next)) => next != ' ',
            (_, Some(' ')) => false,
            (_, Some(next)) if is_closing(next) => false,
            (letter, Some(_)) if is_closing(letter) => true,
            (letter, Some(next)) => is_han(letter) && is_han(next) && run.1 > NAME,
        };
        if ends_here {
            ends.push(at + letter.len_utf8());
        }
    }
    ends
}

/// Whether it is a Chinese letter.
fn is_han(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{9fff}')
}

/// Whether it is a sign that never begins a line in Chinese.
fn is_closing(letter: char) -> bool {
    matches!(
        letter,
        '\u{3001}'
            | '\u{3002}'
            | '\u{ff0c}'
            | '\u{ff1a}'
            | '\u{ff1b}'
            | '\u{ff01}'
            | '\u{ff1f}'
            | '\u{ff09}'
            | '\u{201d}'
            | '\u{2026}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(line: &str) -> Vec<String> {
        let words = SEPARATOR.find_words(line);
        words
            .map(|word| format!("{}{}", word.word, word.whitespace))
            .collect()
    }

    #[test]
    fn nothing_is_lost_and_spaces_stay_with_the_word_before() {
        for line in [
            "",
            " ",
            "  two  words ",
            "nim:1,2\u{ff0c}\u{8f6e}\u{5230}\u{60a8}\u{8d70}\u{3002}",
            "\u{8bf7}\u{8f93}\u{5165}\u{7740}\u{6cd5}\u{ff0c}\u{4f8b}\u{5982} A-1\u{ff1b}",
        ] {
            assert_eq!(broken(line).concat(), line);
        }
        assert_eq!(broken("two  words"), ["two  ", "words"]);
    }

    #[test]
    fn chinese_sentences_are_broken_and_names_are_not() {
        let han = |count| "\u{738b}".repeat(count);
        assert_eq!(broken(&han(NAME)), [han(NAME)]);
        assert_eq!(broken(&han(NAME + 1)).len(), NAME + 1);
        // No line begins with a sign that closes something.
        let sentence = format!("{}\u{3002}\u{ff09}Ada", han(2));
        assert_eq!(
            broken(&sentence),
            [format!("{}\u{3002}\u{ff09}", han(2)), "Ada".to_owned()]
        );
    }
}
